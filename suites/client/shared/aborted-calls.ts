// Calls that are aborted in a wait. An unanswered call with the same abort measures this machine.

import type { CallResult, ClientContext } from '../../../harness/authoring.js'
import { errorOf } from './expectations.js'

/** Subject of the call that is never answered. */
export const neverAnswered = 'Nobody answers'
/** A processed abort ends a call sooner, even if a library checks for one once a second; in milliseconds. */
const arrivesWithinMs = 2_000

/** A call that was aborted, and how long after that it ended, in milliseconds. */
interface AbortedCall {
  readonly result: CallResult
  readonly lateMs: number
}

/** Checks that each call ended as aborted, no later than `control`, an unanswered call with the same abort, shows for this machine. */
export function checkAbortedAtOnce(
  { check, require }: Pick<ClientContext, 'check' | 'require'>,
  what: string,
  { calls, control }: { readonly calls: readonly AbortedCall[]; readonly control: AbortedCall | undefined },
): void {
  const mostMs = arrivesWithinMs + Math.max(0, control?.lateMs ?? 0)
  for (const { result, lateMs } of calls) {
    const error = errorOf(require, what, result)
    check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
    check.of('CLI-029').measured.between(`milliseconds from the abort until the end of ${what}`, lateMs, -50, mostMs)
  }
}
