// SND-010, SND-011, SND-013, SND-016: one email of the world model, as a pure function of actions and times.

import { later, order, type Span } from './span.js'

/** The requests about one email, in order. Scheduled times are exact; the time of a request is a span. */
export type EmailStep =
  | { readonly kind: 'sent'; readonly at: Span; readonly scheduledAt: number | undefined }
  | EmailChange
  /** Accepted changes that were requested concurrently: they have the effect of one of their orders. */
  | { readonly kind: 'at-once'; readonly changes: readonly EmailChange[] }

export type EmailChange =
  | { readonly kind: 'moved'; readonly at: Span; readonly scheduledAt: number }
  | { readonly kind: 'cancelled'; readonly at: Span }

/** When workspace sending was paused, and when it was resumed. */
export interface Pause {
  readonly from: Span
  readonly to: Span | undefined
}

/** How often an email must have been handed over by now, and how often it may have been. */
export interface ExpectedCount {
  readonly least: 0 | 1
  readonly most: 0 | 1
}

/** Schedulers that look once a minute are common, and clocks are not exact, in milliseconds. */
const lateMs = 75_000
const earlyMs = 1_500

const exactly = (instant: number): Span => ({ earliest: instant - earlyMs, latest: instant + lateMs })

type SingleStep = Exclude<EmailStep, { readonly kind: 'at-once' }>

/** What may become of an email: its last scheduled time, if any, and whether it is cancelled. */
export interface Outcome {
  readonly scheduledAt: number | undefined
  readonly isCancelled: boolean
}

/** Returns what may become of an email, for each order of its changes. */
export function outcomesOf(steps: readonly EmailStep[]): readonly Outcome[] {
  return ordersOf(steps).flatMap((order) => {
    const cancelAt = order.findIndex((step) => step.kind === 'cancelled')
    // An accepted reschedule of a cancelled email may change its time or be ignored (open point late-changes).
    const ends = cancelAt === -1 ? [order] : order.slice(cancelAt).map((_, more) => order.slice(0, cancelAt + more + 1))
    return ends.map((end) => ({
      scheduledAt: end.findLast((step) => step.kind !== 'cancelled')?.scheduledAt,
      isCancelled: cancelAt !== -1,
    }))
  })
}

/** Returns how often the events of an email must and may have occurred at `now`, whatever the order of concurrent changes. */
export function countExpected(
  steps: readonly EmailStep[],
  time: { readonly now: Span; readonly pauses: readonly Pause[] },
): ExpectedCount {
  const counts = ordersOf(steps).map((order) => countInOrder(order, time))
  return {
    least: counts.every(({ least }) => least === 1) ? 1 : 0,
    most: counts.some(({ most }) => most === 1) ? 1 : 0,
  }
}

function ordersOf(steps: readonly EmailStep[]): readonly (readonly SingleStep[])[] {
  let orders: readonly (readonly SingleStep[])[] = [[]]
  for (const step of steps) {
    const next = step.kind === 'at-once' ? permutationsOf(step.changes) : [[step]]
    orders = orders.flatMap((order) => next.map((changes) => [...order, ...changes]))
  }
  return orders
}

function permutationsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first, index) => permutationsOf(items.toSpliced(index, 1)).map((others) => [first, ...others]))
}

function countInOrder(
  steps: readonly SingleStep[],
  { now, pauses }: { readonly now: Span; readonly pauses: readonly Pause[] },
): ExpectedCount {
  let due: Span | undefined
  let isOpen = false
  for (const step of steps) {
    // A change at a time when the email may have been sent may change nothing (open point late-changes).
    const wasSent = due === undefined ? 'after' : order(due, step.at)
    if (step.kind !== 'sent' && wasSent === 'before') break
    // Nothing sends a cancelled email, even if a later reschedule is accepted (open point late-changes).
    if (due?.earliest === Infinity) break
    if (wasSent === 'open') isOpen = true
    if (step.kind === 'cancelled') due = { earliest: Infinity, latest: Infinity }
    else due = step.scheduledAt === undefined ? later(step.at, 0, lateMs) : exactly(step.scheduledAt)
    // A time that is over is now, or was refused.
    if (step.kind === 'moved' && due.earliest <= step.at.latest) isOpen = true
  }
  if (due === undefined) return { least: 0, most: 0 }
  if (isOpen) return { least: 0, most: 1 }
  const when = order(due, now)
  if (when === 'after') return { least: 0, most: 0 }
  // Mail that falls due while sending is paused may fail (EVT-009), or wait.
  const falls = due
  const isPaused = pauses.some(
    ({ from, to }) => order(falls, from) !== 'before' && (to === undefined || order(falls, to) !== 'after'),
  )
  return { least: when === 'before' && !isPaused ? 1 : 0, most: 1 }
}
