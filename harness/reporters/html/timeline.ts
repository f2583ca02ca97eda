import { maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import type { ExchangeRecord } from '../../result.js'
import { text } from './text.js'

/** Measures of the drawing, in its own units. */
const drawing = { width: 640, left: 76, right: 616, expectedY: 22, observedY: 50, height: 84 }
/** Deliveries drawn of one case. */
const mostTimelines = 4
/** Seconds between due and made before an attempt is marked: whole seconds are signed, and the failed one took a moment. */
const toleranceSeconds = 2

/** One delivery of one event to one URL: when each attempt was signed, and whether the schedule asks for a further one. */
interface Delivery {
  readonly eventId: string
  /** Seconds after the first attempt, ascending. */
  readonly observed: readonly number[]
  /** Seconds after the first attempt at which the schedule asks for an attempt, counted from the one before as it was observed. */
  readonly expected: readonly number[]
}

/** The retries of a case as a drawing: above when each attempt was due, below when it was made. */
export function timelines(exchanges: readonly ExchangeRecord[]): string {
  const deliveries = deliveriesOf(exchanges).filter((each) => each.expected.length > 1 || each.observed.length > 1)
  const left = deliveries.length - mostTimelines
  const more = left > 0 ? `<p class="small">And ${left} more deliveries.</p>` : ''
  return deliveries.slice(0, mostTimelines).map(timeline).join('\n') + more
}

function deliveriesOf(exchanges: readonly ExchangeRecord[]): Delivery[] {
  const groups = new Map<string, ExchangeRecord[]>()
  for (const each of exchanges) {
    if (each.kind !== 'delivery') continue
    const key = `${each.request.headers['webhook-id'] ?? ''} ${each.request.url}`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].map((attempts): Delivery => {
    const at = attempts.map(secondsOf)
    const first = at[0] ?? 0
    // A delivery that got a 2xx has ended: what comes later is a replay, and no schedule asks for it.
    const end = attempts.findIndex(({ response }) => response !== undefined && Math.floor(response.status / 100) === 2)
    const failed = end === -1 ? attempts.length : end
    const expected = [0]
    for (let number = 2; number <= Math.min(failed + 1, maxAttempts); number++)
      expected.push((at[number - 2] ?? first) - first + (retryDelaysMs[number - 1] ?? 0) / 1000)
    return {
      eventId: attempts[0]?.request.headers['webhook-id'] ?? '',
      observed: at.map((each) => Math.max(0, each - first)),
      expected,
    }
  })
}

/** The time the attempt was signed, which is virtual where the clock was moved; else when it arrived. */
function secondsOf({ request, started_at }: ExchangeRecord): number {
  const signed = request.headers['webhook-timestamp'] ?? ''
  return /^\d{1,12}$/.test(signed) ? Number(signed) : Date.parse(started_at) / 1000
}

function timeline({ eventId, observed, expected }: Delivery): string {
  const longest = Math.max(1, ...observed, ...expected)
  const { left, right } = drawing
  const x = (seconds: number) => left + ((right - left) * Math.log1p(seconds)) / Math.log1p(longest)
  const due = expected.map((seconds, index) => {
    const isMade = index < observed.length
    return `<circle class="${isMade ? 'due' : 'due open'}" cx="${x(seconds).toFixed(1)}" cy="${drawing.expectedY}" r="5"/>`
  })
  const links = expected.slice(0, observed.length).map((seconds, index) => {
    const made = observed[index] ?? 0
    const isLate = Math.abs(made - seconds) > toleranceSeconds
    return `<line class="${isLate ? 'off' : 'on'}" x1="${x(seconds).toFixed(1)}" y1="${drawing.expectedY + 6}" x2="${x(made).toFixed(1)}" y2="${drawing.observedY - 6}"/>`
  })
  const made = observed.map((seconds, index) => {
    const isOff = index >= expected.length || Math.abs(seconds - (expected[index] ?? 0)) > toleranceSeconds
    return `<circle class="${isOff ? 'made off' : 'made'}" cx="${x(seconds).toFixed(1)}" cy="${drawing.observedY}" r="5"/>`
  })
  const labels = (times: readonly number[], from: readonly number[], y: number) =>
    spread(times.map((seconds, index) => ({ x: x(seconds), label: gap(seconds, from[index - 1]) }))).map(
      (each) => `<text x="${each.x.toFixed(1)}" y="${y}">${each.label}</text>`,
    )
  const texts = [
    ...labels(expected, observed, drawing.expectedY - 10),
    ...labels(observed, observed, drawing.observedY + 22),
  ]
  const words = `${observed.length} ${observed.length === 1 ? 'attempt' : 'attempts'} made at ${observed.map(readableSeconds).join(', ')}, due at ${expected.map(readableSeconds).join(', ')} after the first`
  return `<figure><svg class="timeline" viewBox="0 0 ${drawing.width} ${drawing.height}" role="img" aria-label="${text(words)}">
<text class="lane" x="4" y="${drawing.expectedY + 4}">expected</text><text class="lane" x="4" y="${drawing.observedY + 4}">observed</text>
<line class="axis" x1="${left}" y1="${drawing.expectedY}" x2="${right}" y2="${drawing.expectedY}"/><line class="axis" x1="${left}" y1="${drawing.observedY}" x2="${right}" y2="${drawing.observedY}"/>
${links.join('')}${due.join('')}${made.join('')}${texts.join('')}
</svg><figcaption class="small">Attempts of ${text(eventId)}: each is due so long after the one before as the schedule says; a hollow one was due but is not recorded. Logarithmic scale.</figcaption></figure>`
}

/** Labels that would cover each other are left out, but the last one never is. */
function spread<T extends { readonly x: number; readonly label: string }>(labels: readonly T[]): T[] {
  const shown: T[] = []
  for (const each of [...labels].reverse()) {
    const next = shown.at(-1)
    if (next === undefined || next.x - each.x > 7 * Math.max(each.label.length, next.label.length)) shown.push(each)
  }
  return shown
}

/** How long after the attempt before; the first is the start. */
function gap(seconds: number, before: number | undefined): string {
  return before === undefined ? '0' : `+${readableSeconds(seconds - before)}`
}

function readableSeconds(seconds: number): string {
  const rounded = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60), rounded % 60]
  const words = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', rest > 0 ? `${rest} s` : '']
  return words.filter((each) => each !== '').join(' ') || '0'
}
