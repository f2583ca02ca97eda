import { readdirSync, readFileSync } from 'node:fs'
import { Stalls } from './stalls.js'

const resolutionMs = 20
/** Shorter stalls are of no weight, in milliseconds. */
const noticedMs = 100
/** How often it is read how long the threads of this process waited for a processor, in milliseconds. */
const cpuEveryMs = 1_000
/** Share of that time from which on a wait counts as a stall: from then on everything takes some three times as long. */
const starvedShare = 0.6

/**
 * Notices stalls of this process: of its event loop, or of one of its threads that got no processor on a busy machine. All cases share one
 * watch: one watch a case would cost more than some cases.
 */
export class LoopWatch {
  readonly #stalls = new Stalls()
  #lastTick = performance.now()
  #lastRead = performance.now()
  #waits = cpuWaits()
  readonly #timer = setInterval(() => this.#tick(), resolutionMs).unref()

  /** The longest stall that ended at or after `since` (of `performance.now()`), in milliseconds; 0 where there was none. */
  longestSince(since: number): number {
    this.#tick()
    return this.#stalls.longestSince(since)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  /** Watches while `work` goes on, and no longer, however it ends. */
  static async during<T>(work: (watch: LoopWatch) => Promise<T>): Promise<T> {
    const watch = new LoopWatch()
    return work(watch).finally(() => watch.end())
  }

  #tick(): void {
    const now = performance.now()
    const ms = now - this.#lastTick - resolutionMs
    if (ms > noticedMs) this.#stalls.add({ endedAt: now, ms })
    this.#lastTick = now
    if (now - this.#lastRead >= cpuEveryMs) this.#readWaits(now)
  }

  #readWaits(now: number): void {
    const waits = cpuWaits()
    const windowMs = now - this.#lastRead
    for (const [thread, waitedMs] of waits) {
      const ms = waitedMs - (this.#waits.get(thread) ?? waitedMs)
      if (ms > windowMs * starvedShare) this.#stalls.add({ endedAt: now, ms })
    }
    this.#waits = waits
    this.#lastRead = now
  }
}

const threads = '/proc/self/task'

/**
 * Returns how long each thread of this process, by its id, was ready to run without a processor, in milliseconds: the second figure of
 * `schedstat`. Empty on systems without that file.
 */
function cpuWaits(): Map<string, number> {
  const waits = new Map<string, number>()
  try {
    for (const thread of readdirSync(threads)) {
      const [, waited = ''] = readFileSync(`${threads}/${thread}/schedstat`, 'latin1').split(' ')
      waits.set(thread, Number(waited) / 1e6)
    }
  } catch {
    // Not Linux, or a thread that has just ended: the figures read so far are enough.
  }
  return waits
}
