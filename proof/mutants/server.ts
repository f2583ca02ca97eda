import type { Mutant } from './define.js'
import { addressesMutants } from './server/addresses.js'
import { authenticationMutants } from './server/authentication.js'
import { cellMutants } from './server/cells.js'
import { errorCellMutants } from './server/cells-of-errors.js'
import { wordCellMutants } from './server/cells-of-words.js'
import { lateAnswerCellMutants } from './server/cells-of-late-answers.js'
import { answerCellMutants } from './server/cells-of-answers.js'
import { amountCellMutants } from './server/cells-of-amounts.js'
import { batchCellMutants } from './server/cells-of-batches.js'
import { changeCellMutants } from './server/cells-of-changes.js'
import { channelCellMutants } from './server/cells-of-channels.js'
import { companyCellMutants } from './server/cells-of-company.js'
import { crowdCellMutants } from './server/cells-of-crowds.js'
import { deliveryCellMutants } from './server/cells-of-deliveries.js'
import { inboxCellMutants } from './server/cells-of-inboxes.js'
import { itemCellMutants } from './server/cells-of-items.js'
import { keyCellMutants } from './server/cells-of-keys.js'
import { mailCellMutants } from './server/cells-of-mail.js'
import { momentCellMutants } from './server/cells-of-moments.js'
import { neighbourCellMutants } from './server/cells-of-neighbours.js'
import { pastCellMutants } from './server/cells-of-pasts.js'
import { projectCellMutants } from './server/cells-of-projects.js'
import { queueCellMutants } from './server/cells-of-queues.js'
import { recordCellMutants } from './server/cells-of-records.js'
import { repeatCellMutants } from './server/cells-of-repeats.js'
import { replayCellMutants } from './server/cells-of-replays.js'
import { tellingCellMutants } from './server/cells-of-telling.js'
import { deliveriesMutants } from './server/deliveries.js'
import { emailsMutants } from './server/emails.js'
import { errorsMutants } from './server/errors.js'
import { eventsMutants } from './server/events.js'
import { failureMutants } from './server/failures.js'
import { idempotencyMutants } from './server/idempotency.js'
import { onceOnlyMutants } from './server/once-only.js'
import { pollingMutants } from './server/polling.js'
import { replayMutants } from './server/replay.js'
import { retriesMutants } from './server/retries.js'
import { scheduleMutants } from './server/schedules.js'
import { scopingMutants } from './server/scoping.js'
import { signingMutants } from './server/signing.js'
import { streamMutants } from './server/stream.js'
import { webhooksMutants } from './server/webhooks.js'

/** Every mutant of the reference server. */
export const serverMutants: readonly Mutant<'server'>[] = [
  ...webhooksMutants,
  ...deliveriesMutants,
  ...retriesMutants,
  ...failureMutants,
  ...onceOnlyMutants,
  ...replayMutants,
  ...signingMutants,
  ...addressesMutants,
  ...authenticationMutants,
  ...errorsMutants,
  ...emailsMutants,
  ...scheduleMutants,
  ...idempotencyMutants,
  ...eventsMutants,
  ...pollingMutants,
  ...streamMutants,
  ...scopingMutants,
  ...cellMutants,
  ...deliveryCellMutants,
  ...changeCellMutants,
  ...neighbourCellMutants,
  ...channelCellMutants,
  ...companyCellMutants,
  ...pastCellMutants,
  ...mailCellMutants,
  ...tellingCellMutants,
  ...replayCellMutants,
  ...amountCellMutants,
  ...answerCellMutants,
  ...lateAnswerCellMutants,
  ...errorCellMutants,
  ...wordCellMutants,
  ...batchCellMutants,
  ...keyCellMutants,
  ...itemCellMutants,
  ...recordCellMutants,
  ...momentCellMutants,
  ...projectCellMutants,
  ...queueCellMutants,
  ...crowdCellMutants,
  ...repeatCellMutants,
  ...inboxCellMutants,
]
