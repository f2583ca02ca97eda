import { defaultClientPolicy } from '../../../reference/client/policy.js'
import { defineMutant, type Mutant } from '../define.js'
import { inTransport, obeyingRetryAfter } from './support.js'

const { retriedStatus } = defaultClientPolicy

const limiting = (timeoutMs: string) =>
  [
    inTransport('timeoutMs, signal, policy', `timeoutMs: attempt > 1 ? ${timeoutMs} : timeoutMs, signal, policy`),
  ] as const

/** What holds for the first attempt of a call, and for no later one. */
export const attemptsMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/limits-the-first-attempt-alone',
    title: 'only the first attempt is limited by timeoutMs',
    breaks: ['CLI-009'],
    patch: limiting('60_000'),
  }),
  defineMutant({
    id: 'client/limits-retries-by-the-timeout-of-the-client',
    title: 'timeoutMs of a call limits only its first attempt',
    breaks: ['CLI-030'],
    patch: limiting('settings.timeoutMs'),
  }),
  defineMutant({
    id: 'client/heeds-the-signal-of-the-first-attempt-alone',
    title: 'an abort does not end a second attempt',
    breaks: ['CLI-029'],
    patch: [inTransport('timeoutMs, signal, policy', 'timeoutMs, signal: attempt > 1 ? undefined : signal, policy')],
  }),
  defineMutant({
    id: 'client/obeys-the-first-retry-after-alone',
    title: 'Retry-After of a later answer is ignored',
    breaks: ['CLI-018'],
    patch: [obeyingRetryAfter('attempt === 1')],
  }),
  defineMutant({
    id: 'client/tells-the-first-retry-after',
    title: 'the error of the last attempt has the retryAfter of the first',
    breaks: ['CLI-033'],
    patch: [
      inTransport('let waitedMs = 0', 'let waitedMs = 0\n    let firstAsked'),
      inTransport(
        'if (attempt >= attempts ||',
        'firstAsked ??= error.retryAfter\n      if (firstAsked !== undefined) error.retryAfter = firstAsked\n      if (attempt >= attempts ||',
      ),
    ],
  }),
  defineMutant({
    id: 'client/tells-an-earlier-retry-after',
    title: 'a 429 error without the header has the retryAfter of an answer before it',
    breaks: ['CLI-033'],
    patch: [
      inTransport('let waitedMs = 0', 'let waitedMs = 0\n    let asked'),
      inTransport(
        'if (attempt >= attempts ||',
        'asked = error.retryAfter ?? asked\n      if (error.status === 429) error.retryAfter = asked\n      if (attempt >= attempts ||',
      ),
    ],
  }),
  ...(
    [
      ['a-429', 'a 429', "outcome.kind === 'answer' && outcome.status === 429"],
      ['a-lost-connection', 'a lost connection', "outcome.kind === 'failure'"],
    ] as const
  ).map(([id, what, cause]) =>
    defineMutant({
      id: `client/forgets-its-options-after-${id}`,
      title: `after ${what} a call is made again without its timeoutMs and its signal`,
      breaks: ['CLI-030', 'CLI-029'],
      patch: [
        inTransport('let waitedMs = 0', 'let waitedMs = 0\n    let isBare = false'),
        inTransport(
          'timeoutMs, signal, policy',
          'timeoutMs: isBare ? settings.timeoutMs : timeoutMs, signal: isBare ? undefined : signal, policy',
        ),
        inTransport('if (attempt >= attempts ||', `isBare ||= ${cause}\n      if (attempt >= attempts ||`),
      ],
    }),
  ),
  defineMutant({
    id: 'client/does-not-count-resets',
    title: 'retries a network failure once more than maxRetries allows',
    breaks: ['CLI-007'],
    patch: [inTransport('attempt >= attempts ||', "attempt >= attempts + (outcome.kind === 'failure' ? 1 : 0) ||")],
  }),
  defineMutant({
    id: 'client/hurries-after-resets',
    title: 'a failure of the network is retried without a wait',
    breaks: ['CLI-016'],
    patch: [inTransport('waitedMs = waitMs(outcome', "waitedMs = outcome.kind === 'failure' ? 0 : waitMs(outcome")],
  }),
  defineMutant({
    id: 'client/hurries-after-429',
    title: 'a 429 without Retry-After is retried without a wait',
    breaks: ['CLI-016'],
    patch: [
      inTransport(
        'waitedMs = waitMs(outcome',
        "waitedMs = outcome.kind === 'answer' && outcome.status === 429 && !outcome.headers.has('retry-after') ? 0 : waitMs(outcome",
      ),
    ],
  }),
  defineMutant({
    id: 'client/lists-again-without-regard',
    title: 'ignores Retry-After before it repeats a list of webhooks',
    breaks: ['CLI-059'],
    patch: [
      inTransport(
        'waitedMs = waitMs(outcome',
        "waitedMs = request.operation === 'webhooks.list' ? 400 : waitMs(outcome",
      ),
    ],
  }),
  defineMutant({
    id: 'client/hurries-what-only-reads',
    title: 'a GET is retried without a wait',
    breaks: ['CLI-016', 'CLI-059'],
    patch: [inTransport('waitedMs = waitMs(outcome', "waitedMs = request.method === 'GET' ? 0 : waitMs(outcome")],
  }),
  defineMutant({
    id: 'client/tries-reads-once-more',
    title: 'retries a GET once more than maxRetries allows',
    breaks: ['CLI-007', 'CLI-008', 'CLI-059'],
    patch: [inTransport('attempt >= attempts ||', "attempt >= attempts + (request.method === 'GET' ? 1 : 0) ||")],
  }),
  defineMutant({
    id: 'client/retries-reads-after-a-401',
    title: 'emails.get is retried after a 401',
    breaks: ['CLI-020'],
    policy: {
      retriedStatus: (status, name) => (status === 401 && name === 'emails.get') || retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/gives-up-lists-after-a-500',
    title: 'emails.list is not retried after a 500',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status, name) => !(status === 500 && name === 'emails.list') && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/retries-by-the-code-of-an-error',
    title: 'an error whose code is conflict or rate_limited is retried, whatever its status',
    breaks: ['CLI-020'],
    patch: [
      inTransport(
        'return policy.retriedStatus(',
        'if (/"(conflict|rate_limited)"/.test(outcome.text)) return true\n  return policy.retriedStatus(',
      ),
    ],
  }),
  defineMutant({
    id: 'client/retries-at-once-after-an-unreadable-retry-after',
    title: 'after an unreadable Retry-After the call is retried at once',
    breaks: ['CLI-016'],
    policy: {
      askedWaitMs: (header, nowMs) => {
        const requested = defaultClientPolicy.askedWaitMs(header, nowMs)
        return requested ?? (header === null ? undefined : 0)
      },
    },
  }),
]
