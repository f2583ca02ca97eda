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
  /** The list as a whole; open point `webhook-list-envelope`. `nextCursor` is null where there are no pages. */
  readonly webhookListEnvelope: (items: readonly unknown[], nextCursor: string | null) => unknown
  /** Whether a filter selects a type. Source: WHK-006 to WHK-009. */
  readonly matchesTypes: (filter: readonly string[], type: string) => boolean
  /** Whether an event belongs to the inbox of a webhook. Source: SCOPE-005, SCOPE-006, EVT-013. */
  readonly matchesInbox: (webhookInboxId: string | null, event: Pick<EventRecord, 'type' | 'inboxId'>) => boolean
  /** An event type that is not one of the nine in `event_types`; open point `unknown-event-type`. */
  readonly unknownEventType: 'accept' | 'refuse'
  /** An `inbox_id` that does not exist; open point `unknown-inbox`. */
  readonly unknownInbox: 'refuse' | 'accept'
  /** `event_types` and `inbox_id` of the wrong type: refused, or taken as if they were missing; open point `wrong-types`. */
  readonly wrongTypes: 'refuse' | 'ignore'
  /** One event type as text instead of the list; open point `wrong-types`. */
  readonly eventTypeAsText: 'refuse' | 'list-of-one'
  /** A second webhook on the url of one that exists; open point `same-url`. */
  readonly sameUrl: 'accept' | 'refuse'
  /** A filter of workspace events alone for a webhook of one inbox, which never gets any; open point `pointless-filter`. */
  readonly pointlessFilter: 'accept' | 'refuse'
  /** Deleting a webhook that was deleted; open point `delete-again`. */
  readonly deleteAgain: 'refuse' | 'succeed'
  /** Deliveries of a deleted webhook; open point `deleted-history`. */
  readonly deletedHistory: 'shown' | 'not-found'
  /** Webhooks on a page of the list; null is all of them. Open point `webhook-list-pages`. */
  readonly webhookPageSize: number | null
  /** Answer of a delete; open point `delete-status`. */
  readonly deleteAnswer: (webhook: WebhookRecord) => Answer
  /** Status of a pending delivery whose webhook is deleted; open point `deleted-pending-state`. */
  readonly deletedPendingStatus: 'pending' | 'failed'
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
  eventTypeAsText: 'refuse',
  sameUrl: 'accept',
  pointlessFilter: 'accept',
  deleteAgain: 'refuse',
  deletedHistory: 'shown',
  webhookPageSize: null,
  deleteAnswer: () => ({ status: 204 }),
  deletedPendingStatus: 'pending',
}
