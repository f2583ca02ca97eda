import pLimit from 'p-limit'
import type { LoopWatch } from './loop-watch.js'

/** Cases side by side at the beginning. */
const firstWidth = 4
/** A stall within the last moments that says: no more, and one that says: less; in milliseconds. */
const stallMs = { calm: 120, late: 300 } as const
/** How far back is looked, in milliseconds. */
const lookBackMs = 1_500
/** Time between two changes, in milliseconds. */
const changeEveryMs = 150

export interface LanesOptions {
  readonly max: number
  /** As many as `max` from the beginning: the user wants it so. */
  readonly isFixed: boolean
  readonly watch: Pick<LoopWatch, 'longestSince'>
}

/**
 * Calls `run` with each item, in order: few at once at first, more as long as this process is on time, fewer where it is not.
 * The number doubles until the process was late once, and grows slowly from then on.
 * What is too much for a machine shows as answers of ours that come late, and nothing can be learnt from these.
 */
export async function sideBySide<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
  { max, isFixed, watch }: LanesOptions,
): Promise<void> {
  const limit = pLimit(isFixed ? max : Math.min(firstWidth, max))
  let changedAt = performance.now()
  let wasLate = false
  const adapt = (): void => {
    const now = performance.now()
    const longestMs = watch.longestSince(Math.max(changedAt, now - lookBackMs))
    if (longestMs > stallMs.late) limit.concurrency = Math.max(Math.min(2, max), Math.floor(limit.concurrency / 2))
    else if (longestMs < stallMs.calm)
      limit.concurrency = Math.min(max, wasLate ? limit.concurrency + 2 : limit.concurrency * 2)
    if (longestMs <= stallMs.late) return
    wasLate = true
    changedAt = now
  }
  const timer = isFixed ? undefined : setInterval(adapt, changeEveryMs)
  try {
    await limit.map(items, run)
  } finally {
    clearInterval(timer)
  }
}
