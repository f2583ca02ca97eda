// RTY-002 to RTY-007  the delays before attempts 2 to 7: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h.
// RTY-008  "A delivery has 7 attempts; there is no eighth."
// RTY-009  "After the last attempt the delivery is marked `failed`."
// RTY-010  "While retries remain the delivery stays `pending` and `next_attempt_at` is set to the time of the next
//           attempt of the schedule."
// RTY-011  "A retried delivery becomes `succeeded` at the first attempt that gets a 2xx, and is not attempted again."
// DLV-020  "`next_attempt_at` is the time at which the next retry is due."
// RTY-013  "`webhook-id` is identical on every retry."
// RTY-014  "Every attempt carries the same event: `id`, `type`, `timestamp` and `data` do not change over retries."
//
// Reading: a delay may count from the start or the end of the failed attempt (open point delay-origin); the sink fails at once, so both are
// the same here. Arrivals and the workspace's clock show an early or late attempt, never the headers of an attempt. The kinds of failure
// are in failures.ts, time-outs in answer-time.ts.

import fc from 'fast-check'
import { maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import {
  asText,
  attemptRequirement,
  delaysBefore,
  instantOf,
  latestAfter,
  redirect,
  serviceCase,
  status,
  type Answer,
  type Checks,
  type DeliveryItem,
  type Sandbox,
} from '../../../harness/authoring.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** A `next_attempt_at` less than this ahead of now, in milliseconds, does not announce a retry: clocks differ a little. */
const toComeMs = 2_000
/** By how much `next_attempt_at` may differ from the time of the attempt, in milliseconds: many services store whole seconds. */
const precisionMs = 1_000
/** How late an attempt may be, in milliseconds. */
const lateMs = 5_000

/** The attempts after the second, and how long after the first each is over in real time. */
const later = [
  { number: 3, after: '5-minutes', delayMs: 5 * minute, spanMs: 6 * minute },
  { number: 4, after: '30-minutes', delayMs: 30 * minute, spanMs: 36 * minute },
  { number: 5, after: '2-hours', delayMs: 2 * hour, spanMs: 2 * hour + 36 * minute },
  { number: 6, after: '5-hours', delayMs: 5 * hour, spanMs: 7 * hour + 36 * minute },
  { number: 7, after: '10-hours', delayMs: 10 * hour, spanMs: 17 * hour + 36 * minute },
] as const

export const retries = [
  serviceCase({
    id: 'service/retries/second-attempt-after-5-seconds',
    requirements: ['RTY-001', 'RTY-002', 'SIG-005', 'RTY-013'],
    decides: ['RTY-001', 'RTY-002', 'SIG-005', 'RTY-013'],
    dependsOn: ['DLV-003'],
    level: 'must',
    title: 'the second attempt is made 5 seconds after the first, with the same id',
    needs: ['sink', 'event:message.received', 'time:5000'],
    isResumable: true,
    async run({ openSandbox, check, require }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(500), status(200)],
      })
      const watch = await webhook.watchRetries(() => project.raise('message.received'))
      const one = await watch.first(require.of('RTY-001'))
      const two = await watch.next(check.of('RTY-002'), require.of('RTY-002'), 5 * second)
      check
        .of('SIG-005')
        .between('seconds from the first webhook-timestamp to the second', two.signedAt - one.signedAt, 1, Infinity)
      check.of('RTY-013').equal('webhook-id of the second attempt', two.header('webhook-id'), one.header('webhook-id'))
    },
  }),

  ...later.map(({ number, after, delayMs, spanMs }) =>
    serviceCase({
      id: `service/retries/attempt-${number}-after-${after}`,
      requirements: [attemptRequirement(number)],
      decides: [attemptRequirement(number)],
      level: 'must',
      title: `attempt ${number} is made ${after.replace('-', ' ')} after attempt ${number - 1}, no earlier`,
      needs: ['sink', 'event:message.received', `time:${spanMs}`],
      timeoutMs: spanMs + 2 * minute,
      isResumable: true,
      async run({ openSandbox, check, require }) {
        const { project } = await openSandbox()
        const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
        const watch = await webhook.watchRetries(() => project.raise('message.received'))
        await watch.until(number - 1, (attempt) => require.of(attemptRequirement(attempt)))
        await watch.next(check, require, delayMs)
      },
    }),
  ),

  serviceCase({
    id: 'service/retries/ends-after-seven-attempts',
    requirements: ['RTY-008', 'RTY-009', 'RTY-010', 'RTY-013', 'RTY-014', 'DLV-017', 'DLV-020', 'SIG-005'],
    dependsOn: ['DLV-003'],
    level: 'must',
    title: 'the list agrees with each of seven attempts; then the delivery is failed',
    needs: ['sink', 'event:message.received', 'clock'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(500, { body: 'no' })],
        suffix: '?token=a1',
      })
      const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
      const first = await watch.first(require.of('RTY-001'))
      let { signedAt } = first
      for (let number = 2; number <= maxAttempts; number++) {
        await watch.expectRecord((id) => check.of(id), { code: 500, snippet: 'no' })
        const due = instantOf((await watch.recorded()).next_attempt_at)
        const delayMs = retryDelaysMs[number - 1] ?? 0
        const isJudged = watch.count === number - 1
        const next = await watch.next(
          check.of(attemptRequirement(number)),
          require.of(attemptRequirement(number)),
          delayMs,
        )
        const { earliest, latest } = sandbox.clockAt(next.arrivedAt)
        if (isJudged)
          check.of('DLV-020').ok(
            `next_attempt_at before attempt ${number}`,
            // An attempt may be late on a shared machine; the recorded time after each attempt is checked more strictly.
            due >= earliest - lateMs && due <= latest + precisionMs,
            `the time at which it arrived, ${new Date(earliest).toISOString()} or some moments later`,
            new Date(due),
          )
        check
          .of('RTY-013')
          .equal(`webhook-id of attempt ${number}`, next.header('webhook-id'), first.header('webhook-id'))
        check.of('DLV-001').equal(`target of attempt ${number}`, next.path, first.path)
        check
          .of('SIG-005')
          .between(
            `seconds from the webhook-timestamp of attempt ${number - 1} to that of attempt ${number}`,
            next.signedAt - signedAt,
            delayMs / (2 * second),
            Infinity,
          )
        signedAt = next.signedAt
        for (const field of ['id', 'type', 'timestamp', 'data'])
          check.of('RTY-014').equal(`${field} of attempt ${number}`, next.field(field), first.field(field))
      }
      await watch.expectRecord((id) => check.of(id), { code: 500, snippet: 'no' })
      expectNoneToCome(check.of('DLV-020'), sandbox, await watch.delivery(({ status }) => status === 'failed'))
      await sandbox.advance(3 * day)
      check.of('RTY-008').equal('attempts in all', watch.count, maxAttempts)
      check.of('RTY-009').equal('status three days later', (await webhook.delivery()).status, 'failed')
    },
  }),

  serviceCase({
    id: 'service/retries/tells-what-it-will-do-after-the-first',
    requirements: ['RTY-010', 'RTY-014', 'DLV-017', 'DLV-020'],
    decides: ['RTY-010', 'RTY-014', 'DLV-017', 'DLV-020'],
    dependsOn: ['DLV-003'],
    level: 'must',
    title: 'after a failed first attempt the list shows when the next is due',
    needs: ['sink', 'event:message.received', 'time:5000'],
    async run({ openSandbox, check, require, skip }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(500), status(200)],
      })
      const watch = await webhook.watchRetries(() => project.raise('message.received'))
      const first = await watch.first(require.of('RTY-001'))
      const hasEnded = (delivery: DeliveryItem) =>
        delivery.response_code === 500 && instantOf(delivery.next_attempt_at) > 0
      const reported = await watch.delivery(hasEnded)
      if (watch.count > 1) return skip('needs a list that shows an attempt before the next is made, 5 seconds later')
      check.of('RTY-010').equal('status after the first attempt', reported.status, 'pending')
      check.of('DLV-017').equal('attempt after the first attempt', reported.attempt, 1)
      const next = await watch.next(check.of('RTY-002'), require.of('RTY-002'), 5 * second)
      // The service's clock is its own: the recorded time is compared with the time in the attempt's signature.
      const aheadMs = next.signedAt * second - instantOf(reported.next_attempt_at)
      for (const id of ['RTY-010', 'DLV-020'] as const)
        check
          .of(id)
          .measured.ok(
            'next_attempt_at after the first attempt',
            aheadMs >= -2 * precisionMs && aheadMs <= latestAfter(5 * second) - 5 * second + precisionMs,
            'the time at which the second was signed, or some seconds before',
            reported.next_attempt_at,
          )
      for (const field of ['id', 'type', 'timestamp', 'data'])
        check.of('RTY-014').equal(`${field} of the second attempt`, next.field(field), first.field(field))
      const { attempt } = await watch.delivery((delivery) => delivery.attempt === 2)
      check.of('DLV-017').equal('attempt after the second attempt', attempt, 2)
    },
  }),

  ...[2, 4, 7].map((number) =>
    serviceCase({
      id: `service/retries/succeeds-at-attempt-${number}`,
      requirements: ['RTY-011', 'DLV-020'],
      ...(number === 2 ? { decides: ['RTY-011', 'DLV-020'] as const } : {}),
      level: 'must',
      title: `a 2xx at attempt ${number} makes the delivery succeeded, without a next attempt`,
      needs: ['sink', 'event:message.received', number === 2 ? 'time:5000' : 'clock'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const bad = Array.from({ length: number - 2 }, () => status(503))
        const webhook = await sandbox.project.createWebhook({
          eventTypes: ['message.received'],
          answers: [status(500), ...bad, status(204)],
        })
        const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
        await watch.until(number, (attempt) => require.of(attemptRequirement(attempt)))
        const delivery = await watch.delivery(({ status }) => status === 'succeeded')
        // Other cases test that a 2xx is a success.
        const afterSuccess = check.dependingOn('DLV-005')
        afterSuccess.equal('status', delivery.status, 'succeeded')
        check.equal('attempt', delivery.attempt, number)
        check.equal('response_code', delivery.response_code, 204)
        expectNoneToCome(afterSuccess.of('DLV-020'), sandbox, delivery)
        // Where time is waited for, as long as another retry of five seconds would take.
        await sandbox.advance(sandbox.time === 'virtual' ? day : 7 * second)
        afterSuccess.equal('attempts in all', watch.count, number)
      },
    }),
  ),

  serviceCase({
    id: 'service/retries/keeps-deliveries-apart',
    requirements: ['RTY-012', 'RTY-001'],
    level: 'must',
    title: 'a webhook that fails delays neither another webhook nor a later event of its own',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const earlier = await project.createWebhook()
      const bad = await project.createWebhook({ answers: [status(500)] })
      const good = [earlier, await project.createWebhook()]
      const first = await project.raise('message.received')
      await bad.attempt(1, first)
      for (const webhook of good) await webhook.attempt(1, first, require.of('RTY-001'))
      const again = await project.raise('message.received')
      for (const webhook of good) await webhook.attempt(1, again, require.of('RTY-001'))
      await bad.attempt(1, again, require.of('RTY-001'))
      await sandbox.advance(7 * second)
      await bad.attempt(2, first, require.of('RTY-012'))
      await bad.attempt(2, again, require.of('RTY-012'))
      for (const webhook of good)
        check.of('RTY-011').equal('attempts at a webhook that answers', webhook.attempts().length, 2)
    },
  }),

  serviceCase({
    id: 'service/retries/are-made-in-every-org',
    requirements: ['RTY-012', 'RPL-001', 'RPL-002', 'WHK-015'],
    dependsOn: delaysBefore(2),
    level: 'must',
    title: 'in each org, failures are retried, can be replayed, and end with the webhook',
    needs: ['sink', 'clock', 'projects', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox({ projects: 2 })
      const failed = []
      for (const project of sandbox.projects) {
        const webhook = await project.createWebhook({ answers: [status(500), status(200)] })
        const event = await project.raise('message.received')
        await webhook.attempt(1, event)
        failed.push({ webhook, event })
      }
      await sandbox.settle()
      await sandbox.advance(7 * second)
      for (const { webhook, event } of failed) await webhook.attempt(2, event, require.of('RTY-012'))
      const waiting = []
      for (const [index, { webhook, event }] of failed.entries()) {
        const project = sandbox.projects[index] ?? sandbox.project
        const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        check.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
        await webhook.attempt(3, event, check.of('RPL-002'))
        webhook.endpoint.script(status(500))
        const later = await project.raise('message.received')
        await webhook.attempt(1, later)
        waiting.push({ webhook, later })
      }
      for (const { webhook } of waiting) await webhook.delete()
      await sandbox.settle()
      const made = waiting.map(({ webhook, later }) => webhook.attempts(later).length)
      await sandbox.advance(hour)
      for (const [index, { webhook, later }] of waiting.entries())
        check
          .of('WHK-015')
          .equal(
            `attempts in org ${index + 1} once its webhook was deleted`,
            webhook.attempts(later).length,
            made[index],
          )
    },
  }),

  serviceCase({
    id: 'service/retries/keep-their-time-when-another-event-succeeds',
    requirements: ['RTY-012'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'a waiting retry keeps its time when a later event succeeds',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(500), status(200)],
      })
      const watch = await webhook.watchRetries(() => project.raise('message.received'))
      await watch.first(require.of('RTY-001'))
      await webhook.attempt(1, await project.raise('message.received'))
      await watch.next(check.of('RTY-002'), require.of('RTY-012'), 5 * second)
    },
  }),

  serviceCase({
    id: 'service/retries/follows-the-schedule-for-any-failures',
    requirements: ['RTY-008', 'RTY-009', 'RTY-010', 'RTY-011', 'RTY-012', 'DLV-018', 'DLV-019'],
    level: 'must',
    title: 'random answers: attempts keep their delays and stop at a 2xx or after seven',
    needs: ['sink', 'clock', 'own-data'],
    timeoutMs: 240_000,
    async run({ openSandbox, property }) {
      const failing = fc.constantFrom(400, 404, 410, 429, 500, 503)
      const body = fc.constantFrom('', 'one', 'another')
      const answer = fc.oneof(
        { weight: 6, arbitrary: fc.tuple(failing, body).map(([code, text]): Answer => status(code, { body: text })) },
        { weight: 1, arbitrary: fc.constant<Answer>(redirect('https://127.0.0.1:1/')) },
        { weight: 1, arbitrary: fc.constant<Answer>({ kind: 'reset' }) },
        { weight: 1, arbitrary: fc.constant<Answer>({ kind: 'garbage' }) },
        { weight: 1, arbitrary: fc.constantFrom(200, 202, 204).map((code): Answer => status(code)) },
      )
      await property(
        fc.array(answer, { minLength: 7, maxLength: 7 }),
        async (answers, require) => {
          const sandbox = await openSandbox()
          const [first, ...rest] = answers
          const webhook = await sandbox.project.createWebhook({ answers: [first ?? status(500), ...rest] })
          const success = answers.findIndex((answer) => answer.kind === 'status' && answer.status < 300)
          const expected = success < 0 ? maxAttempts : success + 1
          const ending = success < 0 ? 'failed' : 'succeeded'
          const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
          await watch.first(require.of('RTY-001'))
          for (let number = 2; number <= expected; number++) {
            const before = answers[number - 2]
            const reported =
              before?.kind === 'status' ? { code: before.status, snippet: String(before.body ?? '') } : {}
            await watch.expectRecord((id) => require.of(id), reported)
            await watch.next(require.of('RTY-012'), require.of('RTY-012'), retryDelaysMs[number - 1] ?? 0)
          }
          await sandbox.advance(day)
          require.of('RTY-008').dependingOn('DLV-005').equal('attempts in the end', watch.count, expected)
          require
            .of(success < 0 ? 'RTY-009' : 'RTY-011')
            .dependingOn('DLV-005')
            .equal(
              'status in the end',
              (await webhook.deliveryWhen((delivery) => delivery.status === ending)).status,
              ending,
            )
        },
        { runs: 6, atOnce: 6 },
      )
    },
  }),
]

/** Checks that `next_attempt_at` of an ended delivery is not in the future; it may still be the time of an attempt that was made. */
function expectNoneToCome(check: Checks, sandbox: Sandbox, delivery: DeliveryItem): void {
  const reported = delivery.next_attempt_at
  const isToCome = instantOf(reported) > sandbox.now() + toComeMs
  check.ok(
    `next_attempt_at of a delivery whose status is ${asText(delivery.status)}`,
    !isToCome,
    'no next attempt',
    reported,
  )
}
