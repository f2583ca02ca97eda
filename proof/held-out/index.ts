import type { AnyMutant } from '../mutants/define.js'
import { heldOutOfClient } from './client.js'
import { heldOutOfReceiver } from './receiver.js'
import { heldOutOfServer } from './service.js'

export type { AnyMutant } from '../mutants/define.js'
export { heldOutOfClient, heldOutOfReceiver, heldOutOfServer }

/** Mistakes that no case was written for: the measure of what the suite finds that nobody listed. */
export const heldOut: readonly AnyMutant[] = [...heldOutOfServer, ...heldOutOfReceiver, ...heldOutOfClient]
