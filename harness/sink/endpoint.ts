import { createHash } from 'node:crypto'
import { Waiters } from '../waiters.js'
import { status, type Answer } from './answer.js'
import type { Attempt } from './attempt.js'
import type { Script } from './protocol.js'
import { waiting } from '../waits.js'

/** Longest wait for a slow body, in milliseconds: the listener ends such a request earlier. */
export const longestBodyMs = 65_000

/** TLS handshakes that senders ended, in words. */
export interface RefusedHandshakes {
  readonly text: string
  /** So many that a longer wait is hopeless. */
  readonly areMany: boolean
}

/** What an endpoint needs of the sink. */
export interface EndpointLine {
  /** Processes the messages that have arrived by now. */
  readonly readPending: () => void
  /** The TLS handshakes that senders ended, on any path: an unfinished handshake has no path. */
  readonly refusedHandshakes: () => RefusedHandshakes | undefined
  /** Whether a gateway may answer instead of the sink. */
  readonly isBehindGateway: () => boolean
  /** Whether a body for this endpoint is slow and incomplete. */
  readonly isReading: () => boolean
  /** Sets the answers to attempts from now on. */
  readonly script: (script: Script) => void
  /** Records that all requests sent by now have arrived. */
  readonly settled: () => void
}

/** One path of the sink, with its script and what arrived. */
export class Endpoint {
  /** The URL to register. */
  readonly url: string
  readonly path: string
  readonly #line: EndpointLine
  readonly #attempts: Attempt[] = []
  /** Requests other than deliveries. */
  readonly others: Attempt[] = []
  /** Secrets of the webhooks that lead here, one for each. */
  readonly secrets: string[] = []
  #script: readonly Answer[] = [status(200)]
  readonly #answered = new Map<string, number>()
  #isForeign: ((attempt: Attempt) => boolean) | undefined
  readonly #waiters = new Waiters()
  #onMissed: ((arrived: number) => void) | undefined
  #onAttempt: ((attempt: Attempt) => void) | undefined
  #onLate: ((ms: number) => void) | undefined

  constructor(url: string, path: string, line: EndpointLine) {
    this.url = url
    this.path = path
    this.#line = line
  }

  /** What arrived by now, oldest first. */
  get attempts(): readonly Attempt[] {
    this.#line.readPending()
    return this.#attempts
  }

  /** The TLS handshakes that senders ended, if there were some and no attempt has arrived on any path. */
  get refusedHandshakes(): RefusedHandshakes | undefined {
    return this.#line.refusedHandshakes()
  }

  /** Whether a gateway may answer instead of the sink. */
  get isBehindGateway(): boolean {
    return this.#line.isBehindGateway()
  }

  /**
   * The first attempt from now on gets the first answer, and so on; the last answer stays. A gateway may turn bytes other than HTTP into a
   * 200 (nginx reads them as HTTP/0.9), so with a gateway the connection ends instead.
   */
  script(...answers: readonly [Answer, ...Answer[]]): void {
    const given = this.isBehindGateway
      ? answers.map((answer): Answer => (answer.kind === 'garbage' ? { kind: 'reset' } : answer))
      : answers
    this.#script = given
    this.#answered.clear()
    if (this.#isForeign === undefined) this.#line.script(given)
  }

  /**
   * Shares the endpoint with events of others: each event gets the script from its start, foreign ones get 200, and an answer without a
   * body contains a tag that identifies the event in the records of the service.
   */
  share(isForeign: (attempt: Attempt) => boolean): void {
    this.#isForeign = isForeign
    this.#line.script('asked')
  }

  /** Ends the present attempts: a later request is another attempt, even with the same bytes. */
  settle(): void {
    this.#line.settled()
  }

  /** Answers what hangs and has turned out to be foreign. */
  releaseForeign(): void {
    for (const attempt of this.attempts)
      if (attempt.isUnanswered && this.#isForeign?.(attempt) === true) attempt.answer(status(200))
  }

  /** Calls `listener` with each attempt from now on. */
  onAttempt(listener: (attempt: Attempt) => void): void {
    this.#onAttempt = listener
  }

  /** Calls `listener` with how long an answer of ours took that was to be given at once. */
  onLate(listener: (ms: number) => void): void {
    this.#onLate = listener
  }

  /** Called by the sink. */
  answeredLate(ms: number): void {
    this.#onLate?.(ms)
  }

  /** Called by the sink. */
  receive(attempt: Attempt): void {
    if (!attempt.isDelivery) {
      this.others.push(attempt)
      return
    }
    this.#attempts.push(attempt)
    if (this.#isForeign !== undefined) {
      attempt.tag = tagOf(attempt)
      const answer = this.#isForeign(attempt) ? status(200) : this.#next(attempt.eventKey)
      if (answer !== undefined) attempt.answer(answer)
    }
    this.#onAttempt?.(attempt)
    this.#waiters.wake()
  }

  /** Takes up an attempt that was answered before this process began. */
  restore(attempt: Attempt): void {
    this.#attempts.push(attempt)
    if (this.#isForeign === undefined) {
      this.#next('')
      this.#line.script(this.#script.slice(Math.min(this.#answered.get('') ?? 0, this.#script.length - 1)))
      return
    }
    attempt.tag = tagOf(attempt)
    if (!this.#isForeign(attempt)) this.#next(attempt.eventKey)
  }

  #next(key: string): Answer | undefined {
    const answered = this.#answered.get(key) ?? 0
    this.#answered.set(key, answered + 1)
    return this.#script[Math.min(answered, this.#script.length - 1)]
  }

  /** Calls `listener`, with the number of attempts so far, whenever a wait of a case timed out. */
  onMissed(listener: (arrived: number) => void): void {
    this.#onMissed = listener
  }

  /** Resolves to whether `condition` held within `withinMs`; looked at whenever an attempt arrives. */
  async until(condition: () => boolean, withinMs: number): Promise<boolean> {
    const hasHeld = await this.arrives(condition, withinMs)
    if (!hasHeld) this.#onMissed?.(this.attempts.length)
    return hasHeld
  }

  /** As {@link until}, for callers that poll again before the wait counts as timed out. */
  async arrives(condition: () => boolean, withinMs: number): Promise<boolean> {
    if (condition()) return true
    if (await waiting('deliveries', this.#waiters.until(condition, withinMs))) return true
    // A body that began to arrive in time is awaited.
    if (!this.#line.isReading()) return false
    return waiting(
      'deliveries',
      this.#waiters.until(condition, longestBodyMs, () => !this.#line.isReading()),
    )
  }

  /** Rechecks the conditions of all waits. */
  wake(): void {
    this.#waiters.wake()
  }
}

/** Short, and the same for every attempt of an event. */
function tagOf(attempt: Attempt): string {
  return `conformance ${createHash('sha256').update(attempt.eventKey).digest('hex').slice(0, 20)}`
}
