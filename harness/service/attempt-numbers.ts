// What `attempt` of a pending delivery counts (open point attempt-while-waiting).
import type { Attempt } from '../sink/attempt.js'
import { instantOf, type DeliveryItem } from './read.js'

/** How far ahead the next attempt is while one surely waits for it and is not under way, in milliseconds. */
const aheadMs = 2_000

/**
 * Whether a target's pending deliveries tell the attempts that were made or the number of the one that comes next. It is
 * learnt once in a run, from the first list of which both are known, and held for all others.
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

/**
 * Each attempt that arrived belongs to a delivery that is listed, so that their numbers add up to those that were made. Undefined
 * where that is not sure: a delivery may be missing, its attempt under way, or one was made that reached nobody.
 */
function toldBy(
  items: readonly DeliveryItem[],
  arrived: readonly Attempt[],
  nowMs: number,
): 'made' | 'next' | undefined {
  const waiting = items.filter(({ status }) => status === 'pending')
  const events = new Set(arrived.map((each) => each.header('webhook-id')))
  if (waiting.length === 0 || items.length < events.size) return undefined
  if (!items.every(({ response_code: code }) => Number(code) > 0)) return undefined
  if (!waiting.every(({ next_attempt_at: next }) => instantOf(next) > nowMs + aheadMs)) return undefined
  const told = items.reduce((sum, { attempt }) => sum + Number(attempt), 0)
  if (told === arrived.length) return 'made'
  return told === arrived.length + waiting.length ? 'next' : undefined
}
