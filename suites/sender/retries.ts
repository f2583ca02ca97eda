// SDR-001  "A delivery is a `POST` to the webhook `url`."
// SDR-028  "Each attempt is made after the delay of the schedule, up to the depth that is watched."
// SDR-029  "`webhook-id` is identical on every retry."
// SDR-030  "Each attempt is signed at its own time: a retry carries the timestamp of the retry."
// SDR-031  "Every attempt carries the same event: `id`, `type`, `timestamp` and `data` do not change over retries."
// SDR-032  "A delivery has as many attempts as the schedule; there is none after the last."
// SDR-033  "A retried delivery succeeds at the first attempt that gets a 2xx, and is not attempted again."

import { redirect, senderCase, status, type SeenAttempt } from '../../harness/authoring.js'
import { expectSameEvent, expectSameFields } from './same-event.js'

/** Longest schedule that is watched, with the tolerance after it, in milliseconds. */
const longestMs = 2 * 24 * 3_600_000

/**
 * `maxWaitMs`: longest wait for an early attempt after the last watched one. `marginMs`: how long after the wait, and its tolerance, the
 * next attempt must be due at the earliest.
 */
const earlyCheck = { maxWaitMs: 30_000, marginMs: 5_000 }

/**
 * Returns how long to wait for an early attempt after the last watched one, in milliseconds: twice the delay before that one. A sender that
 * repeats its delay, or doubles it, is seen by then. 0 if the next attempt is due too soon for that, or none is due.
 */
function tooEarlyAfter(schedule: readonly number[], retryDepth: number): number {
  const delayMs = Math.min(2 * (schedule[retryDepth - 2] ?? 0), earlyCheck.maxWaitMs)
  const dueMs = schedule[retryDepth - 1] ?? 0
  return 1.25 * delayMs + earlyCheck.marginMs < dueMs ? delayMs : 0
}

/** Failures of an attempt other than a 500. */
const failures = [status(429), { kind: 'redirect' }, { kind: 'reset' }, { kind: 'hang' }] as const

export const retries = [
  senderCase({
    id: 'sender/retries/keep-the-schedule',
    requirements: ['SDR-028', 'SDR-029', 'SDR-030'],
    level: 'must',
    title: 'each attempt follows its delay, with the same id and its own timestamp',
    needs: ['retries'],
    timeoutMs: longestMs,
    async run({ send, next, expectNoMore, check, schedule, retryDepth }) {
      const tooEarlyMs = tooEarlyAfter(schedule, retryDepth)
      const failing = tooEarlyMs > 0 ? retryDepth : retryDepth - 1
      const event = await send({ answers: [...Array.from({ length: failing }, () => status(500)), status(200)] })
      const [first] = event.seen
      let before = first
      for (const [index, delayMs] of schedule.slice(0, retryDepth - 1).entries()) {
        const later = await next(event, index + 2, delayMs, check.of('SDR-028'))
        if (later === undefined || first === undefined) return
        expectSameEvent(check, first, later, delayMs, before)
        before = later
      }
      if (tooEarlyMs > 0) await expectNoMore(event, retryDepth, tooEarlyMs, check.of('SDR-028'))
    },
  }),

  senderCase({
    id: 'sender/retries/carry-the-same-event',
    requirements: ['SDR-031'],
    level: 'must',
    title: 'every retry carries the event of the first attempt',
    needs: ['interface', 'retries'],
    timeoutMs: longestMs,
    async run({ send, next, check, require, schedule, retryDepth }) {
      const event = await send({ answers: [...Array.from({ length: retryDepth - 1 }, () => status(500)), status(200)] })
      const [first] = event.seen
      for (const [index, delayMs] of schedule.slice(0, retryDepth - 1).entries()) {
        const later = await next(event, index + 2, delayMs, require.of('SDR-028'))
        for (const field of ['id', 'type', 'timestamp', 'data'])
          check.equal(`${field} of attempt ${index + 2}`, later?.attempt.field(field), first?.attempt.field(field))
      }
    },
  }),

  senderCase({
    id: 'sender/retries/carry-the-same-event-after-any-failure',
    requirements: ['SDR-031'],
    level: 'must',
    title: 'after every kind of failure the retry has the same id and event, and a new timestamp',
    needs: ['interface', 'retries'],
    timeoutMs: longestMs,
    async run({ send, next, check, require, schedule, isByHand }) {
      const events = []
      for (const answer of isByHand ? failures.slice(0, 1) : failures)
        events.push(
          await send({
            answers: (movedUrl) => [answer.kind === 'redirect' ? redirect(movedUrl, 307) : answer, status(200)],
          }),
        )
      const [delayMs = 0] = schedule
      await Promise.all(
        events.map(async (event) => {
          const [first] = event.seen
          const later = await next(event, 2, delayMs, require.of('SDR-028'))
          if (first === undefined || later === undefined) return
          expectSameEvent(check, first, later, delayMs)
          expectSameFields(check, first, later)
        }),
      )
    },
  }),

  senderCase({
    id: 'sender/retries/go-to-the-same-url',
    requirements: ['SDR-001'],
    level: 'must',
    title: 'a retry is sent to the url of the first attempt: the same scheme, path and query',
    needs: ['retries'],
    timeoutMs: longestMs,
    async run({ send, next, check, require, schedule }) {
      const event = await send({ answers: [status(500), status(200)] })
      const [first] = event.seen
      const later = await next(event, 2, schedule[0] ?? 0, require.of('SDR-028'))
      if (later === undefined || first === undefined) return
      check.equal('path and query of the retry', later.attempt.path, first.attempt.path)
      const schemeOf = ({ attempt }: SeenAttempt) => (attempt.isSecure ? 'https' : 'http')
      check.equal('scheme of the retry', schemeOf(later), schemeOf(first))
    },
  }),

  senderCase({
    id: 'sender/retries/end-with-the-schedule',
    requirements: ['SDR-032'],
    level: 'must',
    title: 'if every attempt fails, none is made after the last one of the schedule',
    needs: ['retries', 'last-attempt'],
    timeoutMs: longestMs,
    async run({ send, next, require, schedule, expectNoMore }) {
      const event = await send({ answers: [status(500)] })
      for (const [index, delayMs] of schedule.entries()) await next(event, index + 2, delayMs, require.of('SDR-028'))
      await expectNoMore(event, schedule.length + 1, schedule.at(-1) ?? 0)
    },
  }),

  senderCase({
    id: 'sender/retries/end-with-a-success',
    requirements: ['SDR-033'],
    level: 'must',
    title: 'a delivery whose second attempt gets a 2xx is not attempted a third time',
    needs: ['retries', 'third-attempt'],
    timeoutMs: longestMs,
    async run({ send, next, require, schedule, expectNoMore }) {
      const event = await send({ answers: [status(500), status(200)] })
      await next(event, 2, schedule[0] ?? 0, require.of('SDR-028'))
      await expectNoMore(event, 2, schedule[1] ?? 0)
    },
  }),
]
