/** Things that wait at most: what comes beyond them is done without being looked into. */
const maxWaiting = 20
/** After a look of so long, nothing is looked into for this many times as long. */
const restFactor = 3

type Job = (mayLook: boolean) => void

/** Looks into one thing after the other, in a quarter of the time at most, so that nobody who wants an answer waits for it. */
export class Unhurried {
  readonly #waiting: Job[] = []
  #timer: NodeJS.Timeout | undefined

  /** Calls `job` once: later, with true, or at once with false where too many wait. */
  add(job: Job): void {
    if (this.#waiting.length >= maxWaiting) return job(false)
    this.#waiting.push(job)
    this.#timer ??= setTimeout(() => this.#next(), 0)
  }

  /** Does what waits without looking into it. */
  end(): void {
    clearTimeout(this.#timer)
    for (const job of this.#waiting.splice(0)) job(false)
  }

  #next(): void {
    const startedAt = performance.now()
    this.#waiting.shift()?.(true)
    const rest = (performance.now() - startedAt) * restFactor
    this.#timer = this.#waiting.length === 0 ? undefined : setTimeout(() => this.#next(), rest)
  }
}
