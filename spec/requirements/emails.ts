import { service } from './define.js'

const source = '#sending-endpoints-revealed-by-the-client-library'

/** SND: sending emails. */
export const emails = {
  'SND-001': service.must(source, '`POST /v1/emails` takes an email object and answers `{ id }`.'),
  'SND-002': service.must(source, '`from` may be written as a display name followed by an address in angle brackets.'),
  'SND-003': service.must(source, '`to` accepts a single address string.'),
  'SND-004': service.must(
    source,
    '`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`.',
  ),
  'SND-005': service.must('#limits', 'A batch has at most 100 emails: 100 are accepted, 101 are refused.'),
  'SND-006': service.must(
    '#errors',
    'A batch that is refused for an invalid item gets code `invalid_batch`, and `errors` has one entry per bad item.',
  ),
  'SND-007': service.must(source, '`GET /v1/emails/{id}` answers the email with `recipients` and `status`.'),
  'SND-008': service.must(source, '`GET /v1/emails` takes `limit` and `cursor` and answers `{ data, next_cursor }`.'),
  'SND-009': service.must(source, '`next_cursor` passed as `cursor` continues the list without gap or repeat.'),
  'SND-010': service.must(
    source,
    '`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`.',
  ),
  'SND-011': service.must(source, '`POST /v1/emails/{id}/cancel` cancels and answers `{ object, id }`.'),
  'SND-012': service.must(
    '#errors',
    'A `from` whose domain is not a domain of the project is refused with `sender_not_verified`, status 403.',
  ),
  'SND-013': service.must(
    source,
    'An email with a `scheduled_at` in the future is kept until then: it is not sent before.',
  ),
  'SND-014': service.must(source, 'A cancelled email is not sent.'),
  'SND-015': service.conditional(
    source,
    'A batch with `batchValidation` `permissive` sends its valid items and lists the others in `errors`.',
    'the wire form of the option is not shown: a service that reads it from a query parameter, a header or a member of the body',
  ),
  'SND-016': service.must(
    source,
    'A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again.',
  ),
  'SND-017': service.must(source, '`scheduled_at` is an ISO 8601 string: a string that is not a time is refused.'),
  'SND-018': service.must('#other-resources', 'An email has a `scheduled_at`: the time it was last scheduled for.'),
} as const

/** IDM: idempotency of sending. */
export const idempotency = {
  'IDM-001': service.must(
    '#client-library-behaviour',
    'A send that repeats an `Idempotency-Key` returns the first result.',
  ),
  'IDM-002': service.must(
    '#client-library-behaviour',
    'A send that repeats an `Idempotency-Key` sends nothing a second time.',
  ),
  'IDM-003': service.must('#client-library-behaviour', 'Sends with different keys are different emails.'),
  'IDM-004': service.must('#client-library-behaviour', 'Concurrent repeats of one `Idempotency-Key` create one email.'),
  'IDM-005': service.must(
    '#client-library-behaviour',
    'A batch that repeats an `Idempotency-Key` returns the first result.',
  ),
} as const
