// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-035  "When no response arrives in time, `status` is 0 and `code` is `timeout`."
// CLI-029, CLI-036  an aborted call ends with `aborted`, status 0.
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: it is open whether a client retries its own time-out (open point retry-of-timeouts); cases allow no retries if it matters. Of an
// answer with a stalled body the status has arrived: the case checks that the call ends, and the form of its error is advice. The upper
// bounds are generous, and a first call without a limit lets the runtime of the library warm up: a machine may be busy.

import {
  clientCase,
  json,
  refusal,
  type CallResult,
  type Checks,
  type ClientContext,
  type Reply,
} from '../../harness/authoring.js'
import { email, errorOf, send, valueOf } from './expectations.js'

const shortMs = 400
/** Long enough for an attempt that is answered at once, in milliseconds. */
export const ampleMs = 2_000
export const generousMs = 30_000
/** What connects within a limit of its own has 10 seconds in many languages: a time-out of two ends an attempt before, in milliseconds. */
const securedWithinMs = 8_000
/** By then a call has made its third attempt, and waits for the next; in milliseconds. */
const laterAbortMs = 10_000
/** Attempts of a call that is aborted in a wait: by then its waits have grown, and it goes on waiting. */
export const manyRetries = 12
/** How long attempts are reset at once, when the call is aborted, and how long before that an attempt held until then is reset, in milliseconds. */
export const growingMs = 4_000
export const abortedInWaitMs = 15_000
const waitBeginsMs = 400
/** Calls that are aborted so, side by side: a wait may be drawn short. */
const abortedCalls = 3
/** A processed abort ends a call sooner, even if a library checks for one once a second; in milliseconds. */
const arrivesWithinMs = 2_000

export const time = [
  clientCase({
    id: 'client/time/ends-an-attempt-without-an-answer',
    requirements: ['CLI-009', 'CLI-035', 'CLI-031'],
    level: 'must',
    title: 'an attempt that gets no answer ends after timeoutMs with status 0 and code timeout',
    async run(context) {
      const error = await endedByTimeout(context, { kind: 'hang' })
      context.check.of('CLI-035').equal('status', error.status, 0)
      context.check.of('CLI-035').equal('code', error.code, 'timeout')
      expectMessage(context.check.of('CLI-031'), error.message)
    },
  }),

  // A library may have a limit of its own for connections, and report it as a network failure: the case checks that it is no longer.
  clientCase({
    id: 'client/time/ends-an-attempt-whose-handshake-stalls',
    requirements: ['CLI-009'],
    level: 'must',
    title: 'an attempt whose TLS handshake is never answered ends after timeoutMs',
    timeoutMs: 120_000,
    async run({ client, construct, server, check, require, apiKey }) {
      valueOf(require, 'emails.send', await send(await client()))
      await server.whereNobodySpeaks(async (address) => {
        const options = { api_key: apiKey, base_url: address.replace(/^http:/, 'https:') }
        const { handle } = await construct({ ...options, timeout_ms: ampleMs, max_retries: 0 }, {})
        const startedAt = performance.now()
        const what = 'emails.send to an address that answers no handshake'
        const result = await handle.call('emails.send', [email], {}, generousMs)
        const tookMs = Math.round(performance.now() - startedAt)
        check.measured.between(`milliseconds until the end of ${what}`, tookMs, 0, securedWithinMs)
        check.equal(`status of the error of ${what}`, errorOf(require, what, result).status, 0)
      })
    },
  }),

  clientCase({
    id: 'client/time/ends-an-attempt-whose-body-stalls',
    requirements: ['CLI-009', 'CLI-031'],
    level: 'must',
    title: 'an attempt whose body stops half-way ends after timeoutMs with an error',
    async run(context) {
      const error = await endedByTimeout(context, { kind: 'stall-in-body', status: 200 })
      expectMessage(context.check.of('CLI-031'), error.message)
    },
  }),

  clientCase({
    id: 'client/time/ends-an-attempt-whose-error-stalls',
    requirements: ['CLI-009'],
    level: 'must',
    title: 'an attempt answered 400 or 503 whose body stops ends after timeoutMs with an error',
    async run(context) {
      for (const status of [400, 503]) await endedByTimeout(context, { kind: 'stall-in-body', status }, 'at most')
    },
  }),

  clientCase({
    id: 'client/time/aborts-while-an-error-comes',
    requirements: ['CLI-029'],
    level: 'must',
    title: 'a call whose attempts are answered by half a 503 ends once it is aborted',
    async run({ client, server, check, require }) {
      const handle = await client({ timeout_ms: 45_000 })
      valueOf(require, 'emails.send', await send(handle))
      server.replies({ kind: 'stall-in-body', status: 503 })
      const startedAt = performance.now()
      const result = await send(handle, { abort_after_ms: ampleMs })
      // The status of an answer is here with its head: a library may need no more of it.
      errorOf(require, 'emails.send aborted during the body of a 503', result)
      check.between('milliseconds until the end', Math.round(performance.now() - startedAt), 0, generousMs)
    },
  }),

  // Many HTTP libraries limit each wait for bytes, which does not limit the attempt.
  clientCase({
    id: 'client/time/ends-an-attempt-whose-body-drips',
    requirements: ['CLI-009'],
    level: 'should',
    title: 'an attempt whose body arrives byte by byte still ends after timeoutMs',
    async run(context) {
      await endedByTimeout(context, {
        kind: 'drip',
        status: 200,
        body: { id: 'em_1', more: 'more and more' },
        everyMs: 250,
      })
    },
  }),

  clientCase({
    id: 'client/time/tells-a-body-that-stalls-as-no-answer',
    requirements: ['CLI-035'],
    level: 'should',
    title: 'an attempt whose body stops half-way ends with status 0 and code timeout or network_error',
    async run(context) {
      const error = await endedByTimeout(context, { kind: 'stall-in-body', status: 200 })
      context.check.equal('status', error.status, 0)
      context.check.oneOf('code', error.code, ['timeout', 'network_error'])
    },
  }),

  clientCase({
    id: 'client/time/limits-each-attempt-not-the-call',
    requirements: ['CLI-009'],
    level: 'must',
    title: 'a call that has lasted longer than timeoutMs still retries, and succeeds',
    async run({ client, server, check, require }) {
      valueOf(require, 'emails.send', await send(await client()))
      const before = server.requests.length
      const wait = (seconds: number) => refusal(503, 'try_again', { 'retry-after': String(seconds) })
      server.replies(wait(6), wait(1), json(200, { id: 'em_1' }))
      const handle = await client({ timeout_ms: 5_000, max_retries: 2 })
      const result = await send(handle)
      // Control: a 503 is retried at all.
      require
        .of('CLI-014')
        .ok('requests of emails.send answered 503', server.requests.length > before + 1, 'at least 2', 1)
      check.equal('value', valueOf(require, 'emails.send answered 503 after 6 seconds of waiting', result), {
        id: 'em_1',
      })
    },
  }),

  clientCase({
    id: 'client/time/takes-the-timeout-of-the-call',
    requirements: ['CLI-030'],
    level: 'must',
    title: 'timeoutMs of a call replaces that of the client',
    async run({ client, server, check, require }) {
      const handle = await client({ timeout_ms: 40_000, max_retries: 0 })
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
    id: 'client/time/sends-nothing-when-aborted-before',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'should',
    title: 'a call whose signal is aborted already ends with aborted',
    async run({ client, server, check, require }) {
      const handle = await client({ timeout_ms: 5_000, max_retries: 0 })
      server.replies({ kind: 'hang' })
      const error = errorOf(require, 'emails.send aborted before', await send(handle, { abort_after_ms: 0 }))
      check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
    },
  }),

  clientCase({
    id: 'client/time/aborts-while-it-waits-for-an-answer',
    requirements: ['CLI-029', 'CLI-036', 'CLI-031'],
    level: 'must',
    title: 'a call aborted before an answer has status 0 and code aborted, without retry',
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
    title: 'a call aborted between two attempts ends with aborted at once, without another attempt',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.send', await send(handle))
      server.replies(refusal(429, 'slow_down', { 'retry-after': '40' }), json(200, { id: 'em_1' }))
      const startedAt = performance.now()
      const result = await send(handle, { abort_after_ms: ampleMs })
      const tookMs = Math.round(performance.now() - startedAt)
      const what = 'emails.send answered 429 with Retry-After: 40'
      // Control: there is a wait that can be aborted.
      if (result.kind === 'error' && result.error.status === 429)
        require.of('CLI-013').fail(`error of ${what}`, 'none yet', 429)
      if (result.kind === 'value' && tookMs < ampleMs - 50)
        require.of('CLI-018').fail(`milliseconds until ${what} ended`, 'more', tookMs)
      const error = errorOf(require, 'emails.send that was aborted', result)
      check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
      check.of('CLI-029').between('milliseconds until the end', tookMs, ampleMs - 50, generousMs)
      check.of('CLI-029').equal('number of requests', server.requests.length, 2)
    },
  }),

  clientCase({
    id: 'client/time/aborts-while-it-waits-for-a-later-retry',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'must',
    title: 'a call aborted in the wait before its third or fourth attempt ends at once',
    timeoutMs: 120_000,
    async run({ client, server, check, require, skip }) {
      valueOf(require, 'emails.send', await send(await client()))
      const handle = await client({ max_retries: 4 })
      for (const before of [3, 4]) {
        const begun = server.requests.length
        const again = Array.from({ length: before - 2 }, () => refusal(503, 'try_again', { 'retry-after': '0' }))
        const [first = json(200, {}), ...more] = again
        server.replies(first, ...more, refusal(429, 'slow_down', { 'retry-after': '40' }), json(200, { id: 'em_1' }))
        const startedAt = performance.now()
        const result = await send(handle, { abort_after_ms: laterAbortMs }, generousMs + laterAbortMs)
        const tookMs = Math.round(performance.now() - startedAt)
        const made = server.requests.length - begun
        const what = `emails.send whose attempt ${before - 1} is answered 429 with Retry-After: 40`
        // Controls: there is such a wait, and it lasts until the abort.
        if (result.kind === 'error' && result.error.status === 429)
          require.of('CLI-013').fail(`error of ${what}`, 'none yet', 429)
        if (result.kind === 'value' && tookMs < laterAbortMs - 50)
          require.of('CLI-018').fail(`milliseconds until ${what} ended`, 'more', tookMs)
        if (made < before - 1)
          skip(`needs ${before - 1} attempts within ${laterAbortMs / 1000} seconds: there were ${made}`)
        const error = errorOf(require, `${what}, aborted`, result)
        check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
        check.of('CLI-029').between('milliseconds until the end', tookMs, laterAbortMs - 50, generousMs)
        check.of('CLI-029').equal('number of attempts', made, before - 1)
      }
    },
  }),

  // No answer determines the wait, so it is made long: waits grow, and the last attempt before the abort is held until just before it. A
  // concurrent call that is aborted while it is unanswered measures how long an abort takes on this machine.
  clientCase({
    id: 'client/time/aborts-while-it-waits-after-a-lost-connection',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'must',
    title: 'a call aborted in the wait after a lost connection ends with aborted at once',
    timeoutMs: 120_000,
    async run({ client, server, check, require, isConcurrent, skip }) {
      valueOf(require, 'emails.send', await send(await client()))
      const handle = await client({ timeout_ms: 45_000, max_retries: manyRetries })
      const lateness = async (subject: string) => {
        const startedAt = performance.now()
        const options = { abort_after_ms: abortedInWaitMs }
        const result = await handle.call('emails.send', [{ ...email, subject }], options, generousMs + abortedInWaitMs)
        return { result, lateMs: Math.round(performance.now() - startedAt - abortedInWaitMs) }
      }
      const begunAt = new Map<unknown, number>()
      server.script(({ json: sent }) => {
        const subject = (sent as { readonly subject?: unknown } | undefined)?.subject
        if (subject === neverAnswered) return { kind: 'hang' }
        const now = performance.now()
        const beganAt = begunAt.get(subject) ?? now
        begunAt.set(subject, beganAt)
        const untilMs = beganAt + abortedInWaitMs - waitBeginsMs - now
        if (now - beganAt < growingMs || untilMs < 0) return { kind: 'reset' }
        const until = new Promise((resolve) => setTimeout(resolve, untilMs))
        return { kind: 'held', until, reply: { kind: 'reset' } }
      })
      const subjects = Array.from({ length: isConcurrent ? abortedCalls : 1 }, (_, index) => `Lost ${index}`)
      const [control, ...waiting] = isConcurrent
        ? await Promise.all([neverAnswered, ...subjects].map((subject) => lateness(subject)))
        : [await lateness(neverAnswered), await lateness(subjects[0] ?? '')]
      const what = 'emails.send that was aborted after its connections were lost'
      // Control: there is a call that can be aborted, and goes on after its connection was lost.
      errorOf(require, 'emails.send that was aborted', control?.result ?? { kind: 'broken', how: 'it was not called' })
      if (server.requests.length <= subjects.length + 2)
        require.of('CLI-015').fail('attempts of emails.send whose connections are reset', 'at least 2', 1)
      const aborted = waiting.filter(({ lateMs }) => lateMs > -50)
      if (aborted.length === 0)
        skip(`needs waits that last: ${manyRetries} retries were over within ${abortedInWaitMs / 1000} seconds`)
      checkAbortedAtOnce({ check, require }, what, { calls: aborted, control })
    },
  }),
]

/** Subject of the call that is never answered. */
export const neverAnswered = 'Nobody answers'

/** A call that was aborted, and how long after that it ended, in milliseconds. */
interface AbortedCall {
  readonly result: CallResult
  readonly lateMs: number
}

/** Checks that each call ended as aborted, no later than `control`, an unanswered call with the same abort, shows for this machine. */
export function checkAbortedAtOnce(
  { check, require }: Pick<ClientContext, 'check' | 'require'>,
  what: string,
  { calls, control }: { readonly calls: readonly AbortedCall[]; readonly control: AbortedCall | undefined },
): void {
  const mostMs = arrivesWithinMs + Math.max(0, control?.lateMs ?? 0)
  for (const { result, lateMs } of calls) {
    const error = errorOf(require, what, result)
    check.of('CLI-036').equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
    check.of('CLI-029').measured.between(`milliseconds from the abort until the end of ${what}`, lateMs, -50, mostMs)
  }
}

/** The error of a call that is answered so, and ends after the time-out of its client. */
async function endedByTimeout(
  { client, server, check, require }: ClientContext,
  reply: Reply,
  // A library that counts the head as the answer may report it before the time is over.
  when: 'then' | 'at most' = 'then',
) {
  server.replies(json(200, { id: 'em_1' }))
  valueOf(require, 'emails.send', await send(await client()))
  const handle = await client({ timeout_ms: ampleMs, max_retries: 0 })
  server.replies(reply)
  const startedAt = performance.now()
  const error = errorOf(require, 'emails.send', await send(handle))
  const tookMs = Math.round(performance.now() - startedAt)
  check.of('CLI-009').between('milliseconds until the time-out', tookMs, when === 'then' ? ampleMs - 50 : 0, generousMs)
  return error
}

function expectMessage(check: Checks, message: unknown): void {
  check.ok('message', typeof message === 'string' && message !== '', 'a string', message)
}
