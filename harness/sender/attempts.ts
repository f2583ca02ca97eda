import { createHash } from 'node:crypto'
import { resentAfterMs, resentWithinMs, type Attempt } from '../sink/attempt.js'
import { status, type Answer } from '../sink/answer.js'
import type { HeaderFamily } from '../wire/header-family.js'
import { parseWholeNumber } from '../wire/numbers.js'
import { isDeepStrictEqual } from 'node:util'

const parts = ['id', 'timestamp', 'signature'] as const

/** One attempt, as the sender under judgement made it. */
export class SeenAttempt {
  readonly attempt: Attempt
  /** Whether the run had triggered the event. */
  isAsked = false
  /** The request that the HTTP library made again by itself, where it did. */
  resent: Attempt | undefined
  readonly #family: HeaderFamily

  constructor(attempt: Attempt, family: HeaderFamily) {
    this.attempt = attempt
    this.#family = family
  }

  get names(): readonly string[] {
    return parts.map((part) => `${this.#family}-${part}`)
  }

  /** The values of one of the three headers, one for each line. */
  lines(part: (typeof parts)[number]): readonly string[] {
    return this.attempt.headerLines(`${this.#family}-${part}`)
  }

  /** The three headers; undefined for one that is missing or repeated. */
  get values(): { readonly id?: string; readonly timestamp?: string; readonly signature?: string } {
    const found = parts.flatMap((part) => {
      const lines = this.lines(part)
      return lines.length === 1 && lines[0] !== '' ? [[part, lines[0]] as const] : []
    })
    return Object.fromEntries(found)
  }

  /** False for a request from outside the sender, such as a browser or a health check: none of the three headers, and not a POST. */
  get isDelivery(): boolean {
    return this.attempt.method === 'POST' || parts.some((part) => this.lines(part).length > 0)
  }

  /** What names the event: its id in the headers and in the body, else the body itself. */
  get keys(): readonly string[] {
    const ids = [this.values.id, this.attempt.field('id')].filter((each) => typeof each === 'string')
    return ids.length > 0 ? ids : [`body ${createHash('sha256').update(this.attempt.body).digest('hex')}`]
  }

  /** Seconds of the timestamp; NaN unless it is a whole number. */
  get signedAt(): number {
    return parseWholeNumber(this.values.timestamp)
  }

  /** Whether `later` is this very request once more: the same bytes, signed at the same second. */
  isRepeatedBy(later: SeenAttempt): boolean {
    return this.isSame(later) && parts.every((part) => this.values[part] === later.values[part])
  }

  /** Whether two attempts carry the same bytes. */
  isSame({ attempt }: SeenAttempt): boolean {
    return Buffer.from(attempt.body).equals(Buffer.from(this.attempt.body))
  }

  /** Returns whether two attempts are of one event, whatever their ids. */
  isLike(other: SeenAttempt): boolean {
    const { attempt } = other
    if (this.isSame(other)) return attempt.body.length > 0
    const data = attempt.field('data')
    return (
      typeof data === 'object' &&
      data !== null &&
      attempt.field('type') === this.attempt.field('type') &&
      isDeepStrictEqual(data, this.attempt.field('data'))
    )
  }
}

/** An event that the run triggered, and its attempts. */
export class SentEvent {
  readonly seen: SeenAttempt[] = []
  /** Requests that followed a redirect. */
  readonly followed: Attempt[] = []
  /** Another event had the same id before. */
  readonly isIdReused: boolean
  readonly #mark: string
  #answers: readonly Answer[]
  #isReleased = false
  /** Until when, of `Date.now()`, an HTTP library may repeat the latest attempt without making another one. */
  #resentUntil = 0
  #hasSucceeded = false

  constructor(answers: readonly Answer[], { mark, isIdReused }: { mark: string; isIdReused: boolean }) {
    this.#answers = answers
    this.#mark = mark
    this.isIdReused = isIdReused
  }

  /** Whether it was answered with success, so that no attempt should follow; a released event may still get some. */
  get isOver(): boolean {
    return this.#hasSucceeded
  }

  /** Records an attempt and answers it by its number. */
  take(seen: SeenAttempt): void {
    const isResent = this.#isResent(seen)
    const latest = this.seen.at(-1)
    if (isResent && latest !== undefined) latest.resent = seen.attempt
    else this.seen.push(seen)
    const answer = this.#isReleased ? status(200) : (this.#answerOf(this.seen.length) ?? status(200))
    const afterMs = isResent ? undefined : resentAfterMs(answer)
    this.#resentUntil = afterMs === undefined ? 0 : seen.attempt.arrivedAt + afterMs + resentWithinMs
    this.#hasSucceeded = answer.kind === 'status' && answer.status >= 200 && answer.status < 300
    if (seen.attempt.isUnanswered) seen.attempt.answer(answer)
  }

  /** Answers every attempt with success from here on: the case has ended. */
  release(): void {
    this.#isReleased = true
    for (const { attempt } of this.seen) {
      if (!attempt.isUnanswered) continue
      this.#hasSucceeded = attempt.wasHeldAt(Date.now())
      attempt.answer(status(200))
    }
  }

  /** Records a request that followed one of its redirects; returns whether it is one. */
  takeFollowed(attempt: Attempt): boolean {
    if (!attempt.path.includes(this.#mark)) return false
    this.followed.push(attempt)
    return true
  }

  /** Some HTTP libraries send a request again themselves, at once and once (open point resends-of-a-delivery). */
  #isResent(seen: SeenAttempt): boolean {
    return seen.attempt.begunAt < this.#resentUntil && this.seen.at(-1)?.isRepeatedBy(seen) === true
  }

  #answerOf(number: number): Answer | undefined {
    return this.#answers[Math.min(number, this.#answers.length) - 1]
  }
}
