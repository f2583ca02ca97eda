import { answerTimeMs, retryDelaysMs } from '../../spec/index.js'
import { attemptRequirement, delaysBefore, latestAfter } from '../attempt-requirements.js'
import { createChecks, inWords, type Checks } from '../check.js'
import type { Attempt } from '../sink/attempt.js'
import type { RaisedEvent } from './raise.js'
import { instantOf, type DeliveryItem } from './answer-readers.js'
import type { SandboxClock } from './sandbox-clock.js'
import type { Webhook } from './webhook.js'

export interface RetryWatchOptions {
  /** The event of a replay: its attempts so far are not those of the delivery that is watched. */
  readonly event?: RaisedEvent
  /** Which of the listed deliveries is watched; the only one by default. */
  readonly isIt?: (delivery: DeliveryItem) => boolean
}

/** How an attempt ended, as far as the next one depends on it. `timeout`: it was given no answer. */
export type Ending = 'answered' | 'timeout'

/** The recorded answer to an attempt; an attempt without an answer has neither member. */
export interface RecordedAnswer {
  readonly code?: number
  readonly snippet?: string
}

/**
 * How close before an attempt's due time the clock is moved to detect an early one, in milliseconds; earlier if the answer to an advance is
 * slow, since arrivals within that time bound nothing.
 */
const beforeDueMs = 100
/** Milliseconds by which an attempt must be early that only most likely was: shorter delays of an answer are not noticed. */
const unnoticedMs = 400
/**
 * How far before that the clock is moved at first, in milliseconds: an attempt on this way was certainly too early, even on a slow machine.
 */
const wellBeforeDueMs = (delayMs: number) => Math.min(10_000, Math.max(1_500, delayMs / 10))
/** Milliseconds after an attempt is due to which the clock is moved to see that it is made. */
const afterDueMs = 300
/** Milliseconds an attempt may be late: whole seconds are a usual grain of a schedule. */
const lateMs = 1_000
/** Milliseconds by which arrivals measured here may fall short of a delay that was kept. */
const measuredShortMs = 250
/** The target may report a time in whole seconds. */
const recordedPrecisionMs = 1_000

/**
 * One delivery and its attempts, compared with the schedule by their arrivals on the workspace's clock, within the bounds of its advances,
 * never by a header. A delay may count from the start or the end of an attempt (open point delay-origin): the next one is early before the
 * first, late after the second.
 */
export class RetryWatch {
  readonly #webhook: Webhook
  readonly #clock: SandboxClock
  readonly #isIt: ((delivery: DeliveryItem) => boolean) | undefined
  readonly #attempts: Attempt[] = []
  /** The number of the attempt that was waited for last. */
  #number = 0
  /** Attempts among them that could not arrive: there was no connection. */
  #missed = 0
  #event: RaisedEvent | undefined
  /** Attempts of the event that were made before this delivery was. */
  #earlier = 0
  /** On the workspace's clock: the latest attempt began no earlier, and had ended no later. */
  #began = Number.NaN
  #ended = Number.NaN
  /** When the next attempt is due at the earliest: the delay after the latest arrival, or the recorded time. */
  #dueFrom = Infinity

  constructor({ webhook, clock, options }: { webhook: Webhook; clock: SandboxClock; options: RetryWatchOptions }) {
    this.#webhook = webhook
    this.#clock = clock
    this.#isIt = options.isIt
    this.#event = options.event
  }

  /** Causes the first attempt. */
  async begin(cause: () => Promise<unknown>): Promise<void> {
    if (this.#event !== undefined) this.#earlier = this.#webhook.attempts(this.#event).length
    if (this.#clock.time === 'virtual') await this.#clock.settle()
    this.#began = this.#clock.now()
    const caused = await cause()
    this.#event ??= caused as RaisedEvent
  }

  /** The event that is delivered. */
  get event(): RaisedEvent {
    if (this.#event === undefined) throw new Error('a watch begins before its event is requested')
    return this.#event
  }

  /** The attempts that were waited for so far. */
  get attempts(): readonly Attempt[] {
    return this.#attempts
  }

  /** The number of attempts of the delivery, from arrivals and the record. */
  get count(): number {
    return this.#webhook.attempts(this.event).length - this.#earlier + this.#missed
  }

  /** Whether the next attempt, after one whose record was read because it reached no endpoint, may have been made by now. */
  get mayBeOver(): boolean {
    return this.#clock.clockAt(Date.now()).latest >= this.#dueFrom
  }

  /** When the next attempt is due, on the workspace's clock: no earlier and no later, whichever end of the latest its delay counts from. */
  get nextDue(): { readonly earliest: number; readonly latest: number } {
    const delayMs = retryDelaysMs[this.#number] ?? Number.NaN
    return { earliest: this.#began + delayMs, latest: this.#ended + delayMs }
  }

  /** The first attempt, once it has ended: at once, or when its time to answer is over. */
  async first(require: Checks, ending: Ending = 'answered'): Promise<Attempt> {
    const { endpoint } = this.#webhook
    if (ending === 'timeout') {
      await endpoint.arrives(() => this.count >= 1, this.#clock.budgetMs)
      if (this.#clock.time === 'virtual')
        await this.#clock.advance(this.#after(this.#began, answerTimeMs + beforeDueMs))
    }
    const attempt = await this.#take(require)
    if (this.#clock.time === 'virtual') await this.#clock.settle()
    this.#ended = this.#clock.clockAt(Date.now()).latest
    return attempt
  }

  /**
   * Lets time pass until the next attempt, `delayMs` after the one before, was made and has ended; a mismatch if it is early or late.
   * `ending` is how the next one ends, `previous` how the one before did.
   */
  async next(
    check: Checks,
    require: Checks,
    delayMs: number,
    { ending = 'answered', previous = 'answered' }: { readonly ending?: Ending; readonly previous?: Ending } = {},
  ): Promise<Attempt> {
    const number = this.#number + 1
    const what = `attempt ${number}, ${delayMs / 1000} s after attempt ${number - 1}`
    if (this.#clock.time === 'real') return this.#nextInRealTime(check, require, delayMs)
    const leastMs = Math.max(delayMs, previous === 'timeout' ? answerTimeMs : 0)
    const earliest = this.#began + leastMs
    const latest = this.#ended + delayMs
    const isMade = () => this.count >= number
    const tookMs = await this.#clock.advance(this.#after(earliest, -wellBeforeDueMs(delayMs)))
    const marginMs = Math.min(beforeDueMs + 2 * tookMs, wellBeforeDueMs(delayMs))
    if (!isMade()) await this.#clock.advance(this.#after(earliest, -marginMs))
    await this.#clock.advance(this.#after(latest, afterDueMs + (ending === 'timeout' ? answerTimeMs : 0)))
    if (!isMade()) await this.#clock.advance(lateMs - afterDueMs)
    const dueBy = Date.now()
    const noLater = `at most ${(delayMs + lateMs) / 1000} s after the end of attempt ${number - 1}`
    const none = () => inWords(`none until ${seconds(this.#clock.now() - this.#ended)} s after its end`)
    const attempt = await this.#take(require, (found) => found.fail(what, noLater, none()))
    await this.#clock.settle()
    const arrived = this.#clock.clockAt(attempt.arrivedAt)
    const notBefore = `no earlier than ${leastMs / 1000} s after the start of attempt ${number - 1}`
    const early = (at: number) => inWords(`${seconds(at - this.#began)} s after its start, or earlier`)
    const isEarly = arrived.likelyLatest < earliest - unnoticedMs || arrived.latest < earliest
    const ofTime = check.dependingOn(...delaysBefore(number))
    if (arrived.latest < earliest) ofTime.fail(what, notBefore, early(arrived.latest))
    else if (isEarly) ofTime.measured.fail(what, notBefore, early(arrived.likelyLatest))
    if (attempt.arrivedAt > dueBy && arrived.earliest > latest + lateMs)
      ofTime.fail(what, noLater, inWords(`${seconds(arrived.earliest - this.#ended)} s after its end, or later`))
    // The arrival shows little of the start: a connection may be slow.
    this.#began = isEarly ? Math.min(earliest, arrived.earliest) : earliest
    this.#ended = this.#clock.clockAt(Date.now()).latest
    return attempt
  }

  /** Lets time pass until attempt `number` has ended, without a check of the earlier ones' times. */
  async until(number: number, requireFor: (number: number) => Checks): Promise<Attempt> {
    let attempt = this.#attempts.at(-1) ?? (await this.first(requireFor(1)))
    while (this.#number < number) {
      const next = this.#number + 1
      attempt = await this.next(unheeded, requireFor(next), retryDelaysMs[next - 1] ?? 0)
    }
    return attempt
  }

  /** Waits for the first attempt of a delivery that reaches no endpoint: it has ended once it is recorded, which a queue may delay. */
  async firstMissed(): Promise<void> {
    await this.#clock.settle()
    this.#number = 1
    await this.#learnAttempts()
    await this.recorded()
    this.#ended = this.#clock.clockAt(Date.now()).latest
    this.#missed = 1
    this.#dueFrom = Infinity
  }

  /** What `attempt` counts, by a delivery of which one attempt was made: it waits for the second, which is 5 seconds away at most. */
  async #learnAttempts(): Promise<void> {
    const delayMs = retryDelaysMs[1]
    const dueFrom = this.#began + delayMs / 2
    const waitsFor = ({ status, next_attempt_at: next }: DeliveryItem) =>
      status === 'pending' && instantOf(next) > dueFrom
    const delivery = await this.delivery((listed) => waitsFor(listed) || isFinal(listed))
    const { latest } = this.#clock.clockAt(Date.now())
    if (waitsFor(delivery) && instantOf(delivery.next_attempt_at) <= latest + delayMs + recordedPrecisionMs)
      this.#webhook.learnAttempts(delivery, 1)
  }

  /** Like {@link next} for an attempt that reaches no endpoint: only the record shows that it was made. */
  async nextMissed(check: Checks, delayMs: number): Promise<void> {
    const number = this.#number + 1
    const what = `recorded attempt ${delayMs / 1000} s after attempt ${number - 1}`
    const [earliest, latest] = [this.#began + delayMs, this.#ended + delayMs]
    await this.#clock.advance(this.#after(earliest, -wellBeforeDueMs(delayMs)))
    const before = await this.delivery((delivery) => delivery.attempt === number - 1 || isFinal(delivery))
    const ofTime = check.dependingOn(...delaysBefore(number))
    if (this.#clock.clockAt(Date.now()).latest < earliest)
      ofTime.equal(`${what}, a moment before`, before.attempt, number - 1)
    await this.#clock.advance(this.#after(latest, afterDueMs))
    const after = await this.delivery((delivery) => delivery.attempt === number || isFinal(delivery))
    ofTime.equal(what, after.attempt, number)
    this.#began = earliest
    this.#ended = this.#clock.clockAt(Date.now()).latest
    this.#number = number
    this.#missed++
    this.#dueFrom = Infinity
  }

  /**
   * The record after the attempt that was waited for last, while it is that of this attempt: its number, its answer or
   * none, and when the next one is due. Where the machine was so slow that the next was made meanwhile, nothing is judged.
   * `told` undefined: whether it counts as answered is open.
   */
  async expectRecord(
    checks: (requirement: 'RTY-009' | 'RTY-010' | 'DLV-017' | 'DLV-018' | 'DLV-019') => Checks,
    reported: RecordedAnswer | undefined,
  ): Promise<void> {
    const number = this.#number
    const isLast = number === retryDelaysMs.length
    const delivery = await this.recorded()
    if (this.count !== number || this.#isOf(delivery.attempt, number + 1)) return
    const after = `after attempt ${number}`
    checks('DLV-017').equal(`attempt ${after}`, delivery.attempt, number)
    checks(isLast ? 'RTY-009' : 'RTY-010').equal(`status ${after}`, delivery.status, isLast ? 'failed' : 'pending')
    if (reported !== undefined && !this.#isOfGateway(reported, delivery)) {
      expectRecorded(checks('DLV-018'), `response_code ${after}`, delivery.response_code, reported.code)
      if (reported.code === undefined || reported.snippet !== undefined)
        expectRecorded(
          checks('DLV-019'),
          `response_body_snippet ${after}`,
          delivery.response_body_snippet,
          reported.snippet,
        )
    }
    const delayMs = retryDelaysMs[number]
    if (delayMs !== undefined) this.#expectDue(checks('RTY-010'), delivery, delayMs)
  }

  /** An attempt that got no answer of the sink's got one of the gateway in front of it. */
  #isOfGateway({ code }: RecordedAnswer, { response_code: reported }: DeliveryItem): boolean {
    return code === undefined && this.#webhook.endpoint.isBehindGateway && ofGateways(reported)
  }

  /** Returns whether a record is about attempt `number`, which may have been made by now. */
  #isOf(reported: unknown, number: number): boolean {
    const delayMs = retryDelaysMs[number - 1]
    return (
      reported === number && delayMs !== undefined && this.#clock.clockAt(Date.now()).latest >= this.#began + delayMs
    )
  }

  /**
   * Returns the record once it contains the end of the last attempt. While the list lags, it shows this attempt under way: pending, without
   * a next one or with its own time, some moments after its earliest start.
   */
  recorded(): Promise<DeliveryItem> {
    const number = this.#number
    const delayMs = retryDelaysMs[number]
    return this.delivery((delivery) => {
      const isPlanned = delayMs !== undefined && instantOf(delivery.next_attempt_at) > this.#began + delayMs / 2
      return isFinal(delivery) || (delivery.attempt === number && isPlanned)
    })
  }

  /** Checks that `next_attempt_at` is within the bounds of the delay, from the earliest start to the latest end of the attempt. */
  #expectDue(check: Checks, delivery: DeliveryItem, delayMs: number): void {
    const due = instantOf(delivery.next_attempt_at)
    const { latest } = this.#clock.clockAt(Date.now())
    const [min, max] = [
      this.#began + delayMs - recordedPrecisionMs,
      Math.min(this.#ended, latest) + delayMs + recordedPrecisionMs,
    ]
    if (due >= min) this.#dueFrom = Math.min(this.#dueFrom, due)
    check
      .dependingOn(...delaysBefore(this.#number + 1))
      .ok(
        `next_attempt_at after attempt ${this.#number}`,
        due >= min && due <= max,
        `${delayMs / 1000} s after the attempt (${iso(min)} to ${iso(max)})`,
        Number.isFinite(due)
          ? inWords(`${seconds(due - this.#began)} s after it (${iso(due)})`)
          : delivery.next_attempt_at,
      )
  }

  /** Returns the listed delivery that is watched, once `condition` holds for it or it may lag no longer. */
  async delivery(condition: (delivery: DeliveryItem) => boolean): Promise<DeliveryItem> {
    const isIt = this.#isIt
    if (isIt === undefined) return this.#webhook.deliveryWhen(condition)
    const items = await this.#webhook.deliveriesWhen((all) =>
      all.some((delivery) => isIt(delivery) && condition(delivery)),
    )
    return items.find(isIt) ?? deliveryOfNone
  }

  async #nextInRealTime(check: Checks, require: Checks, delayMs: number): Promise<Attempt> {
    const previous = this.#attempts.at(-1)
    if (previous === undefined) throw new Error('the first attempt is waited for first')
    await this.#clock.advance(Math.max(0, previous.arrivedAt + delayMs + afterDueMs - Date.now()))
    const attempt = await this.#take(require)
    const number = this.#number
    check
      .dependingOn(...delaysBefore(number))
      .measured.between(
        `seconds between attempts ${number - 1} and ${number}`,
        (attempt.begunAt - previous.begunAt) / 1000,
        (delayMs - measuredShortMs) / 1000,
        (Math.max(0, previous.endedAt - previous.begunAt) + latestAfter(delayMs)) / 1000,
      )
    return attempt
  }

  /** `tell` reports the mismatches if the attempt does not arrive. */
  async #take(require: Checks, notify?: (found: Checks) => void): Promise<Attempt> {
    const number = this.#number + 1
    const dependsOn = this.#earlier > 0 && number === 1 ? 'RPL-002' : attemptRequirement(number)
    const about = { dependsOn, ...(notify && { notify }) }
    const attempt = await this.#webhook.attempt(this.#earlier + number - this.#missed, this.event, require, about)
    this.#number = number
    this.#attempts.push(attempt)
    this.#dueFrom = this.#clock.clockAt(attempt.arrivedAt).earliest + (retryDelaysMs[number] ?? Infinity)
    return attempt
  }

  /** Milliseconds from now to `ms` after `at`, both on the workspace's clock. */
  #after(at: number, ms: number): number {
    return Math.max(0, Math.round(at + ms - this.#clock.now()))
  }
}

/** Checks whose mismatches are ignored. */
const unheeded = createChecks(() => {})

const deliveryOfNone: DeliveryItem = {
  id: undefined,
  status: undefined,
  attempt: undefined,
  response_code: undefined,
  response_body_snippet: undefined,
  next_attempt_at: undefined,
  replay_of: undefined,
  raw: undefined,
}

/** Whether no other attempt will follow. */
function isFinal({ status }: DeliveryItem): boolean {
  return status === 'failed' || status === 'succeeded'
}

/** Statuses of gateways for a broken connection: 502 to 504, and those of Cloudflare. */
function ofGateways(code: unknown): boolean {
  return typeof code === 'number' && ((code >= 502 && code <= 504) || (code >= 520 && code <= 530))
}

/** A field without a value is null, absent, zero or empty (open point empty-fields). */
function expectRecorded(check: Checks, what: string, actual: unknown, expected: string | number | undefined): void {
  const isEmpty = actual === null || actual === undefined || actual === 0 || actual === ''
  if (expected === undefined || expected === '') check.ok(what, isEmpty, 'nothing', actual)
  else check.equal(what, actual, expected)
}

function iso(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
