import { maxAttempts, retryDelaysMs } from '../../spec/constants.js'
import type { ExchangeRecord } from '../../harness/result.js'
import { grouped } from './text.js'

/** One delivery of one event to one URL: when each attempt was signed, and when the schedule expects one. */
export interface Delivery {
  readonly eventId: string
  /** Seconds after the first attempt, ascending. */
  readonly observed: readonly number[]
  /** Seconds after the first attempt at which the schedule expects an attempt, counted from the observed one before. */
  readonly expected: readonly number[]
  /** What each attempt was answered with. */
  readonly answers: readonly string[]
  /** The clock was moved: the times are those that were signed, not those that went by. */
  readonly isVirtual: boolean
}

/** Seconds by which signed and passed time differ where no clock was moved. */
const driftSeconds = 3

/** The deliveries among exchanges that have a retry, or should have one. */
export function deliveriesOf(exchanges: readonly ExchangeRecord[]): readonly Delivery[] {
  const deliveries = exchanges.filter((exchange) => exchange.kind === 'delivery')
  const groups = grouped(deliveries, ({ request }) => `${request.headers['webhook-id'] ?? ''} ${request.url}`)
  return [...groups.values()]
    .map(deliveryOf)
    .filter((delivery) => delivery.expected.length > 1 || delivery.observed.length > 1)
}

function deliveryOf(attempts: readonly ExchangeRecord[]): Delivery {
  const at = attempts.map(signedSeconds)
  const first = at[0] ?? 0
  // A delivery that got a 2xx has ended: later attempts are replays, outside the schedule.
  const end = attempts.findIndex(({ response }) => response !== undefined && Math.floor(response.status / 100) === 2)
  const failed = end === -1 ? attempts.length : end
  const expected = [0]
  for (let number = 2; number <= Math.min(failed + 1, maxAttempts); number++)
    expected.push((at[number - 2] ?? first) - first + (retryDelaysMs[number - 1] ?? 0) / 1000)
  const passed = attempts.map((exchange) => Date.parse(exchange.started_at) / 1000)
  const isVirtual = at.some(
    (seconds, index) => Math.abs(seconds - first - ((passed[index] ?? 0) - (passed[0] ?? 0))) > driftSeconds,
  )
  return {
    eventId: attempts[0]?.request.headers['webhook-id'] ?? '',
    observed: at.map((seconds) => Math.max(0, seconds - first)),
    expected,
    answers: attempts.map(({ response, note }) =>
      response === undefined ? (note ?? 'no answer').replace(/^answered with: /, '') : String(response.status),
    ),
    isVirtual,
  }
}

/** The time the attempt was signed, which is virtual where the clock was moved; else when it arrived. */
function signedSeconds({ request, started_at }: ExchangeRecord): number {
  const signed = request.headers['webhook-timestamp'] ?? ''
  return /^\d{1,12}$/.test(signed) ? Number(signed) : Date.parse(started_at) / 1000
}
