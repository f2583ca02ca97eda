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
    accepts:
      '401 or 403; 400 too where the credential is no bearer token by its form (RFC 6750), as an empty one is not.',
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
    accepts:
      'An array, or an object that holds it, up to three deep; edges with nodes; an object of webhooks by their ids; of a webhook its id and url at the least, the url beside the id or in its `attributes`.',
  },
  'delivery-list-envelope': {
    source: '#list-deliveries-of-a-webhook',
    question: 'The envelope of the deliveries list.',
    reference: '`{ data: Delivery[] }`.',
    accepts: 'An array, or an object that holds it, up to three deep; edges with nodes.',
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
      'Whether an entry matches that has text after its signature, or that only a lenient base64 decoder equates.',
    reference: 'It does not: the text is compared.',
    accepts: 'Both.',
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
    accepts:
      'null, absent, or zero and empty for code and snippet; for `next_attempt_at` also a time that has passed, such as that of the last attempt or the year 1.',
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
    question: 'The case of the letters of `Bearer` in what a client sends.',
    reference: 'As it is written.',
    accepts: 'Any: HTTP takes the name of a scheme in any case (RFC 9110, 11.1).',
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
    accepts:
      'Its own inbox in the answer; a refusal makes no webhook and breaks no must, though the text says "always gets": 201 is should.',
  },
  'several-recipients': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Forms of `to` beyond a single address as a text.',
    reference: 'A list is taken too.',
    accepts: 'A list is taken or refused with a 4xx; no case needs one.',
  },
  'undeliverable-recipients': {
    source: '#limits',
    question: 'Whether an address that takes no mail is refused.',
    reference: 'Any address is taken.',
    accepts: 'Both: mail goes to the `recipient` of the configuration, or to an inbox.',
  },
  'odd-sender-names': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'A display name of `from` that looks like an address.',
    reference: 'It is a name like any other.',
    accepts: 'The name is taken or refused with a 4xx; never for the domain of the sender.',
  },
  'subdomain-senders': {
    source: '#errors',
    question: 'Whether a subdomain of a domain of the project is one of its domains.',
    reference: 'It is not.',
    accepts: 'Both: no case sends from one.',
  },
  'email-answers': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Success status of send, reschedule and cancel, and what `object` holds.',
    reference: '200, and `email` as a text.',
    accepts: 'Any 2xx; any value.',
  },
  'email-list-order': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Order, default size and largest page of the list of emails.',
    reference: 'Newest first, 50, 100.',
    accepts:
      'Any; pages of `limit` follow each other without gap or repeat while no email is sent. What one that is sent meanwhile does to later pages is not shown.',
  },
  'email-id-form': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Whether the `id` of an email is a text or a number; no type is shown.',
    reference: 'A text.',
    accepts: 'Both; a number as far as JSON readers hold it exactly, up to 2^53.',
  },
  'cursor-form': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'The form of `next_cursor`, also where the list ends.',
    reference: 'An id; null where the list ends.',
    accepts: 'A text or a number; where the list ends null, absent, empty, false or 0.',
  },
  'default-batch-validation': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'How a batch is validated when nothing is asked for.',
    reference: 'As a whole: one bad item refuses it.',
    accepts: 'As a whole, or item by item. `errors` has one entry per bad item, and what is sent is what was accepted.',
  },
  'empty-batch': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'An empty batch, and the error code of one of 101.',
    reference: 'Both are refused with `batch_size`.',
    accepts: 'An empty `data` or a 4xx for the first; a 4xx with any code for the second.',
  },
  'batch-entries': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'What an entry of `data` of a batch holds, and in which order they stand.',
    reference: 'The `id` of the email, in the order of the items.',
    accepts: 'Anything, in any order; there is one for each email that was taken, and ids that it shows differ.',
  },
  'mail-delay': {
    source: '#events',
    question:
      'How long after it was taken an email is handed to the mail server, and how long after that it is listed.',
    reference: 'At once.',
    accepts: 'Seconds; scheduled mail up to a minute after its time.',
  },
  'clock-and-mail': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Whether the clock that the control interface moves moves scheduled mail too.',
    reference: 'It does.',
    accepts: 'Both: where it does not, mail is scheduled some seconds ahead and waited for.',
  },
  'clock-and-events': {
    source: '#event',
    question: 'Whether the clock that the control interface moves is the one by which events tell their time.',
    reference: 'It is.',
    accepts: 'Both.',
  },
  'late-changes': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'A reschedule or a cancel of an email that was sent or cancelled already.',
    reference: 'Refused with 409.',
    accepts: 'Any 2xx or 4xx; nothing is sent again.',
  },
  'absent-bounce-classification': {
    source: '#data-kinds',
    question: '`bounce_classification` of an event that is no bounce and has none.',
    reference: 'Null.',
    accepts: 'Null or absent; of `message.bounced` it is there.',
  },
  'absent-inbox-and-thread': {
    source: '#data-kinds',
    question: '`inbox_id` and `thread_id` of a message that was sent and belongs to no inbox, or to no thread.',
    reference: 'Null.',
    accepts: 'Null or absent; of a message that an inbox received they are there.',
  },
  'absent-cc': {
    source: '#data-kinds',
    question: '`cc` of a message that has none.',
    reference: 'An empty list.',
    accepts: 'Empty, null or absent; where a message has one it is there.',
  },
  'failed-reason': {
    source: '#events',
    question: 'Which fields stand beside the `reason` of `message.failed`.',
    reference: 'The ids and the status of the message.',
    accepts:
      'These, and delivery fields without a value; an event that has the delivery fields may have a reason as an extra field.',
  },
  'batch-validation': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'How `batchValidation` stands on the wire, and modes other than permissive.',
    reference: 'Query `batch_validation` or header `x-batch-validation`.',
    accepts: 'Anything; a way that is known and changes the answer is judged.',
  },
  'late-resources': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'Whether what was created is found at once by its id.',
    reference: 'It is.',
    accepts:
      'A 403, 404 or 410 for up to 3 seconds, to the key that made it and to that of the org; the items of a batch too.',
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
      'The first result, or a refusal: of another body any 4xx, of a repeat side by side 409, 422, 423 or 425; never a second email.',
  },
  'idempotency-key-form': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'How long an `Idempotency-Key` may be, and which signs it may have.',
    reference: 'Any.',
    accepts: 'Any, as long as 45 letters, digits and dashes are taken; a 4xx for a longer or another one.',
  },
  'key-without-effect': {
    source: '#client-library-behaviour',
    question: 'Whether a request that is no POST carries the `idempotencyKey` that its method takes.',
    reference: 'It does.',
    accepts: 'Both: repeating such a request does nothing more.',
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
  'resends-of-http': {
    source: '#client-library-behaviour',
    question:
      'Whether a request counts for maxRetries that the HTTP library beneath sends again by itself, at once and once, when a connection ends without an answer, or after a 408 or 421.',
    reference: 'Nothing beneath it does.',
    accepts: 'Both, for a GET and for a request with an Idempotency-Key, as RFC 9112 (9.3.1) allows it.',
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
  'answer-end': {
    source: '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    question: 'Whether an answer counts when its status line or when its whole body is there within 10 seconds.',
    reference: 'The status line counts.',
    accepts: 'Both.',
  },
  'limits-and-quotas': {
    source: '#limits',
    question: 'Rate limits, request size limits and quotas, and the bodies with which a gateway enforces them.',
    reference: '1 MiB for a body; no other limit.',
    accepts: 'Any: a 413, 414, 431 or 429 of any body; a case goes on with less, or is skipped.',
  },
  'sends-without-a-key': {
    source: '#sending-endpoints-revealed-by-the-client-library',
    question: 'A send, or a batch, without the header `Idempotency-Key`.',
    reference: 'Taken, each as an email of its own.',
    accepts: 'That, or a 4xx: every send that must be taken goes with the header.',
  },
  'replay-of-a-replay': {
    source: '#replay-a-delivery',
    question: '`replay_of` of the replay of a replay.',
    reference: 'The delivery that was replayed.',
    accepts: 'That one, or the first original.',
  },
  'replay-after-delete': {
    source: '#replay-a-delivery',
    question: 'A replay below a webhook that was deleted.',
    reference: 'Refused with 409.',
    accepts: 'A 4xx that sends nothing, or one more sending of the event.',
  },
  'deleted-history': {
    source: '#delete-a-webhook',
    question: 'Where the history of a deleted webhook can be read.',
    reference: 'Where it stood before.',
    accepts: 'Where it stood before, or a 4xx.',
  },
  'scoped-key-rights': {
    source: '#authentication',
    question:
      'What a key of one inbox may do with webhooks, deliveries and emails beyond its inbox: the text speaks of events.',
    reference: 'They do not exist for it.',
    accepts:
      'Shown or hidden; no event of another inbox is ever sent to its own webhook. That none is named in what is shown is should.',
  },
  'webhook-list-pages': {
    source: '#list-webhooks',
    question: 'Whether the list of webhooks comes in pages, and how they continue.',
    reference: 'One list.',
    accepts:
      'Pages with `next_cursor`, `next_after` or `next_page_token`, beside the list or in an envelope; a case is skipped where a further page cannot be asked for.',
  },
  'name-without-address': {
    source: '#webhook',
    question: 'A host name that has no address.',
    reference: 'Accepted at creation; each attempt counts as one without an answer.',
    accepts: 'Refused at creation, or a delivery that stays pending or fails; nothing connects.',
  },
  'address-spellings': {
    source: '#webhook',
    question: 'Which spellings of an address a URL parser reads as one.',
    reference: 'Those of the WHATWG URL standard.',
    accepts:
      'Any, as long as a spelling that is read is judged as the address it stands for, and nothing connects to a refused one.',
  },
  'address-literals': {
    source: '#webhook',
    question: 'Whether a public address may stand in a url in place of a name.',
    reference: 'Accepted.',
    accepts: 'Accepted, or every address refused.',
  },
  'receiver-refusal': {
    source: '#webhook-signature-standard-webhooks',
    question: 'What a consumer answers to a delivery that it rejects.',
    reference: '400.',
    accepts: 'Anything that is not 2xx; a 4xx is what should be.',
  },
  'malformed-id-status': {
    source: '#errors',
    question: "The status for an id that cannot be one of the service's own.",
    reference: '404.',
    accepts: '400, 403, 404, 410 or 422.',
  },
  'wrong-types': {
    source: '#create-a-webhook',
    question: '`event_types` or `inbox_id` of another type than the one that is stated.',
    reference: 'Refused with 400.',
    accepts: 'Refused with a 4xx, taken as a list of one, or taken as missing; never a 5xx.',
  },
  'same-url': {
    source: '#create-a-webhook',
    question: 'A second webhook on the url of one that exists.',
    reference: 'A webhook of its own.',
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
    question: '`after` that is empty.',
    reference: 'As if it were missing.',
    accepts: 'A page from the oldest event, an empty page, or a 4xx error.',
  },
  'url-check': {
    source: '#create-a-webhook',
    question: 'Whether the service makes a request of its own to the url of a new webhook.',
    reference: 'It makes none.',
    accepts: 'Any; only a request with `webhook-id` is a delivery. Never to a refused address.',
  },
  'lagging-lists': {
    source: '#list-deliveries-of-a-webhook',
    question: 'How soon a list or a stream shows what has happened.',
    reference: 'At once.',
    accepts: 'Within 2 seconds; until then one answer may be behind another that came before it.',
  },
  'clock-difference': {
    source: '#webhook-signature-standard-webhooks',
    question: 'How far the clock of the service is from that of the machine that judges it.',
    reference: 'It is the same one.',
    accepts: 'Up to a minute to either side.',
  },
  'first-attempt-queued': {
    source: '#retries-of-a-delivery',
    question: 'How soon an attempt is made that is made immediately.',
    reference: 'At once.',
    accepts: 'Within 2 seconds, after a queue or a worker has taken it up.',
  },
  'further-credentials': {
    source: '#authentication',
    question: 'Credentials beyond the bearer key: other schemes, or other places on requests that are no stream.',
    reference: 'Refused.',
    accepts:
      'Taken or refused, as long as they hold an existing key; that the query is for the stream alone is should.',
  },
  'order-of-checks': {
    source: '#errors',
    question: 'Which error a request with several faults gets.',
    reference: 'The first one found.',
    accepts: 'Any of them.',
  },
  'filter-given-back': {
    source: '#create-a-webhook',
    question: 'How a filter for every event is given back, and the order of its types.',
    reference: 'As it was asked.',
    accepts: 'Empty or `["*"]` for every event, in a list of webhooks null or absent too; any order.',
  },
  'delivery-order': {
    source: '#events',
    question:
      'Whether deliveries of several events come in the order of the events, and several at once to one webhook.',
    reference: 'They are made side by side.',
    accepts: 'Any order, and one at a time; that none waits for another that is under way is should.',
  },
  'timestamp-format': {
    source: '#webhook-delivery',
    question: 'The form of `next_attempt_at` and of `created_at`.',
    reference: 'ISO 8601 with milliseconds.',
    accepts:
      'A text that is a time, UTC where it names no zone, or for `next_attempt_at` Unix seconds or milliseconds.',
  },
  'attempt-before-the-first': {
    source: '#webhook-delivery',
    question: '`attempt` of a delivery of which no attempt has ended.',
    reference: '0.',
    accepts: '0 or 1.',
  },
  'attempt-while-waiting': {
    source: '#webhook-delivery',
    question: '`attempt` of a delivery that waits for its next attempt.',
    reference: 'The number of the last attempt that was made.',
    accepts: 'That, or the number of the one that comes next; the same for every delivery.',
  },
  'attempt-of-a-block': {
    source: '#webhook-delivery',
    question:
      'Whether a block for a private address counts as an attempt, and what its record tells of the one before.',
    reference: 'It counts, and nothing is told.',
    accepts: 'Both; the answer of the attempt before may stay.',
  },
  'odd-limits': {
    source: '#limits',
    question: 'A `limit` of 0, below 0, or that is no whole number.',
    reference: 'Refused with 400; an empty one is missing.',
    accepts: 'Any page of at most 100, or a 4xx error.',
  },
  'delete-again': {
    source: '#delete-a-webhook',
    question: 'Deleting a webhook that does not exist, or does no more.',
    reference: '404.',
    accepts: 'A 4xx or a 2xx.',
  },
  'secret-length': {
    source: '#webhook',
    question: 'How many bytes a secret holds.',
    reference: '32.',
    accepts: 'Any number but none.',
  },
  retention: {
    source: '#poll-events',
    question: 'How long events, deliveries and first results of an Idempotency-Key are kept.',
    reference: 'For ever.',
    accepts: 'As long as a case takes, moved clock included.',
  },
  'unknown-webhook-list': {
    source: '#list-deliveries-of-a-webhook',
    question: 'The list of deliveries of a webhook that does not exist, or is of another org.',
    reference: 'Refused with 404.',
    accepts: 'A 4xx or an empty list.',
  },
  'deleted-listed': {
    source: '#list-webhooks',
    question: 'Whether a deleted webhook, whose history is kept, is still listed as a deleted one.',
    reference: 'It is not listed.',
    accepts: 'Not listed, or listed with other fields than before that say so.',
  },
  'two-credentials': {
    source: '#event-stream-websocket',
    question: 'A stream with different keys in the header and in `token`.',
    reference: 'The header counts.',
    accepts: 'Either, or a refusal.',
  },
  'start-of-a-stream': {
    source: '#event-stream-websocket',
    question: 'When the "now" is from which a stream without `after` shows events.',
    reference: 'Before its upgrade is answered.',
    accepts:
      'Up to a tenth of a second after the upgrade was answered, since many servers enter a connection among their listeners only then; what misses nothing is `after`.',
  },
  'other-frames': {
    source: '#event-stream-websocket',
    question: 'Frames of the stream beside events: a greeting, a heartbeat.',
    reference: 'There are none but those of the protocol.',
    accepts:
      'Any JSON object as text that has neither `id` nor `data`, no type of the interface, and nothing within; it is passed over.',
  },
  'informational-answers': {
    source: '#webhook-delivery-request-made-by-the-service-to-the-consumer',
    question: 'An informational answer (103) of a consumer before its final one.',
    reference: 'It is passed over.',
    accepts:
      'It is passed over, as HTTP asks (RFC 9110, 15.2); advice, since HTTP libraries in wide use take a 103 for the answer, and others refuse a 100.',
  },
  'resends-of-a-delivery': {
    source: '#retries-of-a-delivery',
    question:
      'Whether a request counts as an attempt that the HTTP library beneath a sender sends again by itself, at once and once, when a connection ends without an answer, or after a 408 or 421.',
    reference: 'Nothing beneath it does.',
    accepts: 'Both, where the same bytes come with the same three headers; consumers drop duplicates by the id.',
  },
  'retry-after-of-a-consumer': {
    source: '#retries-of-a-delivery',
    question: 'A `Retry-After` of a consumer.',
    reference: 'Not looked at.',
    accepts: 'The schedule, as it stands.',
  },
  'data-of-paused': {
    source: '#data-kinds',
    question: 'Types of `reason`, `paused_at` and `stats`.',
    reference: 'A text, a time, an object.',
    accepts: 'Any.',
  },
} as const satisfies Readonly<Record<string, OpenPoint>>

export type OpenPointId = keyof typeof openPoints
