// DLV-022  "An attempt whose connection breaks without an answer (refused, reset) gets no 2xx and is retried."
// RTY-012  every kind of failure is retried.
//
// Reading: an attempt that finds no address, or no server at the address, gets no 2xx like any other. Only a private address ends a
// delivery at once.

import { maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import {
  delaysBefore,
  instantOf,
  serviceCase,
  status,
  TooBusy,
  type DeliveryItem,
  type ServiceContext,
  type ServiceNeed,
} from '../../../harness/authoring.js'
import { raisedOnce } from '../shared/raised-once.js'

/** Where the name of the webhook leads while its consumer cannot be reached. */
const absences: readonly (readonly [
  name: string,
  title: string,
  answers: (context: ServiceContext) => readonly string[],
  more: readonly ServiceNeed[],
])[] = [
  ['a-refused-connection', 'an attempt with a refused connection', ({ deadAddress }) => [deadAddress], ['canary']],
  ['a-name-without-address', 'an attempt on a name without address', () => [], []],
]

const alwaysUnreachable = absences.flatMap(([name, title, answers, more]) => [
  serviceCase({
    id: `service/unreachable/retries-after-${name}`,
    requirements: ['RTY-012'],
    level: 'must',
    title: `${title} leaves the delivery pending, and a retry succeeds`,
    needs: ['sink', 'dns', 'named-sink', ...more, 'clock', 'event:message.received'],
    async run(context) {
      const { check, require, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const target = await context.name()
      await target.answer([sinkAddress])
      const webhook = await sandbox.project.createWebhook({ hostname: target.host, eventTypes: ['message.received'] })
      await target.answer(answers(context))
      await sandbox.settle() // reads the clock of the service, which need not be that of this machine
      const raisedAt = sandbox.now()
      const event = await sandbox.project.raise('message.received')
      await sandbox.settle()
      // A service that queues makes it a moment later (open point first-attempt-queued), and shows until then no next one, or
      // the first as due by now.
      const hasBeenTried = ({ status: reported, next_attempt_at: next }: DeliveryItem) =>
        reported !== 'pending' || instantOf(next) > raisedAt + (retryDelaysMs[1] ?? 0) / 2
      const tried = await webhook.deliveryWhen(hasBeenTried)
      check.of('DLV-022').equal('status after the first attempt', tried.status, 'pending')
      await target.answer([sinkAddress])
      await sandbox.advance(7_000)
      await webhook.attempt(1, event, require.of('RTY-012'))
      await sandbox.settle()
      const delivery = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      check.of('DLV-017').equal('attempt of the delivery that succeeded', delivery.attempt, 2)
    },
  }),

  serviceCase({
    id: `service/unreachable/keeps-the-schedule-after-${name}`,
    requirements: ['RTY-012', 'RTY-009', 'RTY-010', 'DLV-022', 'DLV-018', 'DLV-019', 'DLV-004'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: `${title} has no recorded answer and is retried on schedule`,
    needs: ['sink', 'dns', 'named-sink', ...more, 'clock', 'event:message.received'],
    async run(context) {
      const { check, require, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const target = await context.name()
      await target.answer([sinkAddress])
      const webhook = await sandbox.project.createWebhook({
        hostname: target.host,
        eventTypes: ['message.received'],
        answers: [status(500, { body: 'of the seventh attempt' })],
      })
      await target.answer(answers(context))
      const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
      await watch.firstMissed()
      await watch.expectRecord((id) => check.of(id), {})
      for (let number = 2; number < maxAttempts; number++) {
        await watch.nextMissed(require.of('RTY-012'), retryDelaysMs[number - 1] ?? 0)
        await watch.expectRecord((id) => check.of(id), {})
      }
      await target.answer([sinkAddress])
      await watch.next(check.of('RTY-012'), require.of('RTY-012'), retryDelaysMs[maxAttempts - 1] ?? 0)
      await watch.expectRecord((id) => check.of(id), { code: 500, snippet: 'of the seventh attempt' })
      await webhook.attempt(1, await sandbox.project.raise('message.received'), check.of('DLV-004'))
    },
  }),
])

const unreachableAtTimes = absences.map(([name, title, answers, more]) =>
  serviceCase({
    id: `service/unreachable/tells-no-older-answer-after-${name}`,
    requirements: ['DLV-018', 'DLV-019', 'RTY-012', 'RTY-009', 'RTY-010', 'DLV-017'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: `${title} has no code or snippet of the attempt before`,
    needs: ['sink', 'dns', 'named-sink', ...more, 'clock', 'event:message.received'],
    async run(context) {
      const { check, require, skip, sinkAddress } = context
      const sandbox = await context.openSandbox()
      // Of two consumers of one event, one can be reached at each odd attempt, the other at each even one.
      const consumers = await Promise.all(
        [1, 0].map(async (remainder) => {
          const target = await context.name()
          await target.answer([sinkAddress])
          const webhook = await sandbox.project.createWebhook({
            hostname: target.host,
            eventTypes: ['message.received'],
            answers: [status(500, { body: 'here', headers: { connection: 'close' } })],
          })
          const receivedAttempt = (number: number) => number % 2 === remainder
          const leadFor = (number: number) => target.answer(receivedAttempt(number) ? [sinkAddress] : answers(context))
          return { webhook, receivedAttempt, leadFor }
        }),
      )
      for (const { leadFor } of consumers) await leadFor(1)
      const raised = raisedOnce(consumers.length, () => sandbox.project.raise('message.received'))
      const walked = await Promise.all(
        consumers.map(async (consumer) => ({ ...consumer, watch: await consumer.webhook.watchRetries(raised) })),
      )
      for (let number = 1; number <= maxAttempts; number++) {
        const delayMs = retryDelaysMs[number - 1] ?? 0
        const missed = walked.filter((consumer) => !consumer.receivedAttempt(number))
        const arrived = walked.filter((consumer) => consumer.receivedAttempt(number))
        // Before the other moves the clock: only the record of a moment before shows that an attempt without a connection is not early.
        for (const { watch } of missed)
          await (number === 1 ? watch.firstMissed() : watch.nextMissed(require.of('RTY-012'), delayMs))
        for (const { watch } of arrived)
          await (number === 1
            ? watch.first(require.of('RTY-001'))
            : watch.next(check.of('RTY-012'), require.of('RTY-012'), delayMs))
        const madeAt = Date.now()
        for (const { watch } of missed) await watch.expectRecord((id) => check.of(id), {})
        // The clock may run on by itself, and the second attempt is due after 5 seconds: the other reads can wait.
        for (const { leadFor } of walked) await leadFor(number + 1)
        if (walked.some(({ watch }) => watch.mayBeOver)) tooLate(Date.now() - madeAt, skip)
        for (const { watch } of arrived) await watch.expectRecord((id) => check.of(id), { code: 500, snippet: 'here' })
      }
    },
  }),
)

/** An attempt without a connection is read twice before the next one, which is due after 5 seconds, in milliseconds. */
const longestReadMs = 1_500

/** What the next attempt was to find was changed after it was due: because of slow answers, or of this machine. */
function tooLate(readMs: number, skip: (reason: string) => never): never {
  if (readMs > longestReadMs)
    skip(`needs lists that are current within a retry's first delay: the attempt appeared after ${readMs} ms`)
  throw new TooBusy('this machine was too busy to change where a name leads before the next attempt')
}

/** Names of the consumer for which its certificate does not hold. */
const certificates = [
  ['a-certificate-for-another-name', 'a certificate for another name', 'uncertified'],
  ['a-certificate-that-has-expired', 'an expired certificate', 'expired'],
  ['a-certificate-that-signed-itself', 'a self-signed certificate', 'self-signed'],
  ['a-certificate-of-a-stranger', 'a certificate of an untrusted authority', 'stranger'],
] as const

const uncertified = certificates.map(([name, title, kind]) =>
  serviceCase({
    id: `service/unreachable/keeps-the-schedule-after-${name}`,
    requirements: ['RTY-012', 'RTY-009', 'RTY-010', 'DLV-018', 'DLV-019'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: `attempts that fail at ${title} are retried on schedule`,
    needs: ['sink', 'dns', 'named-sink', 'clock', 'event:message.received'],
    async run(context) {
      const { check, require, skip, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const target = await context.name(kind)
      await target.answer([sinkAddress])
      const webhook = await sandbox.project.createWebhook({ hostname: target.host, eventTypes: ['message.received'] })
      const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
      await watch.firstMissed()
      const { response_code: code } = await watch.recorded()
      if (typeof code === 'number' && code > 0)
        return skip(
          `needs a service that checks certificates, and a direct connection to the sink: the attempt got a ${code}`,
        )
      await watch.expectRecord((id) => check.of(id), {})
      for (let number = 2; number <= maxAttempts; number++) {
        await watch.nextMissed(require.of('RTY-012'), retryDelaysMs[number - 1] ?? 0)
        await watch.expectRecord((id) => check.of(id), {})
      }
    },
  }),
)

/** Longer than a service needs to abandon two silent connections, and shorter than until its third attempt. */
const minute = 60_000

const silent = serviceCase({
  id: 'service/unreachable/retries-after-a-handshake-without-an-answer',
  requirements: ['RTY-012', 'RTY-010'],
  level: 'must',
  title: 'an attempt on a silent connection ends without an answer, and the next is due',
  needs: ['sink', 'dns', 'named-sink', 'clock', 'event:message.received'],
  async run(context) {
    const { check, skip, sinkAddress } = context
    const sandbox = await context.openSandbox()
    const target = await context.name('silent')
    await target.answer([sinkAddress])
    const webhook = await sandbox.project.createWebhook({ hostname: target.host, eventTypes: ['message.received'] })
    const event = await sandbox.project.raise('message.received')
    await sandbox.advance(minute, { missedAttempts: 2 })
    const isToCome = ({ next_attempt_at: next }: DeliveryItem) => instantOf(next) > sandbox.now()
    const delivery = await webhook.deliveryWhen((delivery) => delivery.status !== 'pending' || isToCome(delivery))
    const { response_code: code } = delivery
    if (webhook.attempts(event).length > 0 || (typeof code === 'number' && code > 0))
      return skip('needs a direct connection from the service to the sink: the attempt got an answer')
    check.of('RTY-012').equal('status after attempts without an answer to their handshake', delivery.status, 'pending')
    check.of('RTY-010').ok('next_attempt_at', isToCome(delivery), 'a next attempt', delivery.next_attempt_at)
  },
})

export const unreachable = [...alwaysUnreachable, ...unreachableAtTimes, ...uncertified, silent]
