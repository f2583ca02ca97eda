// What `attempt` of a pending delivery counts (open point attempt-while-waiting).
import type { Attempt } from '../sink/attempt.js'
import { instantOf, type DeliveryItem } from './read.js'

/** How far ahead the next attempt is while one surely waits for it and is not under way, in milliseconds. */
const aheadMs = 2_000

/**
 * Whether a target's pending deliveries tell the attempts that were made or the number of the one that comes next. It is
 * learnt once in a run, from the first delivery of which both are known, and held for all others.
 */
export class AttemptNumbers {
  #tells: 'made' | 'next' | undefined

  /**
   * The deliveries of one webhook with the attempts that were made, whatever of the two the target tells. `arrived` is what
   * reached the webhook; `nowMs` is the latest that the clock of its workspace can show.
   */
  made(items: readonly DeliveryItem[], arrived: readonly Attempt[], nowMs: number): DeliveryItem[] {
    this.#tells ??= toldBy(items, arrived, nowMs)
    return items.map((each) =>
      this.#tells === 'next' && each.status === 'pending' && typeof each.attempt === 'number'
        ? { ...each, attempt: each.attempt - 1 }
        : each,
    )
  }
}

/** Undefined unless one delivery is listed alone, waits, and tells the answer of the last attempt that arrived. */
function toldBy(
  items: readonly DeliveryItem[],
  arrived: readonly Attempt[],
  nowMs: number,
): 'made' | 'next' | undefined {
  const [item, another] = items
  if (item === undefined || another !== undefined || item.status !== 'pending') return undefined
  const [last] = arrived.slice(-1)
  const isOfOneEvent = new Set(arrived.map((each) => each.header('webhook-id'))).size === 1
  if (last === undefined || !isOfOneEvent || (item.replay_of ?? '') !== '') return undefined
  if (last.answeredStatus === undefined || item.response_code !== last.answeredStatus) return undefined
  if (!(instantOf(item.next_attempt_at) > nowMs + aheadMs)) return undefined
  if (item.attempt === arrived.length) return 'made'
  return item.attempt === arrived.length + 1 ? 'next' : undefined
}
