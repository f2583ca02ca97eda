// DLV-007  "The consumer has 10 seconds to answer: an answer within them counts."
// DLV-008  "The consumer has 10 seconds to answer: no answer by then is a failed attempt."
// RTY-012  "Every kind of failure (non-2xx, redirect, timeout) is retried on the same schedule."
//
// Reading: in virtual time an attempt in flight gets up to half a second of real time before the clock passes its 10 seconds; so the answer
// at the lower end is sent once the clock shows about 9 seconds, during the advance. A delay may count from the start or the end of an
// attempt (open point delay-origin): after a time-out the next one is due the delay after its start or 10 seconds later still. Between two
// recorded times, of attempts of which the later one timed out, that holds to a fraction of a second.

import { answerTimeMs, maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  TooBusy,
  instantOf,
  serviceCase,
  status,
  type Answer,
  type RetryWatch,
} from '../../../harness/authoring.js'
import { aheadOfAnswerMs, connectingMs, graceMs, spareMs, stillOpen } from '../shared/answer-timing.js'

/** From a first attempt that is given no answer to the second: its 10 seconds, the delay, and the grain of two timers. */
const longestUntilRetryMs = answerTimeMs + (retryDelaysMs[1] ?? 0) + 3_000
/** How much earlier and later than stated the recorded time of a next attempt may be: it can only be late by accident. */
const reportedMs = { early: 700, late: 1_200 } as const
/** Extra tolerance for a time in whole seconds, in milliseconds. */
const wholeSecondMs = 1_000

const stalls: readonly (readonly [name: string, title: string, answer: Answer])[] = [
  ['no-answer', 'an attempt without a byte of an answer', { kind: 'hang' }],
  ['slow-headers', 'an attempt with an answer that never completes its headers', { kind: 'slow-headers' }],
]

const bodyOf = (number: number) => `of attempt ${number}`

/** Returns the time of the next attempt in the record after the latest. */
async function recordedBy(watch: RetryWatch): Promise<number> {
  return instantOf((await watch.recorded()).next_attempt_at)
}

/** Milliseconds that the end of an unanswered replay may be noticed late. */
const replaySlackMs = 3_000

export const answerTime = [
  serviceCase({
    id: 'service/answer-time/accepts-a-late-answer',
    requirements: ['DLV-007'],
    decides: ['DLV-007'],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'an answer some 9 seconds after the request is a success',
    needs: ['sink', 'time:9000', 'event:message.received'],
    timeoutMs: 90_000,
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      for (const aheadMs of aheadOfAnswerMs) {
        const webhook = await sandbox.project.createWebhook({
          eventTypes: ['message.received'],
          answers: [{ kind: 'hang' }, status(500)],
        })
        const startedAt = Date.now()
        const event = await sandbox.project.raise('message.received')
        const attempt = await webhook.heldAttempt(event)
        const advancedMs = Math.max(1_000, aheadMs - (Date.now() - startedAt))
        const advanced = sandbox.advance(advancedMs)
        advanced.catch(() => undefined) // Awaited below, unless the case ends before.
        if (sandbox.time === 'virtual') await new Promise((resolve) => setTimeout(resolve, graceMs))
        else await advanced
        attempt.answer(status(200))
        const answeredAfterMs = Date.now() - startedAt + (sandbox.time === 'virtual' ? advancedMs : 0)
        await advanced
        await sandbox.settle()
        if (answeredAfterMs > answerTimeMs - spareMs) continue
        // A sender that waits less than 10 seconds makes its next attempt once that time is over.
        if (sandbox.time === 'virtual') await sandbox.advance(answerTimeMs)
        const delivery = await webhook.deliveryWhen(
          ({ status, attempt }) => status !== 'pending' || Number(attempt) > 1,
        )
        check.equal('status after an answer within 10 seconds', delivery.status, 'succeeded')
        check.equal('attempts', webhook.attempts(event).length, 1)
        return
      }
      throw new TooBusy('this machine was too busy to answer within 10 seconds of a request')
    },
  }),

  ...stalls.map(([name, title, answer]) =>
    serviceCase({
      id: `service/answer-time/gives-up-on-${name}`,
      requirements: ['DLV-008', 'RTY-012'],
      decides: ['DLV-008', 'RTY-012'],
      level: 'must',
      title: `${title} fails after 10 seconds and is retried`,
      needs: ['sink', 'time:15000', 'event:message.received'],
      timeoutMs: 120_000,
      async run({ openSandbox, check }) {
        const sandbox = await openSandbox()
        const webhook = await sandbox.project.createWebhook({
          eventTypes: ['message.received'],
          answers: [answer, status(200)],
        })
        const event = await sandbox.project.raise('message.received')
        const first = await webhook.heldAttempt(event)
        if (sandbox.time === 'virtual') {
          await sandbox.advance(answerTimeMs + 1_000)
          await sandbox.advance(6_000)
        } else await Promise.race([first.closed, sandbox.advance(30_000)])
        const second = await webhook.attempt(2, event, check.of('RTY-012'))
        if (sandbox.time === 'virtual') {
          const [from, to] = [sandbox.clockAt(first.arrivedAt), sandbox.clockAt(second.arrivedAt)]
          const most = to.latest - from.earliest
          check.ok('second attempt', most >= answerTimeMs - connectingMs, '10 seconds after the first', most)
          const least = to.earliest - from.latest
          check.ok('second attempt', least <= longestUntilRetryMs, 'soon after the 10 seconds and the delay', least)
        } else {
          const waitedMs = (await first.closed) - first.begunAt
          check.measured.between(
            'milliseconds until the sender gave up',
            waitedMs,
            answerTimeMs - connectingMs,
            answerTimeMs * 1.25 + 3_000,
          )
        }
        check
          .of('RTY-011')
          .equal(
            'status after the second attempt',
            (await webhook.deliveryWhen(({ status }) => status === 'succeeded')).status,
            'succeeded',
          )
      },
    }),
  ),

  ...Array.from({ length: maxAttempts }, (_, index) => index + 1).map((number) =>
    serviceCase({
      id: `service/answer-time/keeps-the-schedule-after-a-timeout-at-attempt-${number}`,
      requirements: ['DLV-008', 'DLV-018', 'DLV-019', 'RTY-012', 'RTY-009', 'RTY-010'],
      level: 'must',
      title: `attempt ${number} without an answer in 10 seconds fails, and the schedule continues`,
      needs: ['sink', 'clock', 'event:message.received'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const answers = Array.from({ length: maxAttempts }, (_, index): Answer => {
          if (index + 1 === number) return stalls[number % stalls.length]?.[2] ?? { kind: 'hang' }
          return status(500, { body: bodyOf(index + 1) })
        })
        const [first = status(500), ...rest] = answers
        const webhook = await sandbox.project.createWebhook({
          eventTypes: ['message.received'],
          answers: [first, ...rest],
        })
        const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
        const ends = (attempt: number) => (attempt === number ? 'timeout' : 'answered')
        await watch.first(require.of('RTY-001'), ends(1))
        for (let attempt = 2; attempt < number; attempt++)
          await watch.next(check.of('RTY-012'), require.of('RTY-012'), retryDelaysMs[attempt - 1] ?? 0)
        const before = number === 1 ? Number.NaN : await recordedBy(watch)
        if (number > 1)
          await watch.next(check.of('RTY-012'), require.of('RTY-012'), retryDelaysMs[number - 1] ?? 0, {
            ending: 'timeout',
          })
        await watch.expectRecord((id) => check.of(id), {})
        const delayMs = retryDelaysMs[number]
        if (delayMs === undefined)
          return void (await webhook.attempt(1, await sandbox.project.raise('message.received'), check.of('DLV-004')))
        const waitedMs = (await recordedBy(watch)) - before - delayMs
        // A sender that counts from the start of the attempt shows nothing of its 10 seconds here, even if it is a moment late.
        const isWhole = [before, await recordedBy(watch)].every((ms) => ms % 1_000 === 0)
        const precisionMs = isWhole ? wholeSecondMs : 0
        const isFromStart = waitedMs >= -reportedMs.early - precisionMs && waitedMs <= reportedMs.late + precisionMs
        if (number > 1 && watch.count === number && !isFromStart)
          check
            .dependingOn(...delaysBefore(number + 1))
            .between(
              `milliseconds that attempt ${number} was given, by the next_attempt_at before and after it`,
              waitedMs,
              answerTimeMs - reportedMs.early - precisionMs,
              answerTimeMs + reportedMs.late + precisionMs,
            )
        await watch.next(check.of('RTY-012'), require.of('RTY-012'), delayMs, { previous: 'timeout' })
        await watch.expectRecord((id) => check.of(id), { code: 500, snippet: bodyOf(number + 1) })
      },
    }),
  ),

  serviceCase({
    id: 'service/answer-time/settles-on-an-answer-whose-body-stalls',
    requirements: ['DLV-005', 'DLV-008'],
    level: 'must',
    title: 'a 200 whose body stops half-way is decided within the answer time',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'stalled-body', status: 200 }, status(200)],
      })
      const event = await sandbox.project.raise('message.received')
      await webhook.heldAttempt(event)
      await sandbox.advance(answerTimeMs + 500)
      await sandbox.advance(6_000)
      const delivery = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      const made = webhook.attempts(event).length
      check.of('DLV-005').equal('status once the answer time and a retry are over', delivery.status, 'succeeded')
      check.of('DLV-008').oneOf('attempts', made, [1, 2])
      check.of('DLV-008').equal('attempt of the record', delivery.attempt, made)
    },
  }),

  serviceCase({
    id: 'service/answer-time/does-not-count-an-answer-that-comes-too-late',
    requirements: ['DLV-008'],
    level: 'must',
    title: 'after 10 seconds without an answer the delivery is pending, with a next attempt',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'hang' }, status(500)],
      })
      const event = await sandbox.project.raise('message.received')
      const attempt = await webhook.heldAttempt(event)
      const advanced = sandbox.advance(answerTimeMs + 2_000)
      // An advance answers once the attempt has ended: one that is still open has had more than its 10 seconds.
      const isOpen = await Promise.race([advanced, attempt.closed, stillOpen()])
      attempt.answer(status(200))
      await advanced
      await sandbox.settle()
      const judging = isOpen === 'open' ? check.measured : check
      judging.equal('status after the time-out', (await webhook.delivery()).status, 'pending')
      await sandbox.advance(6_000)
      check
        .of('RTY-012')
        .ok(
          'second attempt',
          await webhook.endpoint.until(() => webhook.attempts(event).length >= 2, sandbox.budgetMs),
          'made',
          'none',
        )
    },
  }),

  serviceCase({
    id: 'service/answer-time/holds-for-a-replay',
    requirements: ['DLV-008', 'RPL-008'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'a replay without an answer within 10 seconds is retried',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(200), { kind: 'hang' }, status(200)],
      })
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      const original = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      const watch = await webhook.watchRetries(
        async () =>
          require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202]),
        { event, isIt: (delivery) => delivery.replay_of === original.id },
      )
      const first = await watch.first(require.of('RPL-002'), 'timeout')
      const arrived = sandbox.clockAt(first.arrivedAt).latest
      const reported = await watch.delivery((delivery) => instantOf(delivery.next_attempt_at) > arrived)
      // From the end of the attempt, or from its start, as a sender may count; another case checks a missing time.
      const waitsMs = instantOf(reported.next_attempt_at) - arrived
      const maxMs = answerTimeMs + retryDelaysMs[1] + replaySlackMs
      const isLate = waitsMs > maxMs
      check
        .of('DLV-008')
        .ok('milliseconds from a replay to the next_attempt_at after it', !isLate, `${maxMs} at most`, waitsMs)
      await watch.next(check.of('DLV-008'), require.of('DLV-008'), retryDelaysMs[1], { previous: 'timeout' })
      const made = await watch.delivery(({ status }) => status === 'succeeded')
      check.of('RPL-008').equal('attempt of the replay', made.attempt, 2)
    },
  }),

  serviceCase({
    id: 'service/answer-time/is-not-held-by-an-endless-body',
    requirements: ['DLV-008', 'DLV-011', 'RTY-012'],
    level: 'must',
    title: 'a 500 with an endless body ends within the answer time, and is retried',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'endless-body', status: 500 }, status(200)],
      })
      const event = await sandbox.project.raise('message.received')
      await webhook.heldAttempt(event)
      await sandbox.advance(answerTimeMs + 1_000)
      await sandbox.advance(6_000)
      check
        .of('RTY-012')
        .ok(
          'second attempt',
          await webhook.endpoint.until(() => webhook.attempts(event).length >= 2, sandbox.budgetMs),
          'made',
          'none',
        )
    },
  }),
]
