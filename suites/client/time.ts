// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-035  "When no response arrives in time, `status` is 0 and `code` is `timeout`."
// CLI-029, CLI-036  an aborted call ends with `aborted`, status 0.
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: whether a time-out of its own is retried is open (open point retry-of-timeouts); cases allow no retries
// where it matters. An answer whose body stalls may count as an answer that broke off. The upper bounds are generous, and a
// first call without a limit lets the runtime of the library warm up: a machine may be busy.

import { clientCase, json, refusal, type Checks } from '../../harness/authoring.js'
import { errorOf, send, valueOf } from './expectations.js'

const shortMs = 400
/** Long enough for an attempt that is answered at once, in milliseconds. */
const ampleMs = 2_000
const generousMs = 15_000

export const time = [
  ...(
    [
      ['hang', ['timeout']],
      ['stall-in-body', ['timeout', 'network_error']],
    ] as const
  ).map(([kind, codes]) =>
    clientCase({
      id: `client/time/ends-an-attempt-${kind === 'hang' ? 'without-an-answer' : 'whose-body-stalls'}`,
      requirements: ['CLI-009', 'CLI-035', 'CLI-031'],
      level: 'must',
      title: `an attempt ${kind === 'hang' ? 'that gets no answer' : 'whose body stops half-way'} ends after timeoutMs with status 0 and code ${codes.join(' or ')}`,
      async run({ client, server, check, require }) {
        valueOf(require, 'emails.send', await send(await client()))
        const handle = await client({ timeout_ms: ampleMs, max_retries: 0 })
        server.replies(kind === 'hang' ? { kind } : { kind, status: 200 })
        const startedAt = performance.now()
        const error = errorOf(require, 'emails.send', await send(handle))
        const tookMs = Math.round(performance.now() - startedAt)
        check.of('CLI-035').equal('status', error.status, 0)
        check.of('CLI-035').oneOf('code', error.code, codes)
        expectMessage(check.of('CLI-031'), error.message)
        check.of('CLI-009').between(`milliseconds until the time-out`, tookMs, ampleMs - 50, generousMs)
      },
    }),
  ),

  clientCase({
    id: 'client/time/limits-each-attempt-not-the-call',
    requirements: ['CLI-009'],
    level: 'must',
    title: 'a call that has lasted longer than timeoutMs still makes a further attempt, and succeeds',
    async run({ client, server, check, require }) {
      valueOf(require, 'emails.send', await send(await client()))
      const wait = (seconds: number) => refusal(503, 'try_again', { 'retry-after': String(seconds) })
      server.replies(wait(6), wait(1), json(200, { id: 'em_1' }))
      const handle = await client({ timeout_ms: 5_000, max_retries: 2 })
      check.equal(
        'value',
        valueOf(require, 'emails.send answered 503 after 6 seconds of waiting', await send(handle)),
        {
          id: 'em_1',
        },
      )
    },
  }),

  clientCase({
    id: 'client/time/takes-the-timeout-of-the-call',
    requirements: ['CLI-030'],
    level: 'must',
    title: 'timeoutMs of a call replaces that of the client',
    async run({ client, server, check, require }) {
      const handle = await client({ timeout_ms: 30_000, max_retries: 0 })
      server.replies({ kind: 'hang' })
      const startedAt = performance.now()
      const error = errorOf(require, 'emails.send with timeoutMs', await send(handle, { timeout_ms: shortMs }))
      check.equal('code', error.code, 'timeout')
      check.between(
        `milliseconds until the time-out`,
        Math.round(performance.now() - startedAt),
        shortMs - 50,
        generousMs,
      )
    },
  }),

  clientCase({
    id: 'client/time/aborts-while-it-waits-for-an-answer',
    requirements: ['CLI-029', 'CLI-036', 'CLI-031'],
    level: 'must',
    title: 'a call that is aborted before an answer ends with status 0 and code aborted, and is not tried again',
    async run({ client, server, check, require }) {
      const handle = await client()
      server.replies({ kind: 'hang' })
      const startedAt = performance.now()
      const error = errorOf(require, 'emails.send that was aborted', await send(handle, { abort_after_ms: shortMs }))
      check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
      expectMessage(check.of('CLI-031'), error.message)
      check
        .of('CLI-029')
        .between(`milliseconds until the end`, Math.round(performance.now() - startedAt), shortMs - 50, generousMs)
      check.of('CLI-029').ok('number of requests', server.requests.length <= 1, 'at most 1', server.requests.length)
    },
  }),

  clientCase({
    id: 'client/time/aborts-while-it-waits-to-retry',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'must',
    title: 'a call that is aborted between two attempts ends with aborted at once, and makes no further attempt',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.send', await send(handle))
      server.replies(refusal(429, 'slow_down', { 'retry-after': '20' }), json(200, { id: 'em_1' }))
      const startedAt = performance.now()
      const error = errorOf(require, 'emails.send that was aborted', await send(handle, { abort_after_ms: ampleMs }))
      check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
      check
        .of('CLI-029')
        .between(`milliseconds until the end`, Math.round(performance.now() - startedAt), ampleMs - 50, generousMs)
      check.of('CLI-029').equal('number of requests', server.requests.length, 2)
    },
  }),
]

function expectMessage(check: Checks, message: unknown): void {
  check.ok('message', typeof message === 'string' && message !== '', 'a text', message)
}
