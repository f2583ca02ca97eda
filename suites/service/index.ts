import type { ServiceCase } from '../../harness/authoring.js'
import { addressSpellings } from './address-spellings.js'
import { always } from './always.js'
import { answerTime } from './answer-time.js'
import { authentication } from './authentication.js'
import { batchItems } from './batch-items.js'
import { batches } from './batches.js'
import { cursors } from './cursors.js'
import { deletion } from './deletion.js'
import { deletionOfEach } from './deletion-of-each.js'
import { deliveries } from './deliveries.js'
import { deliveriesOfEach } from './deliveries-of-each.js'
import { deliveryList } from './delivery-list.js'
import { deliveryPages } from './delivery-pages.js'
import { emails } from './emails.js'
import { emailsOfBatches } from './emails-of-batches.js'
import { emailsNotDelivered } from './emails-not-delivered.js'
import { emailsOfEach } from './emails-of-each.js'
import { equivalence } from './equivalence.js'
import { equivalenceOfNothing } from './equivalence-of-nothing.js'
import { errors } from './errors.js'
import { errorsOfEach } from './errors-of-each.js'
import { eventFilters } from './event-filters.js'
import { eventProperties } from './event-properties.js'
import { eventTypes } from './event-types.js'
import { everyAttempt } from './every-attempt.js'
import { failures } from './failures.js'
import { eventsOfNoInbox } from './events-of-no-inbox.js'
import { foreignEvents } from './foreign-events.js'
import { idempotency } from './idempotency.js'
import { inboxScope } from './inbox-scope.js'
import { laterAnswers } from './later-answers.js'
import { mailChanges } from './mail-changes.js'
import { mailChannels } from './mail-channels.js'
import { mailCopies } from './mail-copies.js'
import { mailEvents } from './mail-events.js'
import { mailOfBatches } from './mail-of-batches.js'
import { mailOfEach } from './mail-of-each.js'
import { malformedRequests } from './malformed-requests.js'
import { model } from './model.js'
import { onceOnly } from './once-only.js'
import { orgIsolation } from './org-isolation.js'
import { pastEvents } from './past-events.js'
import { pendingEvents } from './pending-events.js'
import { polling } from './polling.js'
import { privateNames } from './private-names.js'
import { privateNamesOfEach } from './private-names-of-each.js'
import { privateReach } from './private-reach.js'
import { rebinding } from './rebinding.js'
import { refusedAddresses } from './refused-addresses.js'
import { replay } from './replay.js'
import { replayStates } from './replay-states.js'
import { replaysOfEach } from './replays-of-each.js'
import { retries } from './retries.js'
import { schedules } from './schedules.js'
import { schedulesBeforeTheirTime } from './schedules-before-their-time.js'
import { schedulesOfBatches } from './schedules-of-batches.js'
import { schedulesOfDaysAhead } from './schedules-of-days-ahead.js'
import { schedulesOfEach } from './schedules-of-each.js'
import { sharedUrls } from './shared-urls.js'
import { signatures } from './signatures.js'
import { streamAuth } from './stream-auth.js'
import { streamResume } from './stream-resume.js'
import { stream } from './stream.js'
import { unreachable } from './unreachable.js'
import { webhooks } from './webhooks.js'
import { workspaceEvents } from './workspace-events.js'

/** Every case for services, in run order; the always-on checks come last. */
export const serviceCases: readonly ServiceCase[] = [
  ...webhooks,
  ...eventFilters,
  ...deletion,
  ...deletionOfEach,
  ...deliveries,
  ...deliveriesOfEach,
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
  ...replaysOfEach,
  ...replayStates,
  ...signatures,
  ...eventTypes,
  ...mailEvents,
  ...mailOfEach,
  ...mailOfBatches,
  ...mailCopies,
  ...mailChannels,
  ...equivalence,
  ...pendingEvents,
  ...equivalenceOfNothing,
  ...workspaceEvents,
  ...polling,
  ...cursors,
  ...stream,
  ...streamAuth,
  ...streamResume,
  ...pastEvents,
  ...inboxScope,
  ...foreignEvents,
  ...eventsOfNoInbox,
  ...orgIsolation,
  ...sharedUrls,
  ...model,
  ...eventProperties,
  ...refusedAddresses,
  ...addressSpellings,
  ...privateNames,
  ...privateNamesOfEach,
  ...privateReach,
  ...rebinding,
  ...authentication,
  ...errors,
  ...errorsOfEach,
  ...malformedRequests,
  ...emails,
  ...emailsOfBatches,
  ...emailsOfEach,
  ...emailsNotDelivered,
  ...schedules,
  ...schedulesBeforeTheirTime,
  ...schedulesOfEach,
  ...schedulesOfDaysAhead,
  ...schedulesOfBatches,
  ...mailChanges,
  ...batches,
  ...batchItems,
  ...idempotency,
  ...always,
]
