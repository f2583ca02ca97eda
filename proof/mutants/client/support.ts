import type { ClientPolicy } from '../../../reference/client/policy.js'
import { unshownPaths } from '../../variants/unshown-paths.js'
import { operations, type OperationName, type OperationRule } from '../../../reference/client/operations.js'

/** The operations with one that goes elsewhere. */
export function operation(name: OperationName, rule: OperationRule): Partial<ClientPolicy> {
  return { operations: { ...operations, [name]: rule } }
}

/** What replaces where the methods go that have no path in the interface. */
export { unshownPaths }
