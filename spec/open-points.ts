import type { OpenPoint } from './types.js'

/** What the interface calls "not shown", and other points it does not settle. No case may assert more than `accepts`. */
export const openPoints = {
  'error-shape': {
    source: '#errors',
    question: 'The wire shape of the error body.',
    reference: '`{ code, message, fix }` at the top level.',
    accepts:
      'The three fields together: at the top level, under `error`, or in another envelope at most three levels deep.',
  },
  'error-codes': {
    source: '#errors',
    question: 'The complete list of error codes.',
    reference: 'Its own codes, next to the named ones.',
    accepts: 'Any non-empty string, unless the interface names the code.',
  },
  'auth-status': {
    source: '#authentication',
    question: 'The status of a request without a valid key.',
    reference: '401.',
    accepts:
      '401 or 403; also 400 for a credential that is malformed as a bearer token (RFC 6750), such as an empty one.',
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
    reference: 'Accepted, and blocked at delivery.',
    accepts: 'Refusal at creation, or `blocked_private_address` at delivery; never a connection.',
  },
  'mixed-answers': {
    source: '#webhook',
    question: 'What happens if a name resolves to both public and private addresses.',
    reference: 'The whole set is refused.',
    accepts: 'Anything but a connection to the private address.',
  },
  'arguable-addresses': {
    source: '#webhook',
    question:
      'Special-purpose blocks that are globally reachable or unclassified, and IPv6 addresses outside 2000::/3.',
    reference: 'Refused.',
    accepts: 'Both.',
  },
  'webhook-list-envelope': {
    source: '#list-webhooks',
    question: 'The response shape of the webhook list.',
    reference: '`{ data: Webhook[] }`.',
    accepts:
      'An array, or an object that contains it, at most three levels deep; edges with nodes; an object of webhooks by id. Each webhook has at least its id and its url, next to the id or in `attributes`.',
  },
  'delivery-list-envelope': {
    source: '#list-deliveries-of-a-webhook',
    question: 'The envelope of the deliveries list.',
    reference: '`{ data: Delivery[] }`.',
    accepts: 'An array, or an object that contains it, at most three levels deep; edges with nodes.',
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
  'signature-entry-form': {
    source: '#webhook-signature-standard-webhooks',
    question:
      'Whether an entry matches that has text after its signature, or that is equal only to a lenient base64 decoder.',
    reference: 'No: the text is compared.',
    accepts: 'Both.',
  },
  'stream-refusal': {
    source: '#event-stream-websocket',
    question: 'How a stream without a valid key is refused.',
    reference: '401 instead of the upgrade.',
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
    question: 'Delivery fields without a value, not yet or no longer.',
    reference: 'null.',
    accepts:
      'null or absent; code and snippet also 0 and empty; `next_attempt_at` also a past time, such as that of the last attempt or the year 1.',
  },
  'next-after-empty': {
    source: '#poll-events',
    question: '`next_after` of an empty page.',
    reference: 'The `after` of the request, or an empty string.',
    accepts:
      'Any value with which the next call neither loses nor repeats an event; null and absent keep the old cursor.',
  },
  'unknown-after': {
    source: '#poll-events',
    question: 'An `after` that was never the id of an event.',
    reference: 'Compared like any other id.',
    accepts: 'A page or a 4xx error, never a 5xx.',
  },
  'id-scheme': {
    source: '#identifier-prefixes-seen',
    question: 'The part of an id after its prefix.',
    reference: 'A time-ordered fixed-width number.',
    accepts: 'Any string; the order is checked by the lists only.',
  },
  'extra-fields': {
    source: '#resources-and-their-fields',
    question: 'Fields and headers beyond those listed.',
    reference: 'Some on deliveries and emails; none on events and webhooks.',
    accepts: 'Any.',
  },
  'header-case': {
    source: '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    question: 'The case of header names.',
    reference: 'Lower case.',
    accepts: 'Any.',
  },
  'scheme-case': {
    source: '#authentication',
    question: 'The case of `Bearer` in the requests of a client.',
    reference: 'As written.',
    accepts: 'Any: HTTP compares scheme names without case (RFC 9110, 11.1).',
  },
  'signature-entries': {
    source: '#webhook-signature-standard-webhooks',
    question: 'More entries in `webhook-signature`: other keys, other versions.',
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
    question: 'A key scoped to one inbox that requests another inbox when it creates a webhook.',
    reference: 'Its own inbox is used.',
    accepts:
      'Its own inbox in the answer. A refusal that creates no webhook breaks no must, despite the text "always gets": 201 is a should.',
  },
  'several-recipients': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Forms of `to` beyond a single address as a text.',
    reference: 'A list is accepted too.',
    accepts: 'A list is accepted or refused with a 4xx; no case needs one.',
  },
  'undeliverable-recipients': {
    source: '#limits',
    question: 'Whether an undeliverable address is refused.',
    reference: 'Any address is accepted.',
    accepts: 'Both: mail goes to the `recipient` of the configuration, or to an inbox.',
  },
  'odd-sender-names': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'A display name of `from` that looks like an address.',
    reference: 'Treated like any other name.',
    accepts: 'Accepted, or refused with a 4xx, but never because of the sender domain.',
  },
  'texts-of-mail': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Which characters a subject or a display name may have.',
    reference: 'Any but line breaks, which are refused.',
    accepts:
      'Letters of any script are accepted. Other signs may be refused with a 4xx. In an accepted subject control characters, and blanks at its ends, may be replaced or left out; nothing else changes, and no text adds a header or a recipient.',
  },
  'subdomain-senders': {
    source: '#errors',
    question: 'Whether a subdomain of a domain of the project is one of its domains.',
    reference: 'No.',
    accepts: 'Both: no case sends from one.',
  },
  'email-answers': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Success status of send, reschedule and cancel, and the value of `object`.',
    reference: '200, and the string `email`.',
    accepts: 'Any 2xx; any value.',
  },
  'email-list-order': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Order, default size and largest page of the list of emails.',
    reference: 'Newest first, 50, 100.',
    accepts:
      'Any. Over pages of `limit` each email that existed at the first page is listed once, even if others are sent, moved or cancelled meanwhile; whether an email sent meanwhile is listed is open.',
  },
  'email-id-form': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Whether the `id` of an email is a string or a number: no type is shown.',
    reference: 'A string.',
    accepts: 'Both; a number up to 2^53, which JSON readers keep exactly.',
  },
  'cursor-form': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'The form of `next_cursor`, also at the end of the list.',
    reference: 'An id; null at the end.',
    accepts: 'A string or a number; at the end null, absent, empty, false or 0.',
  },
  'default-batch-validation': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'How a batch is validated if the request does not choose.',
    reference: 'As a whole: one bad item refuses it.',
    accepts:
      'As a whole, or item by item. `errors` has one entry per bad item, and exactly the accepted items are sent.',
  },
  'empty-batch': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'An empty batch, and the error code of a batch of 101.',
    reference: 'Both are refused with `batch_size`.',
    accepts: 'An empty `data` or a 4xx for the first; a 4xx with any code for the second.',
  },
  'batch-entries': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'The content and the order of the entries in `data` of a batch.',
    reference: 'The `id` of the email, in the order of the items.',
    accepts: 'Any content, in any order: one entry for each accepted email; ids, if any, are distinct.',
  },
  'mail-delay': {
    source: '#events',
    question: 'How soon after its request an email is handed to the mail server, and how soon after that it is listed.',
    reference: 'At once.',
    accepts: 'Within seconds; scheduled mail up to a minute after its time.',
  },
  'clock-and-mail': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Whether the clock of the control interface also moves scheduled mail.',
    reference: 'Yes.',
    accepts: 'Both: if not, cases schedule mail some seconds ahead and wait for it.',
  },
  'clock-and-events': {
    source: '#event',
    question: 'Whether the times of events follow the clock of the control interface.',
    reference: 'Yes.',
    accepts: 'Both.',
  },
  'late-changes': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'A reschedule or a cancel of an email that is already sent or cancelled.',
    reference: 'Refused with 409.',
    accepts: 'Any 2xx or 4xx; nothing is sent again.',
  },
  'absent-bounce-classification': {
    source: '#data-kinds',
    question: '`bounce_classification` of an event other than a bounce.',
    reference: 'Null.',
    accepts: 'Null or absent; `message.bounced` has a value.',
  },
  'absent-inbox-and-thread': {
    source: '#data-kinds',
    question: '`inbox_id` and `thread_id` of a sent message without an inbox, or without a thread.',
    reference: 'Null.',
    accepts: 'Null or absent; a message that an inbox received has both.',
  },
  'absent-cc': {
    source: '#data-kinds',
    question: '`cc` of a message without cc.',
    reference: 'An empty list.',
    accepts: 'Empty, null or absent; a message with cc has the field.',
  },
  'failed-reason': {
    source: '#events',
    question: 'The fields next to the `reason` of `message.failed`.',
    reference: 'The ids and the status of the message.',
    accepts:
      'These, and delivery fields without a value; an event with the delivery fields may have a reason as an extra field.',
  },
  'batch-validation': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'How a request carries `batchValidation`, and modes other than permissive.',
    reference: 'Query `batch_validation` or header `x-batch-validation`.',
    accepts: 'Anything; a known way that changes the answer is checked.',
  },
  'late-resources': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Whether a new resource is found by its id at once.',
    reference: 'Yes.',
    accepts:
      'A 403, 404 or 410 for up to 3 seconds, both to the key that created it and to the key of the org; also for items of a batch.',
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
    accepts:
      'The first result, or a refusal: any 4xx for another body; 409, 422, 423 or 425 for a concurrent repeat; never a second email.',
  },
  'idempotency-key-form': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'The longest `Idempotency-Key`, and its allowed characters.',
    reference: 'Any.',
    accepts: 'Any that allow 45 letters, digits and dashes; a 4xx for a longer or another key.',
  },
  'key-without-effect': {
    source: '#client-library-behaviour',
    question: 'Whether a request other than a POST carries the `idempotencyKey` of its caller.',
    reference: 'Yes.',
    accepts: 'Both: repeating such a request changes nothing.',
  },
  'foreign-id': {
    source: '#errors',
    question: 'The status for an id that does not exist or belongs to another org.',
    reference: '404.',
    accepts: '400, 401, 403, 404, 410 or 422.',
  },
  'event-ids-per-project': {
    source: '#data-kinds',
    question: 'Whether a workspace event has one id in all projects.',
    reference: 'One id per project.',
    accepts: 'Both.',
  },
  'snippet-characters': {
    source: '#webhook-delivery',
    question: 'What counts as a character of the snippet.',
    reference: 'A Unicode code point.',
    accepts: 'Code points or UTF-16 code units; never bytes.',
  },
  'retry-of-timeouts': {
    source: '#client-library-behaviour',
    question: 'Whether the client retries after its own time-out.',
    reference: 'Yes: no response arrived.',
    accepts: 'Both.',
  },
  'resends-of-http': {
    source: '#client-library-behaviour',
    question:
      'Whether `maxRetries` counts a request that the HTTP library below repeats by itself: once, at once, after a connection without an answer or a 408 or 421.',
    reference: 'Its HTTP library repeats none.',
    accepts: 'Both, for a GET and for a request with an Idempotency-Key, as RFC 9112 (9.3.1) allows it.',
  },
  'retry-after-on-post': {
    source: '#client-library-behaviour',
    question: 'Whether a creating POST other than the four is retried on 429 or network failure.',
    reference: 'On 429 yes; after a network failure no.',
    accepts: 'Both.',
  },
  'relative-phrase': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Where a relative phrase is turned into a time.',
    reference: 'In the client: it sends an ISO 8601 string.',
    accepts: 'An ISO 8601 string of the intended time, or the unchanged phrase.',
  },
  'answer-end': {
    source: '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    question: 'Whether the 10 seconds end with the status line or with the whole body of the answer.',
    reference: 'With the status line.',
    accepts: 'Both.',
  },
  'limits-and-quotas': {
    source: '#limits',
    question: 'Rate limits, request size limits and quotas, and the bodies with which a gateway enforces them.',
    reference: '1 MiB for a body; no other limit.',
    accepts: 'Any: a 413, 414, 431 or 429 with any body; the case continues with less, or is skipped.',
  },
  'sends-without-a-key': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'A send, or a batch, without the header `Idempotency-Key`.',
    reference: 'Accepted, each as a separate email.',
    accepts: 'That, or a 4xx: every send that must be accepted carries the header.',
  },
  'replay-of-a-replay': {
    source: '#replay-a-delivery',
    question: '`replay_of` of the replay of a replay.',
    reference: 'The replayed delivery.',
    accepts: 'That, or the first original.',
  },
  'replay-after-delete': {
    source: '#replay-a-delivery',
    question: 'A replay on a deleted webhook.',
    reference: 'Refused with 409.',
    accepts: 'A 4xx that sends nothing, or one more delivery of the event.',
  },
  'deleted-history': {
    source: '#delete-a-webhook',
    question: 'Where the history of a deleted webhook can be read.',
    reference: 'At the same path as before.',
    accepts: 'That, or a 4xx.',
  },
  'scoped-key-rights': {
    source: '#authentication',
    question:
      'What a key of one inbox may do with webhooks, deliveries and emails outside its inbox: the text is about events.',
    reference: 'It sees none of them.',
    accepts:
      'Shown or hidden. Its webhook never gets an event of another inbox. A should: nothing shown names another inbox.',
  },
  'webhook-list-pages': {
    source: '#list-webhooks',
    question: 'Whether the list of webhooks has pages, and how they continue.',
    reference: 'One list.',
    accepts:
      'Pages with `next_cursor`, `next_after` or `next_page_token`, next to the list or in an envelope. A case that cannot request the next page is skipped.',
  },
  'name-without-address': {
    source: '#webhook',
    question: 'A host name without an address.',
    reference: 'Accepted at creation; each attempt counts as unanswered.',
    accepts: 'Refused at creation, or a delivery that stays pending or fails; no connection.',
  },
  'address-spellings': {
    source: '#webhook',
    question: 'Which spellings of an address a URL parser reads as an address.',
    reference: 'Those of the WHATWG URL standard.',
    accepts: 'Any, if each spelling it reads is treated as that address, and nothing connects to a refused address.',
  },
  'address-literals': {
    source: '#webhook',
    question: 'Whether a url may contain a public address instead of a name.',
    reference: 'Accepted.',
    accepts: 'Accepted, or all addresses refused.',
  },
  'receiver-refusal': {
    source: '#webhook-signature-standard-webhooks',
    question: 'The status with which a consumer rejects a delivery.',
    reference: '400.',
    accepts: 'Anything but 2xx; a 4xx is a should.',
  },
  'malformed-id-status': {
    source: '#errors',
    question: 'The status for a malformed id.',
    reference: '404.',
    accepts: '400, 403, 404, 410 or 422.',
  },
  'wrong-types': {
    source: '#create-a-webhook',
    question: '`event_types` or `inbox_id` of a wrong type.',
    reference: 'Refused with 400.',
    accepts: 'Refused with a 4xx, read as a list of one, or ignored; never a 5xx.',
  },
  'same-url': {
    source: '#create-a-webhook',
    question: 'A second webhook with the url of an existing one.',
    reference: 'A separate webhook.',
    accepts: 'Both; a refusal is a 4xx.',
  },
  'pointless-filter': {
    source: '#create-a-webhook',
    question: 'A filter that can match nothing, such as workspace events for a webhook of one inbox.',
    reference: 'Accepted.',
    accepts: 'Accepted or refused with a 4xx.',
  },
  'empty-after': {
    source: '#poll-events',
    question: 'An empty `after`.',
    reference: 'Like a missing one.',
    accepts: 'A page from the oldest event, an empty page, or a 4xx error.',
  },
  'url-check': {
    source: '#create-a-webhook',
    question: 'Whether the service sends its own request to the url of a new webhook.',
    reference: 'No.',
    accepts: 'Both, but never to a refused address; only a request with `webhook-id` is a delivery.',
  },
  'lagging-lists': {
    source: '#list-deliveries-of-a-webhook',
    question: 'How soon a list or a stream shows a change.',
    reference: 'At once.',
    accepts: 'Within 2 seconds; until then an answer may be older than an earlier answer.',
  },
  'clock-difference': {
    source: '#webhook-signature-standard-webhooks',
    question: 'How far the clock of the service is from that of the machine that runs the cases.',
    reference: 'It is the same clock.',
    accepts: 'Up to a minute to either side.',
  },
  'first-attempt-queued': {
    source: '#retries-of-a-delivery',
    question: 'How soon an immediate attempt is made.',
    reference: 'At once.',
    accepts: 'Within 2 seconds: a queue or a worker may delay it.',
  },
  'further-credentials': {
    source: '#authentication',
    question: 'Credentials other than the bearer key: other schemes, or other places on requests other than a stream.',
    reference: 'Refused.',
    accepts:
      'Accepted or refused, if they contain an existing key. A should: only a stream accepts the key in its query.',
  },
  'order-of-checks': {
    source: '#errors',
    question: 'Which error a request with several faults gets.',
    reference: 'The first one found.',
    accepts: 'Any of them.',
  },
  'filter-given-back': {
    source: '#create-a-webhook',
    question: 'How a filter for every event is returned, and the order of its types.',
    reference: 'As requested.',
    accepts: 'Empty or `["*"]` for every event, in a list of webhooks also null or absent; any order.',
  },
  'delivery-order': {
    source: '#events',
    question:
      'Whether deliveries of several events arrive in the order of the events, and whether one webhook gets several at once.',
    reference: 'They are sent concurrently.',
    accepts: 'Any order, and one at a time. A should: no delivery waits for another that is under way.',
  },
  'timestamp-format': {
    source: '#webhook-delivery',
    question: 'The form of `next_attempt_at` and of `created_at`.',
    reference: 'ISO 8601 with milliseconds.',
    accepts:
      'A string that is a time, UTC if it names no zone; for `next_attempt_at` also Unix seconds or milliseconds.',
  },
  'attempt-before-the-first': {
    source: '#webhook-delivery',
    question: '`attempt` of a delivery before the end of its first attempt.',
    reference: '0.',
    accepts: '0 or 1.',
  },
  'attempt-while-waiting': {
    source: '#webhook-delivery',
    question: '`attempt` of a delivery that waits for its next attempt.',
    reference: 'The number of the last attempt.',
    accepts: 'That, or the number of the next attempt; the same for every delivery.',
  },
  'attempt-of-a-block': {
    source: '#webhook-delivery',
    question:
      'Whether a blocked private address counts as an attempt, and whether the record keeps the answer of the attempt before.',
    reference: 'It counts, and its record has no answer.',
    accepts: 'Both; the answer of the attempt before may remain.',
  },
  'odd-limits': {
    source: '#limits',
    question: 'A `limit` that is 0, negative, or not a whole number.',
    reference: 'Refused with 400; an empty one counts as missing.',
    accepts: 'Any page of at most 100, or a 4xx error.',
  },
  'delete-again': {
    source: '#delete-a-webhook',
    question: 'Deleting a webhook that does not exist, or no longer exists.',
    reference: '404.',
    accepts: 'A 4xx or a 2xx.',
  },
  'secret-length': {
    source: '#webhook',
    question: 'The number of bytes of a secret.',
    reference: '32.',
    accepts: 'Any but 0.',
  },
  retention: {
    source: '#poll-events',
    question: 'How long events, deliveries and first results of an Idempotency-Key are kept.',
    reference: 'For ever.',
    accepts: 'As long as a case takes, moved clock included.',
  },
  'unknown-webhook-list': {
    source: '#list-deliveries-of-a-webhook',
    question: 'The list of deliveries of a webhook that does not exist, or belongs to another org.',
    reference: 'Refused with 404.',
    accepts: 'A 4xx or an empty list.',
  },
  'deleted-listed': {
    source: '#list-webhooks',
    question: 'Whether a deleted webhook, whose history is kept, is still listed as deleted.',
    reference: 'It is not listed.',
    accepts: 'Not listed, or listed with changed fields that mark it as deleted.',
  },
  'two-credentials': {
    source: '#event-stream-websocket',
    question: 'A stream with different keys in the header and in `token`.',
    reference: 'The header counts.',
    accepts: 'Either, or a refusal.',
  },
  'start-of-a-stream': {
    source: '#event-stream-websocket',
    question: 'The moment of the "now" from which a stream without `after` shows events.',
    reference: 'Before its upgrade is answered.',
    accepts:
      'Up to a tenth of a second after the answer to the upgrade: many servers register a connection only then. Clients that must miss nothing use `after`.',
  },
  'other-frames': {
    source: '#event-stream-websocket',
    question: 'Frames of the stream other than events: a greeting, a heartbeat.',
    reference: 'Only control frames of the protocol.',
    accepts:
      'Any JSON object in a text frame without `id`, `data`, a type of the interface or nested objects; it is ignored.',
  },
  'informational-answers': {
    source: '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    question: 'An informational answer (103) of a consumer before its final answer.',
    reference: 'It is ignored.',
    accepts:
      'It is ignored, as HTTP requires (RFC 9110, 15.2). Advice only: some widely used HTTP libraries read a 103 as the final answer, and others refuse a 100.',
  },
  'resends-of-a-delivery': {
    source: '#retries-of-a-delivery',
    question:
      'Whether a request counts as an attempt if the HTTP library of a sender repeats it by itself: once, at once, after a connection without an answer or a 408 or 421.',
    reference: 'Its HTTP library repeats none.',
    accepts: 'Both, if the bytes and the three headers are the same; consumers drop duplicates by the id.',
  },
  'retry-after-of-a-consumer': {
    source: '#retries-of-a-delivery',
    question: 'A `Retry-After` of a consumer.',
    reference: 'Ignored.',
    accepts: 'The unchanged schedule.',
  },
  'data-of-paused': {
    source: '#data-kinds',
    question: 'Types of `reason`, `paused_at` and `stats`.',
    reference: 'A string, a time, an object.',
    accepts: 'Any.',
  },
} as const satisfies Readonly<Record<string, OpenPoint>>

export type OpenPointId = keyof typeof openPoints
