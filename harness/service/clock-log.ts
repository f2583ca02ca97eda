/** What a workspace's clock showed at one moment, as far as it is known: milliseconds since the epoch. */
export interface ClockReading {
  readonly earliest: number
  readonly latest: number
  /**
   * The same where what came while an advance was under way came before it told the time: so it is unless the answer was
   * held up on its way, which a busy machine does.
   */
  readonly likelyLatest: number
}

interface Advance {
  readonly startedAt: number
  endedAt: number
  /** What the clock showed some time between start and end. */
  now: number
}

/** Times are whole milliseconds: what lies between two of them is known no closer. */
const grainMs = 1

/**
 * What the answers to advances tell of a workspace's clock. It runs on with real time and is moved forward, never back,
 * so each answer bounds what it showed before and after; the bounds are wide only while an advance is under way. While it is
 * moved it may stand but for the moves: no real time of an advance is counted. Several advances fit into one millisecond:
 * which of two moments in it came first is not known.
 */
export class ClockLog {
  readonly #advances: Advance[] = []

  /** Takes down an advance that begins at `startedAt` of this machine's clock; the returned function takes what it answered, and when. */
  begin(startedAt: number = Date.now()): (now: number, endedAt?: number) => void {
    const advance: Advance = { startedAt, endedAt: Infinity, now: Number.NaN }
    this.#advances.push(advance)
    return (now, endedAt = Date.now()) => {
      advance.endedAt = endedAt
      advance.now = now
    }
  }

  /** Nobody has moved it: it runs as it was when the workspace was made. */
  get isUnmoved(): boolean {
    return this.#advances.length === 0
  }

  /** The earliest that the clock can show at `realMs`, after every answer so far; -Infinity where nothing tells. */
  earliestSince(realMs: number = Date.now()): number {
    const answered = this.#advances.filter(({ now }) => Number.isFinite(now))
    return Math.max(-Infinity, ...answered.map(({ endedAt, now }) => now + this.#runsFor(endedAt, realMs)))
  }

  /** The clock at `realMs` of this machine's own; unbounded where nothing tells. */
  at(realMs: number): ClockReading {
    let [earliest, latest, likelyLatest] = [-Infinity, Infinity, Infinity]
    for (const { startedAt, endedAt, now } of this.#advances) {
      if (!Number.isFinite(now)) continue
      if (endedAt < realMs) earliest = Math.max(earliest, now + this.#runsFor(endedAt, realMs))
      if (endedAt <= realMs) continue
      const isUnderWay = startedAt <= realMs
      latest = Math.min(latest, now + grainMs + (isUnderWay ? realMs - startedAt : -this.#runsFor(realMs, startedAt)))
      if (isUnderWay) likelyLatest = Math.min(likelyLatest, now)
    }
    if (latest === Infinity) {
      const last = this.#advances.at(-1)
      if (last !== undefined && last.endedAt <= realMs) latest = realMs + last.now + grainMs - last.startedAt
    }
    return { earliest, latest, likelyLatest: Math.min(latest, likelyLatest) }
  }

  /** Milliseconds between two moments in which no advance was under way: so long it ran on for sure. */
  #runsFor(from: number, to: number): number {
    const moved = this.#advances.map(({ startedAt, endedAt }) =>
      Math.max(0, Math.min(to, endedAt) - Math.max(from, startedAt)),
    )
    const ranMs = moved.reduce((left, ms) => left - ms, to - from)
    return Math.max(0, ranMs)
  }
}
