// What `attempt` of a pending delivery counts (open point attempt-while-waiting).
import { retryDelaysMs } from '../../spec/index.js'
import type { Attempt } from '../sink/attempt.js'
import type { ClockReading } from './clock-log.js'
import { instantOf, type DeliveryItem } from './answer-readers.js'

/** How far ahead the next attempt is while one surely waits for it and is not under way, in milliseconds. */
const aheadMs = 2_000
/** How much later than its delay an attempt may be due, in milliseconds. */
const slackMs = 1_000

/** The bounds of what the clock of a workspace shows. */
type Bounds = Pick<ClockReading, 'earliest' | 'latest'>

/**
 * Whether a target's pending deliveries count the attempts that were made or number the next one. Learnt once a run, from the first list of
 * which both are known, and expected of all others.
 */
export class AttemptNumbers {
  #numbering: 'made' | 'next' | undefined

  /** Learns from a delivery of which `made` attempts were made, whether they reached an endpoint or not. */
  learn({ attempt }: DeliveryItem, made: number): void {
    if (attempt === made) this.#numbering ??= 'made'
    if (attempt === made + 1) this.#numbering ??= 'next'
  }

  /**
   * Returns the deliveries of one webhook with the number of attempts that were made, whichever of the two the target lists. `arrived` are
   * the webhook's attempts; `now` bounds the clock of its workspace.
   */
  made(items: readonly DeliveryItem[], arrived: readonly Attempt[], now: Bounds): DeliveryItem[] {
    this.#numbering ??= numberingOf(items, arrived, now)
    return items.map((delivery) =>
      this.#numbering === 'next' && delivery.status === 'pending' && typeof delivery.attempt === 'number'
        ? { ...delivery, attempt: delivery.attempt - 1 }
        : delivery,
    )
  }
}

/**
 * Derives the counting from a list: each attempt that arrived belongs to a listed delivery, so that the numbers add up to the attempts
 * made. Undefined if that is uncertain: a delivery may be missing, an attempt under way, or an attempt was lost, after which the delay is
 * longer than before the one it is mistaken for.
 */
function numberingOf(
  items: readonly DeliveryItem[],
  arrived: readonly Attempt[],
  now: Bounds,
): 'made' | 'next' | undefined {
  const waiting = items.filter(({ status }) => status === 'pending')
  const events = new Set(arrived.map((attempt) => attempt.header('webhook-id')))
  if (waiting.length === 0 || items.length < events.size || arrived.length < items.length) return undefined
  if (!waiting.every(({ next_attempt_at: next }) => instantOf(next) > now.latest + aheadMs)) return undefined
  const reported = items.reduce((sum, { attempt }) => sum + Number(attempt), 0)
  if (reported === arrived.length) return 'made'
  return reported === arrived.length + waiting.length && waiting.every((delivery) => mayWaitFor(delivery, now))
    ? 'next'
    : undefined
}

/** Returns whether a delivery is due no later than the attempt that it lists would be. */
function mayWaitFor({ attempt, next_attempt_at: next }: DeliveryItem, { earliest }: Bounds): boolean {
  return instantOf(next) - earliest <= (retryDelaysMs[Number(attempt) - 1] ?? 0) + slackMs
}
