import { createHash } from 'node:crypto'
import { status, type Answer } from './answer.js'
import type { Attempt } from './attempt.js'

/** Attempts and bytes that one endpoint keeps; a sender that never stops is answered with 503 from then on. */
const most = { attempts: 5_000, bytes: 32 * 1024 * 1024 } as const

/** One path of the sink, with its script and what arrived. */
export class Endpoint {
  /** The URL to register. */
  readonly url: string
  readonly path: string
  /** Each answer ends its connection, so that the next attempt must look up and connect anew. */
  readonly closes: boolean
  readonly attempts: Attempt[] = []
  /** Secrets of the webhooks that lead here, one for each. */
  readonly secrets: string[] = []
  #script: readonly Answer[] = [status(200)]
  readonly #answered = new Map<string, number>()
  #isForeign: ((attempt: Attempt) => boolean) | undefined
  #bytes = 0
  #waiting = new Set<() => void>()
  #onAttempt: ((attempt: Attempt) => void) | undefined

  constructor(url: string, path: string, closes = false) {
    this.url = url
    this.path = path
    this.closes = closes
  }

  /** The first attempt from now on gets the first answer, and so on; the last answer stays. */
  script(...answers: readonly [Answer, ...Answer[]]): void {
    this.#script = answers
    this.#answered.clear()
  }

  /**
   * Shares the endpoint with events of others: each event gets the script from its start, what `isForeign` names gets
   * 200, and an answer without a body carries a tag that tells the events apart in the records of the service.
   */
  share(isForeign: (attempt: Attempt) => boolean): void {
    this.#isForeign = isForeign
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

  /** Called by the sink. */
  receive(attempt: Attempt): void {
    this.#bytes += attempt.body.length
    if (this.attempts.length >= most.attempts || this.#bytes > most.bytes) {
      attempt.answer(status(503))
      return
    }
    this.attempts.push(attempt)
    const isShared = this.#isForeign !== undefined
    if (isShared) attempt.tag = tagOf(attempt)
    const answer = this.#isForeign?.(attempt) === true ? status(200) : this.#next(isShared ? attempt.eventKey : '')
    if (answer !== undefined) attempt.answer(answer)
    this.#onAttempt?.(attempt)
    for (const wake of this.#waiting) wake()
  }

  /** Takes up an attempt that was answered before this process began. */
  restore(attempt: Attempt): void {
    this.attempts.push(attempt)
    if (this.#isForeign !== undefined) attempt.tag = tagOf(attempt)
    if (this.#isForeign?.(attempt) !== true) this.#next(this.#isForeign === undefined ? '' : attempt.eventKey)
  }

  #next(key: string): Answer | undefined {
    const answered = this.#answered.get(key) ?? 0
    this.#answered.set(key, answered + 1)
    return this.#script[Math.min(answered, this.#script.length - 1)]
  }

  /** Resolves to whether `condition` held within `withinMs`; looked at whenever an attempt arrives. */
  async until(condition: () => boolean, withinMs: number): Promise<boolean> {
    if (condition()) return true
    return new Promise((resolve) => {
      const end = (held: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve(held)
      }
      const wake = () => {
        if (condition()) end(true)
      }
      const timer = setTimeout(() => end(condition()), withinMs)
      this.#waiting.add(wake)
    })
  }

  /** Ends every answer that is still under way. */
  stop(): void {
    for (const attempt of this.attempts) attempt.stop()
  }
}

/** Short, and the same for every attempt of an event. */
function tagOf(attempt: Attempt): string {
  return `conformance ${createHash('sha256').update(attempt.eventKey).digest('hex').slice(0, 20)}`
}
