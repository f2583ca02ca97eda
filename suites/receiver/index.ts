import type { ReceiverCase } from '../../harness/authoring.js'
import { acceptance } from './acceptance.js'
import { answerTime } from './answer-time.js'
import { duplicates } from './duplicates.js'
import { entries } from './entries.js'
import { malformed } from './malformed.js'
import { rawBody } from './raw-body.js'
import { signature } from './signature.js'
import { timestamp } from './timestamp.js'

/** Every case for webhook receivers, in run order. */
export const receiverCases: readonly ReceiverCase[] = [
  ...acceptance,
  ...signature,
  ...timestamp,
  ...rawBody,
  ...entries,
  ...duplicates,
  ...malformed,
  ...answerTime,
]
