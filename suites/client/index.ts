import type { ClientCase } from '../../harness/authoring.js'
import { attempts } from './attempts.js'
import { backoff } from './backoff.js'
import { causesOfWaits } from './causes.js'
import { construction } from './construction.js'
import { emails } from './emails.js'
import { errors } from './errors.js'
import { idempotency } from './idempotency.js'
import { listsOfAnswers } from './lists.js'
import { matrix } from './matrix.js'
import { options } from './options.js'
import { retries } from './retries.js'
import { scheduledAt } from './scheduled-at.js'
import { time } from './time.js'
import { unshown } from './unshown.js'
import { verification } from './verification.js'
import { waitsOfMethods } from './waits-of-methods.js'

/** Every case for client libraries, in run order. */
export const clientCases: readonly ClientCase[] = [
  ...construction,
  ...emails,
  ...listsOfAnswers,
  ...scheduledAt,
  ...unshown,
  ...idempotency,
  ...retries,
  ...backoff,
  ...causesOfWaits,
  ...waitsOfMethods,
  ...attempts,
  ...matrix,
  ...options,
  ...errors,
  ...time,
  ...verification,
]
