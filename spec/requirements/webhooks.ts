import { service } from './define.js'

/** WHK: the webhook resource and its endpoints. */
export const webhooks = {
  'WHK-001': service.must('#create-a-webhook', '`POST /v1/webhooks` answers `201`.'),
  'WHK-002': service.must(
    '#create-a-webhook',
    'The create response carries the webhook fields `id`, `url`, `event_types`, `inbox_id` and `secret`.',
  ),
  'WHK-003': service.must('#webhook', 'A webhook `id` is a string with the prefix `whk_`.'),
  'WHK-004': service.must('#webhook', 'A webhook `secret` is `whsec_` followed by base64.'),
  'WHK-005': service.must('#create-a-webhook', 'The create response returns the requested `url` and `event_types`.'),
  'WHK-006': service.must('#create-a-webhook', '`event_types` is optional; missing means all events.'),
  'WHK-007': service.must('#create-a-webhook', '`event_types` empty means all events.'),
  'WHK-008': service.must('#create-a-webhook', '`event_types` `["*"]` means all events.'),
  'WHK-009': service.must(
    '#events',
    'The webhook `event_types` filter selects by `type`: the listed types are sent, others are not.',
  ),
  'WHK-010': service.must(
    '#create-a-webhook',
    '`inbox_id` is optional; null or missing means every inbox in the org, and null is returned.',
  ),
  'WHK-011': service.must('#list-webhooks', '`GET /v1/webhooks` lists the webhooks that were created.'),
  'WHK-012': service.must('#list-webhooks', 'Secrets are never included in the list.'),
  'WHK-013': service.must('#webhook', 'The secret is returned only in the create response.'),
  'WHK-014': service.must(
    '#delete-a-webhook',
    '`DELETE /v1/webhooks/{id}` stops deliveries at once: an event raised after it is not sent.',
  ),
  'WHK-015': service.must('#delete-a-webhook', 'Deleting a webhook stops its pending retries at once.'),
  'WHK-016': service.must('#delete-a-webhook', 'Delivery history is kept after the webhook is deleted.'),
  'WHK-017': service.must(
    '#delete-a-webhook',
    '`DELETE /v1/webhooks/{id}` succeeds, and the webhook is no longer listed as existing.',
  ),
  'WHK-018': service.must(
    '#webhook',
    'A secret is returned only in the create response of its webhook: two webhooks do not share one.',
  ),
  'WHK-019': service.must('#webhook', '`url` must be an `https://` URL; another scheme is refused.'),
  'WHK-020': service.must(
    '#endpoints',
    'JSON request bodies use `Content-Type: application/json`; a create whose body is not a JSON object, or whose `url` is not a string, is answered with an error and creates nothing.',
  ),
  'WHK-021': service.must(
    '#webhook-delivery-status',
    'An event that matches several webhooks makes one delivery for each of them.',
  ),
} as const
