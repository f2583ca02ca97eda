import type { Mutant } from './define.js'
import { mutantsOf } from './read.js'
import { answersMutants } from './client/answers.js'
import { attemptsMutants } from './client/attempts.js'
import { concurrencyMutants } from './client/concurrency.js'
import { narrowMutants } from './client/narrow-conditions.js'
import { narrowAnswerMutants } from './client/narrow-answers.js'
import { narrowCallMutants } from './client/narrow-calls.js'
import { constructionMutants } from './client/construction.js'
import { formsMutants } from './client/forms.js'
import { idempotencyMutants } from './client/idempotency.js'
import { membersMutants } from './client/members.js'
import { requestsMutants } from './client/requests.js'
import { retriesMutants } from './client/retries.js'
import { timeMutants } from './client/time.js'
import { narrowVerificationMutants } from './client/narrow-verification.js'
import { verificationMutants } from './client/verification.js'

/** Deviations of client libraries that real teams have shipped. */
export const clientMutants: readonly Mutant<'client'>[] = [
  ...mutantsOf('client'),
  ...constructionMutants,
  ...requestsMutants,
  ...membersMutants,
  ...idempotencyMutants,
  ...retriesMutants,
  ...attemptsMutants,
  ...narrowMutants,
  ...narrowAnswerMutants,
  ...narrowCallMutants,
  ...concurrencyMutants,
  ...formsMutants,
  ...timeMutants,
  ...answersMutants,
  ...verificationMutants,
  ...narrowVerificationMutants,
]
