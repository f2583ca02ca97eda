// DLV-005 to DLV-011, RTY-001 to RTY-012: one delivery of the world model, as a pure function of actions and times.
//
// What cannot be known (an attempt that is due about now, a delivery whose webhook was deleted) is open, and has no expectation.

import { later, order, spanning, type Span } from './span.js'

/** What the model takes from the interface. */
export interface DeliveryNumbers {
  readonly retryDelaysMs: readonly number[]
  readonly answerTimeMs: number
}

/** How an endpoint ends an attempt. `held`: it gives no answer until the script releases it, or the time to answer is over. */
export type Ending =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'broken' }
  | { readonly kind: 'held' }

/** A delivery as far as it is known. */
export interface DeliveryState {
  /** Attempts that were made for sure, and at most. */
  readonly least: number
  readonly most: number
  /** Undefined where it is open. */
  readonly status: 'pending' | 'succeeded' | 'failed' | undefined
  /** How the latest attempt ended; undefined while none has, and where it is open. */
  readonly ending: Ending | undefined
  /** When the next attempt is due; undefined where there is none, or none is known. */
  readonly due: Span | undefined
  /** When the attempt in flight began. */
  readonly inFlightSince: Span | undefined
}

/** Longest time an attempt may be late, in milliseconds: whole seconds are a usual grain of a schedule. */
const lateMs = 1_500

/** A delivery whose first attempt was made at `at`, and gets the answer `ending`. */
export function begin(
  at: Span,
  { ending, numbers }: { readonly ending: Ending; readonly numbers: DeliveryNumbers },
): DeliveryState {
  return attempted(
    { least: 0, most: 0, status: 'pending', ending: undefined, due: undefined, inFlightSince: undefined },
    { at, ending, numbers },
  )
}

/** The delivery at `now`, where each later attempt got the answer `ending`. */
export function passTime(
  delivery: DeliveryState,
  { ending, now, numbers }: { readonly ending: Ending; readonly now: Span; readonly numbers: DeliveryNumbers },
): DeliveryState {
  let state = delivery
  for (;;) {
    const next = step(state, { ending, now, numbers })
    if (next === state) return state
    state = next
  }
}

type Circumstances = Parameters<typeof passTime>[1]

function step(state: DeliveryState, circumstances: Circumstances): DeliveryState {
  const { ending, now, numbers } = circumstances
  if (state.inFlightSince !== undefined) {
    const deadline = later(state.inFlightSince, numbers.answerTimeMs)
    const when = order(later(deadline, 0, lateMs), now)
    if (when === 'after') return state
    return when === 'open' ? openDelivery(state, numbers) : ended(state, { kind: 'held' }, { at: deadline, numbers })
  }
  if (state.due === undefined) return state
  const when = order(later(state.due, 0, lateMs), now)
  if (when === 'after') return state
  if (when === 'open') return openDelivery(state, numbers)
  return attempted(state, { at: later(state.due, 0, lateMs), ending, numbers })
}

function attempted(
  state: DeliveryState,
  { at, ending, numbers }: { readonly at: Span; readonly ending: Ending; readonly numbers: DeliveryNumbers },
): DeliveryState {
  const made = { ...state, least: state.least + 1, most: state.most + 1, due: undefined }
  if (ending.kind === 'held') return { ...made, ending: undefined, inFlightSince: at }
  return ended(made, ending, { at, numbers })
}

/** The delivery after its attempt in flight was answered at `at`. */
export function applyAnswer(
  state: DeliveryState,
  ending: Ending,
  { at, numbers }: { readonly at: Span; readonly numbers: DeliveryNumbers },
): DeliveryState {
  if (state.inFlightSince === undefined) return state
  if (order(at, later(state.inFlightSince, numbers.answerTimeMs)) !== 'before') return openDelivery(state, numbers)
  return ended(state, ending, { at, numbers })
}

function ended(
  state: DeliveryState,
  ending: Ending,
  { at, numbers }: { readonly at: Span; readonly numbers: DeliveryNumbers },
): DeliveryState {
  const over = { ...state, ending, due: undefined, inFlightSince: undefined }
  if (ending.kind === 'answer' && ending.status >= 200 && ending.status <= 299) return { ...over, status: 'succeeded' }
  const delayMs = numbers.retryDelaysMs[state.least]
  if (delayMs === undefined) return { ...over, status: 'failed' }
  // A delay may count from the start or the end of an attempt (open point delay-origin).
  const from = state.inFlightSince === undefined ? at : spanning(state.inFlightSince, at)
  return { ...over, status: 'pending', due: later(from, delayMs) }
}

/** Nothing more is known of the delivery but that the schedule has an end. */
export function openDelivery(state: DeliveryState, { retryDelaysMs }: DeliveryNumbers): DeliveryState {
  return {
    ...state,
    most: retryDelaysMs.length,
    status: undefined,
    ending: undefined,
    due: undefined,
    inFlightSince: undefined,
  }
}

/** The delivery once its webhook is deleted: no attempt follows, and its state is open (open point deleted-pending-state). */
export function stopDelivery(state: DeliveryState, numbers: DeliveryNumbers): DeliveryState {
  const isOver = state.status === 'succeeded' || state.status === 'failed'
  if (isOver) return state
  const { most } = state.status === undefined ? openDelivery(state, numbers) : state
  return { ...state, most, status: undefined, due: undefined, inFlightSince: undefined }
}
