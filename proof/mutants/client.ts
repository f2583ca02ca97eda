import type { Mutant } from './define.js'
import { answersMutants } from './client/answers.js'
import { attemptsMutants } from './client/attempts.js'
import { besideMutants } from './client/beside.js'
import { cellsMutants } from './client/cells.js'
import { cellsOfAnswersMutants } from './client/cells-of-answers.js'
import { cellsOfCallsMutants } from './client/cells-of-calls.js'
import { everyMethodMutants } from './client/every-method.js'
import { constructionMutants } from './client/construction.js'
import { formsMutants } from './client/forms.js'
import { idempotencyMutants } from './client/idempotency.js'
import { membersMutants } from './client/members.js'
import { requestsMutants } from './client/requests.js'
import { retriesMutants } from './client/retries.js'
import { timeMutants } from './client/time.js'
import { verificationCellsMutants } from './client/verification-cells.js'
import { verificationMutants } from './client/verification.js'

/** Deviations of client libraries that real teams have shipped. */
export const clientMutants: readonly Mutant<'client'>[] = [
  ...constructionMutants,
  ...requestsMutants,
  ...membersMutants,
  ...idempotencyMutants,
  ...retriesMutants,
  ...attemptsMutants,
  ...cellsMutants,
  ...cellsOfAnswersMutants,
  ...cellsOfCallsMutants,
  ...everyMethodMutants,
  ...besideMutants,
  ...formsMutants,
  ...timeMutants,
  ...answersMutants,
  ...verificationMutants,
  ...verificationCellsMutants,
]
