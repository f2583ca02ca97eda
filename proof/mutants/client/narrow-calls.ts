import type { RetryPolicy } from '../../../reference/client/policy/retries.js'
import { defineMutant, type Mutant } from '../define.js'
import type { Patch } from '../../patching/patch.js'
import { inTransport, obeyingRetryAfter, unshownPaths, withUnshownPaths } from './support.js'

/** The options of one attempt of one method, made otherwise. */
const inAttempt = (given: string): Patch => inTransport('timeoutMs, signal, policy', `${given}, policy`)

/** The automatic key, left out where the condition holds. */
const keyedUnless =
  (isLeftOut: (call: { readonly operation: string; readonly body: string }) => boolean): RetryPolicy['key'] =>
  ({ operation, isAutomatic, given, ofCall, body = '' }) =>
    given ?? (isAutomatic && !isLeftOut({ operation, body }) ? ofCall : undefined)

const isBatch = (
  { operation, body }: { readonly operation: string; readonly body: string },
  count: (made: number) => boolean,
) => operation === 'emails.batch' && count((JSON.parse(body) as unknown[]).length)

/** A new key for the attempt after one of this status. */
const newKeyAfter = (status: number) =>
  [
    inTransport('let waitedMs = 0', 'let waitedMs = 0\n    let lastStatus'),
    inTransport('key: keyOf(attempt)', `key: lastStatus === ${status} ? runtime.newKey() : keyOf(attempt)`),
    inTransport(
      'if (attempt >= attempts ||',
      "lastStatus = outcome.kind === 'answer' ? outcome.status : 0\n      if (attempt >= attempts ||",
    ),
  ] as const

/** The key of a call that ended so is that of the next one with the same body. */
const keptAfter = (code: 'timeout' | 'aborted') =>
  [
    inTransport(
      'const ofCall = runtime.newKey()',
      'const ofCall = settings.unused?.body === body ? settings.unused.key : runtime.newKey()',
    ),
    inTransport(
      'const outcome = await makeAttempt(',
      'settings.unused = undefined\n      const outcome = await makeAttempt(',
    ),
    inTransport(
      'if (attempt >= attempts ||',
      `if (outcome.kind === 'failure' && outcome.code === '${code}') settings.unused = { key: keyOf(attempt), body: request.body }\n      if (attempt >= attempts ||`,
    ),
  ] as const

/** Mistakes in one detail of a call: a third attempt, one status, one form of an argument, one character of a key. */
export const narrowCallMutants: readonly Mutant<'client'>[] = [
  ...(['emails.send', 'emails.get', 'conversations.list'] as const).map((method) =>
    defineMutant({
      id: `client/heeds-no-signal-in-a-third-attempt-of-${method.replace('.', '-')}`,
      title: `an abort does not end a third attempt of ${method}`,
      breaks: method === 'conversations.list' ? ['CLI-060'] : ['CLI-029'],
      patch: [
        inAttempt(`timeoutMs, signal: request.operation === '${method}' && attempt === 3 ? undefined : signal`),
        withUnshownPaths,
      ],
    }),
  ),
  defineMutant({
    id: 'client/limits-no-third-attempt-of-a-get',
    title: 'timeoutMs of a call does not limit a third attempt of emails.get',
    breaks: ['CLI-030'],
    patch: [
      inAttempt(
        "timeoutMs: request.operation === 'emails.get' && attempt === 3 ? settings.timeoutMs : timeoutMs, signal",
      ),
    ],
  }),
  ...([3, 4] as const).map((number) =>
    defineMutant({
      id: `client/limits-no-attempt-${number}`,
      title: `attempt ${number} may take a minute, whatever timeoutMs is`,
      breaks: ['CLI-009', 'CLI-030'],
      patch: [inAttempt(`timeoutMs: attempt === ${number} ? 60_000 : timeoutMs, signal`)],
    }),
  ),
  ...([504, 529] as const).map((status) =>
    defineMutant({
      id: `client/ignores-retry-after-of-a-${status}`,
      title: `Retry-After of a ${status} is ignored`,
      breaks: ['CLI-018'],
      patch: [obeyingRetryAfter(`outcome.status !== ${status}`)],
    }),
  ),
  defineMutant({
    id: 'client/stumbles-over-an-older-date',
    title: 'a Retry-After with an RFC 850 date throws a plain JavaScript exception',
    breaks: ['CLI-013', 'CLI-018'],
    patch: [
      {
        file: 'client/retry-after.ts',
        find: 'const at = ',
        replace: "if (/day,/.test(text)) throw new TypeError('no date')\n  const at = ",
      },
    ],
  }),
  defineMutant({
    id: 'client/drops-extra-headers-of-zero',
    title: 'extra headers with the value "0" are dropped',
    breaks: ['CLI-012'],
    policy: {
      extraHeaders: (headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '0')),
    },
  }),
  ...(
    [
      ['escapes-the-key', 'escaped for a URL', encodeURIComponent],
      ['lowers-the-key', 'in small letters', (key: string) => key.toLowerCase()],
      ['cuts-the-padding-off-the-key', 'without the equals signs at its end', (key: string) => key.replace(/=+$/, '')],
      [
        'keeps-64-characters-of-the-key',
        'without what follows its first 64 characters',
        (key: string) => key.slice(0, 64),
      ],
    ] as const
  ).map(([name, how, change]) =>
    defineMutant({
      id: `client/${name}`,
      title: `the key is sent ${how}`,
      breaks: ['CLI-001', 'CLI-002'],
      policy: { credentials: (key = '') => ({ headers: { authorization: `Bearer ${change(key)}` }, query: {} }) },
    }),
  ),
  ...([500, 502] as const).map((status) =>
    defineMutant({
      id: `client/takes-a-new-key-after-a-${status}`,
      title: `after a ${status}, the next attempt has a new idempotency key`,
      breaks: ['CLI-025', 'CLI-023', 'CLI-024'],
      patch: newKeyAfter(status),
    }),
  ),
  ...(
    [
      ['a-time-out', 'timeout', 'got no answer in time'],
      ['an-abort', 'aborted', 'was aborted'],
    ] as const
  ).map(([name, code, how]) =>
    defineMutant({
      id: `client/uses-the-key-again-after-${name}`,
      title: `a call with the same body as an earlier one that ${how} reuses its key`,
      breaks: ['CLI-052', 'CLI-023', 'CLI-024'],
      patch: keptAfter(code),
    }),
  ),
  ...(
    [
      [
        'sends-no-key-with-what-is-scheduled',
        'an email with a time',
        ['CLI-021'],
        ({ body }) => body.includes('"scheduled_at"'),
      ],
      ['sends-no-key-with-html', 'an email with html', ['CLI-021'], ({ body }) => body.includes('"html"')],
      [
        'sends-no-key-with-large-batches',
        'a batch of more than ten',
        ['CLI-022'],
        (call) => isBatch(call, (made) => made > 10),
      ],
      [
        'sends-no-key-with-a-batch-of-one',
        'a batch of one',
        ['CLI-022'],
        (call) => isBatch(call, (made) => made === 1),
      ],
      [
        'sends-no-key-with-replies-to-all',
        'a reply to all',
        ['CLI-024'],
        ({ operation, body }) => operation === 'messages.reply' && body.includes('true'),
      ],
    ] as const satisfies readonly (readonly [
      string,
      string,
      Mutant<'client'>['breaks'],
      Parameters<typeof keyedUnless>[0],
    ])[]
  ).map(([name, what, breaks, isLeftOut]) =>
    defineMutant({
      id: `client/${name}`,
      title: `${what} has no automatic key`,
      breaks,
      policy: { unshownPaths, key: keyedUnless(isLeftOut) },
    }),
  ),
  defineMutant({
    id: 'client/sends-parts-of-a-second-without-zeros',
    title: '7 milliseconds of a date object are written as .7',
    breaks: ['CLI-043'],
    policy: { dateObject: (date) => `${date.toISOString().slice(0, 19)}.${date.getUTCMilliseconds()}Z` },
  }),
  defineMutant({
    id: 'client/lowers-local-parts',
    title: 'inboxes.create sends the local part in small letters',
    breaks: ['CLI-060'],
    policy: {
      unshownPaths,
      body: (name, body) =>
        name === 'inboxes.create'
          ? { ...(body as object), local_part: String((body as { local_part?: unknown }).local_part).toLowerCase() }
          : body,
    },
  }),
  ...(
    [
      ['emails.get', 'shows-what-an-email-was', 'serves emails.get from a stale cache'],
      [
        'emails.send',
        'takes-a-second-send-for-a-repeat',
        'the second of two sends that are alike gets the first result',
      ],
    ] as const
  ).map(([operation, name, title]) =>
    defineMutant({
      id: `client/${name}`,
      title,
      breaks: ['CLI-028'],
      patch: [
        inTransport(
          'let waitedMs = 0',
          `let waitedMs = 0
    const told = (settings.told ??= new Map())
    const question = request.operation === '${operation}' ? request.url + ' ' + (request.body ?? '') : Symbol()
    if (told.has(question)) return told.get(question)`,
        ),
        inTransport(
          'return valueOf(outcome, request, policy)',
          'return told.set(question, valueOf(outcome, request, policy)).get(question)',
        ),
      ],
    }),
  ),
]
