// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
// CLI-027  "Other POST requests that create something are not retried after a server error."
// CLI-061  "Other POST requests that create something are not retried after a server error: webhooks, inboxes, domains and keys."
// CLI-057  "The last attempt's error is thrown when the retries are used up."
// CLI-060  "Methods whose path is not shown behave like every other method."
//
// Reading: the status decides. A gateway answers a 429 or a 5xx with a page of its own or with nothing, and without `Retry-After`: code
// that parses the body as JSON before it checks the status treats such an answer as unreadable.

import { clientCase, json, refusal, type Reply } from '../../harness/authoring.js'
import { email, errorOf } from './expectations.js'
import { requirementsOf, isRepeated, methods, slugOf } from './methods.js'

const atOnce = { 'retry-after': '0' }
const good = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
const page = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'text',
  status,
  body: `<html><h1>${status}</h1></html>`,
  contentType: 'text/html',
  headers,
})
const broken: Reply = { kind: 'text', status: 500, body: '{"code":', contentType: 'application/json', headers: atOnce }

/** Answers without an error of the API; the first two are waited after as the client sees fit. */
const failing = [
  { what: 'a 429 that is a page', reply: page(429), requirement: 'CLI-013' },
  { what: 'a 503 without a body', reply: { kind: 'empty', status: 503 }, requirement: 'CLI-014' },
  { what: 'a 502 that is a page', reply: page(502, atOnce), requirement: 'CLI-014' },
  { what: 'a 500 whose JSON is broken', reply: broken, requirement: 'CLI-014' },
] as const satisfies readonly { what: string; reply: Reply; requirement: string }[]

/** Those of them that are server errors. */
const serverPages = failing.filter(({ requirement }) => requirement === 'CLI-014')

/** What a call is answered in turn, and the status of the error that it ends with: that of the last answer. */
const endings: readonly (readonly [what: string, replies: readonly [Reply, Reply], status: number])[] = [
  ['a 503 and then nothing', [refusal(503, 'first', atOnce), { kind: 'reset' }], 0],
  ['a 429 and then nothing', [refusal(429, 'first', atOnce), { kind: 'reset' }], 0],
  ['nothing and then a 503', [{ kind: 'reset' }, refusal(503, 'last')], 503],
  ['a 503 and then a 429', [refusal(503, 'first', atOnce), refusal(429, 'last')], 429],
  ['a 429 and then a 500 that is a page', [refusal(429, 'first', atOnce), page(500)], 500],
]

export const gatewayPages = [
  ...methods.filter(isRepeated).map((method) =>
    clientCase({
      id: `client/failures/${slugOf(method)}-is-retried-after-a-page`,
      requirements: requirementsOf(method, 'CLI-013', 'CLI-014'),
      level: 'must',
      title: `${method.name} is retried after a 429 or 5xx with an HTML page or no body`,
      async run({ client, server, check }) {
        const handle = await client({ max_retries: failing.length })
        server.replies(failing[0].reply, ...failing.slice(1).map(({ reply }) => reply), good)
        const result = await handle.call(method.name, method.args)
        const made = server.requests.length
        const cause = failing[made - 1]
        if (cause !== undefined)
          check
            .of(method.reportedUnder ?? cause.requirement)
            .fail(`requests of ${method.name} after ${cause.what}`, `at least ${made + 1}`, made)
        else check.equal(`result of ${method.name}`, result.kind === 'value' ? 'a value' : result, 'a value')
      },
    }),
  ),

  ...methods
    .filter(({ effect }) => effect === 'creates')
    .map((method) =>
      clientCase({
        id: `client/failures/${slugOf(method)}-is-not-repeated-after-a-page`,
        requirements: [method.reportedUnder === undefined ? 'CLI-027' : 'CLI-061'],
        level: 'must',
        title: `${method.name} is not retried after a 5xx with an HTML page or no body`,
        async run({ client, server, check, require }) {
          const handle = await client({ max_retries: 2 })
          for (const { what, reply } of serverPages) {
            const before = server.requests.length
            server.replies(reply)
            const callText = `${method.name} answered ${what}`
            errorOf(require, callText, await handle.call(method.name, method.args))
            const posts = server.requests.slice(before).filter((request) => request.method === 'POST')
            check.ok(`POSTs of ${callText}`, posts.length <= 1, 'at most 1', posts.length)
          }
        },
      }),
    ),

  clientCase({
    id: 'client/failures/throws-a-page-of-another-error-at-once',
    requirements: ['CLI-020'],
    level: 'must',
    title: 'a 4xx with an HTML page or no body throws its status after one request',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 2 })
      for (const [method, args] of [
        ['emails.send', [email]],
        ['emails.get', ['em_1']],
      ] as const)
        for (const status of [400, 403, 404, 413])
          for (const reply of [page(status), { kind: 'empty', status } as const]) {
            const before = server.requests.length
            server.replies(reply, good)
            const what = `${method} answered ${status} ${reply.kind === 'text' ? 'with a page' : 'without a body'}`
            const error = errorOf(require, what, await handle.call(method, args))
            check.equal(`status of the error of ${what}`, error.status, status)
            check.equal(`requests of ${what}`, server.requests.length - before, 1)
          }
    },
  }),

  clientCase({
    id: 'client/failures/throws-the-error-of-the-last-attempt',
    requirements: ['CLI-057'],
    level: 'must',
    title: 'a call whose two attempts fail differently throws the error of the second',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 1 })
      for (const [method, args] of [
        ['emails.send', [email]],
        ['emails.get', ['em_1']],
      ] as const)
        for (const [answered, replies, status] of endings) {
          const before = server.requests.length
          server.replies(...replies)
          const what = `${method} answered ${answered}`
          const error = errorOf(require, what, await handle.call(method, args))
          // Control: there is a second attempt.
          const made = server.requests.length - before
          if (made < 2) require.of('CLI-014').fail(`requests of ${what}`, 'at least 2', made)
          check.equal(`status of the error of ${what}`, error.status, status)
          if (status === 0) check.equal(`code of the error of ${what}`, error.code, 'network_error')
        }
    },
  }),
]
