import type { Mutant } from './define.js'
import { addressesMutants } from './server/addresses.js'
import { authenticationMutants } from './server/authentication.js'
import { cellMutants } from './server/cells.js'
import { errorCellMutants } from './server/narrow-errors.js'
import { wordCellMutants } from './server/narrow-texts.js'
import { lateAnswerCellMutants } from './server/narrow-late-answers.js'
import { answerCellMutants } from './server/narrow-answers.js'
import { amountCellMutants } from './server/narrow-amounts.js'
import { batchCellMutants } from './server/narrow-batches.js'
import { changeCellMutants } from './server/narrow-email-changes.js'
import { channelCellMutants } from './server/narrow-channels.js'
import { companyCellMutants } from './server/narrow-other-webhooks.js'
import { crowdCellMutants } from './server/narrow-several-projects.js'
import { deliveryCellMutants } from './server/narrow-deliveries.js'
import { inboxCellMutants } from './server/narrow-inboxes.js'
import { itemCellMutants } from './server/narrow-items.js'
import { keyCellMutants } from './server/narrow-keys.js'
import { mailCellMutants } from './server/narrow-mail.js'
import { momentCellMutants } from './server/narrow-times.js'
import { neighbourCellMutants } from './server/narrow-shared-urls.js'
import { pastCellMutants } from './server/narrow-after-retries.js'
import { projectCellMutants } from './server/narrow-projects.js'
import { queueCellMutants } from './server/narrow-queues.js'
import { recordCellMutants } from './server/narrow-records.js'
import { repeatCellMutants } from './server/narrow-repeats.js'
import { replayCellMutants } from './server/narrow-replays.js'
import { tellingCellMutants } from './server/narrow-event-channels.js'
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
