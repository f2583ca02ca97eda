import type { CallOptions, ClientOptions } from './context.js'

/**
 * How much longer than it may last a call is waited for that an option is to end, in milliseconds: half a minute is far beyond what
 * a slow client on a busy machine takes. A client that let so many of them pass has been seen to ignore the option: one call more
 * teaches nothing that is worth half a minute, and a run of it would take a quarter of an hour.
 */
const steps = [
  { missed: 0, graceMs: 31_000 },
  { missed: 2, graceMs: 8_000 },
  { missed: 8, graceMs: 3_000 },
] as const
/**
 * Longest time of a call that only its answer should end, in milliseconds, retries included. After `missed` open calls the library is known
 * to hang: later calls get less time, so that the run ends.
 */
const openSteps = [
  { missed: 0, limitMs: 45_000 },
  { missed: 4, limitMs: 20_000 },
  { missed: 10, limitMs: 10_000 },
] as const
/** From this client time-out on a call is not awaited, in milliseconds: such a default is meant to be replaced. */
const longMs = 10_000

/** What ends a call, and when, in milliseconds. */
interface CallEnd {
  readonly by: 'time-out' | 'signal'
  readonly afterMs: number
}

/** The option that ends a call, if one does. */
export function callEnd(
  { timeout_ms: ofClient = Infinity, max_retries: maxRetries }: ClientOptions,
  { timeout_ms: ofCall, abort_after_ms: abortMs }: CallOptions,
): CallEnd | undefined {
  if (abortMs !== undefined) return { by: 'signal', afterMs: abortMs }
  if (ofCall !== undefined) return { by: 'time-out', afterMs: ofCall }
  return ofClient < longMs && maxRetries === 0 ? { by: 'time-out', afterMs: ofClient } : undefined
}

/** The waits for such calls in one run. */
export class Patience {
  readonly #missed = { 'time-out': 0, signal: 0 }
  #leftOpen = 0

  /** The longest time of a call, in milliseconds. */
  limitMs({ by, afterMs }: CallEnd): number {
    const graceMs = steps.findLast((step) => this.#missed[by] >= step.missed)?.graceMs ?? steps[0].graceMs
    return afterMs + graceMs
  }

  /** Notes that a call was not ended. */
  missed({ by }: CallEnd): void {
    this.#missed[by]++
  }

  /** The longest time of a call that no option is to end, in milliseconds. */
  get openLimitMs(): number {
    return openSteps.findLast((step) => this.#leftOpen >= step.missed)?.limitMs ?? openSteps[0].limitMs
  }

  /** Notes that such a call was left without an answer. */
  leftOpen(): void {
    this.#leftOpen++
  }
}
