/** Bytes that the streams of one run keep at once, all together. */
const mostBytes = 32 * 1024 * 1024
/** What a frame takes beside its text: the objects around it. */
const ofEachFrame = 256
/** What a value of its JSON takes, and a character of its text. */
const ofEach = { value: 40, character: 2 } as const
/** Streams that were cut off, after which none is opened any more: the run would not end. */
const mostCutOff = 8

/** What a frame takes while it is kept, roughly and rather too much. */
export function weightOfFrame(text: string, values: number): number {
  return ofEachFrame + values * ofEach.value + text.length * ofEach.character
}

/**
 * What all streams of a run may keep together: a target chooses what it sends, not how much of it is held. What a stream took
 * is free again once its case is over.
 */
export class StreamBudget {
  #left = mostBytes
  #cutOff = 0

  /** Whether there is room; it is taken then. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  /** Notes that a stream was cut off. */
  cutOff(): void {
    this.#cutOff++
  }

  /** Why no further stream is opened. */
  get end(): string | undefined {
    return this.#cutOff < mostCutOff
      ? undefined
      : `${this.#cutOff} streams were cut off for frames without an end, so no further one is opened`
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}
