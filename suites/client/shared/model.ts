// The client as a pure function: from a script of answers to the requests that may follow, the waits between them, and the end of the call.

import { findAttemptFaults, groupsOf } from './attempt-faults.js'
import { findEndFaults } from './end-faults.js'
import type { Exchange, Fault, ObservedCall, Script } from './script.js'

/** Returns the faults in the requests, the waits and the end of a call. */
export function findFaults(script: Script, call: ObservedCall): readonly Fault[] {
  const { effect } = script.method
  // A library may look something up before it creates it.
  const isCreate = ({ request }: Exchange) => request.method === 'POST' || effect !== 'creates'
  const own = { ...call, exchanges: call.exchanges.filter(isCreate) }
  const attempts = groupsOf(script, own.exchanges).flatMap((group) => findAttemptFaults(script, own, group))
  // A missing or an extra attempt explains the end.
  return attempts.some(({ isMeasured }) => isMeasured !== true)
    ? attempts
    : [...attempts, ...findEndFaults(script, own)]
}
