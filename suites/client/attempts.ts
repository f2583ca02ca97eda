// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-029  "Every method takes a last options argument with `signal`: an aborted call ends with `aborted`."
// CLI-018  "A `Retry-After` header in seconds is obeyed: the retry is not sent earlier."
// CLI-033  "A 429 error has `retryAfter` in seconds, from the `Retry-After` header."
//
// Reading: a rule for an attempt holds for each one, and the latest answer decides the next wait. Each case has an attempt that is answered
// at once before the one it is about.

import { clientCase, json, refusal } from '../../harness/authoring.js'
import { errorOf, send, valueOf, waitsBetween } from './expectations.js'
import { requirementsOf, isRepeated, methods, slugOf } from './methods.js'

const again = refusal(503, 'try_again', { 'retry-after': '0' })
/** Long enough for an attempt that is answered at once, on a busy machine too, in milliseconds. */
const ampleMs = 5_000
/** How long an answer is held back, and a time-out that is ample for one such attempt and too short for three, in milliseconds. */
const heldMs = 6_000
const ampleForHeldMs = 15_000
/** By then the second attempt is under way, in milliseconds. */
const abortedMs = 4_000
const generousMs = 30_000
/** Attempts other than the first. */
const laterAttempts = [2, 3, 4] as const
/** By then a third attempt is under way, in milliseconds. */
const abortedInThirdMs = 2_500
/** Ends a second attempt of a call, if it need not differ from the first one, in milliseconds. */
const shortMs = 1_500
/** A wait that a call is aborted in, in seconds, and when that is, in milliseconds. */
const requestedSeconds = 40
const abortedInWaitMs = 1_000
/** A timer may fire this much early against the clock of another process, in milliseconds. */
const earlyMs = 30

export const attempts = [
  ...(
    [
      ['as-the-first-one', 'CLI-009', { timeout_ms: ampleMs }, {}],
      ['by-the-timeout-of-the-call', 'CLI-030', { timeout_ms: 45_000 }, { timeout_ms: ampleMs }],
    ] as const
  ).map(([how, requirement, ofClient, ofCall]) =>
    clientCase({
      id: `client/attempts/limits-a-retry-${how}`,
      requirements: [requirement],
      level: 'must',
      timeoutMs: 180_000,
      title: `an unanswered second, third or fourth attempt ends after the timeoutMs of the ${requirement === 'CLI-009' ? 'client' : 'call'}`,
      async run({ client, server, check, require }) {
        valueOf(require, 'emails.send', await send(await client()))
        for (const last of laterAttempts) {
          const before = server.requests.length
          server.replies(again, ...Array.from({ length: last - 2 }, () => again), { kind: 'hang' })
          const handle = await client({ ...ofClient, max_retries: last - 1 })
          const startedAt = performance.now()
          const result = await send(handle, ofCall, generousMs + ampleMs)
          const tookMs = Math.round(performance.now() - startedAt)
          // Control: there is such an attempt.
          const made = server.requests.length - before
          if (made < last) require.of('CLI-014').fail('requests of emails.send answered 503', `at least ${last}`, made)
          const error = errorOf(require, `emails.send whose attempt ${last} gets no answer`, result)
          check.equal(`code where attempt ${last} gets no answer`, error.code, 'timeout')
          check.between(`milliseconds until the end of attempt ${last}`, tookMs, ampleMs - 50, generousMs)
        }
      },
    }),
  ),

  ...(
    [
      ['the-client', 'CLI-009', { timeout_ms: ampleForHeldMs }, {}],
      ['the-call', 'CLI-030', {}, { timeout_ms: ampleForHeldMs }],
    ] as const
  ).map(([whose, requirement, ofClient, ofCall]) =>
    clientCase({
      id: `client/attempts/gives-each-the-whole-timeout-of-${whose}`,
      requirements: [requirement],
      level: 'must',
      title: `three attempts, each within timeoutMs of ${whose.replace('-', ' ')}, may last longer than timeoutMs together`,
      async run({ client, server, check, require }) {
        valueOf(require, 'emails.send', await send(await client()))
        const before = server.requests.length
        server.script((_request, number) => ({
          kind: 'held',
          until: new Promise((resolve) => setTimeout(resolve, heldMs)),
          reply: number - before < 3 ? again : json(200, { id: 'em_1' }),
        }))
        const handle = await client({ ...ofClient, max_retries: 2 })
        const result = await send(handle, ofCall, 90_000)
        // Control: a 503 is retried at all.
        if (result.kind === 'error' && result.error.status === 503)
          require.of('CLI-014').fail('attempts of emails.send answered 503', '3', server.requests.length - before)
        check.equal(
          `result of emails.send whose three attempts take ${heldMs / 1000} seconds each, with timeoutMs ${ampleForHeldMs}`,
          result.kind === 'value' ? result.value : result,
          { id: 'em_1' },
        )
      },
    }),
  ),

  clientCase({
    id: 'client/attempts/aborts-a-retry',
    requirements: ['CLI-029'],
    level: 'must',
    title: 'a call aborted during its second attempt ends with aborted and makes no third',
    async run({ client, server, check, require }) {
      server.replies(again, { kind: 'hang' })
      const handle = await client({ timeout_ms: 45_000, max_retries: 2 })
      const startedAt = performance.now()
      const error = errorOf(
        require,
        'emails.send aborted during its second attempt',
        await send(handle, { abort_after_ms: abortedMs }),
      )
      const tookMs = Math.round(performance.now() - startedAt)
      check.equal('error', { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
      check.between('milliseconds until the end', tookMs, abortedMs - 50, generousMs)
      check.ok('number of requests', server.requests.length <= 2, 'at most 2', server.requests.length)
    },
  }),

  clientCase({
    id: 'client/attempts/obeys-the-retry-after-of-the-latest-answer',
    requirements: ['CLI-018'],
    level: 'must',
    title: 'the third attempt waits the 3 seconds of the second Retry-After',
    async run({ client, server, check, require }) {
      server.replies(
        refusal(503, 'try_again'),
        refusal(429, 'slow_down', { 'retry-after': '3' }),
        json(200, { id: 'em_1', status: 'sent', recipients: [] }),
      )
      const handle = await client({ max_retries: 2 })
      const result = await handle.call('emails.get', ['em_1'])
      valueOf(require.of('CLI-014'), 'emails.get answered 503, 429 and 200', result)
      check.equal('number of requests', server.requests.length, 3)
      const [, wait = 0] = waitsBetween(server.requests)
      check.ok('milliseconds before the third attempt', wait >= 3_000 - earlyMs, 'at least 3000', Math.round(wait))
    },
  }),

  clientCase({
    id: 'client/attempts/tells-the-retry-after-of-the-latest-answer',
    requirements: ['CLI-033'],
    level: 'must',
    title: 'the error of a call answered 429 twice has the retryAfter of the second',
    async run({ client, server, check, require }) {
      server.replies(
        refusal(429, 'slow_down', { 'retry-after': '1' }),
        refusal(429, 'slow_down', { 'retry-after': '17' }),
      )
      const error = errorOf(require, 'emails.send answered 429 twice', await send(await client({ max_retries: 1 })))
      require.of('CLI-013').equal('number of requests', server.requests.length, 2)
      check.equal('retryAfter', error.retry_after, 17)
    },
  }),

  clientCase({
    id: 'client/attempts/tells-no-retry-after-of-an-earlier-answer',
    requirements: ['CLI-033'],
    level: 'must',
    title: 'an error of a 429 without Retry-After has no earlier seconds',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 1 })
      for (const status of [429, 503]) {
        const before = server.requests.length
        server.replies(refusal(status, 'slow_down', { 'retry-after': '1' }), refusal(429, 'slow_down'))
        for (const what of [`emails.send answered ${status} and then 429`, 'the call after it, answered 429 twice']) {
          const error = errorOf(require, what, await send(handle))
          check.equal(`status of the error of ${what}`, error.status, 429)
          // A language without absent numbers has 0.
          const isNone = [undefined, null, 0].includes(error.retry_after as undefined)
          check.ok(`retryAfter of ${what} without the header`, isNone, 'none', error.retry_after)
        }
        // Control: there is an answer before the last one.
        require
          .of(status === 429 ? 'CLI-013' : 'CLI-014')
          .equal(`requests of two calls answered ${status} and 429`, server.requests.length - before, 4)
      }
    },
  }),

  clientCase({
    id: 'client/attempts/counts-what-was-reset',
    requirements: ['CLI-007'],
    level: 'must',
    title: 'with maxRetries 1 and every connection reset there are two attempts',
    async run({ client, server, check, require }) {
      server.replies({ kind: 'reset' })
      errorOf(require, 'emails.send with every connection reset', await send(await client({ max_retries: 1 })))
      const { length } = server.requests
      // Control: if no network failure is retried, the number of retries proves nothing.
      if (length === 1) require.of('CLI-015').fail('requests of emails.send with every connection reset', '2', length)
      check.equal('number of requests', length, 2)
    },
  }),

  ...methods.filter(isRepeated).flatMap((method) => [
    clientCase({
      id: `client/attempts/${slugOf(method)}-is-aborted-while-it-waits`,
      requirements: requirementsOf(method, 'CLI-029'),
      level: 'must',
      title: `${method.name} aborted in the wait after a 429 or a 503 ends at once`,
      async run({ client, server, check, require }) {
        const handle = await client()
        for (const status of [429, 503]) {
          const before = server.requests.length
          server.replies(
            refusal(status, 'slow_down', { 'retry-after': String(requestedSeconds) }),
            json(200, { id: 'x_1' }),
          )
          const startedAt = performance.now()
          const result = await handle.call(method.name, method.args, { abort_after_ms: abortedInWaitMs })
          const tookMs = Math.round(performance.now() - startedAt)
          const what = `${method.name} answered ${status} with Retry-After: ${requestedSeconds}`
          // Control: there is a wait that can be aborted.
          if (result.kind === 'error' && result.error.status === status)
            require
              .of(method.reportedUnder ?? (status === 429 ? 'CLI-013' : 'CLI-014'))
              .fail(`error of ${what}`, 'none yet', status)
          if (result.kind === 'value' && tookMs < abortedInWaitMs - 50)
            require.of(method.reportedUnder ?? 'CLI-018').fail(`milliseconds until ${what} ended`, 'more', tookMs)
          const error = errorOf(require, `${what} that was aborted`, result)
          check.equal(`error of ${what}`, { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
          check.between(`milliseconds until ${what} ended`, tookMs, abortedInWaitMs - 50, generousMs)
          const made = server.requests.length - before
          if (method.reportedUnder !== 'CLI-060') check.ok(`requests of ${what}`, made <= 1, 'at most 1', made)
        }
      },
    }),

    clientCase({
      id: `client/attempts/${slugOf(method)}-keeps-its-options`,
      requirements: requirementsOf(method, 'CLI-030', 'CLI-029'),
      level: 'must',
      timeoutMs: 120_000,
      title: `later attempts of ${method.name} keep the timeoutMs and the signal of the call`,
      async run({ client, server, check, require }) {
        const patient = { timeout_ms: 45_000 }
        const handle = await client({ ...patient, max_retries: 1 })
        const persistent = await client({ ...patient, max_retries: 2 })
        // A first call may take long for what a library does once.
        server.replies(json(200, { id: 'x_1', data: [], next_cursor: null }))
        await handle.call(method.name, method.args)
        for (const [last, code, requirement, options] of [
          [2, 'timeout', 'CLI-030', { timeout_ms: shortMs }],
          [2, 'aborted', 'CLI-029', { abort_after_ms: shortMs }],
          [3, 'timeout', 'CLI-030', { timeout_ms: shortMs }],
          [3, 'aborted', 'CLI-029', { abort_after_ms: abortedInThirdMs }],
        ] as const) {
          const before = server.requests.length
          server.replies(again, ...(last === 3 ? [again] : []), { kind: 'hang' })
          const startedAt = performance.now()
          const result = await (last === 3 ? persistent : handle).call(method.name, method.args, options)
          const tookMs = Math.round(performance.now() - startedAt)
          // Control: there is such an attempt.
          if (result.kind === 'error' && result.error.status === 503)
            require
              .of(method.reportedUnder ?? 'CLI-014')
              .fail(`requests of ${method.name} answered 503`, `at least ${last}`, server.requests.length - before)
          const on = check.of(method.reportedUnder ?? requirement)
          const error = errorOf(
            require.of(method.reportedUnder ?? requirement),
            `${method.name} whose attempt ${last} gets no answer`,
            result,
          )
          on.equal(
            `error of ${method.name} whose attempt ${last} gets no answer`,
            { status: error.status, code: error.code },
            { status: 0, code },
          )
          on.between(`milliseconds until ${method.name} ended with ${code} in attempt ${last}`, tookMs, 0, generousMs)
        }
      },
    }),
  ]),
]
