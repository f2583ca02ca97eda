// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
// CLI-032  "An `invalid_batch` error also has `errors`, one entry per bad item."
// CLI-033  "A 429 error has `retryAfter` in seconds, from the `Retry-After` header."
// CLI-034  "When no response arrives for a network failure, `status` is 0 and `code` is `network_error`."
//
// Reading: the wire shape of the error body is not shown (open point error-shape), so each error is sent in the flat and the nested shape, and
// a client that reads one of them is correct. An answer outside the API, such as a page of a proxy, has a status; its code and message are
// the client's own.

import { clientCase, memberOf, refusal, type Reply } from '../../harness/authoring.js'
import { closed, failing, page, reset } from './shared/answers.js'
import { email, errorOf, send } from './shared/expectations.js'
import { methodNamed, reading, sending } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

const fields = {
  code: 'sender_not_verified',
  // Longer than the limit of a line.
  message: `The domain is not one of the "project".\n${'It was never verified there. '.repeat(20)}End.`,
  fix: 'Verify the domain first.\n\tIts records are <listed> in the answer.',
}

/** Statuses of an error of the API; which one an error has is mostly not shown. For some of them a library may have a code of its own. */
const everyStatus = [
  400, 401, 402, 404, 405, 406, 408, 409, 410, 412, 413, 415, 418, 422, 423, 424, 425, 428, 429, 451, 500, 501, 502,
  503, 504, 507, 520, 599,
]

/** After which a call without an answer is ended, in milliseconds. */
const endMs = 400

const item = (index: number, code: string, message: string) => ({ index, code, message })
const badItems = [
  item(0, 'missing_to', 'No recipient.'),
  item(2, 'missing_from', 'No sender.'),
  ...Array.from({ length: 27 }, (_, index) => item(index + 3, 'missing_to', 'No recipient.')),
]
const badBatch = methodNamed('emails.batch', [
  [{ from: 'x' }, email, { to: 'y' }, ...badItems.slice(2).map(() => ({ from: 'z' }))],
])
const invalidBatch = { code: 'invalid_batch', message: 'Most items are invalid.', fix: 'Mend them.', errors: badItems }
const retryAfter = { 'retry-after': '23' }
const badGateway = (body: string): Reply => ({ kind: 'text', status: 502, body, contentType: 'text/html' })

export const errors = [
  scenario({
    id: 'client/errors/tells-status-code-message-and-fix',
    requirements: ['CLI-031'],
    title: 'an error of the API is thrown with its status, code, message and fix',
    errors: [{ method: sending, status: 403, error: fields }],
  }),

  scenario({
    id: 'client/errors/tells-the-same-after-a-retry',
    requirements: ['CLI-031', 'CLI-032'],
    title: 'an error after a 503 is thrown with its own code, message, fix and errors',
    errors: [
      { method: sending, status: 403, error: fields },
      { method: reading, status: 503, error: { ...fields, code: 'still_closed' } },
      { method: badBatch, status: 422, error: invalidBatch },
    ].map((row) => ({ ...row, maxRetries: 1, before: [failing(503)] })),
  }),

  scenario({
    id: 'client/errors/tells-the-code-whatever-the-status',
    requirements: ['CLI-031'],
    title: 'an error has the code, message and fix of its answer, for every status',
    // A code must be unchanged, letter by letter.
    errors: everyStatus.map((status) => ({
      method: reading,
      status,
      error: { ...fields, code: `reason_${status}.ofTheAPI` },
    })),
  }),

  // The status is "error status of the batch call", and is not shown.
  scenario({
    id: 'client/errors/tells-each-bad-item-of-a-batch',
    requirements: ['CLI-032'],
    title: 'an invalid_batch error has one entry per invalid item, for status 422 and 400',
    errors: [422, 400].map((status) => ({ method: badBatch, status, error: invalidBatch })),
  }),

  // It is from the header, whatever wrote the body: a gateway that limits calls answers with a page, or nothing.
  scenario({
    id: 'client/errors/tells-retry-after-in-seconds',
    requirements: ['CLI-033'],
    title: 'a 429 error has the seconds of Retry-After, whatever its body',
    calls: [failing(429, 17), page(429, retryAfter), { kind: 'empty' as const, status: 429, headers: retryAfter }].map(
      (reply) => ({ method: sending, maxRetries: 0, answers: [reply] }),
    ),
  }),

  scenario({
    id: 'client/errors/tells-retry-after-however-long',
    requirements: ['CLI-033'],
    title: 'retryAfter of a 429 error is its Retry-After: a second, hours or a month',
    calls: [1, 7_200, 86_400, 2_592_000].map((seconds) => ({
      method: sending,
      maxRetries: 0,
      answers: [failing(429, seconds)],
    })),
  }),

  clientCase({
    id: 'client/errors/tells-a-retry-after-of-zero',
    requirements: ['CLI-033'],
    // A language without a word for nothing has 0 in both cases, and its driver may leave it out.
    level: 'should',
    title: 'a Retry-After of 0 becomes a retryAfter of 0',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      server.replies(refusal(429, 'rate_limited', { 'retry-after': '0' }))
      const error = errorOf(require, 'emails.send answered 429 with Retry-After: 0', await send(handle))
      check.equal('retryAfter', error.retry_after, 0)
    },
  }),

  scenario({
    id: 'client/errors/tells-retry-after-of-a-date-in-seconds',
    requirements: ['CLI-033'],
    title: 'a 429 error whose Retry-After is an HTTP date has retryAfter, the seconds until then',
    calls: [{ method: sending, maxRetries: 0, answers: [{ kind: 'dated', status: 429, inSeconds: 300 }] }],
  }),

  scenario({
    id: 'client/errors/makes-up-no-retry-after',
    requirements: ['CLI-033'],
    title: 'a 429 error without a Retry-After header has no retryAfter',
    calls: [sending, reading].map((method) => ({
      method,
      maxRetries: 0,
      answers: [refusal(429, 'rate_limited')],
    })),
  }),

  scenario({
    id: 'client/errors/tells-network-error',
    requirements: ['CLI-034'],
    title: 'a connection reset or closed before an answer becomes status 0 and network_error',
    calls: [reset, closed].map((reply) => ({ method: sending, maxRetries: 1, answers: [reply] })),
  }),

  clientCase({
    id: 'client/errors/tells-network-error-when-nobody-listens',
    requirements: ['CLI-034'],
    level: 'must',
    title: 'a refused connection ends as status 0 and code network_error',
    async run({ construct, server, check, require, apiKey }) {
      await server.close()
      const { handle } = await construct({ api_key: apiKey, base_url: server.url, max_retries: 0 }, {})
      const error = errorOf(require, 'emails.send to a closed port', await send(handle))
      check.equal('status', error.status, 0)
      check.equal('code', error.code, 'network_error')
    },
  }),

  // What answers there speaks no TLS: a handshake that fails is an error of another kind in many languages.
  clientCase({
    id: 'client/errors/tells-network-error-where-no-handshake-is-made',
    requirements: ['CLI-034'],
    level: 'must',
    title: 'a plain-text server at an https address becomes status 0 and code network_error',
    async run({ construct, server, check, require, apiKey }) {
      const address = server.url.replace(/^http:/, 'https:')
      const { handle } = await construct({ api_key: apiKey, base_url: address, max_retries: 0 }, {})
      for (const [method, args] of [
        ['emails.send', [email]],
        ['emails.get', ['em_1']],
      ] as const) {
        const what = `${method} to an address that speaks no TLS`
        const { status, code } = errorOf(require, what, await handle.call(method, args))
        check.equal(`error of ${what}`, { status, code }, { status: 0, code: 'network_error' })
      }
    },
  }),

  // For bytes other than HTTP a library may have a code of its own.
  scenario({
    id: 'client/errors/tells-an-answer-that-is-no-http-as-none',
    requirements: ['CLI-034'],
    level: 'should',
    title: 'an answer that is not HTTP becomes status 0 and code network_error',
    calls: [{ method: sending, maxRetries: 0, answers: [{ kind: 'garbage' }] }],
  }),

  scenario({
    id: 'client/errors/survives-an-error-that-is-not-json',
    requirements: ['CLI-031'],
    title: 'an error page of a proxy is thrown with its status',
    calls: ['<html><h1>502 Bad Gateway</h1></html>', '', '{"code":', 'null', '[]', '"text"'].map((body) => ({
      method: sending,
      maxRetries: 0,
      answers: [badGateway(body)],
    })),
  }),

  clientCase({
    id: 'client/errors/tells-what-to-do-whatever-happened',
    requirements: ['CLI-031'],
    // A library need not invent values that the API did not return.
    level: 'should',
    title: 'errors without an answer of the API also have code, message and fix',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      const page: Reply = { kind: 'text', status: 502, body: '<h1>502</h1>', contentType: 'text/html' }
      for (const [what, reply, options] of [
        ['answered with a page', page, {}],
        ['whose connection is reset', { kind: 'reset' }, {}],
        ['without an answer', { kind: 'hang' }, { timeout_ms: endMs }],
        ['that was aborted', { kind: 'hang' }, { abort_after_ms: endMs }],
      ] as const) {
        server.replies(reply)
        const error = errorOf(require, `emails.send ${what}`, await send(handle, options))
        for (const name of ['code', 'message', 'fix'] as const) {
          const isText = typeof error[name] === 'string' && error[name] !== ''
          check.ok(`${name} of the error of emails.send ${what}`, isText, 'a string', error[name])
        }
      }
    },
  }),

  clientCase({
    id: 'client/errors/does-not-take-broken-json-for-a-result',
    requirements: ['CLI-028'],
    level: 'should',
    title: 'a 200 with broken JSON or a page is an error, not a value',
    async run({ client, server, check }) {
      const handle = await client({ max_retries: 0 })
      for (const [what, body, contentType] of [
        ['broken JSON', '{"id":"em_1"', 'application/json'],
        ['a page', '<html><h1>Log in</h1></html>', 'text/html'],
      ] as const) {
        server.replies({ kind: 'text', status: 200, body, contentType })
        check.equal(`result of emails.send answered with ${what}`, (await send(handle)).kind, 'error')
      }
    },
  }),

  clientCase({
    id: 'client/errors/does-not-show-the-key',
    requirements: ['CLI-031'],
    level: 'should',
    title: 'no field of an error contains the API key',
    async run({ client, server, check, require, apiKey }) {
      const handle = await client({ max_retries: 0 })
      for (const reply of [refusal(401, 'unauthorized'), { kind: 'reset' } as const]) {
        server.replies(reply)
        const error = errorOf(require, 'emails.send', await send(handle))
        const text = JSON.stringify(error.raw) ?? ''
        check.ok('key in the error', !text.includes(apiKey), 'nowhere', memberOf(error.raw, 'message'))
      }
    },
  }),
]
