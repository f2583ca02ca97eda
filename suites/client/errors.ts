// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
// CLI-032  "An `invalid_batch` error also has `errors`, one entry per bad item."
// CLI-033  "A 429 error has `retryAfter` in seconds, from the `Retry-After` header."
// CLI-034  "When no response arrives for a network failure, `status` is 0 and `code` is `network_error`."
//
// Reading: the wire shape of the error body is not shown (open point error-shape), so each case uses the flat and the nested shape, and a
// client that reads one of them is correct; the better answer counts. An answer outside the API, such as a page of a proxy, has a status;
// its code and message are the client's own.

import { clientCase, json, memberOf, refusal, type CallResult, type Reply } from '../../harness/authoring.js'
import { email, errorOf, send } from './expectations.js'

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

/** The two shapes an error body may have. */
export function shapes(status: number, error: Readonly<Record<string, unknown>>): readonly Reply[] {
  return [json(status, error), json(status, { error })]
}

/** The first result whose error has the code, else the first one: the shape the client reads. */
export function clearerResult(results: readonly CallResult[], code: string): CallResult {
  const read = results.find((result) => result.kind === 'error' && result.error.code === code)
  return read ?? results[0] ?? { kind: 'broken', how: 'nothing was asked' }
}

export const errors = [
  clientCase({
    id: 'client/errors/tells-status-code-message-and-fix',
    requirements: ['CLI-031'],
    level: 'must',
    title: 'an error of the API is thrown with its status, code, message and fix',
    async run({ client, server, check, require }) {
      const handle = await client()
      const results: CallResult[] = []
      for (const reply of shapes(403, fields)) {
        server.replies(reply)
        results.push(await send(handle))
      }
      const error = errorOf(require, 'emails.send answered 403', clearerResult(results, fields.code))
      check.equal('status', error.status, 403)
      check.equal('code', error.code, fields.code)
      check.equal('message', error.message, fields.message)
      check.equal('fix', error.fix, fields.fix)
    },
  }),

  clientCase({
    id: 'client/errors/tells-the-same-after-a-retry',
    requirements: ['CLI-031', 'CLI-032'],
    level: 'must',
    title: 'an error after a 503 is thrown with its own code, message, fix and errors',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 1 })
      const again = refusal(503, 'try_again', { 'retry-after': '0' })
      const bad = [{ index: 1, code: 'missing_to', message: 'No recipient.' }]
      for (const [method, args, status, given] of [
        ['emails.send', [email], 403, fields],
        ['emails.get', ['em_1'], 503, { ...fields, code: 'still_closed' }],
        ['emails.batch', [[email, { from: 'x' }]], 422, { ...fields, code: 'invalid_batch', errors: bad }],
      ] as const) {
        const before = server.requests.length
        const results: CallResult[] = []
        for (const reply of shapes(status, given)) {
          server.replies(again, reply)
          results.push(await handle.call(method, args))
        }
        // Control: there is a second attempt.
        const made = server.requests.length - before
        require.of('CLI-014').equal(`requests of two calls of ${method} answered 503 and then ${status}`, made, 4)
        const what = `${method} answered 503 and then ${status}`
        const error = errorOf(require, what, clearerResult(results, given.code))
        const reported = { status: error.status, code: error.code, message: error.message, fix: error.fix }
        const { code, message, fix } = given
        check.of('CLI-031').equal(`error of ${what}`, reported, { status, code, message, fix })
        if ('errors' in given) check.of('CLI-032').equal(`errors of ${what}`, error.errors, given.errors)
      }
    },
  }),

  clientCase({
    id: 'client/errors/tells-the-code-whatever-the-status',
    requirements: ['CLI-031'],
    level: 'must',
    title: 'an error has the code, message and fix of its answer, for every status',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      for (const status of everyStatus) {
        // A code must be unchanged, letter by letter.
        const given = { ...fields, code: `reason_${status}.ofTheAPI` }
        const results: CallResult[] = []
        for (const reply of shapes(status, given)) {
          server.replies(reply)
          results.push(await handle.call('emails.get', ['em_1']))
        }
        const error = errorOf(require, `emails.get answered ${status}`, clearerResult(results, given.code))
        const reported = { status: error.status, code: error.code, message: error.message, fix: error.fix }
        check.equal(`error of ${status}`, reported, { status, ...given })
      }
    },
  }),

  clientCase({
    id: 'client/errors/tells-each-bad-item-of-a-batch',
    requirements: ['CLI-032'],
    level: 'must',
    title: 'an invalid_batch error has one entry per invalid item, for status 422 and 400',
    async run({ client, server, check, require }) {
      const bad = [
        { index: 0, code: 'missing_to', message: 'No recipient.' },
        { index: 2, code: 'missing_from', message: 'No sender.' },
        ...Array.from({ length: 27 }, (_, index) => ({
          index: index + 3,
          code: 'missing_to',
          message: 'No recipient.',
        })),
      ]
      const handle = await client()
      const reported = { code: 'invalid_batch', message: 'Most items are invalid.', fix: 'Mend them.', errors: bad }
      // The status is "error status of the batch call", and is not shown.
      for (const status of [422, 400]) {
        const results: CallResult[] = []
        for (const reply of shapes(status, reported)) {
          server.replies(reply)
          results.push(
            await handle.call('emails.batch', [
              [{ from: 'x' }, email, { to: 'y' }, ...bad.slice(2).map(() => ({ from: 'z' }))],
            ]),
          )
        }
        const what = `invalid_batch of status ${status}`
        const error = errorOf(require, `emails.batch answered ${what}`, clearerResult(results, 'invalid_batch'))
        check.equal(`code of ${what}`, error.code, 'invalid_batch')
        check.equal(`errors of ${what}`, error.errors, bad)
      }
    },
  }),

  clientCase({
    id: 'client/errors/tells-retry-after-in-seconds',
    requirements: ['CLI-033'],
    level: 'must',
    title: 'a 429 error has the seconds of Retry-After, whatever its body',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      server.replies(refusal(429, 'rate_limited', { 'retry-after': '17' }))
      const error = errorOf(require, 'emails.send answered 429', await send(handle))
      check.equal('status', error.status, 429)
      check.equal('retryAfter', error.retry_after, 17)
      // It is from the header, whatever wrote the body: a gateway that limits calls answers with a page, or nothing.
      const headers = { 'retry-after': '23' }
      const page = { kind: 'text', status: 429, body: '<h1>Slow down</h1>', contentType: 'text/html', headers } as const
      for (const [what, reply] of [
        ['a page', page],
        ['no body', { kind: 'empty', status: 429, headers }],
      ] as const) {
        server.replies(reply)
        const slowed = errorOf(require, `emails.send answered 429 with ${what}`, await send(handle))
        check.equal(`status of the error of a 429 with ${what}`, slowed.status, 429)
        check.equal(`retryAfter of a 429 with ${what}`, slowed.retry_after, 23)
      }
    },
  }),

  clientCase({
    id: 'client/errors/tells-retry-after-however-long',
    requirements: ['CLI-033'],
    level: 'must',
    title: 'retryAfter of a 429 error is its Retry-After: a second, hours or a month',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      for (const seconds of [1, 7_200, 86_400, 2_592_000]) {
        server.replies(refusal(429, 'rate_limited', { 'retry-after': String(seconds) }))
        const error = errorOf(require, `emails.send answered 429 with Retry-After: ${seconds}`, await send(handle))
        check.equal(`retryAfter for Retry-After: ${seconds}`, error.retry_after, seconds)
      }
    },
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

  clientCase({
    id: 'client/errors/tells-retry-after-of-a-date-in-seconds',
    requirements: ['CLI-033'],
    level: 'must',
    title: 'a 429 error whose Retry-After is an HTTP date has retryAfter, the seconds until then',
    async run({ client, server, check, require, measure }) {
      const handle = await client({ max_retries: 0 })
      const startedAt = Date.now()
      const dueAt = Math.ceil(startedAt / 1_000) * 1_000 + 300_000
      server.replies(refusal(429, 'rate_limited', { 'retry-after': new Date(dueAt).toUTCString() }))
      const error = errorOf(require, 'emails.send answered 429', await send(handle))
      check.equal('status', error.status, 429)
      const reported = typeof error.retry_after === 'number' ? error.retry_after : Number.NaN
      measure('retry_after', error.retry_after)
      // However it is rounded, and however long the answer took to be read.
      const least = Math.floor((dueAt - Date.now()) / 1_000) - 2
      check.ok('retryAfter', reported >= least && reported <= 303, `${least} to 303, a number`, error.retry_after)
    },
  }),

  clientCase({
    id: 'client/errors/makes-up-no-retry-after',
    requirements: ['CLI-033'],
    level: 'must',
    title: 'a 429 error without a Retry-After header has no retryAfter',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      server.replies(refusal(429, 'rate_limited'))
      for (const method of ['emails.send', 'emails.get'] as const) {
        const args = method === 'emails.send' ? [email] : ['em_1']
        const error = errorOf(require, `${method} answered 429`, await handle.call(method, args))
        check.equal(`status of the error of ${method}`, error.status, 429)
        // A language without absent numbers has 0.
        const isNone = [undefined, null, 0].includes(error.retry_after as undefined)
        check.ok(`retryAfter of ${method} answered 429 without the header`, isNone, 'none', error.retry_after)
      }
    },
  }),

  clientCase({
    id: 'client/errors/tells-network-error',
    requirements: ['CLI-034'],
    level: 'must',
    title: 'a connection reset or closed before an answer becomes status 0 and network_error',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 1 })
      for (const kind of ['reset', 'close'] as const) {
        const how = kind === 'reset' ? 'reset' : 'closed without an answer'
        server.replies({ kind })
        const error = errorOf(require, `emails.send with every connection ${how}`, await send(handle))
        check.equal(`status of connections ${how}`, error.status, 0)
        check.equal(`code of connections ${how}`, error.code, 'network_error')
        const isText = typeof error.message === 'string' && error.message !== ''
        check.of('CLI-031').ok(`message of connections ${how}`, isText, 'a string', error.message)
      }
    },
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

  clientCase({
    id: 'client/errors/tells-an-answer-that-is-no-http-as-none',
    requirements: ['CLI-034'],
    // For bytes other than HTTP a library may have a code of its own.
    level: 'should',
    title: 'an answer that is not HTTP becomes status 0 and code network_error',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      server.replies({ kind: 'garbage' })
      const error = errorOf(require, 'emails.send with an answer that is not HTTP', await send(handle))
      const { status, code } = error
      check.equal('error', { status, code }, { status: 0, code: 'network_error' })
    },
  }),

  clientCase({
    id: 'client/errors/survives-an-error-that-is-not-json',
    requirements: ['CLI-031'],
    level: 'must',
    title: 'an error page of a proxy is thrown with its status',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      for (const body of ['<html><h1>502 Bad Gateway</h1></html>', '', '{"code":', 'null', '[]', '"text"']) {
        server.replies({ kind: 'text', status: 502, body, contentType: 'text/html' })
        const error = errorOf(require, `emails.send answered 502 with ${JSON.stringify(body)}`, await send(handle))
        check.equal('status', error.status, 502)
      }
    },
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
