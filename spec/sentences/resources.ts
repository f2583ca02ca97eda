import { withoutRequirement, type Accounts } from './account.js'

/** What becomes of the sentences on the service, its resources and their states. */
export const resourceSentences = {
  '#email-event-and-webhook-interface': {
    'This document covers the whole interface that is described: event delivery (webhooks, a WebSocket stream, polling), webhook signing, and the behaviour of the client library that wraps the API.':
      withoutRequirement('describes the document'),
    'It also covers the parts of the sending API that the client library reveals.':
      withoutRequirement('describes the document'),
  },
  '#what-the-service-does': {
    'The service is an email platform.': withoutRequirement('describes the service'),
    'It sends mail from verified domains, receives mail in inboxes, and records every change (a received email, a queued message, a delivery, a bounce) as an event.':
      ['EVT-016', 'SND-001', 'SND-012', 'EVT-003', 'EVT-004', 'EVT-005', 'EVT-007'],
    'Events reach a consumer in three ways:': ['EVT-014', 'delivery-order'],
    'Pushed to a registered HTTPS URL (a webhook), signed with the Standard Webhooks scheme.': [
      'DLV-001',
      'WHK-019',
      'SIG-004',
      'SDR-001',
      'SDR-005',
    ],
    'Streamed over a WebSocket.': ['STR-001', 'STR-008'],
    'Polled from a list endpoint.': ['POL-001'],
    'The base address of the API is {base_url}.': withoutRequirement('an option of the run sets it'),
    'Every path below is relative to it.': ['VER-001'],
    'Resources named in the client library are emails, inboxes, messages, threads, conversations, domains, webhooks, keys, suppressions, events and senders.':
      ['CLI-054', 'CLI-060'],
    'Behaviour of sending, inboxes, domains, suppressions, senders and conversations beyond what is listed below: not shown.':
      ['extra-fields'],
  },
  '#webhook': {
    'id | string | Prefix `whk_`.': ['WHK-003'],
    'url | string | Public `https://` URL.': ['WHK-019', 'NET-006', 'NET-017', 'address-literals'],
    'url | Private, loopback and reserved addresses are refused, also when a hostname resolves to one at delivery time.':
      [
        'NET-001',
        'NET-002',
        'NET-003',
        'NET-004',
        'NET-005',
        'NET-007',
        'NET-010',
        'NET-011',
        'NET-012',
        'NET-013',
        'NET-014',
        'NET-015',
        'NET-016',
        'NET-018',
        'private-hostname',
        'mixed-answers',
        'arguable-addresses',
        'address-spellings',
        'name-without-address',
      ],
    'event_types | string[] | Events to send, e.g. `message.received`.': ['WHK-009'],
    'event_types | Empty, missing or `["*"]` means every event.': ['WHK-006', 'WHK-007', 'WHK-008'],
    'inbox_id | string or null | Only events of this inbox.': ['SCOPE-005'],
    'inbox_id | Null means every inbox in the org.': ['SCOPE-006', 'SCOPE-007', 'WHK-010'],
    'inbox_id | A key scoped to one inbox always gets its own inbox here.': [
      'SCOPE-003',
      'SCOPE-004',
      'SCOPE-011',
      'foreign-inbox',
    ],
    'secret | string | `whsec_` followed by base64.': ['WHK-004', 'secret-length'],
    'secret | Returned only in the create response.': ['WHK-013', 'WHK-018', 'SDR-036'],
    'secret | Never returned by listing.': ['WHK-012'],
  },
  '#event': {
    'id | string | Prefix `evt_`.': ['EVT-001', 'id-scheme'],
    'id | Ids are ordered: polling and the stream use `after` as a greater-than comparison on the id.': [
      'POL-010',
      'POL-003',
      'STR-005',
      'STR-007',
    ],
    'type | string | One of the event types in the Events part.': [
      'EVT-003',
      'EVT-004',
      'EVT-005',
      'EVT-006',
      'EVT-007',
      'EVT-008',
      'EVT-009',
      'EVT-010',
      'EVT-011',
      'unknown-event-type',
    ],
    'timestamp | string | ISO 8601 UTC with milliseconds.': ['EVT-002', 'clock-and-events'],
    'timestamp | Used in webhook bodies and WebSocket frames.': ['EVT-002', 'DLV-002', 'STR-003'],
    'org_id | string | Present in place of timestamp in `GET /v1/events` results.': ['POL-009'],
    'created_at | string | Present in place of timestamp in `GET /v1/events` results.': ['POL-009', 'timestamp-format'],
    'data | object | Shape depends on type (see Events).': [
      'EVT-003',
      'EVT-004',
      'EVT-005',
      'EVT-006',
      'EVT-007',
      'EVT-008',
      'EVT-009',
      'EVT-010',
      'EVT-011',
    ],
  },
  '#webhook-delivery': {
    'id | string | Used as `{delivery_id}` in the replay path.': ['DLV-021'],
    'status | string | `pending`, `succeeded` or `failed`.': ['DLV-016'],
    'attempt | integer | Attempt number.': [
      'DLV-017',
      'attempt-before-the-first',
      'attempt-while-waiting',
      'attempt-of-a-block',
    ],
    "response_code | integer | HTTP status of the consumer's answer.": ['DLV-018', 'empty-fields'],
    "response_body_snippet | string | First 500 characters of the consumer's response body.": [
      'DLV-019',
      'snippet-characters',
      'empty-fields',
    ],
    'next_attempt_at | timestamp | When the next retry is due.': ['DLV-020', 'timestamp-format', 'empty-fields'],
    'replay_of | string | Set on a delivery created by replay': ['RPL-004'],
    'replay_of | holds the id of the original delivery.': ['RPL-004', 'replay-of-a-replay'],
  },
  '#identifier-prefixes-seen': {
    'whk_ | webhook': ['WHK-003'],
    'evt_ | event': ['EVT-001'],
    'msg_ | message': ['EVT-015'],
    'ibx_ | inbox': ['EVT-015'],
    'thr_ | thread': ['EVT-015'],
  },
  '#other-resources': {
    'Fields of email, inbox, message, thread, conversation, domain, key, suppression and sender records: not shown.': [
      'extra-fields',
    ],
    'Fields that the client library reveals:': ['CLI-065'],
    'Email: `id`, `status`, `recipients`, `scheduled_at`.': ['SND-007', 'SND-018', 'CLI-065'],
    'Message: `id`, `codes` (array; the first element is the code extracted from the message).': ['CLI-065'],
    'Domain: `id`, `name`, `records` (DNS records to publish), `status` (`verified` once every record is in place), `next_step`.':
      ['CLI-065'],
    'Inbox: `id`': ['CLI-065'],
    'created with `local_part`.': ['CLI-065'],
    'Key creation: request `name`, `permissions`, `domain_id` (accepts a domain id or name)': ['AUTH-007', 'CLI-065'],
    'response `{key, secret}`': ['AUTH-007', 'CLI-065'],
    'the secret is the API key and is shown once.': ['AUTH-007'],
    'Conversation: `id`, `status` (`open`, `closed`, snoozed), assignee filter (`me` is an accepted value).': [
      'CLI-065',
    ],
  },
  '#webhook-delivery-status': {
    '(new) | event matches a webhook | delivery created | pending | first attempt is made': [
      'DLV-004',
      'DLV-023',
      'WHK-021',
      'RTY-001',
    ],
    'pending | consumer answers with any 2xx within 10 seconds | - | succeeded | none': [
      'DLV-005',
      'DLV-007',
      'RTY-011',
      'SDR-033',
    ],
    'pending | attempt gets no 2xx (non-2xx, redirect, timeout) | retries remain | pending | next attempt scheduled per the retry schedule':
      ['DLV-008', 'DLV-010', 'DLV-011', 'DLV-022', 'RTY-012', 'SDR-025', 'SDR-026', 'SDR-027'],
    'pending | `next_attempt_at` set': ['RTY-010', 'DLV-020'],
    'pending | last scheduled attempt gets no 2xx | no retries remain | failed | none': ['RTY-008', 'RTY-009'],
    'pending | target URL resolves to a private address | at delivery time | failed | fails at once with `blocked_private_address`':
      ['NET-007', 'NET-008', 'NET-011', 'NET-013', 'blocked-reason-field'],
    'pending | no retry': ['NET-009'],
    'pending | webhook deleted | - | not shown | pending retries stop at once': ['WHK-015', 'deleted-pending-state'],
    'pending | delivery history is kept': ['WHK-016', 'deleted-history'],
    'any | replay operation | - | (a new delivery is created with `replay_of` set) | the same event is sent again immediately':
      ['RPL-002', 'RPL-003', 'RPL-004', 'RPL-005', 'RPL-006', 'RPL-008'],
  },
  '#workspace-sending-status': {
    'Values: `paused`, `active`.': ['EVT-010', 'EVT-011', 'EVT-017'],
    'active | event `sending.paused` | paused | event carries `reason`, `paused_at`, `stats`': [
      'EVT-010',
      'EVT-017',
      'data-of-paused',
    ],
    'paused | event `sending.resumed` | active | -': ['EVT-011', 'EVT-017'],
  },
  '#message-status': {
    "A delivery event carries the message's new `status`.": ['EVT-018'],
    'Message status values and transitions between them: not shown.': withoutRequirement(
      'any text is accepted as a status',
    ),
  },
  '#conversation-status': {
    'Values seen: `open`, `closed`, snoozed.': ['CLI-065'],
    'Transitions are made by an update call with `status`': ['CLI-054', 'CLI-060'],
    'the rules for them are not in the interface described here.': withoutRequirement(
      'names rules that the document does not contain',
    ),
  },
} as const satisfies Accounts
