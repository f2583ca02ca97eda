import type { ReceiverCase } from '../../harness/authoring.js'
import { acceptance } from './acceptance.js'
import { answerTime } from './answer-time.js'
import { arrival } from './arrival.js'
import { duplicates } from './duplicates.js'
import { effectsOfForgeries } from './effects-of-forgeries.js'
import { effects } from './effects.js'
import { entries } from './entries.js'
import { handshakes } from './handshakes.js'
import { malformed } from './malformed.js'
import { rawBody } from './raw-body.js'
import { rareValues } from './rare-values.js'
import { equalContents } from './equal-contents.js'
import { signature } from './signature.js'
import { timestamp } from './timestamp.js'

/** Every case for webhook receivers, in run order. */
export const receiverCases: readonly ReceiverCase[] = [
  ...acceptance,
  ...signature,
  ...timestamp,
  ...rareValues,
  ...rawBody,
  ...arrival,
  ...entries,
  ...duplicates,
  ...malformed,
  ...handshakes,
  ...answerTime,
  ...effects,
  ...effectsOfForgeries,
  ...equalContents,
]
