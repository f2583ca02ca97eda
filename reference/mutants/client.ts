import type { RequirementId } from '../../spec/index.js'
import { defaultClientPolicy, type ClientPolicy } from '../client/index.js'
import { operations, type OperationName, type OperationRule } from '../client/operations.js'
import { readErrorFields } from '../client/error-fields.js'
import { verify, type SubtleVerifyOptions } from '../verifier/subtle.js'
import type { Mutant } from './mutant.js'

export type ClientMutant = Mutant<ClientPolicy>

function mutant(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  policy: Partial<ClientPolicy>,
): ClientMutant {
  return { id: `client/${id}`, title, breaks, policy }
}

/** The operations with one that goes elsewhere. */
function operation(name: OperationName, rule: OperationRule): Partial<ClientPolicy> {
  return { operations: { ...operations, [name]: rule } }
}

const { error, retriedStatus } = defaultClientPolicy

/** Paths of our own: those of messages are not shown. */
const messagePaths: ClientPolicy['messages'] = {
  'messages.send': { method: 'POST', path: '/v1/inboxes/{inbox_id}/messages' },
  'messages.reply': { method: 'POST', path: '/v1/messages/{id}/reply' },
}

/** Hands out each value one call late. */
function latecomer(): (json: unknown) => unknown {
  let last: unknown
  return (json) => {
    const earlier = last ?? json
    last = json
    return earlier
  }
}

/** An email with its time under another name. */
function inCamelCase(email: unknown): unknown {
  const { scheduled_at: scheduledAt, ...rest } = email as { readonly scheduled_at?: unknown }
  return { ...rest, scheduledAt }
}

/** An email with its time in words, like `Wed Jan 02 2030`. */
function inWords(email: unknown): unknown {
  const { scheduled_at: at } = email as { readonly scheduled_at?: string }
  return at === undefined ? email : { ...(email as object), scheduled_at: new Date(at).toDateString() }
}

type Headers = Readonly<Record<string, string>>

/** A delivery with its signature header changed. */
function withSignature(delivery: SubtleVerifyOptions, change: (entries: string) => string): SubtleVerifyOptions {
  const headers = delivery.headers as Headers
  return { ...delivery, headers: { ...headers, 'webhook-signature': change(headers['webhook-signature'] ?? '') } }
}

/** Deviations of client libraries that real teams have shipped. */
export const clientMutants: readonly ClientMutant[] = [
  mutant('sends-the-key-without-bearer', 'the key is sent without its scheme', ['CLI-001'], {
    credentials: (key = '') => ({ headers: { authorization: key }, query: {} }),
  }),
  mutant('sends-the-key-in-the-query', 'the key stands in the query', ['CLI-001'], {
    credentials: (key = '') => ({ headers: {}, query: { api_key: key } }),
  }),
  mutant('sends-the-key-once', 'the key is missing on a retry', ['CLI-001'], {
    credentials: (key = '', attempt = 1) => ({
      headers: attempt === 1 ? { authorization: `Bearer ${key}` } : {},
      query: {},
    }),
  }),
  mutant('prefers-the-environment', 'SERVICE_API_KEY beats the argument', ['CLI-002', 'CLI-001'], {
    apiKey: (given, env) => env['SERVICE_API_KEY'] ?? given,
  }),
  mutant('ignores-the-key-of-the-environment', 'SERVICE_API_KEY is not read', ['CLI-002'], {
    apiKey: (given) => given,
  }),
  mutant('starts-without-a-key', 'a client without a key is built', ['CLI-003'], { withoutKey: 'go-on' }),
  mutant('names-a-missing-key-otherwise', 'a missing key has another code', ['CLI-003'], { withoutKeyCode: 'no_key' }),
  mutant('prefers-the-address-of-the-environment', 'SERVICE_BASE_URL beats the option', ['CLI-004'], {
    baseUrl: (given, env) => env['SERVICE_BASE_URL'] ?? given ?? '',
  }),
  mutant('ignores-the-address-of-the-environment', 'SERVICE_BASE_URL is not read', ['CLI-005', 'CLI-006'], {
    baseUrl: (given) => given ?? 'http://127.0.0.1:9',
  }),
  mutant('doubles-v1', 'a trailing /v1 stands twice', ['CLI-006'], { root: (baseUrl) => baseUrl }),
  mutant('retries-three-times', 'maxRetries is always 3', ['CLI-007', 'CLI-008'], { maxRetries: () => 3 }),
  mutant('counts-attempts', 'maxRetries counts attempts', ['CLI-007', 'CLI-008'], {
    attempts: (maxRetries) => Math.max(1, maxRetries),
  }),
  mutant('retries-once-by-default', 'the default of maxRetries is 1', ['CLI-008', 'CLI-057'], {
    maxRetries: (given) => given ?? 1,
  }),
  mutant('takes-the-timeout-for-seconds', 'timeoutMs is taken for seconds', ['CLI-009', 'CLI-035'], {
    timeoutMs: (given) => (given ?? 60) * 1_000,
  }),
  mutant('limits-the-whole-call', 'timeoutMs limits the call, waits included', ['CLI-009'], { timeoutSpan: 'call' }),
  mutant('stops-retrying-after-the-timeout', 'no attempt is made once the call has lasted timeoutMs', ['CLI-009'], {
    timeoutSpan: 'attempt-and-retries',
  }),
  mutant('limits-the-head-only', 'timeoutMs does not cover the body', ['CLI-009', 'CLI-035'], {
    timeoutCovers: 'head',
  }),
  mutant('ignores-the-timeout-of-a-call', 'timeoutMs of a call is ignored', ['CLI-030'], {
    callTimeoutMs: ({ ofClient }) => ofClient,
  }),
  mutant('drops-extra-headers', 'the headers option is dropped', ['CLI-012'], { extraHeaders: () => ({}) }),
  mutant('sends-extra-headers-once', 'extra headers are missing on a retry', ['CLI-012'], {
    extraHeaders: (headers, { attempt }) => (attempt === 1 ? headers : {}),
  }),
  mutant('sends-extra-headers-with-posts-only', 'extra headers are missing on a GET', ['CLI-012'], {
    extraHeaders: (headers, { method }) => (method === 'POST' ? headers : {}),
  }),
  mutant('does-not-retry-429', 'a 429 is thrown at once', ['CLI-013', 'CLI-018', 'CLI-019'], {
    retriedStatus: (status) => status >= 500,
  }),
  mutant('does-not-retry-5xx', 'a 5xx is thrown at once', ['CLI-014'], { retriedStatus: (status) => status === 429 }),
  mutant('retries-503-only', 'of 5xx only 503 is retried', ['CLI-014'], {
    retriedStatus: (status) => status === 429 || status === 503,
  }),
  mutant('retries-the-usual-5xx', 'of 5xx only 500, 502, 503 and 504 are retried', ['CLI-014'], {
    retriedStatus: (status) => [429, 500, 502, 503, 504].includes(status),
  }),
  mutant('retries-what-has-a-key', 'without a key only a GET is retried', ['CLI-014'], {
    retriedStatus: (status, name) => retriedStatus(status, name) && !['emails.update', 'emails.cancel'].includes(name),
  }),
  mutant('retries-4xx', 'every error is retried', ['CLI-020'], { retriedStatus: (status) => status >= 400 }),
  mutant('retries-409', 'a 409 is retried', ['CLI-020'], {
    retriedStatus: (status, name) => status === 409 || retriedStatus(status, name),
  }),
  mutant('does-not-retry-network-failures', 'a network failure is thrown at once', ['CLI-015'], {
    retriedFailures: [],
  }),
  mutant('waits-the-same', 'every wait is as long', ['CLI-016'], { backoffFactor: 1 }),
  mutant('waits-any-time-below-one-bound', 'every wait is anything below one bound', ['CLI-016'], {
    backoffFactor: 1,
    jitter: 1,
  }),
  mutant('waits-in-equal-steps', 'each wait is half a second longer than the one before, with jitter', ['CLI-016'], {
    waitMs: ({ askedMs, attempt }) => askedMs ?? 500 * attempt * (0.8 + 0.2 * Math.random()),
  }),
  mutant('waits-about-equal-steps', 'each wait is about 400 ms longer than the one before', ['CLI-016'], {
    waitMs: ({ askedMs, attempt }) => askedMs ?? 400 * attempt * (0.75 + 0.5 * Math.random()),
  }),
  mutant('waits-without-jitter', 'waits have no jitter', ['CLI-017'], { jitter: 0 }),
  mutant('ignores-retry-after', 'Retry-After is ignored', ['CLI-018', 'CLI-019'], { askedWaitMs: () => undefined }),
  mutant('takes-retry-after-for-milliseconds', 'Retry-After is taken for milliseconds', ['CLI-018'], {
    askedWaitMs: (header) => (header === null ? undefined : Number(header)),
  }),
  mutant('reads-no-date-in-retry-after', 'Retry-After with a date is ignored', ['CLI-019'], {
    askedWaitMs: (header) => (/^\d+$/.test(header ?? '') ? Number(header) * 1_000 : undefined),
  }),
  mutant('cuts-retry-after', 'Retry-After is cut at a second', ['CLI-018', 'CLI-019'], {
    waitMs: ({ askedMs, backoffMs }) => Math.min(askedMs ?? backoffMs, 1_000),
  }),
  mutant('cuts-retry-after-at-its-own-longest-wait', 'Retry-After is cut at 8 seconds', ['CLI-018'], {
    waitMs: ({ askedMs, backoffMs }) => Math.min(askedMs ?? backoffMs, 8_000),
  }),
  mutant('obeys-retry-after-of-429-only', 'Retry-After of a 503 is ignored', ['CLI-018'], {
    obeysRetryAfter: (status) => status === 429,
  }),
  mutant('sends-no-key-with-emails', 'emails.send has no Idempotency-Key', ['CLI-021'], {
    keyedOperations: ['emails.batch'],
  }),
  mutant('sends-no-key-with-batches', 'emails.batch has no Idempotency-Key', ['CLI-022'], {
    keyedOperations: ['emails.send'],
  }),
  mutant('names-the-key-otherwise', 'the key is sent as X-Idempotency-Key', ['CLI-021', 'CLI-022', 'CLI-026'], {
    keyHeader: 'x-idempotency-key',
  }),
  mutant('makes-a-key-for-each-attempt', 'the key is new at each attempt', ['CLI-025'], {
    key: ({ given, newKey }) => given ?? newKey(),
  }),
  mutant('ignores-the-key-of-the-caller', "the caller's key is ignored", ['CLI-026'], {
    key: ({ isAutomatic, ofCall }) => (isAutomatic ? ofCall : undefined),
  }),
  mutant('takes-a-key-for-sends-only', "the caller's key of a create is ignored", ['CLI-026'], {
    key: ({ isAutomatic, given, ofCall }) => (isAutomatic ? (given ?? ofCall) : undefined),
  }),
  mutant('has-one-key', 'every call has the same key', ['CLI-052'], { key: ({ given }) => given ?? 'one-key' }),
  mutant('makes-the-key-of-the-body', 'the key is made of the body', ['CLI-052'], {
    key: ({ given, body }) => given ?? `k${body?.length ?? 0}`,
  }),
  mutant('sends-messages-without-a-key', 'messages are sent without an Idempotency-Key', ['CLI-023', 'CLI-024'], {
    messages: messagePaths,
    keyedOperations: ['emails.send', 'emails.batch'],
  }),
  mutant('ignores-the-key-of-messages', "the caller's key of a message is ignored", ['CLI-023', 'CLI-024'], {
    messages: messagePaths,
    key: ({ isAutomatic, ofCall, given, operation }) =>
      isAutomatic && operation.startsWith('messages.') ? ofCall : (given ?? (isAutomatic ? ofCall : undefined)),
  }),
  mutant('has-one-key-for-messages', 'every message has the same key', ['CLI-023', 'CLI-024'], {
    messages: messagePaths,
    key: ({ given, ofCall, operation }) => given ?? (operation.startsWith('messages.') ? 'one-key' : ofCall),
  }),
  mutant('repeats-creations', 'a create is retried after a server error', ['CLI-027'], { retriedCreation: () => true }),
  mutant('repeats-creations-like-sends', 'a create is taken for a read', ['CLI-027'], { creatingOperations: [] }),
  mutant('camel-cases-answers', 'the fields of an answer are renamed', ['CLI-028'], {
    value: (json) =>
      JSON.parse(
        (JSON.stringify(json) ?? 'null').replace(
          /"([a-z]+)_([a-z])([a-z_]*)":/g,
          (_, head: string, first: string, rest: string) => `"${head}${first.toUpperCase()}${rest}":`,
        ),
      ) as unknown,
  }),
  mutant('unwraps-data', 'only data of an answer is returned', ['CLI-028'], {
    value: (json) => (json as { data?: unknown } | null)?.data ?? json,
  }),
  mutant('answers-with-an-earlier-answer', 'a call is given the answer to the one before', ['CLI-028', 'CLI-053'], {
    value: latecomer(),
  }),
  mutant('swallows-broken-json', 'broken JSON is returned as nothing', ['CLI-028'], { malformedAnswer: 'undefined' }),
  mutant('does-not-abort-an-attempt', 'an abort does not end an attempt', ['CLI-029', 'CLI-036'], {
    abortEnds: ['body', 'wait'],
  }),
  mutant('does-not-abort-a-wait', 'an abort does not end a wait', ['CLI-029', 'CLI-036'], {
    abortEnds: ['attempt', 'body'],
  }),
  mutant('tells-an-abort-as-network-error', 'an abort is told as network_error', ['CLI-036'], {
    failureCode: (code) => (code === 'aborted' ? 'network_error' : code),
  }),
  mutant('tells-a-time-out-as-network-error', 'a time-out is told as network_error', ['CLI-035'], {
    failureCode: (code) => (code === 'timeout' ? 'network_error' : code),
  }),
  mutant('tells-network-errors-otherwise', 'a network failure is told as fetch_failed', ['CLI-034'], {
    failureCode: (code) => (code === 'network_error' ? 'fetch_failed' : code),
  }),
  mutant('tells-failures-as-500', 'without an answer the status is 500', ['CLI-034', 'CLI-035', 'CLI-036'], {
    failureStatus: 500,
  }),
  mutant('drops-fix', 'errors have no fix', ['CLI-031'], {
    error: (fields) => {
      const { fix: _fix, ...rest } = error(fields)
      return { ...rest, fix: '' }
    },
  }),
  mutant('says-nothing-of-a-timeout', 'the error of a time-out or an abort has no message', ['CLI-031'], {
    error: (fields) => ({ ...error(fields), message: /^(timeout|aborted)$/.test(fields.code) ? '' : fields.message }),
  }),
  mutant('drops-the-code', 'errors have a code of the status', ['CLI-031'], {
    error: (fields) => ({ ...error(fields), code: fields.status > 0 ? `http_${fields.status}` : fields.code }),
  }),
  mutant('chokes-on-error-pages', 'an error whose body is no JSON is an exception of another kind', ['CLI-031'], {
    errorFields: (body) => ({ ...readErrorFields(body), code: (body as { code: string }).code }),
  }),
  mutant('drops-errors', 'errors of invalid_batch are dropped', ['CLI-032'], {
    error: (fields) => {
      const { errors: _errors, ...rest } = error(fields)
      return rest
    },
  }),
  mutant('drops-retry-after', 'a 429 error has no retryAfter', ['CLI-033'], { retryAfterSeconds: () => undefined }),
  mutant('tells-retry-after-in-milliseconds', 'retryAfter is in milliseconds', ['CLI-033'], {
    retryAfterSeconds: (header) => (header === null ? undefined : Number(header) * 1_000),
  }),
  mutant('throws-the-first-error', 'the first error is thrown in the end', ['CLI-057'], { thrownError: 'first' }),
  mutant(
    'sends-to-another-path',
    'emails.send goes to /v1/email',
    ['CLI-037'],
    operation('emails.send', { ...operations['emails.send'], path: '/v1/email' }),
  ),
  mutant('wraps-batches', 'a batch is wrapped in an object', ['CLI-038'], {
    body: (_name, body) => (Array.isArray(body) ? { emails: body } : body),
  }),
  mutant(
    'gets-emails-by-query',
    'an email is got by a query',
    ['CLI-039'],
    operation('emails.get', { ...operations['emails.get'], path: '/v1/emails' }),
  ),
  mutant('leaves-ids-as-they-are', 'ids are not escaped', ['CLI-039'], { pathParameter: (value) => value }),
  mutant('decodes-the-cursor', 'a cursor is decoded before it is sent', ['CLI-040'], {
    query: (_name, query) =>
      typeof query['cursor'] === 'string' ? { ...query, cursor: decodeURIComponent(query['cursor']) } : query,
  }),
  mutant('drops-the-cursor', 'the cursor of a list is dropped', ['CLI-040'], {
    query: (_name, { cursor: _cursor, ...others }) => others,
  }),
  mutant(
    'reschedules-by-put',
    'rescheduling is a PUT',
    ['CLI-041'],
    operation('emails.update', { ...operations['emails.update'], method: 'PUT' }),
  ),
  mutant(
    'cancels-by-delete',
    'cancelling is a DELETE',
    ['CLI-042'],
    operation('emails.cancel', { method: 'DELETE', path: '/v1/emails/{id}' }),
  ),
  mutant('reschedules-without-a-time', 'rescheduling sends no scheduled_at', ['CLI-041'], {
    body: (name, body) => (name === 'emails.update' ? {} : body),
  }),
  mutant('sends-the-email-as-text', 'the content type of a request is text/plain', ['CLI-037'], {
    contentType: 'text/plain',
  }),
  mutant('sends-the-day-alone', 'the time of day of an ISO 8601 string is cut off', ['CLI-043'], {
    body: (_name, body) => {
      const { scheduled_at: at } = (body ?? {}) as { readonly scheduled_at?: unknown }
      return typeof at === 'string' ? { ...(body as object), scheduled_at: at.slice(0, 10) } : body
    },
  }),
  mutant('sends-dates-as-seconds', 'a date is sent as seconds', ['CLI-043'], {
    dateObject: (date) => date.getTime() / 1_000,
  }),
  mutant('sends-dates-in-words', 'a date is sent in words', ['CLI-043'], { dateObject: String }),
  mutant('misreads-phrases', 'a relative phrase is sent as now', ['CLI-044'], {
    phrase: (_phrase, nowMs) => new Date(nowMs).toISOString(),
  }),
  mutant('passes-scheduled-at-through', 'scheduledAt is sent under this name', ['CLI-045'], { scheduledAtAliases: [] }),
  mutant('passes-scheduled-at-of-batches-through', 'scheduledAt in a batch is sent under this name', ['CLI-045'], {
    body: (_name, body) => (Array.isArray(body) ? body.map(inCamelCase) : body),
  }),
  mutant('passes-scheduled-at-of-updates-through', 'scheduledAt of an update is sent under this name', ['CLI-045'], {
    body: (name, body) => (name === 'emails.update' ? inCamelCase(body) : body),
  }),
  mutant('sends-dates-of-batches-in-words', 'a date in a batch is sent in words', ['CLI-043'], {
    body: (_name, body) => (Array.isArray(body) ? body.map(inWords) : body),
  }),
  mutant('sends-dates-of-updates-in-words', 'a date of an update is sent in words', ['CLI-043'], {
    body: (name, body) => (name === 'emails.update' ? inWords(body) : body),
  }),
  mutant(
    'lists-deliveries-elsewhere',
    'deliveries are got from another path',
    ['CLI-046'],
    operation('webhooks.deliveries', { ...operations['webhooks.deliveries'], path: '/v1/webhooks/{id}/attempts' }),
  ),
  mutant(
    'replays-elsewhere',
    'a replay goes to another path',
    ['CLI-047'],
    operation('webhooks.replay', { ...operations['webhooks.replay'], path: '/v1/deliveries/{deliveryId}/replay' }),
  ),
  mutant('verifies-nothing', 'verifyWebhook checks nothing', ['CLI-048', 'CLI-049', 'CLI-050'], {
    verifySignature: async () => {},
  }),
  mutant('verifies-the-first-entry', 'only the first entry is compared', ['CLI-048', 'CLI-051'], {
    verifySignature: (delivery) => verify(withSignature(delivery, (entries) => entries.split(' ')[0] ?? '')),
  }),
  mutant('takes-entries-of-any-version', 'an entry of another version is taken for one of v1', ['CLI-048', 'CLI-051'], {
    verifySignature: (delivery) => verify(withSignature(delivery, (entries) => entries.replace(/v\w+,/g, 'v1,'))),
  }),
  mutant('takes-deliveries-from-the-future', 'a timestamp that lies ahead is not refused', ['CLI-048', 'CLI-051'], {
    verifySignature: (delivery) => {
      const signedAt = new Date(Number((delivery.headers as Headers)['webhook-timestamp']) * 1_000)
      return verify({ ...delivery, now: signedAt > new Date() ? signedAt : new Date() })
    },
  }),
  mutant(
    'verifies-the-body-written-anew',
    'the body is parsed and written again before it is verified',
    ['CLI-048', 'CLI-051'],
    {
      verifySignature: async (delivery) =>
        verify({ ...delivery, payload: JSON.stringify(JSON.parse(String(delivery.payload))) }),
    },
  ),
  mutant('tolerates-an-hour', 'verifyWebhook takes deliveries of an hour', ['CLI-049'], { toleranceSeconds: 3_600 }),
  mutant('returns-the-text', 'verifyWebhook returns the text', ['CLI-048'], {
    verifiedEvent: (payload) => String(payload),
  }),
  mutant('throws-a-bare-error', 'a refused delivery is a bare error', ['CLI-050', 'CLI-048'], {
    refusal: () => new Error('invalid'),
  }),
  mutant('returns-the-text-in-the-namespace', 'webhooks.verify returns the text', ['CLI-051'], {
    namespacedVerify: (verifyWebhook) => async (delivery) => {
      await verifyWebhook(delivery)
      return String(delivery.payload) as never
    },
  }),
  mutant('verifies-only-at-the-top', 'webhooks.verify checks nothing', ['CLI-051'], {
    namespacedVerify: () => async (delivery) => JSON.parse(String(delivery.payload)) as never,
  }),
]
