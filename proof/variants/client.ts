import type { OpenPointId } from '../../spec/open-points.js'
import { defaultClientPolicy, type ClientPolicy } from '../../reference/client/policy.js'
import { waitsByPolling } from './polling-wait.js'
import { unshownPaths } from './unshown-paths.js'
import type { Variant } from './variant.js'

function variant(
  id: string,
  title: string,
  policy: Partial<ClientPolicy>,
  openPoints: readonly OpenPointId[] = [],
): Variant<'client'> {
  return { id: `client/${id}`, title, openPoints, policy }
}

const { askedWaitMs, body, error, fallbackFields, phrase, retryAfterSeconds, value } = defaultClientPolicy

type Fields = Readonly<Record<string, unknown>>
const asFields = (json: unknown): Fields => (typeof json === 'object' && json !== null ? (json as Fields) : {})

/** Conforming alternatives of the reference client: base, growth and jitter of its waits, and all that is not shown. */
export const clientVariants: readonly Variant<'client'>[] = [
  variant('sends-times-in-utc', 'an ISO 8601 string with an offset is sent as the same instant in UTC', {
    body: (name, given) => {
      const sent = body(name, given)
      const { scheduled_at: at } = asFields(sent)
      const hasOffset = typeof at === 'string' && /T.*[+-]\d\d:\d\d$/.test(at)
      return hasOffset ? { ...asFields(sent), scheduled_at: new Date(at).toISOString() } : sent
    },
  }),
  {
    id: 'client/asks-before-each-request',
    title: 'an OPTIONS goes before each request, as runtimes in a page send it',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'client/attempt.ts',
        find: 'const response = await send(url, { ...init, signal: controller.signal })',
        replace: `await send(url, { method: 'OPTIONS', signal: controller.signal })
      const response = await send(url, { ...init, signal: controller.signal })`,
      },
    ],
  },
  {
    id: 'client/sends-reads-again-beneath',
    title: 'the HTTP library sends a GET again at once whose connection ended without an answer',
    openPoints: ['resends-of-http'],
    policy: {},
    patch: [
      {
        file: 'client/attempt.ts',
        find: 'const response = await send(url, { ...init, signal: controller.signal })',
        replace: `const again = () => send(url, { ...init, signal: controller.signal })
      const response = await again().catch((cause) => {
        if (init.method !== 'GET' || controller.signal.aborted) throw cause
        return again()
      })`,
      },
    ],
  },
  variant(
    'writes-the-scheme-in-lower-case',
    'the key goes as `bearer`',
    {
      credentials: (apiKey) => ({
        headers: apiKey === undefined ? {} : { authorization: `bearer ${apiKey}` },
        query: {},
      }),
    },
    ['scheme-case'],
  ),
  variant('has-zero-for-no-retry-after', 'retryAfter is 0 where there is no such header', {
    retryAfterSeconds: (header, nowMs) => (header === null ? 0 : retryAfterSeconds(header, nowMs)),
  }),
  variant('waits-shortly', 'waits begin at 100 ms', { backoffBaseMs: 100 }),
  variant('waits-long', 'waits begin at 2 seconds', { backoffBaseMs: 2_000 }),
  variant('waits-three-times-as-long', 'waits grow by 3', { backoffFactor: 3, backoffBaseMs: 200 }),
  variant('has-full-jitter', 'a wait is anything up to its bound', { jitter: 1 }),
  variant('has-equal-jitter', 'one half of a wait is chance', { jitter: 0.5 }),
  variant('has-little-jitter', 'a tenth of a wait is chance', { jitter: 0.1 }),
  variant('has-decorrelated-jitter', 'a wait is anything between 200 ms and three times the wait before it', {
    waitMs: ({ askedMs, previousMs }) => askedMs ?? 200 + Math.random() * (3 * Math.max(200, previousMs) - 200),
  }),
  variant('waits-up-to-a-low-cap', 'no wait of its own is longer than a second', {
    backoffBaseMs: 300,
    backoffCapMs: 1_000,
  }),
  variant('cuts-at-a-cap-after-jitter', 'a wait is anything up to its bound, cut at 1.5 seconds', {
    backoffBaseMs: 500,
    jitter: 1,
    waitMs: ({ askedMs, backoffMs }) => askedMs ?? Math.min(1_500, backoffMs),
  }),
  variant('adds-a-second-of-jitter', 'up to a second is added to waits that begin at 200 ms', {
    jitter: 0,
    backoffBaseMs: 200,
    waitMs: ({ askedMs, backoffMs }) => (askedMs ?? backoffMs) + Math.random() * 1_000,
  }),
  variant('adds-jitter-to-retry-after', 'adds up to half a second to Retry-After', {
    waitMs: ({ askedMs, backoffMs }) => (askedMs === undefined ? backoffMs : askedMs + Math.random() * 500),
  }),
  variant('adds-jitter', 'up to 100 ms are added to a wait', {
    jitter: 0,
    waitMs: ({ askedMs, backoffMs }) => (askedMs ?? backoffMs) + Math.random() * 100,
  }),
  variant('caps-retry-after', 'no wait is longer than a minute', {
    askedWaitMs: (header, nowMs) => {
      const askedMs = askedWaitMs(header, nowMs)
      return askedMs === undefined ? undefined : Math.min(askedMs, 60_000)
    },
  }),
  variant('waits-longer-than-asked', 'waits the longer of Retry-After and its own delay', {
    waitMs: ({ askedMs = 0, backoffMs }) => Math.max(askedMs, backoffMs),
  }),
  variant(
    'does-not-retry-time-outs',
    'a time-out of its own is thrown at once',
    { retriedFailures: ['network_error'] },
    ['retry-of-timeouts'],
  ),
  variant('rounds-retry-after-up', 'rounds Retry-After up to whole seconds, and adds one', {
    askedWaitMs: (header, nowMs) => {
      const askedMs = askedWaitMs(header, nowMs)
      return askedMs === undefined ? undefined : Math.ceil(askedMs / 1_000) * 1_000 + 1_000
    },
  }),
  variant('tells-fractions-of-retry-after', 'retryAfter of a date has decimals', {
    retryAfterSeconds: (header, nowMs) => {
      const askedMs = askedWaitMs(header, nowMs)
      return askedMs === undefined ? undefined : askedMs / 1_000
    },
  }),
  variant('rounds-retry-after-down', 'retryAfter of a date is rounded down', {
    retryAfterSeconds: (header, nowMs) => {
      const askedMs = askedWaitMs(header, nowMs)
      return askedMs === undefined ? undefined : Math.floor(askedMs / 1_000)
    },
  }),
  variant('escapes-more', 'in an id everything but letters and digits is escaped', {
    pathParameter: (value) =>
      encodeURIComponent(value).replace(/[!'()*~.-]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  }),
  variant('never-repeats-creations', 'never retries a create', { retriedCreation: () => false }, [
    'retry-after-on-post',
  ]),
  variant(
    'repeats-creations-without-an-answer',
    'a create is retried on 429 and on network failure',
    { retriedCreation: (status) => status === 429 || status === undefined },
    ['retry-after-on-post'],
  ),
  variant('names-keys-otherwise', 'uses idempotency keys other than UUIDs', {
    key: ({ given, isAutomatic, ofCall }) => given ?? (isAutomatic ? `send-${ofCall}` : undefined),
  }),
  {
    id: 'client/waits-for-messages-itself',
    title: 'messages.wait polls the list, and applies filter and time itself',
    openPoints: [],
    policy: {},
    patch: waitsByPolling(),
  },
  {
    id: 'client/looks-for-aborts-once-a-second',
    title: 'while it waits to retry, a call looks once a second whether it was aborted',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'client/runtime.ts',
        find: "signal?.addEventListener('abort', end)",
        replace: '',
      },
      {
        file: 'client/runtime.ts',
        find: 'Math.min(Math.ceil(leftMs), longestTimerMs)',
        replace: 'Math.min(Math.ceil(leftMs), 1_000)',
      },
    ],
  },
  {
    id: 'client/counts-keys-behind-a-word-of-the-process',
    title: 'uses a random word and a counter as idempotency key',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'client/runtime.ts',
        find: "if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID()",
        replace: `const own = (ownState.keysOfProcess ??= { word: String(Math.random()).slice(2), count: 0 })
return \`\${own.word}-\${++own.count}\``,
      },
    ],
  },
  variant('sends-keys-with-everything', 'every request has an idempotency key', {
    key: ({ given, ofCall }) => given ?? ofCall,
  }),
  {
    id: 'client/sends-keys-with-posts-alone',
    title: "the caller's key goes with a POST alone",
    openPoints: ['key-without-effect'],
    ignores: ['CLI-067'],
    policy: { unshownPaths },
    patch: [
      {
        file: 'client/transport.ts',
        find: 'key: keyOf(attempt)',
        replace: "key: request.method === 'POST' ? keyOf(attempt) : undefined",
      },
    ],
  },
  variant('sends-more-headers', 'requests name the library and its runtime', {
    extraHeaders: (headers) => ({ 'user-agent': 'emails/1.2.3', 'x-client-runtime': 'node', ...headers }),
  }),
  variant('numbers-its-attempts', 'each attempt has its number in a header', {
    extraHeaders: (headers, { attempt }) => ({ ...headers, 'x-attempt': String(attempt) }),
  }),
  variant('writes-its-content-type-in-capitals', 'the content type is written in capitals', {
    contentType: 'Application/JSON',
  }),
  variant('names-its-charset', 'the content type has a charset', { contentType: 'application/json; charset=utf-8' }),
  variant('passes-phrases-on', 'a relative phrase is sent as it is', { phrase: (phrase) => phrase }, [
    'relative-phrase',
  ]),
  variant(
    'knows-phrases-in-hours',
    'of relative phrases only those in hours are known; others are refused',
    { phrase: (given, nowMs) => (/^in \d+ hours$/.test(given) ? phrase(given, nowMs) : undefined) },
    ['relative-phrase'],
  ),
  variant('writes-dates-with-an-offset', 'a date is sent with +00:00 and microseconds', {
    dateObject: (date) => date.toISOString().replace(/(\.\d{3})Z$/, '$1000+00:00'),
  }),
  variant('lists-recipients', 'a single recipient is sent as a list of one', {
    body: (name, given) => {
      const listed = (event: unknown) => {
        const { to } = asFields(event)
        return typeof to === 'string' ? { ...asFields(event), to: [to] } : event
      }
      return body(name, Array.isArray(given) ? given.map(listed) : listed(given))
    },
  }),
  variant(
    'reads-nested-errors',
    'an error is read below `error` alone',
    {
      errorFields: (json) => asFields(asFields(json)['error']),
      fallbackFields: (status) => ({ code: 'unknown_error', message: `HTTP ${status}`, fix: 'Ask the service.' }),
    },
    ['error-shape', 'error-codes'],
  ),
  variant(
    'reads-flat-errors',
    'an error is read at the top level alone',
    { errorFields: asFields, fallbackFields: (...args) => ({ ...fallbackFields(...args), code: 'api_error' }) },
    ['error-shape', 'error-codes'],
  ),
  variant('tells-more-of-errors', 'an error has a cause and a message with its status', {
    error: (fields) => ({ ...error(fields), cause: new Error('the answer') }),
  }),
  variant('hands-out-copies', 'a value is a copy of the JSON', {
    value: (json) => structuredClone(value(json)),
  }),
  variant('has-messages', 'the methods whose paths are not shown go to paths of their own', { unshownPaths }),
  {
    id: 'client/reads-no-body-that-is-not-shown',
    title: 'a method whose answer is not shown returns nothing once the status arrived',
    openPoints: [],
    policy: { unshownPaths },
    patch: [
      {
        file: 'client/transport.ts',
        find: 'fetch: settings.fetch,',
        replace: 'fetch: settings.fetch, isStatusEnough: ruleOf(request.operation, policy).bodyNotShown,',
      },
      {
        file: 'client/attempt.ts',
        find: 'text: await response.text()',
        replace: "text: options.isStatusEnough && policy.isSuccess(response.status) ? '' : await response.text()",
      },
    ],
  },
]
