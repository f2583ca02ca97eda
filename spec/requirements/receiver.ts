import { receiver } from './define.js'

const source = '#webhook-signature-standard-webhooks'
const request = '#webhook-delivery-request-made-by-the-service-to-the-consumer'

/** RCV: what a webhook endpoint must do with what it is sent. */
export const reception = {
  'RCV-001': receiver.must(request, 'A signed delivery is answered with a 2xx.'),
  'RCV-002': receiver.conditional(
    request,
    'The answer arrives within 10 seconds.',
    'the endpoint is a consumer of this interface (`--profile interface`, the default)',
  ),
  'RCV-003': receiver.must(request, 'The answer is not a redirect: redirects are not followed and count as failures.'),
  'RCV-004': receiver.must(source, 'A delivery with a missing header is refused.'),
  'RCV-005': receiver.must(source, 'A delivery with no matching signature is refused.'),
  'RCV-006': receiver.must(source, 'A delivery whose timestamp is more than 300 seconds in the past is refused.'),
  'RCV-007': receiver.must(source, 'A delivery whose timestamp is more than 300 seconds in the future is refused.'),
  'RCV-008': receiver.must(source, 'A delivery whose id, timestamp or body was changed after signing is refused.'),
  'RCV-009': receiver.must(
    source,
    'The raw body is verified before any parsing: a body that does not survive re-serialization is accepted when its bytes are signed.',
  ),
  'RCV-010': receiver.must(source, 'A delivery is valid when at least one `v1` entry matches, at any position.'),
  'RCV-011': receiver.must('#versioning', 'Entries with another version prefix are ignored.'),
  'RCV-012': receiver.must(
    source,
    '`webhook-id` is identical on every retry: the same event sent again is answered with a 2xx.',
  ),
  'RCV-013': receiver.conditional(
    '#events',
    'Every event type and data kind is accepted.',
    'the endpoint is a consumer of this interface (`--profile interface`, the default)',
  ),
  'RCV-014': receiver.conditional(
    '#events',
    'An event type or a field the receiver does not know does not make it fail.',
    'the endpoint is a consumer of this interface (`--profile interface`, the default)',
  ),
  'RCV-015': receiver.should(source, 'A malformed header is a refusal, never a 5xx, a hang or a reset.'),
  'RCV-016': receiver.should(
    source,
    'A refused delivery changes nothing for the next: valid deliveries are still accepted after an attack.',
  ),
  'RCV-017': receiver.should(request, 'Deliveries that arrive concurrently are all answered.'),
  'RCV-018': receiver.should(request, 'A large body is accepted.'),
  'RCV-019': receiver.must(
    source,
    'Consumers use `webhook-id` to drop duplicates: however often an event is sent, its work is done once.',
  ),
  'RCV-020': receiver.must(
    source,
    'The signature is made with the decoded secret: a delivery signed with another secret, or with an empty or undecoded key, is refused.',
  ),
  'RCV-021': receiver.should(source, 'A refusal is a 4xx status.'),
  'RCV-022': receiver.should(request, 'A body sent in chunks, without a length, is accepted.'),
  'RCV-023': receiver.must(
    source,
    '`webhook-timestamp` is Unix seconds: a delivery whose timestamp is not an integer number of seconds is refused.',
  ),
  'RCV-024': receiver.must(
    source,
    'An invalid delivery has no effect: no work is done for its id, nor for the id of the delivery from which it was made.',
  ),
  'RCV-025': receiver.must(request, 'A 2xx means that the event was accepted: its work is done.'),
  'RCV-026': receiver.must(source, 'The answer to an invalid delivery does not reveal the correct signature.'),
  'RCV-027': receiver.should(
    source,
    'Only the exact entry `v1,<base64>` matches: text after it, other padding, another alphabet or other unused bits make another entry.',
  ),
  'RCV-028': receiver.should(request, 'A delivery is JSON, with or without a `charset` in its content type.'),
  'RCV-029': receiver.should(
    source,
    'A delivery whose headers have the names of another family, such as `svix-id`, has missing headers and is refused.',
  ),
  'RCV-030': receiver.should(
    source,
    'The bytes of the body are verified, not its text: bytes that a decoder reads as the same text are refused.',
  ),
  'RCV-031': receiver.should(
    source,
    'The timestamp is the text that was signed: another spelling of the same number of seconds is refused.',
  ),
  'RCV-032': receiver.conditional(
    request,
    'A request with which the provider checks the endpoint is answered as its documentation shows.',
    'the provider of `--scheme` has such a request',
  ),
} as const
