/** An instant that is known within bounds, in milliseconds since the epoch. */
export interface Span {
  readonly earliest: number
  readonly latest: number
}

/** The span moved by `earliestMs` at least and `latestMs` at most. */
export function later({ earliest, latest }: Span, earliestMs: number, latestMs = earliestMs): Span {
  return { earliest: earliest + earliestMs, latest: latest + latestMs }
}

/** From the start of one to the end of the other. */
export function spanning(first: Span, last: Span): Span {
  return { earliest: first.earliest, latest: last.latest }
}

/** Whether `instant` ends before `other` begins, begins after it ends, or overlaps it. */
export function order(instant: Span, other: Span): 'before' | 'after' | 'open' {
  if (instant.latest < other.earliest) return 'before'
  return instant.earliest > other.latest ? 'after' : 'open'
}
