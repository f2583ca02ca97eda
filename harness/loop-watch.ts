const resolutionMs = 20
/** Shorter stalls are of no weight, in milliseconds. */
const noticedMs = 100

/** Notices when the event loop of this process stood still. One for all cases: each of its own would cost more than some cases. */
export class LoopWatch {
  readonly #stalls: { readonly endedAt: number; readonly ms: number }[] = []
  #lastTick = performance.now()
  readonly #timer = setInterval(() => this.#tick(), resolutionMs).unref()

  /** The longest stall that ended at or after `since` (of `performance.now()`), in milliseconds; 0 where there was none. */
  longestSince(since: number): number {
    this.#tick()
    return this.#stalls.reduce((longest, { endedAt, ms }) => (endedAt < since ? longest : Math.max(longest, ms)), 0)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const now = performance.now()
    const ms = now - this.#lastTick - resolutionMs
    if (ms > noticedMs) this.#stalls.push({ endedAt: now, ms })
    this.#lastTick = now
  }
}
