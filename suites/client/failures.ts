// CLI-007  "`maxRetries` is the number of retries after the first attempt."
// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-015  "A network failure is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
// CLI-027  "Other POST requests that create something are not retried after a server error."
// CLI-057  "The last attempt's error is thrown when the retries are used up."
// CLI-061  "Other POST requests that create something are not retried after a server error: webhooks, inboxes, domains and keys."
//
// Reading: the sentences are about every failure, and do not distinguish a first attempt from a later one. A reset connection is never
// third, since a wait follows it. The status decides: a gateway answers a 429 or a 5xx with a page of its own or with nothing, and without
// `Retry-After`; code that parses the body as JSON before it checks the status treats such an answer as unreadable.

import { refusal, type Reply } from '../../harness/authoring.js'
import { atOnce, failing, page, reset, silence, success, type Answer } from './shared/answers.js'
import { isRepeated, methods, reading, requirementsOf, sending, slugOf } from './shared/methods.js'
import { hasOpenRequests } from './shared/script.js'
import { scenario } from './shared/scenario.js'

const kinds = [failing(429), failing(503), reset]
const pairs = kinds.flatMap((first) => kinds.map((second): [Reply, Reply] => [first, second]))
const empty = (status: number): Reply => ({ kind: 'empty', status })
const brokenJson: Reply = {
  kind: 'text',
  status: 500,
  body: '{"code":',
  contentType: 'application/json',
  headers: atOnce,
}

/** What a call is answered in turn, if its last answer is the error. */
const endings: readonly (readonly [Answer, Answer])[] = [
  [failing(503), reset],
  [failing(429), reset],
  [reset, refusal(503, 'last')],
  [failing(503), refusal(429, 'last')],
  [failing(429), page(500)],
]

const repeated = methods.filter(isRepeated)

export const failures = [
  ...repeated.flatMap((method) => [
    scenario({
      id: `client/failures/${slugOf(method)}-is-retried-after-any-two`,
      requirements: requirementsOf(method, 'CLI-013', 'CLI-014', 'CLI-015'),
      title: `${method.name} makes a third attempt after any two of 429, 503 and a reset connection`,
      timeoutMs: 120_000,
      calls: pairs.map((pair) => ({ method, maxRetries: 2, answers: [...pair, success] })),
    }),

    scenario({
      id: `client/failures/${slugOf(method)}-throws-other-errors-after-a-retry`,
      requirements: requirementsOf(method, 'CLI-020'),
      title: `${method.name} whose second attempt is answered 400, 403 or 409 ends with that error`,
      calls: [
        { method, maxRetries: 3, answers: [failing(429), failing(400)] },
        { method, maxRetries: 3, answers: [failing(503), failing(403)] },
        { method, maxRetries: 3, answers: [reset, failing(409)] },
      ],
    }),
  ]),

  ...repeated.map((method) =>
    scenario({
      id: `client/failures/${slugOf(method)}-is-retried-after-a-page`,
      requirements: requirementsOf(method, 'CLI-013', 'CLI-014'),
      title: `${method.name} is retried after a 429 or 5xx with an HTML page or no body`,
      calls: [{ method, maxRetries: 4, answers: [page(429), empty(503), page(502, atOnce), brokenJson, success] }],
    }),
  ),

  ...methods
    .filter(({ effect }) => effect === 'creates')
    .map((method) =>
      scenario({
        id: `client/failures/${slugOf(method)}-is-not-repeated-after-a-page`,
        requirements: [method.reportedUnder === undefined ? 'CLI-027' : 'CLI-061'],
        title: `${method.name} is not retried after a 5xx with an HTML page or no body`,
        calls: [empty(503), page(502, atOnce), brokenJson].map((reply) => ({
          method,
          maxRetries: 2,
          answers: [reply],
        })),
      }),
    ),

  scenario({
    id: 'client/failures/throws-a-page-of-another-error-at-once',
    requirements: ['CLI-020'],
    title: 'a 4xx with an HTML page or no body throws its status after one request',
    calls: [sending, reading].flatMap((method) =>
      [400, 403, 404, 413]
        .flatMap((status) => [page(status), empty(status)])
        .map((reply) => ({ method, maxRetries: 2, answers: [reply, success] })),
    ),
  }),

  scenario({
    id: 'client/failures/throws-the-error-of-the-last-attempt',
    requirements: ['CLI-057'],
    title: 'a call whose two attempts fail differently throws the error of the second',
    calls: [sending, reading].flatMap((method) => endings.map((answers) => ({ method, maxRetries: 1, answers }))),
  }),

  // A method without a shown path may make other requests too, so its attempts cannot be counted.
  ...methods
    .filter((method) => !hasOpenRequests(method))
    .map((method) =>
      scenario({
        id: `client/failures/${slugOf(method)}-counts-them-all`,
        requirements: requirementsOf(method, 'CLI-007'),
        title: `${method.name} that keeps failing, in one way or several, is retried at most maxRetries times`,
        timeoutMs: 120_000,
        calls: [
          { method, maxRetries: 1, answers: [failing(429)] },
          { method, maxRetries: 1, answers: [reset] },
          { method, maxRetries: 2, answers: [reset, failing(503), failing(429), reset, failing(503), failing(429)] },
          { method, maxRetries: 2, answers: [failing(503), reset, failing(429), failing(503), reset, failing(429)] },
          { method, maxRetries: 0, timeoutMs: 400, answers: [silence] },
        ],
      }),
    ),
]
