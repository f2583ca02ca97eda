// A wall clock that is set while a run goes on moves every time of day that is compared with the target's, and nothing of the target.

/** A smaller correction proves nothing: NTP slews, and the two clocks are read one after the other. */
const noticedMs = 2_000
/** How often the clocks are compared. */
const everyMs = 1_000

/** Watches the wall clock of this process against its monotonic clock. */
export class WallClockWatch {
  readonly #readAhead: () => number
  readonly #timer: NodeJS.Timeout
  readonly #jumps: { readonly at: number; readonly ms: number }[] = []
  #ahead: number

  /** `wall` and `monotonic` return milliseconds. */
  constructor(wall = () => Date.now(), monotonic = () => Number(process.hrtime.bigint()) / 1e6) {
    this.#readAhead = () => wall() - monotonic()
    this.#ahead = this.#readAhead()
    this.#timer = setInterval(() => this.#look(), everyMs).unref()
  }

  /** Returns by how much the clock was set at or after `since` (of `performance.now()`), in milliseconds; 0 where it was not. */
  setSince(since: number): number {
    this.#look()
    const jumps = this.#jumps.filter(({ at }) => at >= since).map(({ ms }) => ms)
    return jumps.reduce((largest, ms) => (Math.abs(ms) > Math.abs(largest) ? ms : largest), 0)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const ahead = this.#readAhead()
    const ms = ahead - this.#ahead
    this.#ahead = ahead
    if (Math.abs(ms) >= noticedMs) this.#jumps.push({ at: performance.now(), ms })
  }
}
