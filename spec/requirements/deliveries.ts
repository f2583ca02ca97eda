import { service } from './define.js'

/** DLV: the delivery request, its record, and its states. */
export const deliveries = {
  'DLV-001': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'A delivery is a `POST` to the webhook `url`.',
  ),
  'DLV-002': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'The body is JSON with `id` (the event id), `type`, `timestamp` (ISO 8601 UTC with milliseconds) and `data`.',
  ),
  'DLV-003': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent.',
  ),
  'DLV-004': service.must(
    '#webhook-delivery-status',
    'When an event matches a webhook a delivery is created `pending` and the first attempt is made.',
  ),
  'DLV-005': service.must(
    '#webhook-delivery-status',
    'A pending delivery becomes `succeeded` when the consumer answers with any 2xx within 10 seconds.',
  ),
  'DLV-006': service.must('#limits', 'Any 2xx counts as success: the delivery is not attempted again.'),
  'DLV-007': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'The consumer has 10 seconds to answer: an answer within them counts.',
  ),
  'DLV-008': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'The consumer has 10 seconds to answer: no answer by then is a failed attempt.',
  ),
  'DLV-009': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'Redirects are not followed.',
  ),
  'DLV-010': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'Redirects count as failures.',
  ),
  'DLV-011': service.must(
    '#webhook-delivery-status',
    'An attempt that gets no 2xx (non-2xx answer) leaves the delivery pending while retries remain, and the next attempt is scheduled.',
  ),
  'DLV-012': service.must(
    '#list-deliveries-of-a-webhook',
    '`GET /v1/webhooks/{id}/deliveries` lists the deliveries newest first.',
  ),
  'DLV-013': service.must('#list-deliveries-of-a-webhook', 'The deliveries list has a page of 50 by default.'),
  'DLV-014': service.must('#list-deliveries-of-a-webhook', '`limit` sets the number of deliveries listed.'),
  'DLV-015': service.must(
    '#list-deliveries-of-a-webhook',
    'The maximum `limit` of the deliveries list is 100: 100 is accepted, and never more than 100 are listed.',
  ),
  'DLV-016': service.must(
    '#list-deliveries-of-a-webhook',
    'Each item has `status`: `pending`, `succeeded` or `failed`.',
  ),
  'DLV-017': service.must(
    '#webhook-delivery',
    '`attempt` is the attempt number, an integer: 1 after the first attempt, one more with each.',
  ),
  'DLV-018': service.must('#webhook-delivery', "`response_code` is the HTTP status of the consumer's answer."),
  'DLV-019': service.must(
    '#webhook-delivery',
    "`response_body_snippet` is the first 500 characters of the consumer's response body.",
  ),
  'DLV-020': service.must('#webhook-delivery', '`next_attempt_at` is the time at which the next retry is due.'),
  'DLV-021': service.must('#webhook-delivery', 'A delivery has an `id`, used as `{delivery_id}` in the replay path.'),
  'DLV-022': service.must(
    '#webhook-delivery-status',
    'An attempt whose connection breaks without an answer (refused, reset) gets no 2xx and is retried.',
  ),
  'DLV-023': service.must(
    '#webhook-delivery-status',
    'A delivery is created for one event: the list of a webhook shows one delivery for each event that matched it.',
  ),
} as const

/** RTY: the retry schedule. */
export const retries = {
  'RTY-001': service.must('#retries-of-a-delivery', 'Attempt 1 is made immediately.'),
  'RTY-002': service.must('#retries-of-a-delivery', 'Attempt 2 is made 5 seconds after attempt 1.'),
  'RTY-003': service.must('#retries-of-a-delivery', 'Attempt 3 is made 5 minutes after attempt 2.'),
  'RTY-004': service.must('#retries-of-a-delivery', 'Attempt 4 is made 30 minutes after attempt 3.'),
  'RTY-005': service.must('#retries-of-a-delivery', 'Attempt 5 is made 2 hours after attempt 4.'),
  'RTY-006': service.must('#retries-of-a-delivery', 'Attempt 6 is made 5 hours after attempt 5.'),
  'RTY-007': service.must('#retries-of-a-delivery', 'Attempt 7 is made 10 hours after attempt 6.'),
  'RTY-008': service.must('#limits', 'A delivery has 7 attempts; there is no eighth.'),
  'RTY-009': service.must('#retries-of-a-delivery', 'After the last attempt the delivery is marked `failed`.'),
  'RTY-010': service.must(
    '#webhook-delivery-status',
    'While retries remain the delivery stays `pending` and `next_attempt_at` is set to the time of the next attempt of the schedule.',
  ),
  'RTY-011': service.must(
    '#webhook-delivery-status',
    'A retried delivery becomes `succeeded` at the first attempt that gets a 2xx, and is not attempted again.',
  ),
  'RTY-012': service.must(
    '#webhook-delivery-status',
    'Every kind of failure (non-2xx, redirect, timeout) is retried on the same schedule.',
  ),
  'RTY-013': service.must('#webhook-signature-standard-webhooks', '`webhook-id` is identical on every retry.'),
  'RTY-014': service.must(
    '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    'Every attempt carries the same event: `id`, `type`, `timestamp` and `data` do not change over retries.',
  ),
} as const

/** RPL: replay. */
export const replay = {
  'RPL-001': service.must(
    '#replay-a-delivery',
    '`POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay` answers `202`.',
  ),
  'RPL-002': service.must('#replay-a-delivery', 'Replay sends the same event again now.'),
  'RPL-003': service.must('#replay-a-delivery', 'The replay is a new delivery with its own id, next to the original.'),
  'RPL-004': service.must('#webhook-delivery', '`replay_of` of the new delivery is the id of the original delivery.'),
  'RPL-005': service.must(
    '#webhook-delivery-status',
    'A delivery in any state can be replayed: succeeded, failed and pending.',
  ),
  'RPL-006': service.must('#webhook-delivery-status', 'Replay leaves the original delivery as it was.'),
  'RPL-007': service.must(
    '#webhook-signature-standard-webhooks',
    'A replayed delivery carries the same `webhook-id` (the event id) and is signed at the time of its own attempt.',
  ),
  'RPL-008': service.must(
    '#webhook-delivery-status',
    'A replayed delivery is a delivery like any other: when its attempt fails it is retried on the schedule.',
  ),
} as const
