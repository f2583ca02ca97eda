// CLI-001  "`apiKey` is the first constructor argument and is sent as `Authorization: Bearer <API_KEY>`."
// CLI-012  "`headers` are extra headers sent with every request."
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
// CLI-060  "Methods whose path is not shown behave like every other method."
//
// Reading: the sentences are about every method, so each method is tested. Other requests of a method without a shown path, such as a
// look-up by name, are not judged: of one that creates something only the POSTs count. `Retry-After: 0` shortens the waits; retries.ts
// tests a retry without it. Each of these requests, whichever attempt it is, has the key and the extra headers, and is the request of the
// call.

import type { RequirementId } from '../../spec/index.js'
import { asText, clientCase, json, refusal, type CallResult, type ReceivedRequest } from '../../harness/authoring.js'
import { checkRepeats, checkCommonParts } from './request-checks.js'
import { clearerResult, shapes } from './errors.js'
import { errorOf } from './expectations.js'
import { requirementsOf, isRepeated, methods, slugOf } from './methods.js'

const atOnce = { 'retry-after': '0' }
const good = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
/** Neither 429 nor 5xx. Left out is what the HTTP library below a client may act on itself, such as 407 and 421. */
const thrown = [
  400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 418, 422, 423, 424, 425, 426, 428,
  431, 451, 499,
]
const serverErrors = [500, 501, 502, 503, 504, 507, 520, 599]

/** How often that request was made which was made most often: a method whose path is not shown may look something up first. */
function mostAlike(requests: readonly ReceivedRequest[]): number {
  const counts = new Map<string, number>()
  for (const { method, path } of requests) counts.set(`${method} ${path}`, (counts.get(`${method} ${path}`) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

export const matrix = [
  ...methods.filter(isRepeated).map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-is-retried`,
      requirements: requirementsOf(method, 'CLI-013', 'CLI-014', 'CLI-015'),
      level: 'must',
      title: `${method.name} retries a 429, a 503 and a reset, and returns the fourth answer`,
      async run({ client, server, check, apiKey, unique }) {
        server.replies(refusal(429, 'slow_down', atOnce), refusal(503, 'try_again', atOnce), { kind: 'reset' }, good)
        const probe = unique()
        const handle = await client({ max_retries: 3, headers: { 'x-probe': probe } })
        const result = await handle.call(method.name, method.args)
        const { length } = server.requests
        const causes = [
          ['CLI-013', 2, '429'],
          ['CLI-014', 3, '503'],
          ['CLI-015', 4, 'reset connection'],
        ] as const
        const [id, count, cause] = causes.find(([, needed]) => length < needed) ?? ['CLI-015', 4, 'reset connection']
        const on = check.of(method.reportedUnder ?? id)
        on.ok(
          `requests of ${method.name} after a ${cause}`,
          length >= count,
          `at least ${count}`,
          result.kind === 'error' ? `${length}, and the error ${asText(result.error.code)}` : length,
        )
        if (length >= 4) on.equal(`result of ${method.name}`, result.kind === 'value' ? 'a value' : result, 'a value')
        checkCommonParts(check, method, server.requests, { apiKey, probe })
        checkRepeats(check, method, server.requests)
      },
    }),
  ),

  ...methods.filter(isRepeated).map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-is-retried-after-any-5xx`,
      requirements: requirementsOf(method, 'CLI-014'),
      level: 'must',
      title: `${method.name} is retried after each of ${serverErrors.join(', ')}`,
      async run({ client, server, check }) {
        const handle = await client({ max_retries: 1 })
        for (const status of serverErrors) {
          const before = server.requests.length
          server.replies(refusal(status, 'try_again', atOnce), good)
          const { kind } = await handle.call(method.name, method.args)
          const made = server.requests.length - before
          check.ok(`requests of ${method.name} answered ${status} and then 200`, made >= 2, 'at least 2', made)
          if (made >= 2) check.equal(`result of ${method.name} answered ${status} and then 200`, kind, 'value')
        }
      },
    }),
  ),

  // A method without a shown path may make other requests too, so its attempts cannot be counted.
  ...methods.filter(isRepeated).map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-keeps-to-max-retries`,
      requirements: requirementsOf(method, 'CLI-007', 'CLI-008'),
      level: 'must',
      title: `${method.name} answered 503 each time is retried maxRetries times, and twice by default`,
      async run({ client, server, check, require }) {
        server.replies(refusal(503, 'try_again', atOnce))
        const rows = [
          [0, 1, 'CLI-007'],
          [1, 2, 'CLI-007'],
          [4, 5, 'CLI-007'],
          [undefined, 3, 'CLI-008'],
        ] as const
        for (const [maxRetries, expected, id] of rows) {
          const before = server.requests.length
          const handle = await client(maxRetries === undefined ? {} : { max_retries: maxRetries })
          errorOf(require, `${method.name} answered 503`, await handle.call(method.name, method.args))
          const what = `requests of ${method.name} ${maxRetries === undefined ? 'by default' : `with maxRetries ${maxRetries}`}`
          check.of(method.reportedUnder ?? id).equal(what, mostAlike(server.requests.slice(before)), expected)
        }
      },
    }),
  ),

  ...methods.map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-throws-other-errors-at-once`,
      requirements: requirementsOf(method, 'CLI-020'),
      level: 'must',
      title: `${method.name} answered with a 4xx other than 429 throws it after one request`,
      async run({ client, server, check, require, apiKey, unique }) {
        server.keepsConnections()
        const probe = unique()
        const handle = await client({ max_retries: 2, headers: { 'x-probe': probe } })
        for (const status of thrown) {
          const before = server.requests.length
          server.replies(refusal(status, 'no_use'))
          const error = errorOf(
            require,
            `${method.name} answered ${status}`,
            await handle.call(method.name, method.args),
          )
          check.equal(`status of the error of ${method.name} answered ${status}`, error.status, status)
          check.equal(`requests of ${method.name} answered ${status}`, server.requests.length - before, 1)
        }
        checkCommonParts(check, method, server.requests, { apiKey, probe })
      },
    }),
  ),

  ...methods.map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-tells-its-errors`,
      requirements: requirementsOf(method, 'CLI-031', 'CLI-033', 'CLI-034'),
      level: 'must',
      title: `errors of ${method.name} have the fields of the answer, or code network_error`,
      async run({ client, server, check, require }) {
        const handle = await client({ max_retries: 0 })
        const given = { code: 'not_today', message: 'The request was refused by the test.', fix: 'Ask tomorrow.' }
        const results: CallResult[] = []
        for (const reply of shapes(409, given)) {
          server.replies(reply)
          results.push(await handle.call(method.name, method.args))
        }
        const error = errorOf(require, `${method.name} answered 409`, clearerResult(results, given.code))
        const reported = { status: error.status, code: error.code, message: error.message, fix: error.fix }
        check.equal(`error of ${method.name}`, reported, { status: 409, ...given })
        const on = (id: RequirementId) => method.reportedUnder ?? id
        server.replies(refusal(429, 'slow_down', { 'retry-after': '17' }))
        const slowed = errorOf(require, `${method.name} answered 429`, await handle.call(method.name, method.args))
        check.of(on('CLI-033')).equal(`retryAfter of ${method.name} answered 429`, slowed.retry_after, 17)
        server.replies({ kind: 'reset' })
        const { status, code } = errorOf(
          require,
          `${method.name} whose connection is reset`,
          await handle.call(method.name, method.args),
        )
        const lost = { status: 0, code: 'network_error' }
        check.of(on('CLI-034')).equal(`error of ${method.name} whose connection is reset`, { status, code }, lost)
      },
    }),
  ),

  ...methods
    .filter(({ effect }) => effect === 'creates')
    .map((method) =>
      clientCase({
        id: `client/matrix/${slugOf(method)}-is-not-repeated-after-a-server-error`,
        requirements: [method.reportedUnder === undefined ? 'CLI-027' : 'CLI-061'],
        level: 'must',
        title: `${method.name} does not retry a 5xx at any attempt, even with the caller's idempotencyKey`,
        async run({ client, server, check, require, unique }) {
          const handle = await client({ max_retries: 2 })
          for (const status of serverErrors) {
            const before = server.requests.length
            server.replies(refusal(status, 'broken', atOnce))
            const error = errorOf(
              require,
              `${method.name} answered ${status}`,
              await handle.call(method.name, method.args),
            )
            check.equal(`status of the error of ${method.name}`, error.status, status)
            const posts = server.requests.slice(before).filter((request) => request.method === 'POST')
            check.ok(`POSTs of ${method.name} answered ${status}`, posts.length <= 1, 'at most 1', posts.length)
          }
          // A key of the caller's makes it none of the four that are repeated.
          const unkeyed = server.requests.length
          server.replies(refusal(500, 'broken', atOnce))
          await handle.call(method.name, method.args, { idempotency_key: `own-${unique()}` })
          const keyed = server.requests.slice(unkeyed).filter((request) => request.method === 'POST')
          const label = `POSTs of ${method.name} with an idempotencyKey, answered 500`
          check.ok(label, keyed.length <= 1, 'at most 1', keyed.length)
          // Whether a 429 is followed by a second attempt is an open point; the server error of that one is not by a third.
          const before = server.requests.length
          server.replies(refusal(429, 'slow_down', atOnce), refusal(500, 'broken', atOnce))
          await handle.call(method.name, method.args)
          const posts = server.requests.slice(before).filter((request) => request.method === 'POST')
          check.ok(`POSTs of ${method.name} answered 429 and then 500`, posts.length <= 2, 'at most 2', posts.length)
          checkRepeats(check, method, posts)
        },
      }),
    ),
]
