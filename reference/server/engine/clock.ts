/** The clock of one workspace: real time plus an offset that only grows. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  readonly offsetMs: number
  /** Sets the offset; a smaller one than before changes nothing. */
  raiseOffset(offsetMs: number): void
}

export function createClock(startOffsetMs: number): Clock {
  let offset = startOffsetMs
  return {
    now: () => Date.now() + offset,
    get offsetMs() {
      return offset
    },
    raiseOffset(offsetMs) {
      offset = Math.max(offset, offsetMs)
    },
  }
}
