import { randomBytes } from 'node:crypto'
import { idPrefixes, secretPrefix } from '../../../spec/index.js'
import type { Answer, EventRecord, WebhookRecord } from './records.js'

/** The webhook resource. */
export interface WebhookPolicy {
  /** Status of a create. Source: WHK-001. */
  readonly webhookCreatedStatus: number
  /** Id from a fresh random text. Source: WHK-003. */
  readonly webhookId: (random: string) => string
  /** A new secret. Source: WHK-004, WHK-018. */
  readonly newSecret: () => string
  /** The filter that is stored; `asked` is undefined when it was missing or null. Source: WHK-006 to WHK-008. */
  readonly storedEventTypes: (asked: readonly string[] | undefined) => readonly string[]
  /** The body of the create response. Source: WHK-002, WHK-005, WHK-010. */
  readonly createdWebhook: (webhook: WebhookRecord) => Readonly<Record<string, unknown>>
  /** One webhook of the list. Source: WHK-012, WHK-013. */
  readonly listedWebhook: (webhook: WebhookRecord) => Readonly<Record<string, unknown>>
  /** The list as a whole; open point `webhook-list-envelope`. */
  readonly webhookListEnvelope: (items: readonly unknown[]) => unknown
  /** Whether a filter selects a type. Source: WHK-006 to WHK-009. */
  readonly matchesTypes: (filter: readonly string[], type: string) => boolean
  /** Whether an event belongs to the inbox of a webhook. Source: SCOPE-005, SCOPE-006, EVT-013. */
  readonly matchesInbox: (webhookInboxId: string | null, event: Pick<EventRecord, 'type' | 'inboxId'>) => boolean
  /** An event type that is not one of the nine in `event_types`; open point `unknown-event-type`. */
  readonly unknownEventType: 'accept' | 'refuse'
  /** An `inbox_id` that does not exist; open point `unknown-inbox`. */
  readonly unknownInbox: 'refuse' | 'accept'
  /** Fields of the wrong type: refused, or taken as if they were missing. Source: WHK-020. */
  readonly wrongTypes: 'refuse' | 'ignore'
  /** Answer of a delete; open point `delete-status`. */
  readonly deleteAnswer: (webhook: WebhookRecord) => Answer
  /** Whether a deleted webhook gets no event raised later. Source: WHK-014. */
  readonly deleteStopsEvents: boolean
  /** Whether a delete clears the retries that are pending. Source: WHK-015. */
  readonly deleteStopsRetries: boolean
  /** Whether an attempt in flight at the delete may still schedule another. Source: WHK-015. */
  readonly deleteStopsInFlight: boolean
  /** Whether deliveries are listed after a delete. Source: WHK-016. */
  readonly deleteKeepsHistory: boolean
  /** Whether a deleted webhook is still listed. Source: WHK-017. */
  readonly listsDeleted: boolean
  /** Status of a pending delivery whose webhook is deleted; open point `deleted-pending-state`. */
  readonly deletedPendingStatus: 'pending' | 'failed'
  /** Which of the matching webhooks get the event. Source: WHK-021. */
  readonly fanOut: (matching: readonly WebhookRecord[]) => readonly WebhookRecord[]
}

export const webhookPolicy: WebhookPolicy = {
  webhookCreatedStatus: 201,
  webhookId: (random) => idPrefixes.webhook + random,
  newSecret: () => secretPrefix + randomBytes(32).toString('base64'),
  storedEventTypes: (asked) => asked ?? [],
  createdWebhook: ({ id, url, eventTypes, inboxId, secret }) => ({
    id,
    url,
    event_types: eventTypes,
    inbox_id: inboxId,
    secret,
  }),
  listedWebhook: ({ id, url, eventTypes, inboxId }) => ({ id, url, event_types: eventTypes, inbox_id: inboxId }),
  webhookListEnvelope: (items) => ({ data: items }),
  matchesTypes: (filter, type) => filter.length === 0 || filter.includes('*') || filter.includes(type),
  matchesInbox: (webhookInboxId, event) => webhookInboxId === null || webhookInboxId === event.inboxId,
  unknownEventType: 'accept',
  unknownInbox: 'refuse',
  wrongTypes: 'refuse',
  deleteAnswer: () => ({ status: 204 }),
  deleteStopsEvents: true,
  deleteStopsRetries: true,
  deleteStopsInFlight: true,
  deleteKeepsHistory: true,
  listsDeleted: false,
  deletedPendingStatus: 'pending',
  fanOut: (matching) => matching,
}
