/** Most things that may wait: more are finished without an analysis. */
const maxWaiting = 20
/** After an analysis there is a pause of this many times its duration. */
const restFactor = 3

type Job = (mayAnalyse: boolean) => void

/** Analyses one thing after the other, in a quarter of the time at most, so that answers are not delayed. */
export class AnalysisQueue {
  readonly #waiting: Job[] = []
  #timer: NodeJS.Timeout | undefined

  /** Calls `job` once: later, with true, or at once with false where too many wait. */
  add(job: Job): void {
    if (this.#waiting.length >= maxWaiting) return job(false)
    this.#waiting.push(job)
    this.#timer ??= setTimeout(() => this.#next(), 0)
  }

  /** Finishes the waiting things without an analysis. */
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
