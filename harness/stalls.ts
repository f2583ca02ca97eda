interface Stall {
  readonly endedAt: number
  readonly ms: number
}

/**
 * Keeps the stalls of a run to find the longest since a moment. A stall followed by one of the same length or longer is never the answer
 * and is dropped: however long a run, a few are kept.
 */
export class Stalls {
  /** Oldest first, each longer than those after it. */
  readonly #kept: Stall[] = []

  /** How many are kept. */
  get count(): number {
    return this.#kept.length
  }

  /** Adds one that ended after all that were added before. */
  add(stall: Stall): void {
    while ((this.#kept.at(-1)?.ms ?? Infinity) <= stall.ms) this.#kept.pop()
    this.#kept.push(stall)
  }

  /** The longest one that ended at or after `since`, in milliseconds; 0 where there was none. */
  longestSince(since: number): number {
    return this.#kept.find(({ endedAt }) => endedAt >= since)?.ms ?? 0
  }
}
