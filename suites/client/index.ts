import type { ClientCase } from '../../harness/authoring.js'
import { answers } from './answers.js'
import { attempts } from './attempts.js'
import { backoff } from './backoff.js'
import { causesOfWaits } from './wait-causes.js'
import { construction } from './construction.js'
import { emails } from './emails.js'
import { errors } from './errors.js'
import { failures } from './failures.js'
import { forgedDeliveries } from './forged-deliveries.js'
import { timeoutPrecision } from './timeout-precision.js'
import { idempotency } from './idempotency.js'
import { connectionsAndCodings } from './connections-and-codings.js'
import { listsOfAnswers } from './lists.js'
import { matrix } from './matrix.js'
import { messagesWait } from './messages-wait.js'
import { messagesWaitTime } from './messages-wait-time.js'
import { oneMinuteTimeouts } from './one-minute-timeouts.js'
import { options, optionsTogether, timeOutsOfClients } from './options.js'
import { randomScripts } from './random-scripts.js'
import { retries } from './retries.js'
import { scheduledAt } from './scheduled-at.js'
import { concurrentCalls } from './concurrent-calls.js'
import { time } from './time.js'
import { abortsInWaits } from './aborts-in-waits.js'
import { unshown } from './unshown.js'
import { unreadableRetryAfter } from './unreadable-retry-after.js'
import { verification } from './verification.js'
import { waitsGrow } from './waits-grow.js'
import { waitsByMethod } from './waits-by-method.js'

/** Every case for client libraries, in run order. */
export const clientCases: readonly ClientCase[] = [
  ...construction,
  ...emails,
  ...listsOfAnswers,
  ...scheduledAt,
  ...unshown,
  ...messagesWait,
  ...messagesWaitTime,
  ...idempotency,
  ...retries,
  ...waitsGrow,
  ...backoff,
  ...unreadableRetryAfter,
  ...causesOfWaits,
  ...waitsByMethod,
  ...attempts,
  ...matrix,
  ...failures,
  ...randomScripts,
  ...options,
  ...optionsTogether,
  ...timeOutsOfClients,
  ...errors,
  ...answers,
  ...oneMinuteTimeouts,
  ...time,
  ...abortsInWaits,
  ...timeoutPrecision,
  ...concurrentCalls,
  ...connectionsAndCodings,
  ...verification,
  ...forgedDeliveries,
]
