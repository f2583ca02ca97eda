/** Spaces requests so that a target gets at most this many a second. */
export class Pace {
  readonly #intervalMs: number
  #nextAt = 0

  /** @param maxPerSecond requests a second, greater than 0; Infinity for no limit */
  constructor(maxPerSecond: number) {
    this.#intervalMs = 1000 / maxPerSecond
  }

  /** Resolves when the next request may be sent, or once `signal` ends the wait. */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#intervalMs
    if (at > now) await pause(at - now, signal)
  }

  /** Holds all requests for `waitMs` milliseconds, as the target demands. */
  checkFor(waitMs: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + waitMs)
  }
}

/** Waits; returns early once `signal` is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
