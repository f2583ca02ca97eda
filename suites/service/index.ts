import type { ServiceCase } from '../../harness/authoring.js'
import { addressSpellings } from './addresses/address-spellings.js'
import { wholeRunChecks } from './access/whole-run-checks.js'
import { answerTime } from './delivery/answer-time.js'
import { authentication } from './access/authentication.js'
import { batchItems } from './mail/batch-items.js'
import { batches } from './mail/batches.js'
import { batchScripts } from './mail/batch-scripts.js'
import { cursors } from './events/cursors.js'
import { deletion } from './webhooks/deletion.js'
import { deletionByKind } from './webhooks/deletion-by-kind.js'
import { deliveries } from './delivery/deliveries.js'
import { deliveriesByWebhook } from './delivery/deliveries-by-webhook.js'
import { deliveryPrograms } from './delivery/delivery-programs.js'
import { deliveryList } from './delivery/delivery-list.js'
import { deliveryPages } from './delivery/delivery-pages.js'
import { emailScripts } from './mail/email-scripts.js'
import { emails } from './mail/emails.js'
import { batchEmails } from './mail/batch-emails.js'
import { emailsNotDelivered } from './mail/emails-not-delivered.js'
import { emailsByKind } from './mail/emails-by-kind.js'
import { equivalence } from './events/equivalence.js'
import { equivalenceOfEmptyValues } from './events/equivalence-of-empty-values.js'
import { eventTexts } from './events/event-texts.js'
import { errors } from './access/errors.js'
import { repeatedErrors } from './access/repeated-errors.js'
import { eventFilters } from './webhooks/event-filters.js'
import { eventProperties } from './events/event-properties.js'
import { eventTypes } from './events/event-types.js'
import { everyAttempt } from './delivery/every-attempt.js'
import { failures } from './delivery/failures.js'
import { eventsWithoutInbox } from './access/events-without-inbox.js'
import { foreignEvents } from './access/foreign-events.js'
import { idempotency } from './mail/idempotency.js'
import { idempotencyScripts } from './mail/idempotency-scripts.js'
import { inboxScope } from './access/inbox-scope.js'
import { laterAnswers } from './delivery/later-answers.js'
import { mailChannels } from './mail/mail-channels.js'
import { mailCopies } from './mail/mail-copies.js'
import { mailEventScripts } from './mail/mail-event-scripts.js'
import { mailEvents } from './mail/mail-events.js'
import { mailTexts } from './mail/mail-texts.js'
import { mailPrograms } from './mail/mail-programs.js'
import { mailByKind } from './mail/mail-by-kind.js'
import { malformedRequests } from './access/malformed-requests.js'
import { onceOnly } from './delivery/once-only.js'
import { orgIsolation } from './access/org-isolation.js'
import { pastEvents } from './events/past-events.js'
import { pendingEvents } from './events/pending-events.js'
import { polling } from './events/polling.js'
import { privateNames } from './addresses/private-names.js'
import { privateNamesByKind } from './addresses/private-names-by-kind.js'
import { privateReach } from './addresses/private-reach.js'
import { rebinding } from './addresses/rebinding.js'
import { refusedAddresses } from './addresses/refused-addresses.js'
import { replay } from './delivery/replay.js'
import { replayStates } from './delivery/replay-states.js'
import { replaysByKind } from './delivery/replays-by-kind.js'
import { retries } from './delivery/retries.js'
import { scheduleScripts } from './mail/schedule-scripts.js'
import { schedules } from './mail/schedules.js'
import { schedulesBeforeTheirTime } from './mail/schedules-before-their-time.js'
import { batchSchedules } from './mail/batch-schedules.js'
import { schedulesByKind } from './mail/schedules-by-kind.js'
import { sharedUrls } from './webhooks/shared-urls.js'
import { signatures } from './delivery/signatures.js'
import { httpForms } from './access/http-forms.js'
import { streamAuth } from './access/stream-auth.js'
import { streamResume } from './events/stream-resume.js'
import { stream } from './events/stream.js'
import { unreachable } from './delivery/unreachable.js'
import { webhooks } from './webhooks/webhooks.js'
import { workspaceEvents } from './events/workspace-events.js'

/** Every case for services, in run order; the always-on checks are last. */
export const serviceCases: readonly ServiceCase[] = [
  ...webhooks,
  ...eventFilters,
  ...deletion,
  ...deletionByKind,
  ...deliveries,
  ...deliveriesByWebhook,
  ...deliveryList,
  ...deliveryPages,
  ...unreachable,
  ...answerTime,
  ...laterAnswers,
  ...failures,
  ...everyAttempt,
  ...onceOnly,
  ...retries,
  ...replay,
  ...replaysByKind,
  ...replayStates,
  ...signatures,
  ...eventTypes,
  ...mailEvents,
  ...mailByKind,
  ...mailEventScripts,
  ...mailCopies,
  ...mailChannels,
  ...mailTexts,
  ...equivalence,
  ...pendingEvents,
  ...equivalenceOfEmptyValues,
  ...eventTexts,
  ...workspaceEvents,
  ...polling,
  ...cursors,
  ...stream,
  ...streamAuth,
  ...streamResume,
  ...pastEvents,
  ...inboxScope,
  ...foreignEvents,
  ...eventsWithoutInbox,
  ...orgIsolation,
  ...sharedUrls,
  ...deliveryPrograms,
  ...mailPrograms,
  ...eventProperties,
  ...refusedAddresses,
  ...addressSpellings,
  ...privateNames,
  ...privateNamesByKind,
  ...privateReach,
  ...rebinding,
  ...authentication,
  ...errors,
  ...repeatedErrors,
  ...malformedRequests,
  ...httpForms,
  ...emails,
  ...batchEmails,
  ...emailScripts,
  ...emailsByKind,
  ...emailsNotDelivered,
  ...schedules,
  ...schedulesBeforeTheirTime,
  ...schedulesByKind,
  ...scheduleScripts,
  ...batchSchedules,
  ...batchScripts,
  ...batches,
  ...batchItems,
  ...idempotency,
  ...idempotencyScripts,
  ...wholeRunChecks,
]
