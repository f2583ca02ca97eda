/** An advance of a workspace's clock that is under way; see docs/contract.md, part 3. */
export interface Advance {
  /** Offset of the clock when it has arrived. */
  targetOffsetMs: number
  /** Real instant of the latest request for it: attempts in flight have their grace from then. */
  sinceRealMs: number
  /** Where the clock was last moved to: attempts due then or before are made at that instant, not some moments later. */
  movedTo: number
  readonly waiters: { resolve(): void; reject(reason: unknown): void }[]
}

/** The state when nothing more is due now. Instants are on the workspace's clock unless the name contains real. */
export interface Situation {
  readonly realNowMs: number
  readonly offsetMs: number
  /** Infinity when nothing waits, or there is no room to start it. */
  readonly nextDueAt: number
  readonly inFlight: Iterable<{ readonly startedRealMs: number; readonly deadline: number }>
  readonly advance: Pick<Advance, 'targetOffsetMs' | 'sinceRealMs'> | undefined
  /** Real time that an attempt in flight gets before the clock is moved on. */
  readonly graceMs: number
}

export type Move =
  /** Nothing to do until this many milliseconds of real time have passed or an attempt has ended. */
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** Time is moved instead of waiting for it. */
  | { readonly kind: 'move'; readonly toMs: number; readonly offsetMs: number }
  /** The advance is over: the clock has arrived, and nothing is due or in flight. Then as `wait`. */
  | { readonly kind: 'arrived'; readonly waitMs: number }

/**
 * What a workspace does next. In real time it waits for the next instant at which something is due or an attempt runs out
 * of time. An advance does the same, but moves the clock to that instant once the attempts in flight have had their grace.
 */
export function nextMove(situation: Situation): Move {
  const { realNowMs, offsetMs, nextDueAt, inFlight, advance, graceMs } = situation
  const now = realNowMs + offsetMs
  let next = nextDueAt
  let graceEndsRealMs = -Infinity
  let isEnding = false
  for (const { startedRealMs, deadline } of inFlight) {
    if (deadline <= now) isEnding = true
    else next = Math.min(next, deadline)
    graceEndsRealMs = Math.max(graceEndsRealMs, startedRealMs + graceMs)
  }
  const isInFlight = graceEndsRealMs > -Infinity
  const waitMs = next - now
  if (advance === undefined || isEnding || waitMs <= 0) return { kind: 'wait', waitMs }
  const graceLeftMs = Math.max(graceEndsRealMs, advance.sinceRealMs + graceMs) - realNowMs
  if (isInFlight && graceLeftMs > 0) return { kind: 'wait', waitMs: Math.min(waitMs, graceLeftMs) }
  if (offsetMs < advance.targetOffsetMs) {
    const toMs = Math.min(realNowMs + advance.targetOffsetMs, next)
    return { kind: 'move', toMs, offsetMs: toMs - realNowMs }
  }
  return { kind: isInFlight ? 'wait' : 'arrived', waitMs }
}
