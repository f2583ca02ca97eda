import { verifier } from './define.js'

const source = '#webhook-signature-standard-webhooks'

/** VFY: what a signature verification library accepts and refuses. */
export const verification = {
  'VFY-001': verifier.must(
    source,
    'The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`: a change of the id, the timestamp or the body is refused.',
  ),
  'VFY-002': verifier.must(
    source,
    'The key is the base64-decoded part of the webhook secret after the `whsec_` prefix.',
  ),
  'VFY-003': verifier.must(
    source,
    'The signature is base64 of HMAC-SHA256: the complete value must be equal; a modified or truncated one is refused.',
  ),
  'VFY-004': verifier.must(
    source,
    'A delivery is valid when at least one `v1` entry equals the computed signature, at any position.',
  ),
  'VFY-005': verifier.must(source, 'The raw body is verified before any parsing; re-serialized JSON does not match.'),
  'VFY-006': verifier.must(
    source,
    'A delivery whose timestamp is more than 300 seconds in the past is rejected; 300 seconds are accepted.',
  ),
  'VFY-007': verifier.must(
    source,
    'A delivery whose timestamp is more than 300 seconds in the future is rejected; 300 seconds are accepted.',
  ),
  'VFY-008': verifier.must(source, 'A delivery with a missing header is rejected.'),
  'VFY-009': verifier.must(source, 'A delivery with no matching signature is rejected.'),
  'VFY-010': verifier.must(
    '#versioning',
    'Entries with another version prefix are ignored: they neither make a delivery valid nor spoil a valid `v1` entry.',
  ),
  'VFY-011': verifier.must(
    source,
    'The body is bytes: an empty body, or one that is not JSON or not UTF-8, is verified as sent.',
  ),
  'VFY-012': verifier.must(
    source,
    '`webhook-timestamp` is Unix seconds: a value that is not an integer number of seconds is rejected.',
  ),
  'VFY-013': verifier.must(
    source,
    'A malformed header is a refusal: the verifier neither crashes nor stops answering.',
  ),
  'VFY-014': verifier.must(
    source,
    'Each delivery is verified independently: an earlier one, valid or not, changes no result.',
  ),
  'VFY-015': verifier.should(source, 'A secret without a key is refused: it verifies nothing.'),
  'VFY-016': verifier.conditional(
    '#client-library-behaviour',
    'A verified delivery returns the parsed event.',
    'the library returns the verified event; the sentence is about the client library',
  ),
  'VFY-017': verifier.conditional(
    '#client-library-behaviour',
    'A refusal is a verification error with a code and a message.',
    'the library reports why it refuses; the sentence is about the client library',
  ),
  'VFY-018': verifier.conditional(
    source,
    'Signing makes `v1,` and the base64 of HMAC-SHA256 over the signed string.',
    'the library signs as well',
  ),
  'VFY-019': verifier.should(source, 'Header names are HTTP header names: their case and their order do not matter.'),
  'VFY-020': verifier.untestable(
    source,
    'The comparison is constant-time.',
    'the timing of a comparison cannot be measured from outside with certainty',
  ),
  'VFY-021': verifier.should(
    source,
    'Only the exact entry `v1,<base64>` matches: text after it, other padding, another alphabet or other unused bits make another entry.',
  ),
  'VFY-022': verifier.must(source, 'A refusal does not reveal the correct signature.'),
  'VFY-023': verifier.should(
    source,
    'The timestamp is the text that was signed: another spelling of the same number of seconds is refused.',
  ),
  'VFY-024': verifier.should(
    source,
    'The bytes of the body are signed, not its text: bytes that a decoder reads as the same text are refused.',
  ),
  'VFY-025': verifier.should(
    source,
    'Headers under the names of another family, such as `svix-id`, are missing headers: the delivery is refused.',
  ),
} as const
