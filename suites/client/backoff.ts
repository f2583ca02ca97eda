// CLI-018  "A `Retry-After` header in seconds is obeyed: the retry is not sent earlier."
// CLI-019  "A `Retry-After` header with an HTTP date is obeyed: the retry is not sent earlier."
//
// Reading: no cap on Retry-After is stated: 12 seconds is more than the usual cap of clients on their own waits. A client may give up at once
// where a wait is longer than a minute, but sends no retry early: timers of some runtimes end at once if 32 bits are too few for their time.

import { json, refusal } from '../../harness/authoring.js'
import { failing, success } from './shared/answers.js'
import { isRepeated, methods, requirementsOf, sending, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

/** Longer than some libraries are willing to wait; 30 days are more milliseconds than 32 bits hold. In seconds. */
const longSeconds = [300, 2_592_000]
/** Shorter than what careful libraries cut a wait to, which no caller may want for a month; in milliseconds. */
const watchedMs = 20_000
const created = json(201, { id: 'x_1', object: 'x', secret: 'whsec_AAAA' })

/** Names of the cases that preceded the others, by method. */
const formerNames: Readonly<Record<string, `client/${string}/${string}`>> = {
  'emails.get': 'client/backoff/obeys-retry-after-of-a-get',
  'emails.update': 'client/backoff/obeys-retry-after-of-a-patch',
  'webhooks.delete': 'client/backoff/obeys-retry-after-of-a-delete',
}

/** Server errors other than those of the cases of each method. */
const otherServerErrors = [501, 502, 504, 507, 520, 529, 599]

export const backoff = [
  ...[429, 500, 503].map((status) =>
    scenario({
      id: `client/backoff/obeys-retry-after-in-seconds-of-a-${status}`,
      requirements: ['CLI-018'],
      title: `a ${status} with Retry-After: 3 is retried no earlier than 3 seconds later, every time`,
      calls: [{ method: sending, maxRetries: 2, answers: [failing(status, 3), success] }],
    }),
  ),

  ...methods.filter(isRepeated).map((method) =>
    scenario({
      id: formerNames[method.name] ?? `client/backoff/${slugOf(method)}-obeys-retry-after`,
      requirements: requirementsOf(method, 'CLI-018', 'CLI-019'),
      title: `${method.name} waits at least the Retry-After of a 429, 502 and 503`,
      calls: [
        {
          method,
          maxRetries: 3,
          answers: [failing(429, 3), { kind: 'dated', status: 503, inSeconds: 2 }, failing(502, 2), success],
        },
      ],
    }),
  ),

  // It is open whether a create is repeated after a 429; if it is, its wait is not.
  ...methods
    .filter(({ effect }) => effect === 'creates')
    .map((method) =>
      scenario({
        id: `client/backoff/${slugOf(method)}-obeys-retry-after`,
        requirements: requirementsOf(method, 'CLI-018'),
        title: `${method.name} answered 429 waits at least Retry-After, if it retries`,
        calls: [
          { method, maxRetries: 1, answers: [created] },
          { method, maxRetries: 1, answers: [failing(429, 3), created] },
        ],
      }),
    ),

  scenario({
    id: 'client/backoff/obeys-a-long-retry-after',
    requirements: ['CLI-018'],
    title: 'a 503 with Retry-After: 12 is retried no earlier than 12 seconds later',
    calls: [{ method: sending, maxRetries: 2, answers: [failing(503, 12), success] }],
  }),

  scenario({
    id: 'client/backoff/obeys-a-retry-after-of-more-than-a-minute',
    requirements: ['CLI-018'],
    title: `a 503 with Retry-After: ${longSeconds.join(' or ')} is not retried within ${watchedMs / 1000} seconds`,
    timeoutMs: 90_000,
    isSideBySide: true,
    calls: longSeconds.map((seconds) => ({
      method: sending,
      maxRetries: 2,
      timeoutMs: 5_000,
      options: { abort_after_ms: watchedMs },
      answers: [failing(503, seconds)],
    })),
  }),

  scenario({
    id: 'client/backoff/obeys-retry-after-with-a-date',
    requirements: ['CLI-019'],
    title: 'a 429 whose Retry-After is an HTTP date is retried no earlier than that date',
    calls: [{ method: sending, maxRetries: 2, answers: [{ kind: 'dated', status: 429, inSeconds: 3 }, success] }],
  }),

  scenario({
    id: 'client/backoff/obeys-retry-after-with-a-date-of-a-503',
    requirements: ['CLI-019'],
    title: 'a 503 whose Retry-After is an HTTP date is retried no earlier than that date',
    calls: [{ method: sending, maxRetries: 2, answers: [{ kind: 'dated', status: 503, inSeconds: 3 }, success] }],
  }),

  scenario({
    id: 'client/backoff/obeys-retry-after-of-any-5xx',
    requirements: ['CLI-018'],
    title: 'any 5xx with Retry-After: 3 is retried no earlier than 3 seconds later',
    timeoutMs: 120_000,
    isSideBySide: true,
    calls: otherServerErrors.map((status) => ({
      method: sending,
      maxRetries: 1,
      answers: [failing(status, 3), success],
    })),
  }),

  scenario({
    id: 'client/backoff/retry-after-of-zero-does-not-stop-the-retry',
    requirements: ['CLI-018'],
    title: 'a Retry-After of 0 or a past date is followed by a retry',
    calls: [
      '0',
      'Wed, 21 Oct 2015 07:28:00 GMT',
      // RFC 9110, 5.6.7: who receives a date takes these two as well.
      'Wednesday, 21-Oct-15 07:28:00 GMT',
      'Wed Oct 21 07:28:00 2015',
    ].map((value) => ({
      method: sending,
      maxRetries: 2,
      answers: [refusal(429, 'slow_down', { 'retry-after': value }), success],
    })),
  }),
]
