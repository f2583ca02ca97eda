import type { Patch } from '../../patching/patch.js'
import type { ClientPolicy } from '../../../reference/client/policy.js'
import { unshownPaths } from '../../variants/unshown-paths.js'
import { operations, type OperationName, type OperationRule } from '../../../reference/client/operations.js'

/** The operations with one that goes elsewhere. */
export function operation(name: OperationName, rule: OperationRule): Partial<ClientPolicy> {
  return { operations: { ...operations, [name]: rule } }
}

/** What replaces where the methods go that have no path in the interface. */
export { unshownPaths }

/** Replaces one place in the code of a call's attempts. */
export const inTransport = (find: string, replace: string): Patch => ({ file: 'client/transport.ts', find, replace })
/** `Retry-After` is obeyed only where the condition holds. */
export const obeyingRetryAfter = (condition: string): Patch =>
  inTransport(
    "outcome.kind === 'answer' ? policy.askedWaitMs",
    `outcome.kind === 'answer' && (${condition}) ? policy.askedWaitMs`,
  )
/** The code of a call without an answer, made otherwise. */
export const failingWith = (code: string): Patch =>
  inTransport('status: 0, code, message, fix, cause', `status: 0, code: ${code}, message, fix, cause`)
export const startingAClock = inTransport(
  'let waitedMs = 0',
  'let waitedMs = 0\n    const startedAt = performance.now()',
)
/** Ends the attempts once the call has lasted its time-out. */
export const endingInTime = inTransport(
  'if (attempt >= attempts ||',
  'if (attempt >= attempts || performance.now() - startedAt >= timeoutMs ||',
)

/** Paths of our own for the methods whose paths are not shown, where the rest of a mutant is a patch too. */
export const withUnshownPaths: Patch = {
  file: 'client/policy/requests.ts',
  find: 'unshownPaths: {}',
  replace: `unshownPaths: ${JSON.stringify(unshownPaths)}`,
}
