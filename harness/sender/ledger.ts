import type { Attempt } from '../sink/attempt.js'
import { status, type Answer } from '../sink/answer.js'
import { SeenAttempt, SentEvent, type SenderForm } from './attempts.js'

/** Attempts that are kept; of a sender that never stops the rest is answered and forgotten. */
const maxAttempts = 5_000
/** How long an attempt that may be the awaited one is held until a better match arrives, in milliseconds. */
const holdMs = 1_500
/** The same where an attempt has no id: the retry of another event looks like it, and some triggers take seconds. */
const holdWithoutIdsMs = 5_000
/** The type of most triggered events. */
const usualType = 'message.received'

/** The awaited first attempt of an event that was just triggered. */
export interface ExpectedAttempt {
  /** The type of the event; empty for any. */
  readonly type: string
  /** The answers to its attempts, once the first is here. */
  readonly answers: (first: SeenAttempt) => readonly Answer[]
  /** Part of every path that a redirect of this event leads to. */
  readonly mark: string
}

interface Pending extends ExpectedAttempt {
  /** Attempts that may be the one, not yet answered. */
  readonly held: SeenAttempt[]
  /** Attempts of other types, or of known ids, that were answered. */
  readonly others: SeenAttempt[]
  timer?: NodeJS.Timeout
  event?: SentEvent
}

/** Everything that arrived, and which event of the run each attempt belongs to. */
export class Ledger {
  readonly seen: SeenAttempt[] = []
  readonly events: SentEvent[] = []
  readonly #byKey = new Map<string, SentEvent>()
  readonly #form: SenderForm
  readonly #waiting = new Set<() => void>()
  #pending: Pending | undefined

  /** Whether two indistinguishable events arrived: without an id, and with the same bytes. */
  areEqual = false

  constructor(form: SenderForm) {
    this.#form = form
  }

  /** Called with each request of the listener. */
  take(attempt: Attempt): void {
    const seen = new SeenAttempt(attempt, this.#form)
    if (
      this.events.some((event) => event.takeFollowed(attempt)) ||
      !seen.isDelivery ||
      this.seen.length >= maxAttempts
    ) {
      attempt.answer(status(200))
      this.#wake()
      return
    }
    this.seen.push(seen)
    this.#assign(seen)
    this.#wake()
  }

  /** From here on an event is waited for; the first attempt that fits begins it. */
  want(wanted: ExpectedAttempt): void {
    this.#pending = { ...wanted, held: [], others: [] }
  }

  /** The event that is waited for, once its first attempt is here. */
  get found(): SentEvent | undefined {
    return this.#pending?.event
  }

  /** Whether attempts arrived that are not the awaited one, which may be the only ones. */
  get hasOthers(): boolean {
    return (this.#pending?.others.length ?? 0) > 0
  }

  /** Uses another arrival as the awaited attempt. */
  takeOther(): SentEvent | undefined {
    const pending = this.#pending
    const other =
      pending?.others.find((candidate) => candidate.attempt.field('type') === pending.type) ?? pending?.others[0]
    if (pending !== undefined && pending.event === undefined && other !== undefined) this.#begin(pending, other)
    return pending?.event
  }

  /** Ends the wait and drops the held attempts. */
  unwant(): void {
    const pending = this.#pending
    this.#pending = undefined
    clearTimeout(pending?.timer)
    for (const held of pending?.held ?? []) this.#assign(held)
    this.#wake()
  }

  /** Resolves to whether `condition` held within `withinMs`; looked at whenever something arrives. */
  async until(condition: () => boolean, withinMs: number, signal: AbortSignal): Promise<boolean> {
    if (condition()) return true
    return new Promise((resolve) => {
      const end = (hasHeld: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        signal.removeEventListener('abort', stop)
        resolve(hasHeld)
      }
      const look = () => condition() && end(true)
      const stop = () => end(condition())
      const timer = setTimeout(stop, Math.max(0, withinMs))
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.add(look)
    })
  }

  /** Rechecks the wait after a change other than an arrival. */
  readonly wake = (): void => this.#wake()

  #wake(): void {
    for (const look of this.#waiting) look()
  }

  #assign(seen: SeenAttempt): void {
    const known = this.#known(seen)
    const pending = this.#pending?.event === undefined ? this.#pending : undefined
    const type = seen.attempt.field('type')
    const isPlain = pending === undefined || pending.type === '' || pending.type === usualType
    // While an event is waited for, only the very bytes of one that failed, or its type where another is wanted, are sure to be its retry: ids may be used twice.
    const isOfAnother = (candidate: SeenAttempt) =>
      !isPlain && type !== pending.type && candidate.attempt.field('type') === type
    const isRetry =
      known !== undefined &&
      !known.isOver &&
      // Without an id the same bytes may be the awaited event.
      (this.#hasIds || !isPlain) &&
      known.seen.some((earlier) => earlier.isSame(seen) || isOfAnother(earlier))
    if (known !== undefined && (pending === undefined || isRetry)) return this.#give(seen, known)
    if (pending === undefined) {
      // A retry under another id is found by what it carries.
      const kin = this.events.find((event) => !event.isOver && event.seen.some((one) => one.isLike(seen)))
      if (kin === undefined) seen.attempt.answer(status(200))
      else this.#give(seen, kin)
      return
    }
    const fits = known === undefined && (pending.type === '' || type === pending.type)
    if (fits) this.#begin(pending, seen)
    else if (!isPlain) {
      seen.attempt.answer(status(200))
      pending.others.push(seen)
    } else {
      pending.held.push(seen)
      pending.timer ??= setTimeout(() => this.#settleFor(pending), this.#holdMs)
    }
  }

  /** Uses the first held attempt, as no better one arrived. */
  #settleFor(pending: Pending): void {
    const [first] = pending.held
    if (this.#pending !== pending || pending.event !== undefined || first === undefined) return
    const unknown = pending.held.find((held) => this.#known(held) === undefined)
    this.areEqual ||= unknown === undefined && !this.#hasIds
    this.#begin(pending, unknown ?? first)
    this.#wake()
  }

  #begin(pending: Pending, seen: SeenAttempt): void {
    const { answers, mark } = pending
    const event = new SentEvent(answers(seen), { mark, isIdReused: this.#hasIdOfAnother(seen) })
    this.events.push(event)
    for (const key of seen.keys) this.#byKey.set(key, event)
    pending.event = event
    this.#give(seen, event)
    for (const held of pending.held.splice(0)) if (held !== seen) this.#assign(held)
  }

  get #holdMs(): number {
    if (this.#hasIds) return holdMs
    return this.areEqual ? 0 : holdWithoutIdsMs
  }

  get #hasIds(): boolean {
    return this.#form.scheme.has('id')
  }

  #hasIdOfAnother({ values: { id } }: SeenAttempt): boolean {
    return id !== undefined && this.#byKey.has(id)
  }

  #known(seen: SeenAttempt): SentEvent | undefined {
    return seen.keys.map((key) => this.#byKey.get(key)).find((event) => event !== undefined)
  }

  #give(seen: SeenAttempt, event: SentEvent): void {
    seen.isRequested = true
    event.take(seen)
  }
}
