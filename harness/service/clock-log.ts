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

/**
 * What the answers to advances tell of a workspace's clock. It runs on with real time and is moved forward, never back,
 * so each answer bounds what it showed before and after; the bounds are wide only while an advance is under way.
 */
export class ClockLog {
  readonly #advances: Advance[] = []

  /** Takes down an advance; the returned function takes what it answered. */
  begin(): (now: number) => void {
    const advance: Advance = { startedAt: Date.now(), endedAt: Infinity, now: Number.NaN }
    this.#advances.push(advance)
    return (now) => {
      advance.endedAt = Date.now()
      advance.now = now
    }
  }

  /** The clock at `realMs` of this machine's own; unbounded where nothing tells. */
  at(realMs: number): ClockReading {
    let [earliest, latest, likelyLatest] = [-Infinity, Infinity, Infinity]
    for (const { startedAt, endedAt, now } of this.#advances) {
      if (endedAt <= realMs) earliest = Math.max(earliest, now - endedAt)
      if (endedAt < realMs || !Number.isFinite(now)) continue
      latest = Math.min(latest, now - startedAt)
      if (startedAt <= realMs) likelyLatest = Math.min(likelyLatest, now - realMs)
    }
    if (latest === Infinity) {
      const last = this.#advances.at(-1)
      if (last !== undefined && last.endedAt < realMs) latest = last.now - last.startedAt
    }
    return {
      earliest: realMs + earliest,
      latest: realMs + latest,
      likelyLatest: realMs + Math.min(latest, likelyLatest),
    }
  }
}
