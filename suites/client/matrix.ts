// CLI-007  "`maxRetries` is the number of retries after the first attempt."
// CLI-008  "`maxRetries` is 2 by default."
// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-015  "A network failure is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
// CLI-027  "Other POST requests that create something are not retried after a server error."
// CLI-061  "Other POST requests that create something are not retried after a server error: webhooks, inboxes, domains and keys."
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
// CLI-033  "A 429 error has `retryAfter` in seconds, from the `Retry-After` header."
// CLI-034  "When no response arrives for a network failure, `status` is 0 and `code` is `network_error`."
//
// Reading: the sentences are about every method, so each method is tested. `Retry-After: 0` shortens the waits; retries.ts tests a retry
// without it. A key of the caller's makes a create none of the four that are repeated.

import { refusal } from '../../harness/authoring.js'
import { atOnce, failing, reset, success } from './shared/answers.js'
import { isRepeated, methods, requirementsOf, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

/** Neither 429 nor 5xx. Left out is what the HTTP library below a client may act on itself, such as 407 and 421. */
const thrown = [
  400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 418, 422, 423, 424, 425, 426, 428,
  431, 451, 499,
]
const serverErrors = [500, 501, 502, 503, 504, 507, 520, 599]
const error = { code: 'not_today', message: 'The request was refused by the test.', fix: 'Ask tomorrow.' }

const repeated = methods.filter(isRepeated)
const creating = methods.filter(({ effect }) => effect === 'creates')

export const matrix = [
  ...repeated.map((method) =>
    scenario({
      id: `client/matrix/${slugOf(method)}-is-retried`,
      requirements: requirementsOf(method, 'CLI-013', 'CLI-014', 'CLI-015'),
      title: `${method.name} retries a 429, a 503 and a reset, and returns the fourth answer`,
      calls: [{ method, maxRetries: 3, answers: [failing(429), failing(503), reset, success] }],
    }),
  ),

  ...repeated.map((method) =>
    scenario({
      id: `client/matrix/${slugOf(method)}-is-retried-after-any-5xx`,
      requirements: requirementsOf(method, 'CLI-014'),
      title: `${method.name} is retried after each of ${serverErrors.join(', ')}`,
      calls: serverErrors.map((status) => ({ method, maxRetries: 1, answers: [failing(status), success] })),
    }),
  ),

  ...repeated.map((method) =>
    scenario({
      id: `client/matrix/${slugOf(method)}-keeps-to-max-retries`,
      requirements: requirementsOf(method, 'CLI-007', 'CLI-008'),
      title: `${method.name} answered 503 each time is retried maxRetries times, and twice by default`,
      calls: [
        ...[0, 1, 4].map((maxRetries) => ({ method, maxRetries, answers: [failing(503)] as const })),
        { method, answers: [failing(503)] },
      ],
    }),
  ),

  ...methods.map((method) =>
    scenario({
      id: `client/matrix/${slugOf(method)}-throws-other-errors-at-once`,
      requirements: requirementsOf(method, 'CLI-020'),
      title: `${method.name} answered with a 4xx other than 429 throws it after one request`,
      keepsConnections: true,
      calls: thrown.map((status) => ({ method, maxRetries: 2, answers: [refusal(status, 'no_use')] })),
    }),
  ),

  ...methods.map((method) =>
    scenario({
      id: `client/matrix/${slugOf(method)}-tells-its-errors`,
      requirements: requirementsOf(method, 'CLI-031', 'CLI-033', 'CLI-034'),
      title: `errors of ${method.name} have the fields of the answer, or code network_error`,
      calls: [
        { method, maxRetries: 0, answers: [failing(429, 17)] },
        { method, maxRetries: 0, answers: [reset] },
      ],
      errors: [{ method, status: 409, error }],
    }),
  ),

  ...creating.map((method) =>
    scenario({
      id: `client/matrix/${slugOf(method)}-is-not-repeated-after-a-server-error`,
      requirements: [method.reportedUnder === undefined ? 'CLI-027' : 'CLI-061'],
      title: `${method.name} does not retry a 5xx at any attempt, even with the caller's idempotencyKey`,
      calls: [
        ...serverErrors.map((status) => ({ method, maxRetries: 2, answers: [failing(status)] as const })),
        { method, maxRetries: 2, answers: [failing(500)], ownKey: 'usual' },
        // Whether a 429 is followed by a second attempt is open; the server error of that one is not followed by a third.
        { method, maxRetries: 2, answers: [failing(429), refusal(500, 'broken', atOnce)] },
      ],
    }),
  ),
]
