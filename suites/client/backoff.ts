// CLI-016  "Retries wait with exponential backoff: the waits grow."
// CLI-017  "Retries wait with jitter: the waits differ."
// CLI-018  "A `Retry-After` header in seconds is obeyed: the retry is not sent earlier."
// CLI-019  "A `Retry-After` header with an HTTP date is obeyed: the retry is not sent earlier."
//
// Reading: no base, factor or bound is stated. Jitter may shorten a wait to nothing, so one wait proves little: growth and jitter are
// measured over many calls (growth.ts), in rounds that continue until the verdict is certain, or the time is up: then there is no failure,
// and undecided facts count as not tested. Waits are measured from our answer to the next arrival, which is never shorter than the client's
// wait. A busy machine makes waits longer, never shorter: without jitter many of them still crowd at the shortest one, and with any jitter
// they do not. No cap on Retry-After is stated: 12 seconds is more than the usual cap of clients on their own waits.

import { TooBusy, clientCase, json, memberOf, refusal } from '../../harness/authoring.js'
import { email, send, valueOf, waitsBetween } from './expectations.js'
import { crowdedShare, judgeWaits, type WaitJudgement } from './judge-waits.js'
import { requirementsOf, isRepeated, methods, slugOf } from './methods.js'
import { waitRounds, type WaitRound } from './wait-rounds.js'

const manyRetries = 5
/** Where drivers make one call after the other, more of them in the same time are worth more than the longest waits. */
const fewRetries = 3
/** Another round of calls begins if it would end by then, in milliseconds. */
const roundsWithinMs = 36_000
/** Calls after which nothing more is learnt. */
const enoughCalls = 600
/** A timer may fire this much early against the clock of another process, in milliseconds. */
const earlyMs = 30

/** Longer than some libraries are willing to wait; 30 days are more milliseconds than 32 bits hold. In seconds. */
const longSeconds = [300, 2_592_000]
/** Shorter than what careful libraries cut a wait to, which no caller may want for a month; in milliseconds. */
const watchedMs = 20_000

/** Names of the cases that preceded the others, by method. */
const formerNames: Readonly<Record<string, `client/${string}/${string}`>> = {
  'emails.get': 'client/backoff/obeys-retry-after-of-a-get',
  'emails.update': 'client/backoff/obeys-retry-after-of-a-patch',
  'webhooks.delete': 'client/backoff/obeys-retry-after-of-a-delete',
}

/** Returns the requirement that such a status is retried. */
const retriedBy = (status: number) => (status === 429 ? 'CLI-013' : 'CLI-014')

/** Server errors other than those of the cases of each method. */
const otherServerErrors = [501, 502, 504, 507, 520, 529, 599] as const

export const backoff = [
  clientCase({
    id: 'client/backoff/waits-grow-and-differ',
    requirements: ['CLI-016', 'CLI-017'],
    level: 'must',
    title: 'over many calls the third wait is longer than the first, and first waits vary',
    timeoutMs: 180_000,
    async run({ fleet, isConcurrent, server, check, require, measure, skip }) {
      const retries = isConcurrent ? manyRetries : fewRetries
      const startedAt = performance.now()
      const nextRound = await waitRounds({ fleet, isConcurrent, server }, retries)
      const rounds: WaitRound[] = []
      let judged: WaitJudgement
      let longestMs = 0
      do {
        const round = await nextRound()
        rounds.push(round)
        longestMs = Math.max(longestMs, round.tookMs)
        // Control: without retries there are no waits.
        if (!round.isCut)
          require
            .of(round.maxAttempts < 2 ? 'CLI-014' : 'CLI-007')
            .equal(`calls that ended before their ${retries} retries were used up`, round.endedEarly, 0)
        judged = judgeWaits(rounds, retries)
        if (judged.columns < 3)
          skip(
            `the waits of this client are too long: fewer than three retries within ${Math.round(longestMs / 1000)} s`,
          )
      } while (
        !judged.isSure &&
        rounds.reduce((sum, round) => sum + round.waits.length, 0) < enoughCalls &&
        !rounds.some((round) => round.isCut) &&
        performance.now() - startedAt + longestMs * 1.1 < roundsWithinMs
      )
      measure('waits_ms', judged.figures)
      measure(
        'rounds',
        rounds.map((round) => ({ calls: round.waits.length, loop_delay_ms: Math.round(round.loopDelayMs) })),
      )
      const figures = `${judged.figures.map((figure) => figure.typical).join(', ')} over ${judged.calls} calls`
      if (!judged.hasStillRound && !judged.areEqual && judged.bare === undefined)
        throw new TooBusy(`this machine was too busy to judge whether waits differ (${figures})`)
      const isUndecided = judged.growth === 'undecided'
      if (isUndecided ? !judged.isQuiet && !judged.areEqual : !judged.isTrusted && judged.growth !== 'exponential')
        throw new TooBusy(`this machine was too busy to judge how waits grow (${figures})`)
      if (isUndecided && !judged.areEqual)
        skip(`${judged.calls} calls do not show how the waits of this client grow: ${figures}`)
      check
        .of('CLI-016')
        .ok(
          'milliseconds before each retry, typically',
          judged.growth === 'exponential' || isUndecided,
          'waits that grow exponentially',
          judged.growth === 'level'
            ? `waits that hardly grow: ${figures}`
            : `waits that grow by the same amount each time: ${figures}`,
        )
      check
        .of('CLI-016')
        .ok('wait before the first retry', !judged.beginsAtOnce, 'a wait, as before the second', `none: ${figures}`)
      check
        .of('CLI-017')
        .ok(
          `waits before retry ${judged.bare ?? 1} over ${judged.calls} calls`,
          judged.bare === undefined || judged.beginsAtOnce,
          'waits that differ',
          `nearly all as long as the shortest one: ${figures}`,
        )
      check
        .of('CLI-017')
        .ok(
          `retries whose waits are alike over ${judged.calls} calls`,
          !judged.areEqual,
          `less than half of ${judged.columns}`,
          `${judged.equalWaits}: of their waits ${crowdedShare * 100} % and more are as long as the shortest one`,
        )
    },
  }),

  ...[429, 500, 503].map((status) =>
    clientCase({
      id: `client/backoff/obeys-retry-after-in-seconds-of-a-${status}`,
      requirements: ['CLI-018'],
      level: 'must',
      title: `a ${status} with Retry-After: 3 is retried no earlier than 3 seconds later, every time`,
      async run({ client, server, check, require }) {
        server.replies(refusal(status, 'slow_down', { 'retry-after': '3' }), json(200, { id: 'em_1' }))
        valueOf(
          require.of(retriedBy(status)),
          `emails.send answered ${status}`,
          await send(await client({ max_retries: 2 })),
        )
        check.equal('number of requests', server.requests.length, 2)
        const [wait = 0] = waitsBetween(server.requests)
        check.ok(`milliseconds before the retry`, wait >= 3_000 - earlyMs, 'at least 3000', Math.round(wait))
        check.measured.ok('milliseconds before the retry', wait <= 15_000, 'at most 15000', Math.round(wait))
      },
    }),
  ),

  ...methods.filter(isRepeated).map((method) =>
    clientCase({
      id: formerNames[method.name] ?? `client/backoff/${slugOf(method)}-obeys-retry-after`,
      requirements: requirementsOf(method, 'CLI-018', 'CLI-019'),
      level: 'must',
      title: `${method.name} waits at least the Retry-After of a 429, 502 and 503`,
      async run({ client, server, check, require }) {
        let dueMs = 0
        const start = server.requests.length
        server.script((_request, number) => {
          if (number === start + 1) return refusal(429, 'slow_down', { 'retry-after': '3' })
          if (number === start + 3) return refusal(502, 'try_again', { 'retry-after': '2' })
          if (number > start + 3) return json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
          const dueAt = Math.ceil(Date.now() / 1000) * 1000 + 2_000
          dueMs = dueAt - Date.now()
          return refusal(503, 'try_again', { 'retry-after': new Date(dueAt).toUTCString() })
        })
        const handle = await client({ max_retries: 3 })
        const what = `${method.name} answered 429, 503 and 502, each with Retry-After`
        valueOf(require, what, await handle.call(method.name, method.args))
        check.equal(`number of requests of ${what}`, server.requests.length - start, 4)
        const requested = [
          ['a 429 with Retry-After: 3', 'CLI-018', 3_000 - earlyMs],
          ['a 503 whose Retry-After is a date', 'CLI-019', dueMs - earlyMs - 50],
          ['a 502 with Retry-After: 2', 'CLI-018', 2_000 - earlyMs],
        ] as const
        const waits = waitsBetween(server.requests.slice(start))
        for (const [index, [after, id, leastMs]] of requested.entries()) {
          const wait = waits[index] ?? 0
          const least = `at least ${Math.round(leastMs)}`
          check
            .of(method.reportedUnder ?? id)
            .ok(
              `milliseconds before the retry of ${method.name} after ${after}`,
              wait >= leastMs,
              least,
              Math.round(wait),
            )
        }
      },
    }),
  ),

  ...methods
    .filter(({ effect }) => effect === 'creates')
    .map((method) =>
      clientCase({
        id: `client/backoff/${slugOf(method)}-obeys-retry-after`,
        requirements: requirementsOf(method, 'CLI-018'),
        level: 'must',
        title: `${method.name} answered 429 waits at least Retry-After, if it retries`,
        async run({ client, server, check, require }) {
          const handle = await client({ max_retries: 1 })
          const call = () => handle.call(method.name, method.args)
          server.replies(json(201, { id: 'x_1', object: 'x', secret: 'whsec_AAAA' }))
          valueOf(require, method.name, await call())
          const start = server.requests.length
          server.replies(
            refusal(429, 'slow_down', { 'retry-after': '3' }),
            json(201, { id: 'x_1', object: 'x', secret: 'whsec_AAAA' }),
          )
          await call()
          // It is open whether a create is repeated after a 429; if it is, its wait is not.
          const [wait] = waitsBetween(server.requests.slice(start))
          if (wait === undefined) return
          check.ok(
            `milliseconds before the retry of ${method.name} after a 429 with Retry-After: 3`,
            wait >= 3_000 - earlyMs,
            'at least 3000',
            Math.round(wait),
          )
        },
      }),
    ),

  clientCase({
    id: 'client/backoff/obeys-a-long-retry-after',
    requirements: ['CLI-018'],
    level: 'must',
    title: 'a 503 with Retry-After: 12 is retried no earlier than 12 seconds later',
    async run({ client, server, check, require }) {
      server.replies(refusal(503, 'try_again', { 'retry-after': '12' }), json(200, { id: 'em_1' }))
      const handle = await client({ max_retries: 2 })
      // After earlier calls were left open, others get less time than the wait of this case.
      const result = await handle.call('emails.send', [email], {}, 45_000)
      valueOf(require.of('CLI-014'), 'emails.send answered 503', result)
      check.equal('number of requests', server.requests.length, 2)
      const [wait = 0] = waitsBetween(server.requests)
      check.ok('milliseconds before the retry', wait >= 12_000 - earlyMs, 'at least 12000', Math.round(wait))
    },
  }),

  // The client may give up: the case only checks that no retry is early. Timers of some runtimes end at once if 32 bits are too few for
  // their time.
  clientCase({
    id: 'client/backoff/obeys-a-retry-after-of-more-than-a-minute',
    requirements: ['CLI-018'],
    level: 'must',
    title: `a 503 with Retry-After: ${longSeconds.join(' or ')} is not retried within ${watchedMs / 1000} seconds`,
    timeoutMs: 90_000,
    async run({ client, isConcurrent, server, check, require }) {
      const handle = await client({ max_retries: 2, timeout_ms: 5_000 })
      const times = isConcurrent ? longSeconds : longSeconds.slice(0, 1)
      server.script(({ json: sent }) => refusal(503, 'try_again', { 'retry-after': String(memberOf(sent, 'subject')) }))
      await Promise.all(
        times.map((seconds) =>
          handle.call(
            'emails.send',
            [{ ...email, subject: String(seconds) }],
            { abort_after_ms: watchedMs },
            watchedMs + 40_000,
          ),
        ),
      )
      for (const seconds of times) {
        const made = server.requests.filter(({ json: sent }) => memberOf(sent, 'subject') === String(seconds)).length
        require.ok(`requests of emails.send answered Retry-After: ${seconds}`, made > 0, 'at least 1', made)
        const what = `requests of emails.send within ${watchedMs / 1000} seconds of Retry-After: ${seconds}`
        check.ok(what, made === 1, '1', made)
      }
    },
  }),

  ...[429, 503].map((status) =>
    clientCase({
      id: `client/backoff/obeys-retry-after-with-a-date${status === 429 ? '' : `-of-a-${status}`}`,
      requirements: ['CLI-019'],
      level: 'must',
      title: `a ${status} whose Retry-After is an HTTP date is retried no earlier than that date`,
      async run({ client, server, check, require }) {
        let dueAt = 0
        server.script((_request, number) => {
          if (number > 1) return json(200, { id: 'em_1' })
          dueAt = Math.ceil(Date.now() / 1000) * 1000 + 3_000
          return refusal(status, 'slow_down', { 'retry-after': new Date(dueAt).toUTCString() })
        })
        const result = await send(await client({ max_retries: 2 }))
        valueOf(require.of(retriedBy(status)), `emails.send answered ${status}`, result)
        check.equal('number of requests', server.requests.length, 2)
        const arrivedAt = performance.timeOrigin + (server.requests[1]?.arrivedAt ?? 0)
        const lateMs = Math.round(arrivedAt - dueAt)
        check.ok('milliseconds between the date and the retry', lateMs >= -earlyMs - 50, 'at least 0', lateMs)
        check.measured.ok('milliseconds between the date and the retry', lateMs <= 12_000, 'at most 12000', lateMs)
      },
    }),
  ),

  clientCase({
    id: 'client/backoff/obeys-retry-after-of-any-5xx',
    requirements: ['CLI-018'],
    level: 'must',
    title: 'any 5xx with Retry-After: 3 is retried no earlier than 3 seconds later',
    timeoutMs: 120_000,
    async run({ client, server, check, require }) {
      const made = new Set<unknown>()
      server.script(({ json: sent }) => {
        const subject = memberOf(sent, 'subject')
        if (made.has(subject)) return json(200, { id: 'em_1' })
        made.add(subject)
        return refusal(Number(subject), 'try_again', { 'retry-after': '3' })
      })
      const handle = await client({ max_retries: 1 })
      const results = await Promise.all(
        otherServerErrors.map((status) => handle.call('emails.send', [{ ...email, subject: String(status) }])),
      )
      for (const [index, status] of otherServerErrors.entries()) {
        const what = `emails.send answered ${status} with Retry-After: 3`
        valueOf(require.of('CLI-014'), what, results[index] ?? { kind: 'broken', how: 'no result' })
        const [wait = 0] = waitsBetween(
          server.requests.filter(({ json: sent }) => memberOf(sent, 'subject') === String(status)),
        )
        check.ok(`milliseconds before the retry of ${what}`, wait >= 3_000 - earlyMs, 'at least 3000', Math.round(wait))
      }
    },
  }),

  clientCase({
    id: 'client/backoff/retry-after-of-zero-does-not-stop-the-retry',
    requirements: ['CLI-018'],
    level: 'must',
    title: 'a Retry-After of 0 or a past date is followed by a retry',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 2 })
      for (const value of [
        '0',
        'Wed, 21 Oct 2015 07:28:00 GMT',
        // RFC 9110, 5.6.7: who receives a date takes these two as well.
        'Wednesday, 21-Oct-15 07:28:00 GMT',
        'Wed Oct 21 07:28:00 2015',
      ]) {
        const start = server.requests.length
        server.replies(refusal(429, 'slow_down', { 'retry-after': value }), json(200, { id: 'em_1' }))
        valueOf(require.of('CLI-013'), `emails.send after Retry-After: ${value}`, await send(handle))
        check.equal('number of requests', server.requests.length - start, 2)
      }
    },
  }),
]
