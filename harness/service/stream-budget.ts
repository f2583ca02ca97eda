/** Bytes that the streams of one run keep at once, all together; the largest cases take 27 MB and 14 MB of it. */
const maxBytes = 64 * 1024 * 1024
/** Bytes of a frame besides its text: the objects around it. */
const ofEachFrame = 256
/** What a value of its JSON takes, and a character of its text. */
const ofEach = { value: 40, character: 2 } as const
/** Streams that were cut off, after which none is opened any more: the run would not end. */
const maxCutOff = 8

/** What a frame takes while it is kept, roughly and rather too much. */
export function frameWeight(text: string, values: number): number {
  return ofEachFrame + values * ofEach.value + text.length * ofEach.character
}

/** Consecutive timed-out waits, and the time since the last successful one, from which on the streams count as silent. */
const silent = { waits: 8, ms: 60_000 } as const
/** Of the waits for a silent stream, one in so many is as long as ever: it may speak again. */
const wholeOneIn = 20
/** Shortest wait for a silent stream in milliseconds, and its minimum as a multiple of the longest successful wait. */
const shortest = { ms: 2_000, times: 3 } as const

/**
 * What all streams of a run may keep together, and how long they are waited for: a target chooses what it sends and when, not how much
 * of it is held, nor how long the run takes. What a stream took is free again once its case is over.
 */
export class StreamBudget {
  #left = maxBytes
  #cutOff = 0
  #refusedCount = 0
  #longestMs = 0
  /** When a wait was last successful; at first, when the first began. */
  #receivedAt: number | undefined

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

  /** Why no more streams are opened. */
  get end(): string | undefined {
    return this.#cutOff < maxCutOff
      ? undefined
      : `${this.#cutOff} streams sent frames without an end and were closed, so no other one is opened`
  }

  /** How long something is waited for that would be waited for so long on a stream that speaks. */
  waitMs(ms: number, now = performance.now()): number {
    this.#receivedAt ??= now
    const isSilent = this.#refusedCount >= silent.waits && now - this.#receivedAt >= silent.ms
    if (!isSilent || this.#refusedCount % wholeOneIn === 0) return ms
    return Math.min(ms, Math.max(shortest.ms, this.#longestMs * shortest.times))
  }

  /** Records the end of a wait that began at `since`, and whether it timed out. */
  waited(since: number, wasRefused: boolean, now = performance.now()): void {
    if (wasRefused) {
      this.#refusedCount++
      return
    }
    this.#refusedCount = 0
    this.#receivedAt = now
    this.#longestMs = Math.max(this.#longestMs, now - since)
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}
