import { defineMutant, type Mutant } from '../define.js'
import { inTransport } from './support.js'

const wait = (ms: string) => [inTransport('waitedMs = waitMs(outcome', `waitedMs = ${ms} waitMs(outcome`)] as const
const status = (code: number) => `outcome.kind === 'answer' && outcome.status === ${code}`
const isReset = "outcome.kind === 'failure'"
const hasAsked = "(outcome.kind === 'answer' && outcome.headers.has('retry-after'))"
/** The wait of its own before the next retry, without jitter. */
const bareMs = 'policy.backoffBaseMs * policy.backoffFactor ** (attempt - 1)'
/** Counts failures of a kind. */
const counting = (name: string, isOne: string, then: string) =>
  [
    inTransport('let waitedMs = 0', `let waitedMs = 0\n    let ${name} = 0`),
    inTransport('if (attempt >= attempts ||', `if (${isOne}) ${name}++\n      if (${then} ||`),
  ] as const

/** Mistakes in a single cell: one method, one kind of failure, one attempt. */
export const narrowMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/waits-on-when-an-update-is-aborted',
    title: 'emails.update that is aborted while it waits to retry waits on',
    breaks: ['CLI-029'],
    patch: [
      inTransport(
        'runtime.wait(waitedMs, signal)',
        "runtime.wait(waitedMs, request.operation === 'emails.update' ? undefined : signal)",
      ),
    ],
  }),
  defineMutant({
    id: 'client/heeds-no-signal-when-a-cancel-is-made-again',
    title: 'a second attempt of emails.cancel is not ended by an abort',
    breaks: ['CLI-029'],
    patch: [
      inTransport(
        'timeoutMs, signal, policy',
        "timeoutMs, signal: request.operation === 'emails.cancel' && attempt > 1 ? undefined : signal, policy",
      ),
    ],
  }),
  defineMutant({
    id: 'client/limits-a-get-once',
    title: 'timeoutMs of a call limits only the first attempt of emails.get',
    breaks: ['CLI-030'],
    patch: [
      inTransport(
        'timeoutMs, signal, policy',
        "timeoutMs: request.operation === 'emails.get' && attempt > 1 ? settings.timeoutMs : timeoutMs, signal, policy",
      ),
    ],
  }),
  defineMutant({
    id: 'client/lists-without-the-time-out-of-the-client',
    title: 'emails.list may take a minute, whatever timeoutMs of its client is',
    breaks: ['CLI-009'],
    patch: [
      inTransport(
        'ofClient: settings.timeoutMs, ofCall',
        "ofClient: call.operation === 'emails.list' ? 60_000 : settings.timeoutMs, ofCall",
      ),
    ],
  }),
  defineMutant({
    id: 'client/is-dead-after-an-abort',
    title: 'once a call was aborted each later call of that client ends with aborted',
    breaks: ['CLI-029'],
    patch: [
      inTransport('return async (call)', 'let isDead = false\n  return async (call)'),
      inTransport('if (signal?.aborted === true)', 'if (isDead || signal?.aborted === true)'),
      inTransport(
        'if (attempt >= attempts ||',
        "isDead ||= outcome.kind === 'failure' && outcome.code === 'aborted'\n      if (attempt >= attempts ||",
      ),
    ],
  }),
  defineMutant({
    id: 'client/retries-a-429-once',
    title: 'a second 429 of a call is thrown at once',
    breaks: ['CLI-013'],
    patch: counting('slowed', status(429), 'attempt >= attempts || slowed > 1'),
  }),
  defineMutant({
    id: 'client/retries-a-reset-once',
    title: 'a second failure of the network is thrown at once',
    breaks: ['CLI-015'],
    patch: counting('resets', isReset, 'attempt >= attempts || resets > 1'),
  }),
  defineMutant({
    id: 'client/does-not-count-429s',
    title: 'up to three retries after a 429 count for nothing',
    breaks: ['CLI-007'],
    patch: counting('slowed', status(429), 'attempt - Math.min(slowed, 3) >= attempts'),
  }),
  defineMutant({
    id: 'client/retries-anything-after-a-retry',
    title: 'a call that was made again is made again after any error',
    breaks: ['CLI-020'],
    patch: [
      inTransport(
        '!isRetried(outcome, request, policy)',
        "(attempt === 1 && !isRetried(outcome, request, policy)) || (outcome.kind === 'failure' && outcome.code === 'aborted')",
      ),
    ],
  }),
  defineMutant({
    id: 'client/repeats-creations-after-a-501',
    title: 'a create is retried after a 501',
    breaks: ['CLI-027', 'CLI-061'],
    policy: { retriedCreation: (code) => code === 429 || code === 501 },
  }),
  defineMutant({
    id: 'client/loses-the-key-of-the-caller-after-a-reset',
    title: "after a failure of the network a call goes without its caller's key",
    breaks: ['CLI-058', 'CLI-026', 'CLI-025'],
    patch: [
      inTransport('let waitedMs = 0', 'let waitedMs = 0\n    let isReset = false'),
      inTransport('key: keyOf(attempt)', 'key: isReset && given !== undefined ? undefined : keyOf(attempt)'),
      inTransport('await runtime.wait', `isReset = ${isReset}\n      await runtime.wait`),
    ],
  }),
  defineMutant({
    id: 'client/lists-deliveries-without-retry-after',
    title: 'a 429 error of webhooks.deliveries has no retryAfter',
    breaks: ['CLI-033'],
    patch: [
      inTransport('retryAfter: policy', "retryAfter: request.operation === 'webhooks.deliveries' ? undefined : policy"),
    ],
  }),
  defineMutant({
    id: 'client/tells-lost-lists-as-time-outs',
    title: 'emails.list reports a network failure as timeout',
    breaks: ['CLI-034'],
    patch: [
      inTransport(
        ': failure(outcome.code,',
        ": failure(request.operation === 'emails.list' && outcome.code === 'network_error' ? 'timeout' : outcome.code,",
      ),
    ],
  }),
  defineMutant({
    id: 'client/gets-again-without-regard-for-a-date',
    title: 'emails.get ignores the Retry-After of a 503',
    breaks: ['CLI-018', 'CLI-019'],
    patch: wait(`request.operation === 'emails.get' && ${status(503)} && ${hasAsked} ? ${bareMs} :`),
  }),
  defineMutant({
    id: 'client/begins-to-retry-at-once',
    title: 'makes the first retry without a wait',
    breaks: ['CLI-016'],
    policy: { waitMs: ({ askedMs, backoffMs, attempt }) => askedMs ?? (attempt === 1 ? 0 : backoffMs) },
  }),
  defineMutant({
    id: 'client/has-no-jitter-before-the-first-retry',
    title: 'the wait before the first retry has no jitter',
    breaks: ['CLI-017'],
    policy: { waitMs: ({ askedMs, backoffMs, attempt }) => askedMs ?? (attempt === 1 ? 500 : backoffMs) },
  }),
  defineMutant({
    id: 'client/has-no-jitter-after-a-429',
    title: 'waits after a 429 have no jitter',
    breaks: ['CLI-017'],
    patch: wait(`${status(429)} && !${hasAsked} ? ${bareMs} :`),
  }),
  defineMutant({
    id: 'client/has-no-jitter-after-a-reset',
    title: 'waits after a failure of the network have no jitter',
    breaks: ['CLI-017'],
    patch: wait(`${isReset} ? ${bareMs} :`),
  }),
  defineMutant({
    id: 'client/waits-the-same-after-each-429',
    title: 'waits after a 429 are about a second each',
    breaks: ['CLI-016'],
    patch: wait(`${status(429)} && !${hasAsked} ? 900 + 200 * Math.random() :`),
  }),
  defineMutant({
    id: 'client/waits-the-same-after-each-reset',
    title: 'waits after a failure of the network are 200 to 400 ms each',
    breaks: ['CLI-016'],
    patch: wait(`${isReset} ? 200 + 200 * Math.random() :`),
  }),
  defineMutant({
    id: 'client/hurries-after-a-500',
    title: 'a 500 is retried without a wait',
    breaks: ['CLI-016'],
    patch: wait(`${status(500)} && !${hasAsked} ? 0 :`),
  }),
  defineMutant({
    id: 'client/hurries-the-first-retry-after-a-429',
    title: 'makes the first retry after a 429 without Retry-After without a wait',
    breaks: ['CLI-016'],
    patch: wait(`attempt === 1 && ${status(429)} && !${hasAsked} ? 0 :`),
  }),
  defineMutant({
    id: 'client/hurries-lists-of-webhooks',
    title: 'webhooks.list is retried without a wait',
    breaks: ['CLI-059'],
    patch: wait(`request.operation === 'webhooks.list' && !${hasAsked} ? 0 :`),
  }),
  defineMutant({
    id: 'client/gets-again-without-jitter',
    title: 'waits of emails.get have no jitter',
    breaks: ['CLI-017'],
    patch: wait(`request.operation === 'emails.get' && !${hasAsked} ? ${bareMs} :`),
  }),
  defineMutant({
    id: 'client/waits-the-same-before-each-update',
    title: 'waits of emails.update are about half a second each',
    breaks: ['CLI-016'],
    patch: wait(`request.operation === 'emails.update' && !${hasAsked} ? 400 + 200 * Math.random() :`),
  }),
  defineMutant({
    id: 'client/goes-on-where-a-list-ended',
    title: 'events.list without after continues after the last page',
    breaks: ['CLI-059'],
    patch: [
      {
        file: 'client/events.ts',
        find: 'const list =',
        replace: 'let told\n  const list =',
      },
      {
        file: 'client/events.ts',
        find: "call({ operation: 'events.list', query: { ...query }, options })",
        replace:
          "{\n    const page = await call({ operation: 'events.list', query: { after: told, ...query }, options })\n    told = page.next_after\n    return page\n  }",
      },
    ],
  }),
  defineMutant({
    id: 'client/asks-for-a-cursor-once',
    title: 'emails.list with a repeated cursor requests the first page',
    breaks: ['CLI-040'],
    patch: [
      {
        file: 'client/emails.ts',
        find: 'const update =',
        replace: 'const asked = new Set()\n  const update =',
      },
      {
        file: 'client/emails.ts',
        find: "call({ operation: 'emails.list', query: { ...query }, options })",
        replace:
          "{\n      const isAgain = query?.cursor !== undefined && asked.has(query.cursor)\n      asked.add(query?.cursor)\n      return call({ operation: 'emails.list', query: isAgain ? { limit: query.limit } : { ...query }, options })\n    }",
      },
    ],
  }),
  ...(
    [
      ['forgets-the-fix-after-a-retry', 'fix', "fix: attempt > 1 ? '' : error.fix", ['CLI-031']],
      ['forgets-the-errors-after-a-retry', 'errors', 'errors: attempt > 1 ? undefined : error.errors', ['CLI-032']],
      [
        'has-a-code-of-its-own-after-a-retry',
        'code',
        "code: attempt > 1 ? 'retries_exhausted' : error.code",
        ['CLI-031'],
      ],
    ] as const
  ).map(([name, what, field, breaks]) =>
    defineMutant({
      id: `client/${name}`,
      title: `the error of a retried call does not have the ${what} of the API`,
      breaks,
      patch: [
        inTransport(
          '!isRetried(outcome, request, policy)) throw error',
          `!isRetried(outcome, request, policy))\n        throw outcome.kind === 'failure'\n          ? error\n          : new ServiceError({ ...error, message: error.message, ${field} })`,
        ),
      ],
    }),
  ),
]
