import type { Mutant } from './define.js'
import { addressesMutants } from './server/addresses.js'
import { authenticationMutants } from './server/authentication.js'
import { narrowMutants } from './server/narrow-conditions.js'
import { narrowErrorMutants } from './server/narrow-errors.js'
import { narrowTextMutants } from './server/narrow-texts.js'
import { narrowLateAnswerMutants } from './server/narrow-late-answers.js'
import { narrowAnswerMutants } from './server/narrow-answers.js'
import { narrowAmountMutants } from './server/narrow-amounts.js'
import { narrowBatchMutants } from './server/narrow-batches.js'
import { narrowEmailChangeMutants } from './server/narrow-email-changes.js'
import { narrowChannelMutants } from './server/narrow-channels.js'
import { narrowOtherWebhookMutants } from './server/narrow-other-webhooks.js'
import { narrowSeveralProjectMutants } from './server/narrow-several-projects.js'
import { narrowDeliveryMutants } from './server/narrow-deliveries.js'
import { narrowInboxMutants } from './server/narrow-inboxes.js'
import { narrowItemMutants } from './server/narrow-items.js'
import { narrowKeyMutants } from './server/narrow-keys.js'
import { narrowMailMutants } from './server/narrow-mail.js'
import { narrowTimeMutants } from './server/narrow-times.js'
import { narrowSharedUrlMutants } from './server/narrow-shared-urls.js'
import { narrowAfterRetriesMutants } from './server/narrow-after-retries.js'
import { narrowProjectMutants } from './server/narrow-projects.js'
import { narrowQueueMutants } from './server/narrow-queues.js'
import { narrowRecordMutants } from './server/narrow-records.js'
import { narrowRepeatMutants } from './server/narrow-repeats.js'
import { narrowReplayMutants } from './server/narrow-replays.js'
import { narrowEventChannelMutants } from './server/narrow-event-channels.js'
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
  ...narrowMutants,
  ...narrowDeliveryMutants,
  ...narrowEmailChangeMutants,
  ...narrowSharedUrlMutants,
  ...narrowChannelMutants,
  ...narrowOtherWebhookMutants,
  ...narrowAfterRetriesMutants,
  ...narrowMailMutants,
  ...narrowEventChannelMutants,
  ...narrowReplayMutants,
  ...narrowAmountMutants,
  ...narrowAnswerMutants,
  ...narrowLateAnswerMutants,
  ...narrowErrorMutants,
  ...narrowTextMutants,
  ...narrowBatchMutants,
  ...narrowKeyMutants,
  ...narrowItemMutants,
  ...narrowRecordMutants,
  ...narrowTimeMutants,
  ...narrowProjectMutants,
  ...narrowQueueMutants,
  ...narrowSeveralProjectMutants,
  ...narrowRepeatMutants,
  ...narrowInboxMutants,
]
