import { status, type Answer } from './answer.js'
import type { Attempt } from './attempt.js'

/** One path of the sink, with its script and what arrived. */
export class Endpoint {
  /** The URL to register. */
  readonly url: string
  readonly path: string
  /** Each answer ends its connection, so that the next attempt must look up and connect anew. */
  readonly closes: boolean
  readonly attempts: Attempt[] = []
  #script: readonly Answer[] = [status(200)]
  #answered = 0
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
    this.#answered = 0
  }

  /** Calls `listener` with each attempt from now on. */
  onAttempt(listener: (attempt: Attempt) => void): void {
    this.#onAttempt = listener
  }

  /** Called by the sink. */
  receive(attempt: Attempt): void {
    this.attempts.push(attempt)
    const answer = this.#script[Math.min(this.#answered++, this.#script.length - 1)]
    if (answer !== undefined) attempt.answer(answer)
    this.#onAttempt?.(attempt)
    for (const wake of this.#waiting) wake()
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
