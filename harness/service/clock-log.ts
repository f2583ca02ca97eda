/** What a workspace's clock showed at one moment, as far as it is known: milliseconds since the epoch. */
export interface ClockReading {
  readonly earliest: number
  readonly latest: number
  /**
   * The upper bound if every arrival during an advance preceded the time that the advance returned: true unless the answer was delayed,
   * which a busy machine does.
   */
  readonly likelyLatest: number
}

interface Advance {
  readonly startedAt: number
  endedAt: number
  /** What the clock showed some time between start and end. */
  now: number
}

/** Times are whole milliseconds, so an instant is known no more exactly than that. */
const precisionMs = 1

/**
 * The bounds of a workspace's clock, from the answers to advances. The clock runs with real time and moves forward, never back, so each
 * answer bounds the times before and after it; the bounds are wide only during an advance. While it is moved, the clock may pause: no real
 * time of an advance counts. Several advances fit into one millisecond, so the order of two moments in it is unknown.
 */
export class ClockLog {
  readonly #advances: Advance[] = []

  /**
   * Records an advance that begins at `startedAt` of this machine's clock; the returned function receives its answer and the time of that.
   */
  begin(startedAt: number = Date.now()): (now: number, endedAt?: number) => void {
    const advance: Advance = { startedAt, endedAt: Infinity, now: Number.NaN }
    this.#advances.push(advance)
    return (now, endedAt = Date.now()) => {
      advance.endedAt = endedAt
      advance.now = now
    }
  }

  /** True if the clock was never moved: it runs as when the workspace was made. */
  get isUnmoved(): boolean {
    return this.#advances.length === 0
  }

  /** The earliest time the clock can show at `realMs`, after every answer so far; -Infinity without an answer. */
  earliestSince(realMs: number = Date.now()): number {
    const answered = this.#advances.filter(({ now }) => Number.isFinite(now))
    return Math.max(-Infinity, ...answered.map(({ endedAt, now }) => now + this.#runsFor(endedAt, realMs)))
  }

  /** The bounds of the clock at `realMs` of this machine; unbounded without an answer. */
  at(realMs: number): ClockReading {
    let [earliest, latest, likelyLatest] = [-Infinity, Infinity, Infinity]
    for (const { startedAt, endedAt, now } of this.#advances) {
      if (!Number.isFinite(now)) continue
      if (endedAt < realMs) earliest = Math.max(earliest, now + this.#runsFor(endedAt, realMs))
      if (endedAt <= realMs) continue
      const isUnderWay = startedAt <= realMs
      latest = Math.min(
        latest,
        now + precisionMs + (isUnderWay ? realMs - startedAt : -this.#runsFor(realMs, startedAt)),
      )
      if (isUnderWay) likelyLatest = Math.min(likelyLatest, now)
    }
    if (latest === Infinity) {
      const last = this.#advances.at(-1)
      if (last !== undefined && last.endedAt <= realMs) latest = realMs + last.now + precisionMs - last.startedAt
    }
    return { earliest, latest, likelyLatest: Math.min(latest, likelyLatest) }
  }

  /** Milliseconds between two moments in which no advance was under way: the clock ran for at least this long. */
  #runsFor(from: number, to: number): number {
    const moved = this.#advances.map(({ startedAt, endedAt }) =>
      Math.max(0, Math.min(to, endedAt) - Math.max(from, startedAt)),
    )
    const ranMs = moved.reduce((left, ms) => left - ms, to - from)
    return Math.max(0, ranMs)
  }
}
