// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-035  "When no response arrives in time, `status` is 0 and `code` is `timeout`."
// CLI-029, CLI-036  an aborted call ends with `aborted`, status 0.
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: it is open whether a client retries its own time-out (open point retry-of-timeouts); cases allow no retries if it matters. Of an
// answer with a stalled body the status has arrived: the case checks that the call ends, and the form of its error is advice. The upper
// bounds are generous, and a first call without a limit lets the runtime of the library warm up: a machine may be busy.

import { clientCase, type Reply } from '../../harness/authoring.js'
import { failing, halfAnswer, silence, success } from './shared/answers.js'
import { email, errorOf, send, valueOf } from './shared/expectations.js'
import { sending } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

const shortMs = 400
/** Long enough for an attempt that is answered at once, in milliseconds. */
const ampleMs = 2_000
const generousMs = 30_000
const patientMs = 45_000
/** What connects within a limit of its own has 10 seconds in many languages: a time-out of two ends an attempt before, in milliseconds. */
const securedWithinMs = 8_000
/** By then a call has made its third attempt, and waits for the next; in milliseconds. */
const laterAbortMs = 10_000
/** A wait that a call is aborted in, in seconds. */
const waitSeconds = 40

const warmUp = { method: sending, answers: [success] } as const
const stalled = (status: number): Reply => ({ kind: 'stall-in-body', status })
const dripping: Reply = { kind: 'drip', status: 200, body: { id: 'em_1', more: 'more and more' }, everyMs: 250 }
/** A call that is ended by the time-out of its client. */
const timedOut = (reply: Reply) => ({ method: sending, timeoutMs: ampleMs, maxRetries: 0, answers: [reply] as const })

export const time = [
  scenario({
    id: 'client/time/ends-an-attempt-without-an-answer',
    requirements: ['CLI-009', 'CLI-035', 'CLI-031'],
    title: 'an attempt that gets no answer ends after timeoutMs with status 0 and code timeout',
    calls: [warmUp, timedOut(silence)],
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

  scenario({
    id: 'client/time/ends-an-attempt-whose-body-stalls',
    requirements: ['CLI-009', 'CLI-031'],
    title: 'an attempt whose body stops half-way ends after timeoutMs with an error',
    calls: [warmUp, timedOut(halfAnswer)],
  }),

  scenario({
    id: 'client/time/ends-an-attempt-whose-error-stalls',
    requirements: ['CLI-009'],
    title: 'an attempt answered 400 or 503 whose body stops ends after timeoutMs with an error',
    calls: [warmUp, timedOut(stalled(400)), timedOut(stalled(503))],
  }),

  scenario({
    id: 'client/time/aborts-while-an-error-comes',
    requirements: ['CLI-029'],
    title: 'a call whose attempts are answered by half a 503 ends once it is aborted',
    calls: [
      { method: sending, timeoutMs: patientMs, answers: [success] },
      { method: sending, timeoutMs: patientMs, options: { abort_after_ms: ampleMs }, answers: [stalled(503)] },
    ],
  }),

  // Many HTTP libraries limit each wait for bytes, which does not limit the attempt.
  scenario({
    id: 'client/time/ends-an-attempt-whose-body-drips',
    requirements: ['CLI-009'],
    level: 'should',
    title: 'an attempt whose body arrives byte by byte still ends after timeoutMs',
    calls: [warmUp, timedOut(dripping)],
  }),

  clientCase({
    id: 'client/time/tells-a-body-that-stalls-as-no-answer',
    requirements: ['CLI-035'],
    level: 'should',
    title: 'an attempt whose body stops half-way ends with status 0 and code timeout or network_error',
    async run({ client, server, check, require }) {
      valueOf(require, 'emails.send', await send(await client()))
      const handle = await client({ timeout_ms: ampleMs, max_retries: 0 })
      server.replies(halfAnswer)
      const error = errorOf(require, 'emails.send', await send(handle))
      check.equal('status', error.status, 0)
      check.oneOf('code', error.code, ['timeout', 'network_error'])
    },
  }),

  scenario({
    id: 'client/time/limits-each-attempt-not-the-call',
    requirements: ['CLI-009'],
    title: 'a call that has lasted longer than timeoutMs still retries, and succeeds',
    calls: [
      warmUp,
      { method: sending, timeoutMs: 5_000, maxRetries: 2, answers: [failing(503, 6), failing(503, 1), success] },
    ],
  }),

  scenario({
    id: 'client/time/takes-the-timeout-of-the-call',
    requirements: ['CLI-030'],
    title: 'timeoutMs of a call replaces that of the client',
    calls: [
      { method: sending, timeoutMs: patientMs, maxRetries: 0, options: { timeout_ms: shortMs }, answers: [silence] },
    ],
  }),

  scenario({
    id: 'client/time/sends-nothing-when-aborted-before',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'should',
    title: 'a call whose signal is aborted already ends with aborted',
    calls: [{ method: sending, timeoutMs: 5_000, maxRetries: 0, options: { abort_after_ms: 0 }, answers: [silence] }],
  }),

  scenario({
    id: 'client/time/aborts-while-it-waits-for-an-answer',
    requirements: ['CLI-029', 'CLI-036', 'CLI-031'],
    title: 'a call aborted before an answer has status 0 and code aborted, without retry',
    calls: [{ method: sending, options: { abort_after_ms: shortMs }, answers: [silence] }],
  }),

  scenario({
    id: 'client/time/aborts-while-it-waits-to-retry',
    requirements: ['CLI-029', 'CLI-036'],
    title: 'a call aborted between two attempts ends with aborted at once, without another attempt',
    calls: [
      warmUp,
      { method: sending, options: { abort_after_ms: ampleMs }, answers: [failing(429, waitSeconds), success] },
    ],
  }),

  scenario({
    id: 'client/time/aborts-while-it-waits-for-a-later-retry',
    requirements: ['CLI-029', 'CLI-036'],
    title: 'a call aborted in the wait before its third or fourth attempt ends at once',
    timeoutMs: 120_000,
    calls: [
      warmUp,
      ...[[failing(503)], [failing(503), failing(503)]].map((before) => ({
        method: sending,
        maxRetries: 4,
        options: { abort_after_ms: laterAbortMs },
        answers: [before[0] ?? success, ...before.slice(1), failing(429, waitSeconds), success] as const,
      })),
    ],
  }),
]
