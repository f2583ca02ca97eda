import type { AnyMutant } from '../mutants/define.js'
import { heldOutOfClient } from './client.js'
import { heldOutOfReceiver } from './receiver.js'
import { heldOutOfServer } from './service.js'

export type { AnyMutant } from '../mutants/define.js'
export { heldOutOfClient, heldOutOfReceiver, heldOutOfServer }

/** Mistakes without a case of their own: they measure what the suite finds beyond its list. */
export const heldOut: readonly AnyMutant[] = [...heldOutOfServer, ...heldOutOfReceiver, ...heldOutOfClient]
