// CLI-007  "`maxRetries` is the number of retries after the first attempt."
// CLI-008  "`maxRetries` is 2 by default."
// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-015  "A network failure is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
// CLI-057  "The last attempt's error is thrown when the retries are used up."
// CLI-061  "Other POST requests that create something are not retried after a server error: webhooks, inboxes, domains and keys."
//
// Reading: `emails.send` carries an Idempotency-Key and is retried after anything; so it is the call of these cases.

import { clientCase, json, refusal, TooBusy, type ClientHandle, type Reply } from '../../harness/authoring.js'
import { closed, failing, reset, success } from './shared/answers.js'
import { email, errorOf, send } from './shared/expectations.js'
import { median } from './shared/judge-waits.js'
import { methodNamed, reading, sending } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

/** Server errors that a list of the usual ones leaves out. */
const rareStatuses = [505, 506, 507, 508, 509, 510, 511, 512, 521, 522, 523, 524, 525, 526, 529, 530, 598, 599]
/** Codes that sound like a failure which passes; it is the status that counts. */
const codesOfRetries = ['conflict', 'rate_limited', 'try_again', 'temporarily_unavailable', 'internal_error', 'timeout']
/** Calls side by side, and rounds of them: more failed attempts than a pool has connections. */
const [together, rounds] = [15, 3] as const
const manyRetries = 8
/** After which a call of many retries is aborted, in milliseconds. */
const enoughMs = 60_000
const generousMs = 30_000
const atOnce = { 'retry-after': '0' }

const withoutLocation = (status: number): Reply => ({
  kind: 'empty',
  status,
  headers: status === 304 ? {} : { 'content-length': '0' },
})
const cutBody = JSON.stringify({ id: 'em_1', note: 'x'.repeat(200) })

export const retries = [
  ...[429, 500, 501, 502, 503, 504, 520].map((status) =>
    scenario({
      id: `client/retries/retries-a-${status}`,
      requirements: [status === 429 ? 'CLI-013' : 'CLI-014'],
      title: `a ${status} is followed by another attempt, whose answer is the result`,
      calls: [{ method: sending, maxRetries: 2, answers: [refusal(status, 'try_again'), success] }],
    }),
  ),

  scenario({
    id: 'client/retries/retries-a-get',
    requirements: ['CLI-013', 'CLI-014'],
    title: 'a request that only reads is retried after 429 and 5xx',
    calls: [
      { method: reading, maxRetries: 2, answers: [refusal(503, 'try_again'), refusal(429, 'slow_down'), success] },
    ],
  }),

  scenario({
    id: 'client/retries/retries-a-patch',
    requirements: ['CLI-014'],
    title: 'a changing request that creates nothing is retried after a 5xx, even without a key',
    calls: [{ method: methodNamed('emails.update'), maxRetries: 2, answers: [refusal(500, 'try_again'), success] }],
  }),

  // "Other POST requests that create something": a cancel creates nothing, but a library may decide by the method alone.
  scenario({
    id: 'client/retries/retries-a-post-that-creates-nothing',
    requirements: ['CLI-014'],
    level: 'should',
    title: 'cancelling an email is retried after a 5xx',
    calls: [{ method: methodNamed('emails.cancel'), maxRetries: 2, answers: [refusal(500, 'try_again'), success] }],
  }),

  scenario({
    id: 'client/retries/retries-a-reset-before-an-answer',
    requirements: ['CLI-015'],
    title: 'a connection reset before an answer is retried',
    calls: [{ method: sending, maxRetries: 2, answers: [reset, success] }],
  }),

  scenario({
    id: 'client/retries/retries-a-reset-in-the-middle-of-the-body',
    requirements: ['CLI-015'],
    level: 'should',
    title: 'a connection reset in the middle of the body is retried',
    calls: [{ method: sending, maxRetries: 2, answers: [{ kind: 'reset-in-body', status: 200 }, success] }],
  }),

  scenario({
    id: 'client/retries/retries-a-connection-closed-in-the-middle-of-the-body',
    requirements: ['CLI-015'],
    level: 'should',
    title: 'emails.send and emails.get retry after a connection that was closed inside a body',
    calls: [sending, reading].map((method) => ({
      method,
      maxRetries: 2,
      answers: [{ kind: 'close-in-body', status: 200, body: cutBody, contentType: 'application/json' }, success],
    })),
  }),

  scenario({
    id: 'client/retries/retries-a-connection-closed-without-an-answer',
    requirements: ['CLI-015'],
    title: 'emails.send and emails.get retry after a connection that was closed before an answer',
    calls: [sending, reading].map((method) => ({ method, maxRetries: 2, answers: [closed, closed, success] })),
  }),

  // The attempts do not arrive, so their time is compared with that of attempts which are reset.
  clientCase({
    id: 'client/retries/retries-a-refused-connection',
    requirements: ['CLI-015'],
    level: 'must',
    title: 'a refused connection is retried with the same waits as a reset one',
    async run({ client, construct, server, check, require, apiKey }) {
      const lasting = async (handle: ClientHandle, what: string) => {
        const startedAt = performance.now()
        errorOf(require, `emails.send with every connection ${what}`, await send(handle))
        return Math.round(performance.now() - startedAt)
      }
      const refusedOnce = { api_key: apiKey, base_url: server.url, max_retries: 0 }
      server.replies({ kind: 'reset' })
      const resetting = await client({ max_retries: 2 })
      const reset: number[] = []
      for (let count = 0; count < 3; count++) reset.push(await lasting(resetting, 'reset'))
      await server.close()
      const { handle } = await construct({ ...refusedOnce, max_retries: 2 }, {})
      const { handle: withoutRetries } = await construct(refusedOnce, {})
      // A first call may take long for what a library does once.
      await lasting(withoutRetries, 'refused')
      const refused: number[] = []
      const once: number[] = []
      for (let count = 0; count < 3; count++) {
        once.push(await lasting(withoutRetries, 'refused'))
        refused.push(await lasting(handle, 'refused'))
      }
      const medianOf = (times: readonly number[]) => median(times.toSorted((one, other) => one - other))
      const usualMs = medianOf(reset)
      // Another case reports a client that does not wait.
      if (usualMs < 300) return
      // The time of an attempt itself, long on a busy machine, is not a wait.
      const hasWaited = medianOf(refused) - medianOf(once) >= usualMs / 10
      if (!hasWaited && medianOf(once) >= usualMs / 2)
        throw new TooBusy(`a refused attempt itself took ${once.join(', ')} ms`)
      check.ok(
        'milliseconds of calls with every connection refused',
        hasWaited,
        `about ${reset.join(', ')}`,
        `${refused.join(', ')}; without retries ${once.join(', ')}`,
      )
    },
  }),

  ...[400, 401, 403, 404, 408, 409, 413, 422, 425].map((status) =>
    scenario({
      id: `client/retries/throws-a-${status}-at-once`,
      requirements: ['CLI-020'],
      title: `a ${status} is thrown without a second attempt`,
      calls: [{ method: sending, answers: [refusal(status, 'no_use'), success] }],
    }),
  ),

  scenario({
    id: 'client/retries/throws-other-errors-at-once-whatever-their-retry-after',
    requirements: ['CLI-020'],
    title: 'a 400, 403, 404, 409, 413 or 423 with Retry-After is thrown without a retry',
    calls: [400, 403, 404, 409, 413, 423].map((status) => ({
      method: sending,
      maxRetries: 2,
      answers: [failing(status), success],
    })),
  }),

  scenario({
    id: 'client/retries/throws-other-errors-at-once-whatever-their-code',
    requirements: ['CLI-020'],
    title: 'a 400 or 409 is thrown without retry, also with a code like rate_limited',
    errors: [400, 409].flatMap((status) =>
      codesOfRetries.map((code) => ({
        method: sending,
        maxRetries: 1,
        status,
        error: { code, message: 'It is so.', fix: 'Mend it.' },
      })),
    ),
  }),

  scenario({
    id: 'client/retries/retries-every-other-5xx',
    requirements: ['CLI-014'],
    title: `every other 5xx from ${rareStatuses[0]} to ${rareStatuses.at(-1)} is retried`,
    calls: rareStatuses.map((status) => ({ method: sending, maxRetries: 1, answers: [failing(status), success] })),
  }),

  // Without a Location there is nowhere to go, so that no library follows them.
  scenario({
    id: 'client/retries/throws-a-3xx-at-once',
    requirements: ['CLI-020'],
    title: 'a 300 or 304 without Location is thrown without retry',
    calls: [300, 304].map((status) => ({ method: reading, maxRetries: 2, answers: [withoutLocation(status)] })),
  }),

  scenario({
    id: 'client/retries/throws-a-3xx-without-a-location-at-once',
    requirements: ['CLI-020'],
    level: 'should',
    title: 'a 301, 302, 303, 307 or 308 without Location is thrown without retry',
    calls: [301, 302, 303, 307, 308].map((status) => ({
      method: reading,
      maxRetries: 2,
      answers: [withoutLocation(status)],
    })),
  }),

  scenario({
    id: 'client/retries/retries-twice-by-default',
    requirements: ['CLI-008', 'CLI-057'],
    title: 'without maxRetries there are three attempts, and the error of the last one is thrown',
    calls: [
      { method: sending, answers: [refusal(500, 'first'), refusal(502, 'second'), refusal(503, 'third'), success] },
    ],
  }),

  ...[0, 1, 4].map((maxRetries) =>
    scenario({
      id: `client/retries/obeys-max-retries-${maxRetries}`,
      requirements: ['CLI-007'],
      title: `with maxRetries ${maxRetries} a call has ${maxRetries + 1} ${maxRetries === 0 ? 'attempt' : 'attempts'}`,
      timeoutMs: 120_000,
      calls: [{ method: sending, maxRetries, answers: [refusal(503, 'try_again')] }],
    }),
  ),

  // A library that waits longer than Retry-After is aborted: its attempts until then count.
  scenario({
    id: `client/retries/obeys-max-retries-${manyRetries}`,
    requirements: ['CLI-007'],
    title: `with maxRetries ${manyRetries}, ${manyRetries + 1} attempts are made, as far as a minute allows`,
    timeoutMs: 120_000,
    calls: [
      { method: sending, maxRetries: manyRetries, options: { abort_after_ms: enoughMs }, answers: [failing(503)] },
    ],
  }),

  scenario({
    id: 'client/retries/does-not-repeat-a-creating-post-after-a-server-error',
    requirements: ['CLI-061'],
    title: 'creating a webhook is not retried after a 500, where sending an email is',
    calls: [
      { method: sending, maxRetries: 2, answers: [refusal(500, 'try_again'), success] },
      ...[500, 503].map((status) => ({
        method: methodNamed('webhooks.create'),
        maxRetries: 2,
        answers: [refusal(status, 'broken'), json(201, { id: 'whk_1', secret: 'whsec_AAAA' })] as const,
      })),
    ],
  }),

  clientCase({
    id: 'client/retries/retries-on-connections-that-are-kept',
    requirements: ['CLI-013', 'CLI-014'],
    level: 'must',
    title: `${together * rounds} calls, each answered 503, 429 and 200 over kept connections, all return the answer`,
    timeoutMs: 120_000,
    async run({ client, server, check }) {
      server.keepsConnections()
      const made = new Map<unknown, number>()
      server.script(({ json: body }) => {
        const { subject } = (body ?? {}) as { subject?: unknown }
        const number = (made.get(subject) ?? 0) + 1
        made.set(subject, number)
        const long = { detail: 'An unread body keeps a connection. '.repeat(200) }
        if (number < 3) return refusal(number === 1 ? 503 : 429, 'try_again', atOnce, long)
        return json(200, { id: `em_${String(subject)}` })
      })
      const handle = await client({ max_retries: 2, timeout_ms: generousMs })
      for (let round = 0; round < rounds; round++) {
        const subjects = Array.from({ length: together }, (_, index) => `${round}-${index}`)
        const results = await Promise.all(
          subjects.map((subject) => handle.call('emails.send', [{ ...email, subject }])),
        )
        const missed = subjects.filter((subject) => (made.get(subject) ?? 0) < 3)
        const on = check.of(missed.some((subject) => (made.get(subject) ?? 0) < 2) ? 'CLI-014' : 'CLI-013')
        const failed = results.find((result) => result.kind !== 'value')
        const isRight = on.ok(
          `results of calls ${round * together + 1} to ${(round + 1) * together} answered 503, 429 and 200`,
          failed === undefined,
          'values',
          failed,
        )
        if (!isRight) return
      }
    },
  }),

  clientCase({
    id: 'client/retries/keeps-the-order-of-its-answers',
    requirements: ['CLI-053', 'CLI-028'],
    level: 'must',
    title: 'ten calls side by side each get their own answer, each sent once',
    async run({ client, server, check }) {
      server.script((received) =>
        json(200, { id: `em_${String((received.json as { subject?: string } | undefined)?.subject)}` }),
      )
      const handle = await client()
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => handle.call('emails.send', [{ ...email, subject: String(index) }])),
      )
      check.of('CLI-028').equal(
        'values',
        results.map((result) => (result.kind === 'value' ? result.value : result)),
        results.map((_, index) => ({ id: `em_${index}` })),
      )
      check.of('CLI-053').equal('number of requests', server.requests.length, 10)
    },
  }),
]
