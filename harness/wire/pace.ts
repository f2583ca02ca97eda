/** Spaces requests so that a target is asked at most so many times a second. */
export class Pace {
  readonly #intervalMs: number
  #nextAt = 0

  /** @param maxPerSecond requests a second, greater than 0; Infinity for no limit */
  constructor(maxPerSecond: number) {
    this.#intervalMs = 1000 / maxPerSecond
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#intervalMs
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now))
  }

  /** Lets nothing pass for `waitMs` milliseconds: the target asked for it. */
  holdFor(waitMs: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + waitMs)
  }
}
