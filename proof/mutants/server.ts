import { defaultPolicy } from '../../reference/server/index.js'
import type { Mutant } from './define.js'
import { mutantsOf } from './read.js'
import * as helpers from './server/helpers.js'

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant<'server'>[] = mutantsOf('server', { policy: defaultPolicy, ...helpers })
