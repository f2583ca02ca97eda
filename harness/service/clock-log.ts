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
 * so each answer bounds what it showed before and after; the bounds are wide only while an advance is under way. Several
 * advances fit into one millisecond: which of two moments in it came first is not known.
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

  /** The earliest that the clock can show at `realMs`, after every answer so far; -Infinity where nothing tells. */
  earliestSince(realMs: number = Date.now()): number {
    return realMs + Math.max(-Infinity, ...this.#advances.map(minOffset))
  }

  /** The clock at `realMs` of this machine's own; unbounded where nothing tells. */
  at(realMs: number): ClockReading {
    let [earliest, latest, likelyLatest] = [-Infinity, Infinity, Infinity]
    for (const advance of this.#advances) {
      const { startedAt, endedAt, now } = advance
      if (endedAt < realMs) earliest = Math.max(earliest, minOffset(advance))
      if (endedAt <= realMs || !Number.isFinite(now)) continue
      latest = Math.min(latest, maxOffset(advance))
      if (startedAt <= realMs) likelyLatest = Math.min(likelyLatest, now - realMs)
    }
    if (latest === Infinity) {
      const last = this.#advances.at(-1)
      if (last !== undefined && last.endedAt <= realMs) latest = maxOffset(last)
    }
    return {
      earliest: realMs + earliest,
      latest: realMs + latest,
      likelyLatest: realMs + Math.min(latest, likelyLatest),
    }
  }
}

/** By how much the workspace's clock was ahead at least once an advance had been answered. */
function minOffset({ endedAt, now }: Advance): number {
  return Number.isFinite(now) ? now - endedAt : -Infinity
}

/** By how much it was ahead at most until then. */
function maxOffset({ startedAt, now }: Advance): number {
  return now + grainMs - startedAt
}
