import type { Checks } from '../check.js'
import { LoopWatch } from '../loop-watch.js'
import type { Exchange } from '../wire/exchange.js'

/** Deliveries in a row without an answer, after which no answer is expected any more. */
const enough = 3
/** The number of extra deliveries if this process stalled longer than the grace of one. */
const most = 6

/**
 * Sends one delivery after the other until one is answered. If `enough` of them get no answer within `withinMs`, that is a mismatch: one
 * that counts even on a busy machine, since this process stalled for less than `graceMs` in each of them, the time that a delivery has
 * beyond its limit.
 */
export async function checkSilence(options: {
  readonly send: () => Promise<Exchange>
  readonly withinMs: number
  readonly graceMs: number
  readonly check: Checks
}): Promise<boolean> {
  const { send, withinMs, graceMs, check } = options
  return LoopWatch.during(async (watch) => {
    let onTime = 0
    for (let sent = 1; sent <= most && onTime < enough; sent++) {
      const since = performance.now()
      const exchange = await send()
      if (!exchange.isLate) return false
      if (watch.longestSince(since) < graceMs) onTime++
    }
    const judging = onTime < enough ? check.measured : check.certain
    judging.fail(`answers to ${enough} valid deliveries in a row`, `one within ${withinMs} ms`, 'none')
    return true
  })
}
