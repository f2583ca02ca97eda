import type { SenderCase } from '../../harness/authoring.js'
import { answerTime } from './answer-time.js'
import { attempts } from './attempts.js'
import { eventTypes } from './event-types.js'
import { failures } from './failures.js'
import { redirects } from './redirects.js'
import { retries } from './retries.js'
import { success } from './success.js'

/** Every case for senders, in run order. */
export const senderCases: readonly SenderCase[] = [
  ...eventTypes,
  ...success,
  ...failures,
  ...redirects,
  ...answerTime,
  ...retries,
  ...attempts,
]
