import { clientMutants } from './client.js'
import type { AnyMutant } from './define.js'
import { receiverMutants } from './receiver.js'
import { senderMutants } from './sender.js'
import { serverMutants } from './server.js'
import { verifierMutants } from './verifier.js'

export type { AnyMutant, Mutant } from './define.js'

/** Every mutant of every reference. */
export const mutants: readonly AnyMutant[] = [
  ...serverMutants,
  ...receiverMutants,
  ...verifierMutants,
  ...clientMutants,
  ...senderMutants,
]
export { clientMutants, receiverMutants, senderMutants, serverMutants, verifierMutants }
