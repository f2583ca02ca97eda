import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Time between two reads of the load, in milliseconds. */
const everyMs = 250
/** The lowest of this many figures in a row counts: a short burst is not load. */
const inARow = 3
/** Threads that want to run for each core, from which on whatever the target does takes as many times as long. */
const crowded = 6
/** The generous budgets of a calm machine times this are the longest that is waited. */
const maxPatience = 4
/** Threads for each core up to which the longest patience still distinguishes a late event from a missing one. */
const bearable = crowded * maxPatience

/** Milliseconds of each second that a thread loses if this many threads share a core. */
export function msLostPerSecond(perCore: number): number {
  return perCore <= 1 ? 0 : 1_000 * (1 - 1 / perCore)
}

/** Whether this many threads for each core are more than longer waits make up for. */
export function isOverloaded(perCore: number): boolean {
  return perCore > bearable
}

/**
 * Notices when the whole machine has more to do than it can: a target on it may be right and yet too slow for a time that
 * this run sets, as the half second an attempt gets while a clock is moved, though our own threads had little to wait for.
 */
export class MachineLoad {
  readonly #crowds: { readonly endedAt: number; readonly perCore: number }[] = []
  readonly #recent: number[] = []
  readonly #source: string
  readonly #timer: NodeJS.Timeout

  /** `source`: the file to read, in the form of `/proc/loadavg` (proc(5)). */
  constructor(source = '/proc/loadavg') {
    this.#source = source
    this.#timer = setInterval(() => this.#look(), everyMs).unref()
  }

  /** Threads that wanted to run for each core at worst, at or after `since` (of `performance.now()`); 0 where there was no crowd. */
  crowdSince(since: number): number {
    return this.#crowds.reduce((worst, { endedAt, perCore }) => (endedAt < since ? worst : Math.max(worst, perCore)), 0)
  }

  /** The factor for waits at the present load; 1 on a calm machine. */
  get patience(): number {
    const lowest = this.#recent.length === inARow ? Math.min(...this.#recent) : 0
    return Math.min(maxPatience, Math.max(1, lowest / crowded))
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const running = threadsThatWantToRun(this.#source)
    if (running === undefined) return this.end()
    this.#recent.push(running / availableParallelism())
    if (this.#recent.length > inARow) this.#recent.shift()
    const lowest = Math.min(...this.#recent)
    if (this.#recent.length === inARow && lowest >= crowded)
      this.#crowds.push({ endedAt: performance.now(), perCore: lowest })
  }
}

/** Returns the fourth figure of the file; undefined on systems without it. */
function threadsThatWantToRun(source: string): number | undefined {
  try {
    const running = Number(/ (\d+)\//.exec(readFileSync(source, 'latin1'))?.[1])
    return Number.isFinite(running) ? running : undefined
  } catch {
    return undefined
  }
}
