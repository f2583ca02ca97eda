import { eventTypes, type EventType } from '../constants.js'
import type { Requirement } from '../types.js'
import { sender } from './define.js'

const request = '#webhook-delivery-request-made-by-the-service-to-the-consumer'
const signature = '#webhook-signature-standard-webhooks'
const retries = '#retries-of-a-delivery'
const states = '#webhook-delivery-status'

/** SDR: what a sender of webhooks shows to the endpoint it delivers to. */
export const sending = {
  'SDR-001': sender.must(request, 'A delivery is a `POST` to the webhook `url`.'),
  'SDR-002': sender.must(
    request,
    'The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent, each once.',
  ),
  'SDR-003': sender.must(signature, '`webhook-timestamp` is the Unix seconds at which this attempt was signed.'),
  'SDR-004': sender.must(
    signature,
    '`webhook-signature` is one or more space-separated entries of the form `v1,<base64>`.',
  ),
  'SDR-005': sender.must(
    signature,
    'The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`; at least one `v1` entry is base64 of HMAC-SHA256 of it; the key is the base64-decoded part of the secret after `whsec_`.',
  ),
  'SDR-006': sender.must(signature, '`webhook-id` is the event id.'),
  'SDR-007': sender.must(signature, 'Consumers use `webhook-id` to drop duplicates: no two events share one.'),
  'SDR-008': sender.must(
    request,
    'The body is JSON with `id` (the event id), `type`, `timestamp` (ISO 8601 UTC with milliseconds) and `data`.',
  ),
  'SDR-009': sender.must(request, 'The body is JSON.'),
  'SDR-010': sender.must('#endpoints', 'JSON request bodies use `Content-Type: application/json`.'),
  'SDR-011': ofType('message.received'),
  'SDR-012': ofType('message.queued'),
  'SDR-013': ofType('message.delivered'),
  'SDR-014': ofType('message.deferred'),
  'SDR-015': ofType('message.bounced'),
  'SDR-016': ofType('message.complained'),
  'SDR-017': ofType('message.failed'),
  'SDR-018': ofType('sending.paused'),
  'SDR-019': ofType('sending.resumed'),
  'SDR-020': sender.must('#limits', 'Any 2xx counts as success: the delivery is not attempted again.'),
  'SDR-021': sender.must(request, 'The consumer has 10 seconds to answer: an answer within them counts.'),
  'SDR-022': sender.must(request, 'The consumer has 10 seconds to answer: no answer by then is a failed attempt.'),
  'SDR-023': sender.must(request, 'Redirects are not followed.'),
  'SDR-024': sender.must(request, 'Redirects count as failures: the delivery is attempted again.'),
  'SDR-025': sender.must(states, 'An attempt that gets no 2xx (a 4xx answer) is followed by the next of the schedule.'),
  'SDR-026': sender.must(states, 'An attempt that gets no 2xx (a 5xx answer) is followed by the next of the schedule.'),
  'SDR-027': sender.must(
    states,
    'An attempt that gets no 2xx (its connection breaks without an answer) is followed by the next of the schedule.',
  ),
  'SDR-028': sender.must(
    retries,
    'Each attempt is made after the delay of the schedule, up to the depth that is watched.',
  ),
  'SDR-029': sender.must(signature, '`webhook-id` is identical on every retry.'),
  'SDR-030': sender.must(
    signature,
    'Each attempt is signed at its own time: a retry carries the timestamp of the retry.',
  ),
  'SDR-031': sender.must(
    request,
    'Every attempt carries the same event: `id`, `type`, `timestamp` and `data` do not change over retries.',
  ),
  'SDR-032': sender.conditional(
    retries,
    'A delivery has as many attempts as the schedule; there is none after the last.',
    'every attempt of the schedule is watched (`--retry-depth`)',
  ),
  'SDR-033': sender.conditional(
    states,
    'A retried delivery succeeds at the first attempt that gets a 2xx, and is not attempted again.',
    'a third attempt is watched (`--retry-depth 3`)',
  ),
  'SDR-034': sender.should('#limits', 'Any 2xx counts as success, as the Standard Webhooks specification advises.'),
  'SDR-035': sender.should(request, 'Redirects are not followed, as the Standard Webhooks specification advises.'),
  'SDR-036': sender.must('#webhook', 'The secret is returned only in the create response: no delivery holds it.'),
} as const

function ofType(type: EventType): Requirement {
  return sender.must('#data-kinds', `A \`${type}\` event has the data of its kind (${eventTypes[type]}).`)
}
