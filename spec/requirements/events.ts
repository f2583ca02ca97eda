import { service } from './define.js'

/** EVT: events and their data. */
export const events = {
  'EVT-001': service.must('#event', 'An event `id` is a string with the prefix `evt_`.'),
  'EVT-002': service.must(
    '#event',
    '`timestamp` is ISO 8601 UTC with milliseconds in webhook bodies and WebSocket frames.',
  ),
  'EVT-003': service.must(
    '#events',
    '`message.received` fires when an inbox received an email; its data is of kind received.',
  ),
  'EVT-004': service.must(
    '#events',
    '`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued.',
  ),
  'EVT-005': service.must(
    '#events',
    "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery.",
  ),
  'EVT-006': service.must('#events', '`message.deferred` fires on a temporary failure; its data is of kind delivery.'),
  'EVT-007': service.must(
    '#events',
    "`message.bounced` fires when a recipient's server refused the message; its data is of kind delivery and `permanent` is true for a hard bounce.",
  ),
  'EVT-008': service.must(
    '#events',
    '`message.complained` fires when a recipient reported the message as spam; its data is of kind delivery.',
  ),
  'EVT-009': service.must(
    '#events',
    '`message.failed` fires when the mail server gave up retrying or did not accept the message; its data is of kind delivery, or has `reason` instead of the delivery fields.',
  ),
  'EVT-010': service.must(
    '#events',
    '`sending.paused` fires when sending was paused; its data is of kind workspace with `status` `paused`, and adds `reason`, `paused_at` and `stats`.',
  ),
  'EVT-011': service.must(
    '#events',
    '`sending.resumed` fires when sending was resumed; its data is of kind workspace with `status` `active`.',
  ),
  'EVT-012': service.must('#data-kinds', 'Workspace events are sent once to each project of the workspace.'),
  'EVT-013': service.must('#data-kinds', 'Webhooks limited to one inbox do not receive workspace events.'),
  'EVT-014': service.must(
    '#data-kinds',
    'The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data.',
  ),
  'EVT-015': service.must(
    '#identifier-prefixes-seen',
    'Message, inbox and thread ids carry the prefixes `msg_`, `ibx_` and `thr_`.',
  ),
  'EVT-016': service.must(
    '#what-the-service-does',
    'The service records every change as an event: none is lost and none is recorded twice.',
  ),
  'EVT-017': service.must(
    '#workspace-sending-status',
    'Workspace sending status goes from `active` to `paused` with `sending.paused`, and back with `sending.resumed`.',
  ),
  'EVT-018': service.must('#message-status', "A delivery event carries the message's new `status`."),
} as const

/** POL: polling. */
export const polling = {
  'POL-001': service.must('#poll-events', '`GET /v1/events` lists events oldest first.'),
  'POL-002': service.must('#poll-events', 'Without `after` the list starts at the oldest event.'),
  'POL-003': service.must(
    '#poll-events',
    'With `after` the list contains events whose id is greater than `after`: the event named by `after` is not repeated, and none after it is missing.',
  ),
  'POL-004': service.must('#poll-events', 'The page has 50 events by default.'),
  'POL-005': service.must('#poll-events', '`limit` sets the number of events of a page.'),
  'POL-006': service.must(
    '#poll-events',
    'The maximum `limit` is 100: 100 is accepted, and a page never has more than 100 events.',
  ),
  'POL-007': service.must('#poll-events', 'The response is `{ data: Event[], next_after: string }`.'),
  'POL-008': service.must(
    '#poll-events',
    '`next_after` passed as `after` on the next call continues the list: pages follow each other without gap or repeat.',
  ),
  'POL-009': service.must('#poll-events', 'Events of the list carry `org_id` and `created_at` instead of `timestamp`.'),
  'POL-010': service.must(
    '#event',
    'Ids are ordered: an event raised later has a greater id, so a consumer that keeps its last `after` sees every later event.',
  ),
} as const

/** STR: the WebSocket stream. */
export const stream = {
  'STR-001': service.must('#event-stream-websocket', '`GET /v1/events/ws` is upgraded to a WebSocket.'),
  'STR-002': service.must('#event-stream-websocket', 'Each event is one JSON text frame.'),
  'STR-003': service.must(
    '#event-stream-websocket',
    'A frame has the same body as a webhook delivery: `id`, `type`, `timestamp`, `data`.',
  ),
  'STR-004': service.must(
    '#event-stream-websocket',
    'Without `after` the stream starts from now: earlier events are not sent.',
  ),
  'STR-005': service.must(
    '#event-stream-websocket',
    'With `after` the stream resumes after that event: the event itself is not sent again, and none after it is missing.',
  ),
  'STR-006': service.must(
    '#event-stream-websocket',
    'Events raised while the stream hands over from the backlog to live are neither missing nor repeated.',
  ),
  'STR-007': service.must('#event', 'Frames arrive in the order of the event ids.'),
  'STR-008': service.must('#event-stream-websocket', 'Several clients of one stream each get every event.'),
} as const
