import { service } from './define.js'

/** AUTH: who may call the API, and what a key sees. */
export const authentication = {
  'AUTH-001': service.must('#authentication', 'API requests carry `Authorization: Bearer <API_KEY>`.'),
  'AUTH-002': service.must('#endpoints', 'All endpoints need authentication: a request without a key is refused.'),
  'AUTH-003': service.must(
    '#endpoints',
    'All endpoints need authentication: a request with a key that does not exist is refused.',
  ),
  'AUTH-004': service.must('#authentication', 'The WebSocket accepts the `Authorization` header.'),
  'AUTH-005': service.must('#authentication', 'The WebSocket accepts the query parameter `token=<API_KEY>`.'),
  'AUTH-006': service.must(
    '#endpoints',
    'The stream needs authentication: a connection without a key, or with a key that does not exist, gets no events.',
  ),
  'AUTH-007': service.untestable(
    '#authentication',
    'A key is created with `name`, `permissions` and `domain_id`; the key secret is returned once at creation.',
    'the path of key operations is not shown',
  ),
  'AUTH-008': service.untestable(
    '#authentication',
    '`permissions` value `sending` is shown.',
    'what the permission allows is not shown, nor is the path that creates such a key',
  ),
  'AUTH-009': service.should(
    '#authentication',
    'The query parameter `token` is for the stream: an API request that carries the key there alone is refused.',
  ),
} as const

/** SCOPE: keys limited to one inbox, and isolation between orgs. */
export const scoping = {
  'SCOPE-001': service.must('#poll-events', 'Inbox-scoped keys see only events of their inbox (polling).'),
  'SCOPE-002': service.must('#event-stream-websocket', 'Inbox-scoped keys see only events of their inbox (WebSocket).'),
  'SCOPE-003': service.must(
    '#authentication',
    'When an inbox-scoped key creates a webhook, `inbox_id` is forced to its own inbox.',
  ),
  'SCOPE-004': service.must(
    '#webhook',
    'A key scoped to one inbox always gets its own inbox as `inbox_id`, also when it requests another inbox or null.',
  ),
  'SCOPE-005': service.must('#webhook', 'A webhook with an `inbox_id` receives only events of this inbox.'),
  'SCOPE-006': service.must(
    '#webhook',
    'A webhook whose `inbox_id` is null receives events of every inbox in the org.',
  ),
  'SCOPE-007': service.must(
    '#webhook',
    'Events, webhooks and deliveries belong to one org: the key of another org neither sees nor receives them.',
  ),
  'SCOPE-008': service.must(
    '#poll-events',
    'A key of the whole org sees the events of every inbox in the org (polling).',
  ),
  'SCOPE-009': service.must(
    '#event-stream-websocket',
    'A key of the whole org sees the events of every inbox in the org (WebSocket).',
  ),
  'SCOPE-010': service.must(
    '#poll-events',
    'Resuming with `after` does not widen what an inbox-scoped key sees: neither polling nor the stream shows events of another inbox after the cursor.',
  ),
  'SCOPE-011': service.should(
    '#webhook',
    'A key scoped to one inbox that requests another inbox gets a webhook of its own inbox (201), not a refusal.',
  ),
  'SCOPE-012': service.should(
    '#authentication',
    'Webhooks and deliveries that an inbox-scoped key can read name no event of another inbox.',
  ),
} as const
