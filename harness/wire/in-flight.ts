import { waiting } from '../waits.js'

/** Of the last `lookedAt` answers, `tooMany` refusals mean: too many at once. */
const lookedAt = 20
const tooMany = 5
/** Answers without a refusal after which one more at once is tried. */
const growsAfter = 50
const refusals: ReadonlySet<number | undefined> = new Set([429, 503])

interface Answered {
  readonly status: number | undefined
  /** The connection was closed before a complete answer. */
  readonly wasCut?: boolean
}

/**
 * Limits the concurrent requests to a target. At first there is no limit, until it answers every fourth with a 429 or a 503, or closes its
 * connection without an answer, as a gateway with a limit does. Then half as many, and slowly more while it refuses none, and never closed
 * a connection: a request on a closed connection is lost. One refusal in nine, from a gateway or a rate limit, seldom changes anything.
 */
export class InFlight {
  #most = Infinity
  #mayGrow = true
  #now = 0
  #answers = 0
  #refused = 0
  readonly #queue: (() => void)[] = []

  /** Requests that may be on their way at once; Infinity as long as the target has not refused too many. */
  get most(): number {
    return this.#most
  }

  /** Sends when there is room. */
  async send<Answer extends Answered>(send: () => Promise<Answer>): Promise<Answer> {
    if (this.#now >= this.#most)
      await waiting('--max-rps and limits of the target', new Promise<void>((resolve) => this.#queue.push(resolve)))
    else this.#now++
    try {
      const answer = await send()
      this.#learn(answer)
      return answer
    } finally {
      this.#leave()
    }
  }

  #learn({ status, wasCut = false }: Answered): void {
    this.#answers++
    if (wasCut || refusals.has(status)) this.#refused++
    if (this.#refused >= tooMany && this.#now > 1) {
      this.#most = Math.max(1, Math.floor(Math.min(this.#most, this.#now) / 2))
      if (wasCut) this.#mayGrow = false
      this.#forget()
    } else if (this.#refused > 0 && this.#answers >= lookedAt) this.#forget()
    else if (this.#answers >= growsAfter) {
      if (this.#mayGrow) this.#most++
      this.#forget()
    }
  }

  #forget(): void {
    this.#answers = 0
    this.#refused = 0
  }

  /** Passes the place of an ended request to a waiting one, if there are enough places. */
  #leave(): void {
    const next = this.#now <= this.#most ? this.#queue.shift() : undefined
    if (next === undefined) this.#now--
    else next()
    while (this.#now < this.#most) {
      const more = this.#queue.shift()
      if (more === undefined) return
      this.#now++
      more()
    }
  }
}
