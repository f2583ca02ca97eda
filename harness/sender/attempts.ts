import { createHash } from 'node:crypto'
import { resentAfterMs, resentWithinMs, type Attempt } from '../sink/attempt.js'
import { status, type Answer } from '../sink/answer.js'
import { readDelivery, type ReadDelivery } from '../diagnose/by-scheme.js'
import { schemeParts, type SchemePart, type SignatureScheme } from '../schemes/scheme.js'
import { parseWholeNumber } from '../wire/numbers.js'
import { isDeepStrictEqual } from 'node:util'

/** Where the attempts of a sender hold what names their event. */
export interface SenderForm {
  readonly scheme: SignatureScheme
  /** A field of the body that holds the id of the event too. */
  readonly idField?: 'id'
}

/** One attempt, as the sender under judgement made it. */
export class SeenAttempt {
  readonly attempt: Attempt
  /** Whether the run had triggered the event. */
  isRequested = false
  /** The request that the HTTP library made again by itself, where it did. */
  resent: Attempt | undefined
  readonly #form: SenderForm
  #read: ReadDelivery | undefined

  constructor(attempt: Attempt, form: SenderForm) {
    this.attempt = attempt
    this.#form = form
  }

  /** The parts that the scheme has a place for. */
  get parts(): readonly SchemePart[] {
    return schemeParts.filter((part) => this.#scheme.placeName(part) !== undefined)
  }

  /** How messages name the place of a part. */
  nameOf(part: SchemePart): string {
    return this.#scheme.placeName(part) ?? part
  }

  /** Whether a part is in the body, and the body is not JSON. */
  isUnreadable(part: SchemePart): boolean {
    const { id, timestamp } = this.#scheme.data
    const field = part === 'id' ? id?.field : part === 'timestamp' ? timestamp?.field : undefined
    return field !== undefined && this.attempt.json === undefined
  }

  /** Whether the body is JSON, or of another media type that the scheme has. */
  get isOfScheme(): boolean {
    const [type = ''] = (this.attempt.header('content-type') ?? '').split(';')
    const own = type.trim().toLowerCase()
    return this.attempt.json !== undefined || (own !== 'application/json' && this.#scheme.contentTypes.includes(own))
  }

  /** The values of a part: of a header one for each line. */
  lines(part: SchemePart): readonly string[] {
    const { id, timestamp, signature } = this.#scheme.data
    if (part === 'signature') return this.attempt.headerLines(signature.header)
    const header = part === 'id' ? id?.header : timestamp?.entry === undefined ? timestamp?.header : undefined
    if (header !== undefined) return this.attempt.headerLines(header)
    const value = this.#delivery[part]
    return value === undefined ? [] : [value]
  }

  /** The value of each part; undefined for one that is missing or repeated. */
  get values(): { readonly id?: string; readonly timestamp?: string; readonly signature?: string } {
    const found = schemeParts.flatMap((part) => {
      const lines = this.lines(part)
      return lines.length === 1 && lines[0] !== '' ? [[part, lines[0]] as const] : []
    })
    return Object.fromEntries(found)
  }

  /** Whether the attempt has everything without which its signature cannot be verified. */
  get isVerifiable(): boolean {
    const { values, parts } = this
    const needed = parts.filter((part) => part !== 'id' || this.#scheme.has('signed-id'))
    return needed.every((part) => values[part] !== undefined)
  }

  /** Whether a retry must not keep the timestamp: under a limit of age it would be refused. */
  get isSignedAnew(): boolean {
    return this.#scheme.has('past')
  }

  /** False for a request from outside the sender, such as a browser or a health check: no part of a signature, and not a POST. */
  get isDelivery(): boolean {
    return this.attempt.method === 'POST' || schemeParts.some((part) => this.lines(part).length > 0)
  }

  /** What names the event: its ids, else the body itself. */
  get keys(): readonly string[] {
    const { idField } = this.#form
    const ids = [this.values.id, idField === undefined ? undefined : this.attempt.field(idField)]
    const known = ids.filter((id) => typeof id === 'string')
    return known.length > 0 ? known : [`body ${createHash('sha256').update(this.attempt.body).digest('hex')}`]
  }

  /** Seconds of the timestamp; NaN unless it is a whole number. */
  get signedAt(): number {
    const unit = this.#scheme.data.timestamp?.unit === 'milliseconds' ? 1000 : 1
    return parseWholeNumber(this.values.timestamp) / unit
  }

  get #scheme(): SignatureScheme {
    return this.#form.scheme
  }

  get #delivery(): ReadDelivery {
    const { headerList: headers, body } = this.attempt
    return (this.#read ??= readDelivery(this.#scheme, { headers, body }))
  }

  /** Whether `later` is this very request once more: the same bytes, signed at the same second. */
  isRepeatedBy(later: SeenAttempt): boolean {
    return this.isSame(later) && schemeParts.every((part) => this.values[part] === later.values[part])
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
