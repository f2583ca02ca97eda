import { senderPolicy } from '../../reference/sender/index.js'
import type { Mutant } from './define.js'
import { mutantsOf } from './read.js'
import * as helpers from './sender/helpers.js'

/** Deviations of programs that send webhooks. */
export const senderMutants: readonly Mutant<'sender'>[] = mutantsOf('sender', { policy: senderPolicy, ...helpers })
