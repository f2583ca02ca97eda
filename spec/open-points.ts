import type { OpenPoint } from './types.js'

/** What the interface calls "not shown", and other points it does not settle. No case may assert more than `accepts`. */
export const openPoints = {
  'error-shape': {
    source: '#errors',
    question: 'The wire shape of the error body.',
    reference: '`{ code, message, fix }` at the top level.',
    accepts: 'The three fields together: at the top level, under `error`, or in another envelope up to three deep.',
  },
  'error-codes': {
    source: '#errors',
    question: 'The complete list of error codes.',
    reference: 'Codes of its own beside the ones that are named.',
    accepts: 'Any non-empty string where no code is named.',
  },
  'auth-status': {
    source: '#authentication',
    question: 'The status of a request without a valid key.',
    reference: '401.',
    accepts: '401 or 403.',
  },
  'url-refusal': {
    source: '#errors',
    question: 'Error code and status when a webhook url is refused at creation.',
    reference: '400 with `url_refused`.',
    accepts: 'Any 4xx but 401, 404, 405, 408 and 429.',
  },
  'private-hostname': {
    source: '#webhook',
    question: 'Whether a hostname that resolves to a private address is refused when the webhook is created.',
    reference: 'It is accepted, and blocked at delivery.',
    accepts: 'Refusal at creation, or `blocked_private_address` at delivery; never a connection.',
  },
  'mixed-answers': {
    source: '#webhook',
    question: 'What happens when a name resolves to public and private addresses at once.',
    reference: 'The whole set is refused.',
    accepts: 'Anything but a connection to the private address.',
  },
  'arguable-addresses': {
    source: '#webhook',
    question: 'Special-purpose blocks that are globally reachable or not classified, and IPv6 space outside 2000::/3.',
    reference: 'Refused.',
    accepts: 'Both.',
  },
  'webhook-list-envelope': {
    source: '#list-webhooks',
    question: 'The response shape of the webhook list.',
    reference: '`{ data: Webhook[] }`.',
    accepts: 'An array, or an object that holds it, up to three deep.',
  },
  'delivery-list-envelope': {
    source: '#list-deliveries-of-a-webhook',
    question: 'The envelope of the deliveries list.',
    reference: '`{ data: Delivery[] }`.',
    accepts: 'An array, or an object that holds it, up to three deep.',
  },
  'limit-above-maximum': {
    source: '#list-deliveries-of-a-webhook',
    question: 'Behaviour when `limit` exceeds 100.',
    reference: 'Clamped to 100.',
    accepts: 'At most 100 items, or a 4xx error.',
  },
  'delete-status': {
    source: '#delete-a-webhook',
    question: 'Success status and body of a delete.',
    reference: '204 without a body.',
    accepts: 'Any 2xx.',
  },
  'deleted-pending-state': {
    source: '#webhook-delivery-status',
    question: 'The state of a pending delivery whose webhook is deleted.',
    reference: 'It stays `pending` without a next attempt.',
    accepts: 'Any of the three states.',
  },
  'replay-body': {
    source: '#replay-a-delivery',
    question: 'The response body of a replay.',
    reference: 'The new delivery.',
    accepts: 'Anything.',
  },
  'stream-refusal': {
    source: '#event-stream-websocket',
    question: 'How a stream without a valid key is refused.',
    reference: '401 in place of the upgrade.',
    accepts: 'A refused upgrade, or a close without an event.',
  },
  'blocked-reason-field': {
    source: '#errors',
    question: 'The field that carries `blocked_private_address`.',
    reference: '`error` of the delivery.',
    accepts: 'Any string field of the delivery.',
  },
  'empty-fields': {
    source: '#webhook-delivery',
    question: 'Delivery fields that have no value yet or no more.',
    reference: 'null.',
    accepts: 'null, absent, or zero and empty for code and snippet.',
  },
  'next-after-empty': {
    source: '#poll-events',
    question: '`next_after` of an empty page.',
    reference: 'The `after` that was asked for, else an empty string.',
    accepts:
      'Anything with which the next call neither loses nor repeats an event; null and absent keep the old cursor.',
  },
  'unknown-after': {
    source: '#poll-events',
    question: 'An `after` that no event ever had.',
    reference: 'Compared as an id like any other.',
    accepts: 'A page or a 4xx error, never a 5xx.',
  },
  'id-scheme': {
    source: '#identifier-prefixes-seen',
    question: 'What follows the prefix of an id.',
    reference: 'A time-ordered fixed-width number.',
    accepts: 'Any string; order is judged by the lists alone.',
  },
  'extra-fields': {
    source: '#resources-and-their-fields',
    question: 'Fields and headers beyond those listed.',
    reference: 'None.',
    accepts: 'Any.',
  },
  'header-case': {
    source: '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    question: 'The case of header names.',
    reference: 'Lower case.',
    accepts: 'Any.',
  },
  'signature-entries': {
    source: '#webhook-signature-standard-webhooks',
    question: 'Further entries of `webhook-signature`: other keys, other versions.',
    reference: 'One `v1` entry.',
    accepts: 'Any number, as long as one `v1` entry equals the computed signature.',
  },
  'delay-origin': {
    source: '#retries-of-a-delivery',
    question: 'Whether a delay counts from the start or the end of the failed attempt.',
    reference: 'From the end.',
    accepts: 'Both.',
  },
  'unknown-event-type': {
    source: '#events',
    question: 'Event types beyond the nine, such as `message.scheduled`, and an unknown name in `event_types`.',
    reference: 'Accepted as a filter; never fires.',
    accepts: 'Accepted or refused with a 4xx.',
  },
  'unknown-inbox': {
    source: '#create-a-webhook',
    question: 'An `inbox_id` that does not exist when a webhook is created.',
    reference: 'Refused with 404.',
    accepts: 'Accepted or refused with a 4xx; no event of another inbox is ever sent.',
  },
  'foreign-inbox': {
    source: '#authentication',
    question: 'A key scoped to one inbox that asks for another inbox when it creates a webhook.',
    reference: 'Its own inbox is put in place.',
    accepts: 'Its own inbox in the answer; a refusal makes no webhook and is taken too.',
  },
  'batch-validation': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'How `batchValidation` stands on the wire, and modes other than permissive.',
    reference: 'Query `batch_validation` or header `x-batch-validation`.',
    accepts: 'Anything.',
  },
  'batch-error-status': {
    source: '#errors',
    question: 'The status of `invalid_batch`.',
    reference: '422.',
    accepts: 'Any 4xx but 401, 403, 404, 405, 408 and 429.',
  },
  'idempotency-conflict': {
    source: '#client-library-behaviour',
    question: 'The same Idempotency-Key with another body, or while the first request is under way.',
    reference: 'Another body is refused with 409; the second request waits for the first.',
    accepts: 'The first result or a 409; never a second email.',
  },
  'foreign-id': {
    source: '#errors',
    question: 'The status for an id that does not exist or belongs to another org.',
    reference: '404.',
    accepts: '404 or 403.',
  },
  'event-ids-per-project': {
    source: '#data-kinds',
    question: 'Whether a workspace event has one id in all projects.',
    reference: 'An id for each project.',
    accepts: 'Both.',
  },
  'snippet-characters': {
    source: '#webhook-delivery',
    question: 'What a character of the snippet is.',
    reference: 'A Unicode code point.',
    accepts: 'Code points or UTF-16 code units; never bytes.',
  },
  'retry-of-timeouts': {
    source: '#client-library-behaviour',
    question: 'Whether the client retries after a time-out of its own.',
    reference: 'It does: no response arrived.',
    accepts: 'Both.',
  },
  'retry-after-on-post': {
    source: '#client-library-behaviour',
    question: 'Whether a creating POST other than the four is retried on 429 or network failure.',
    reference: 'On 429 it is; after a network failure it is not.',
    accepts: 'Both.',
  },
  'relative-phrase': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Where a relative phrase is turned into a time.',
    reference: 'In the client: an ISO 8601 string is sent.',
    accepts: 'An ISO 8601 string for the meant time, or the phrase as it is.',
  },
} as const satisfies Readonly<Record<string, OpenPoint>>

export type OpenPointId = keyof typeof openPoints
