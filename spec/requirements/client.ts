import { client } from './define.js'

const source = '#client-library-behaviour'
const errors = '#errors'
const sending = '#sending-endpoints-revealed-by-the-client-library'

/** CLI: the client library. */
export const clientLibrary = {
  'CLI-001': client.must(
    source,
    '`apiKey` is the first constructor argument and is sent as `Authorization: Bearer <API_KEY>`.',
  ),
  'CLI-002': client.must(source, 'Without an `apiKey` the environment variable `SERVICE_API_KEY` is used.'),
  'CLI-003': client.must(source, 'A client without a key throws `missing_api_key`.'),
  'CLI-004': client.must(source, '`baseUrl` sets the API origin.'),
  'CLI-005': client.must(source, 'Without a `baseUrl` the environment variable `SERVICE_BASE_URL` is used.'),
  'CLI-006': client.must(source, 'A base address with a trailing `/v1` is accepted.'),
  'CLI-007': client.must(source, '`maxRetries` is the number of retries after the first attempt.'),
  'CLI-008': client.must(source, '`maxRetries` is 2 by default.'),
  'CLI-009': client.must(source, '`timeoutMs` limits each attempt, in milliseconds.'),
  'CLI-010': client.untestable(
    source,
    '`timeoutMs` is 60000 by default.',
    'a run would have to wait for a minute and more; the option is checked by CLI-009',
  ),
  'CLI-011': client.untestable(
    source,
    '`fetch` is a function that replaces the global `fetch`.',
    'the driver protocol cannot pass a function',
  ),
  'CLI-012': client.must(source, '`headers` are extra headers sent with every request.'),
  'CLI-013': client.must(source, 'A 429 is retried.'),
  'CLI-014': client.must(source, 'A 5xx is retried.'),
  'CLI-015': client.must(source, 'A network failure is retried.'),
  'CLI-016': client.must(source, 'Retries wait with exponential backoff: the waits grow.'),
  'CLI-017': client.must(source, 'Retries wait with jitter: the waits differ.'),
  'CLI-018': client.must(source, 'A `Retry-After` header in seconds is obeyed: the retry comes no earlier.'),
  'CLI-019': client.must(source, 'A `Retry-After` header with an HTTP date is obeyed: the retry comes no earlier.'),
  'CLI-020': client.must(source, 'Other errors (e.g. 400, 403) are thrown at once, without a retry.'),
  'CLI-021': client.must(source, '`emails.send` gets an automatic `Idempotency-Key`.'),
  'CLI-022': client.must(source, '`emails.batch` gets an automatic `Idempotency-Key`.'),
  'CLI-023': client.conditional(
    source,
    '`messages.send` gets an automatic `Idempotency-Key`.',
    'the library has the method; its path is not shown',
  ),
  'CLI-024': client.conditional(
    source,
    '`messages.reply` gets an automatic `Idempotency-Key`.',
    'the library has the method; its path is not shown',
  ),
  'CLI-025': client.must(source, 'The `Idempotency-Key` is identical on every attempt of a call.'),
  'CLI-026': client.must(source, 'A caller-supplied `idempotencyKey` replaces the automatic one.'),
  'CLI-027': client.must(source, 'Other POST requests that create something are not retried after a server error.'),
  'CLI-028': client.must(source, "Methods return the API's JSON unchanged (snake case fields)."),
  'CLI-029': client.must(
    source,
    'Every method takes a last options argument with `signal`: an aborted call ends with `aborted`.',
  ),
  'CLI-030': client.must(
    source,
    'Every method takes a last options argument with `timeoutMs`, which replaces that of the client.',
  ),
  'CLI-031': client.must(errors, 'The client library exposes `status`, `code`, `message` and `fix`.'),
  'CLI-032': client.must(errors, 'An `invalid_batch` error also has `errors`, one entry per bad item.'),
  'CLI-033': client.must(errors, 'A 429 error has `retryAfter` in seconds, from the `Retry-After` header.'),
  'CLI-034': client.must(
    errors,
    'When no response arrives for a network failure, `status` is 0 and `code` is `network_error`.',
  ),
  'CLI-035': client.must(errors, 'When no response arrives in time, `status` is 0 and `code` is `timeout`.'),
  'CLI-036': client.must(errors, 'When the caller aborts, `status` is 0 and `code` is `aborted`.'),
  'CLI-037': client.must(sending, '`emails.send` is `POST /v1/emails` with the email object.'),
  'CLI-038': client.must(sending, '`emails.batch` is `POST /v1/emails/batch` with the array.'),
  'CLI-039': client.must(sending, 'Getting an email is `GET /v1/emails/{id}`.'),
  'CLI-040': client.must(sending, 'Listing emails is `GET /v1/emails` with the query `limit` and `cursor`.'),
  'CLI-041': client.must(sending, 'Rescheduling is `PATCH /v1/emails/{id}` with `{ scheduled_at }`.'),
  'CLI-042': client.must(sending, 'Cancelling is `POST /v1/emails/{id}/cancel`.'),
  'CLI-043': client.must(sending, '`scheduled_at` may be given as a date object, and is sent as an ISO 8601 string.'),
  'CLI-044': client.must(sending, '`scheduled_at` may be given as a relative phrase such as `in 2 hours`.'),
  'CLI-045': client.must(sending, '`scheduledAt` is accepted as an alias of `scheduled_at`.'),
  'CLI-046': client.must(source, '`webhooks.deliveries(id)` is `GET /v1/webhooks/{id}/deliveries`.'),
  'CLI-047': client.must(
    source,
    '`webhooks.replay(id, deliveryId)` is `POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay`.',
  ),
  'CLI-048': client.must(source, '`verifyWebhook` checks the signature and returns the parsed event.'),
  'CLI-049': client.must(source, '`verifyWebhook` refuses deliveries older than 5 minutes.'),
  'CLI-050': client.must(source, '`verifyWebhook` throws `WebhookVerificationError` for a delivery it refuses.'),
  'CLI-051': client.must(source, '`webhooks.verify` is the same function.'),
  'CLI-052': client.must(
    source,
    'A caller-supplied or automatic `Idempotency-Key` is new for each call: two calls do not share one.',
  ),
  'CLI-053': client.must(source, 'A successful call is sent once.'),
  'CLI-054': client.untestable(
    source,
    'Operations of inboxes, threads, conversations, domains, keys, suppressions and senders.',
    'their paths are not shown',
  ),
  'CLI-055': client.untestable(
    '#limits',
    '`messages.wait` blocks until a message arrives, up to 120 seconds, and returns null when nothing arrives in time.',
    'its path is not shown',
  ),
  'CLI-056': client.untestable(
    source,
    'It runs on any runtime that has `fetch`; it requires Web Crypto for webhook verification.',
    'a driver is one runtime',
  ),
  'CLI-057': client.must(source, "The last attempt's error is thrown when the retries are used up."),
} as const
