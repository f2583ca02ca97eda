import type { ServerMutant } from './mutant.js'
import { deliveringMutants } from './server/delivering.js'
import { namingMutants } from './server/naming.js'
import { readingMutants } from './server/reading.js'

/** Every mutant of the reference server. */
export const serverMutants: readonly ServerMutant[] = [...deliveringMutants, ...namingMutants, ...readingMutants]
