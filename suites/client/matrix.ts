// CLI-001  "`apiKey` is the first constructor argument and is sent as `Authorization: Bearer <API_KEY>`."
// CLI-012  "`headers` are extra headers sent with every request."
// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-015  "A network failure is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
// CLI-027  "Other POST requests that create something are not retried after a server error."
// CLI-061  "Other POST requests that create something are not retried after a server error: webhooks, inboxes, domains and keys."
// CLI-060  "The methods whose path is not shown behave as every method does."
//
// Reading: the sentences speak of every method, so each method is asked. What else a method without a shown path may send,
// such as a look-up by name, is not judged: of one that creates only the POSTs are counted. `Retry-After: 0` shortens the
// waits; that a retry comes without it is asked in retries.ts. Each of these requests, whatever attempt it is, carries the key
// and the extra headers, and is the one that was asked for.

import { asText, clientCase, json, refusal } from '../../harness/authoring.js'
import { checkAlike, checkCarried } from './alike.js'
import { errorOf } from './expectations.js'
import { booked, isRepeated, methods, slugOf } from './methods.js'

const atOnce = { 'retry-after': '0' }
const good = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
/** Statuses that some libraries retry, though they are neither 429 nor 5xx. */
const thrown = [400, 403, 404, 408, 409, 425]

export const matrix = [
  ...methods.filter(isRepeated).map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-is-retried`,
      requirements: booked(method, 'CLI-013', 'CLI-014', 'CLI-015'),
      level: 'must',
      title: `${method.name} is made again after a 429, a 503 and a reset, and returns what the fourth attempt is answered`,
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
        const on = check.of(method.booksOn ?? id)
        on.ok(
          `requests of ${method.name} after a ${cause}`,
          length >= count,
          `at least ${count}`,
          result.kind === 'error' ? `${length}, and the error ${asText(result.error.code)}` : length,
        )
        if (length >= 4) on.equal(`result of ${method.name}`, result.kind === 'value' ? 'a value' : result, 'a value')
        checkCarried(check, method, server.requests, { apiKey, probe })
        checkAlike(check, method, server.requests)
      },
    }),
  ),

  ...methods.map((method) =>
    clientCase({
      id: `client/matrix/${slugOf(method)}-throws-other-errors-at-once`,
      requirements: booked(method, 'CLI-020'),
      level: 'must',
      title: `${method.name} answered ${thrown.join(', ')} ends with that error after one request`,
      async run({ client, server, check, require, apiKey, unique }) {
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
        checkCarried(check, method, server.requests, { apiKey, probe })
      },
    }),
  ),

  ...methods
    .filter(({ effect }) => effect === 'creates')
    .map((method) =>
      clientCase({
        id: `client/matrix/${slugOf(method)}-is-not-repeated-after-a-server-error`,
        requirements: [method.booksOn === undefined ? 'CLI-027' : 'CLI-061'],
        level: 'must',
        title: `${method.name} answered 500, 502, 503 or 504 is not made again, whichever attempt that is`,
        async run({ client, server, check, require }) {
          const handle = await client({ max_retries: 2 })
          for (const status of [500, 502, 503, 504]) {
            const before = server.requests.length
            server.replies(refusal(status, 'broken', atOnce))
            const error = errorOf(
              require,
              `${method.name} answered ${status}`,
              await handle.call(method.name, method.args),
            )
            check.equal(`status of the error of ${method.name}`, error.status, status)
            const posts = server.requests.slice(before).filter((each) => each.method === 'POST')
            check.ok(`POSTs of ${method.name} answered ${status}`, posts.length <= 1, 'at most 1', posts.length)
          }
          // Whether a 429 is followed by a second attempt is an open point; the server error of that one is not by a third.
          const before = server.requests.length
          server.replies(refusal(429, 'slow_down', atOnce), refusal(500, 'broken', atOnce))
          await handle.call(method.name, method.args)
          const posts = server.requests.slice(before).filter((each) => each.method === 'POST')
          check.ok(`POSTs of ${method.name} answered 429 and then 500`, posts.length <= 2, 'at most 2', posts.length)
        },
      }),
    ),
]
