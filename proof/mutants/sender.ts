import type { Mutant } from './define.js'
import { mutantsOf } from './read.js'
import { attempts } from './sender/attempts.js'
import { narrowConditions } from './sender/narrow-conditions.js'
import { contents } from './sender/contents.js'

/** Deviations of programs that send webhooks. */
export const senderMutants: readonly Mutant<'sender'>[] = [
  ...mutantsOf('sender'),
  ...contents,
  ...attempts,
  ...narrowConditions,
]
