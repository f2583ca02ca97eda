// DLV-007  "The consumer has 10 seconds to answer: an answer within them counts."
// DLV-008  "The consumer has 10 seconds to answer: no answer by then is a failed attempt."
// RPL-008  a replay is a delivery like any other.
// DLV-004, RTY-001  each event makes a delivery, attempted immediately, whatever the outcome of others.
// DLV-018, DLV-019, RTY-009, RTY-010  the record of an attempt without an answer, of a replay too.
//
// Retries and replays get the same 10 seconds as a first attempt. If a delay counts from the start of an attempt no record shows how long
// that was, so the answer is delayed: until shortly before the 10 seconds are over, and until after.

import { answerTimeMs, maxAttempts, retryDelaysMs, type RequirementId } from '../../../spec/index.js'
import {
  asText,
  attemptRequirement,
  delaysBefore,
  TooBusy,
  serviceCase,
  status,
  type Answer,
  type Attempt,
  type DeliveryItem,
  type Project,
  type Require,
  type RetryWatch,
  type Sandbox,
  type ServiceContext,
  type Webhook,
} from '../../../harness/authoring.js'
import { aheadOfAnswerMs, graceMs, spareMs, stillOpen } from '../shared/answer-timing.js'

/** Attempts other than the first, and the answer to the one before. */
const laterAttempts = [
  { name: 'retry', before: status(500) },
  { name: 'replay', before: status(200) },
] as const

/** Attempts beyond those: each of a delivery, and each but the first of a replay. */
const furtherAttempts = [
  { name: 'a-retry', title: 'retries', isReplay: false, numbers: [3, 4, 5, 6, 7] },
  { name: 'a-retry-of-a-replay', title: 'retries of a replay', isReplay: true, numbers: [2, 3, 4, 5, 6, 7] },
] as const

const bodyOf = (number: number) => `of attempt ${number}`
const failure = (number: number) => status(500, { body: bodyOf(number) })
const hang: Answer = { kind: 'hang' }
/** Attempts of a replay without an answer: one after a recorded answer, and the last. */
const unanswered: ReadonlySet<number> = new Set([2, maxAttempts])
/** Events of which no attempt is answered: as many as a sender may take for the end of a webhook. */
const inARow = 6
/** A walk through the schedule puts many questions, which a slow target takes its time for. */
const walkTimeoutMs = 240_000
const minute = 60_000
/** Time in which all attempts of a delivery are over, in milliseconds. */
const twoDays = 2 * 24 * 3_600_000

/**
 * A webhook of which the second attempt of an event gets no answer yet: how far the clock is before it is due, since when that
 * is known, and which delivery it is of.
 */
async function beginLater(
  { require }: ServiceContext,
  sandbox: Sandbox,
  { name, before }: (typeof laterAttempts)[number],
) {
  const { project } = sandbox
  const webhook = await project.createWebhook({
    eventTypes: ['message.received'],
    answers: [before, { kind: 'hang' }, status(500)],
  })
  const startedAt = Date.now()
  const event = await project.raise('message.received')
  await webhook.attempt(1, event)
  await sandbox.settle()
  if (name === 'retry') return { webhook, event, startedAt, dueMs: retryDelaysMs[1], isIt: () => true }
  const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
  const replayedAt = Date.now()
  require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
  const isIt = (delivery: DeliveryItem) => delivery.id !== id
  return { webhook, event, startedAt: replayedAt, dueMs: 0, isIt }
}

/** Ends when all have ended, and with the first error of any. */
async function allOf(requested: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(requested)) if (result.status === 'rejected') throw result.reason
}

const tooLate = 'too late'

/** Answers an attempt whose time is over, if it is still open, and gives a listening sender time to read it. */
async function answerTooLate(sandbox: Sandbox, attempt: Attempt, answer: Answer): Promise<void> {
  attempt.answer(answer)
  await sandbox.quiet(graceMs)
}

/** Watches a delivery from its first attempt on, or the replay of one that succeeded. */
async function watchOf(
  isReplay: boolean,
  { webhook, project, require }: { readonly webhook: Webhook; readonly project: Project; readonly require: Require },
): Promise<RetryWatch> {
  const raise = () => project.raise('message.received')
  if (!isReplay) return webhook.watchRetries(raise)
  const event = await raise()
  await webhook.attempt(1, event)
  const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
  return webhook.watchRetries(
    async () => require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202]),
    { event, isIt: (delivery) => delivery.id !== id },
  )
}

/** Returns the requirement for the times of the attempts after the first. */
function scheduleOf(isReplay: boolean): RequirementId {
  return isReplay ? 'RPL-008' : 'RTY-012'
}

/** Creates a webhook that fails until attempt `number`, which is unanswered and still in the future, of a delivery or of a replay. */
async function beginFurther(
  { require }: ServiceContext,
  { project }: Sandbox,
  { isReplay, number }: { readonly isReplay: boolean; readonly number: number },
) {
  const before = Array.from({ length: number - 1 }, (_, index) => failure(index + 1))
  const [first = failure(1), ...rest] = [...(isReplay ? [status(200)] : []), ...before, hang, failure(number + 1)]
  const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [first, ...rest] })
  const watch = await watchOf(isReplay, { webhook, project, require })
  await watch.until(number - 1, () => require.of(isReplay ? 'RPL-008' : 'RTY-012'))
  const held = () => webhook.heldAttempt(watch.event, isReplay ? number + 1 : number)
  return { watch, held, ...watch.nextDue }
}

export const laterAnswers = [
  ...laterAttempts.map((cell) =>
    serviceCase({
      id: `service/answer-time/accepts-a-late-answer-to-a-${cell.name}`,
      requirements: ['DLV-007', 'RPL-008'],
      dependsOn: ['DLV-016'],
      level: 'must',
      title: `an answer some 9 seconds after the request of a ${cell.name} is a success`,
      needs: ['sink', 'clock', 'event:message.received'],
      timeoutMs: 90_000,
      async run(context) {
        const { check } = context
        const sandbox = await context.openSandbox()
        for (const aheadMs of aheadOfAnswerMs) {
          const { webhook, event, startedAt, dueMs, isIt } = await beginLater(context, sandbox, cell)
          const advancedMs = Math.max(1_000, aheadMs - (Date.now() - startedAt))
          const advanced = sandbox.advance(dueMs + advancedMs)
          advanced.catch(() => undefined) // Awaited below, unless the case ends before.
          const attempt = await webhook.heldAttempt(event, 2)
          await new Promise((resolve) => setTimeout(resolve, graceMs))
          attempt.answer(status(200))
          const answeredAfterMs = Date.now() - startedAt + advancedMs
          await advanced
          await sandbox.settle()
          if (answeredAfterMs > answerTimeMs - spareMs) continue
          const listed = await webhook.deliveriesWhen((all) =>
            all.some((delivery) => isIt(delivery) && delivery.status !== 'pending'),
          )
          const reported = listed.find(isIt)
          // A retry that was early had more than its 10 seconds.
          const ofTime = check.of('DLV-007').dependingOn(...(cell.name === 'retry' ? [attemptRequirement(2)] : []))
          ofTime.equal('status after an answer within 10 seconds', reported?.status, 'succeeded')
          ofTime.equal('attempts', webhook.attempts(event).length, 2)
          return
        }
        throw new TooBusy('this machine was too busy to answer within 10 seconds of a request')
      },
    }),
  ),

  ...laterAttempts.map((cell) =>
    serviceCase({
      id: `service/answer-time/does-not-count-an-answer-to-a-${cell.name}-that-comes-too-late`,
      requirements: ['DLV-008', 'RPL-008'],
      level: 'must',
      title: `10 seconds without an answer to a ${cell.name} leave the delivery pending`,
      needs: ['sink', 'clock', 'event:message.received'],
      async run(context) {
        const { check } = context
        const sandbox = await context.openSandbox()
        const { webhook, event, dueMs, isIt } = await beginLater(context, sandbox, cell)
        const advanced = sandbox.advance(dueMs + answerTimeMs + 2_000)
        advanced.catch(() => undefined) // Awaited below, unless the case ends before.
        const attempt = await webhook.heldAttempt(event, 2)
        // An advance answers once the attempt has ended: one that is still open has had more than its 10 seconds.
        const isOpen = await Promise.race([advanced, attempt.closed, stillOpen()])
        attempt.answer(status(200))
        await advanced
        await sandbox.settle()
        const judging = isOpen === 'open' ? check.measured : check
        const reported = (await webhook.deliveriesWhen((all) => all.some(isIt))).find(isIt)
        judging.equal(`status after the time-out of the ${cell.name}`, reported?.status, 'pending')
      },
    }),
  ),

  ...furtherAttempts.map(({ name, title, isReplay, numbers }) =>
    serviceCase({
      id: `service/answer-time/accepts-a-late-answer-to-${name}-at-any-attempt`,
      requirements: ['DLV-007', 'RPL-008'],
      dependsOn: ['DLV-016'],
      level: 'must',
      title: `an answer after 9 seconds is a success, at each of the ${title}`,
      needs: ['sink', 'clock', 'event:message.received'],
      timeoutMs: walkTimeoutMs,
      async run(context) {
        const { check, openSandbox } = context
        const send = async (number: number) => {
          const sandbox = await openSandbox()
          for (const aheadMs of aheadOfAnswerMs) {
            const { watch, held, earliest } = await beginFurther(context, sandbox, { isReplay, number })
            const startedAt = Date.now()
            const advancedMs = Math.max(1_000, Math.round(earliest + aheadMs - sandbox.clockAt(startedAt).latest))
            const openMs = sandbox.clockAt(startedAt).latest + advancedMs - earliest
            const advanced = sandbox.advance(advancedMs)
            advanced.catch(() => undefined) // Awaited below, unless the case ends before.
            const attempt = await held()
            await new Promise((resolve) => setTimeout(resolve, graceMs))
            attempt.answer(status(200))
            const answeredAfterMs = openMs + Date.now() - startedAt
            await advanced
            await sandbox.settle()
            if (answeredAfterMs > answerTimeMs - spareMs) continue
            const reported = await watch.delivery(({ status }) => status !== 'pending')
            // An early one had more than its 10 seconds.
            check
              .of('DLV-007')
              .dependingOn(...delaysBefore(number))
              .equal(`status after an answer to attempt ${number} within 10 seconds`, reported.status, 'succeeded')
            return
          }
          throw new TooBusy('this machine was too busy to answer within 10 seconds of a request')
        }
        await allOf(numbers.map(send))
      },
    }),
  ),

  ...furtherAttempts.map(({ name, title, isReplay, numbers }) =>
    serviceCase({
      id: `service/answer-time/does-not-count-an-answer-to-${name}-that-comes-too-late-at-any-attempt`,
      requirements: ['DLV-008', 'RPL-008'],
      level: 'must',
      title: `an answer after 10 seconds is not a success, at each of the ${title}`,
      needs: ['sink', 'clock', 'event:message.received'],
      timeoutMs: walkTimeoutMs,
      async run(context) {
        const { check, openSandbox } = context
        const send = async (number: number) => {
          const sandbox = await openSandbox()
          const { watch, held, latest } = await beginFurther(context, sandbox, { isReplay, number })
          const advanced = sandbox.advance(Math.round(latest + answerTimeMs + 2_000 - sandbox.now()))
          advanced.catch(() => undefined) // Awaited below, unless the case ends before.
          const attempt = await held()
          // An advance answers once the attempt has ended: one that is still open has had more than its 10 seconds.
          const isOpen = await Promise.race([advanced, attempt.closed, stillOpen()])
          attempt.answer(status(200))
          await advanced
          await sandbox.settle()
          const judging = isOpen === 'open' ? check.measured : check
          const left = number === maxAttempts ? 'failed' : 'pending'
          const reported = await watch.delivery((delivery) => delivery.status === left)
          judging.equal(`status after the time-out of attempt ${number}`, reported.status, left)
        }
        await allOf(numbers.map(send))
      },
    }),
  ),

  ...[false, true].map((isReplay) =>
    serviceCase({
      id: `service/answer-time/goes-on-whatever-a-${isReplay ? 'replay' : 'delivery'}-is-answered-too-late`,
      requirements: ['DLV-008', 'RTY-010', 'DLV-017', 'DLV-018', 'DLV-019'],
      dependsOn: [scheduleOf(isReplay), ...delaysBefore(7)],
      level: 'must',
      title: `a late 200 or 500 to a ${isReplay ? 'replay' : 'delivery'} changes neither record nor schedule`,
      needs: ['sink', 'clock', 'event:message.received'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const { project } = sandbox
        const answers = [failure(2), hang, failure(4), failure(5)]
        const webhook = await project.createWebhook({
          eventTypes: ['message.received'],
          answers: isReplay ? [status(200), hang, ...answers] : [hang, ...answers],
        })
        const watch = await watchOf(isReplay, { webhook, project, require })
        const first = await watch.first(require.of('RTY-001'), 'timeout')
        await watch.next(check.of(scheduleOf(isReplay)), require.of(scheduleOf(isReplay)), retryDelaysMs[1], {
          previous: 'timeout',
        })
        await answerTooLate(sandbox, first, status(200, { body: tooLate }))
        await watch.expectRecord((id) => check.of(id), { code: 500, snippet: bodyOf(2) })
        const third = await watch.next(check.of('DLV-008'), require.of('DLV-008'), retryDelaysMs[2], {
          ending: 'timeout',
        })
        await watch.next(check.of('DLV-008'), require.of('DLV-008'), retryDelaysMs[3], { previous: 'timeout' })
        await answerTooLate(sandbox, third, status(500, { body: tooLate }))
        await watch.expectRecord((id) => check.of(id), { code: 500, snippet: bodyOf(4) })
        await watch.next(check.of('DLV-008'), require.of('DLV-008'), retryDelaysMs[4])
        await watch.expectRecord((id) => check.of(id), { code: 500, snippet: bodyOf(5) })
        check.of('DLV-008').equal('attempts', watch.count, 5)
      },
    }),
  ),

  serviceCase({
    id: 'service/answer-time/keeps-the-schedule-of-a-replay',
    requirements: ['RPL-008', 'DLV-008', 'DLV-018', 'DLV-019', 'RTY-009', 'RTY-010'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'the replay of an unanswered delivery has its own seven attempts and record',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const beforeTheLast = Array.from({ length: maxAttempts - 2 }, (_, index) => failure(index + 2))
      const webhook = await project.createWebhook({ answers: [failure(1), ...beforeTheLast, hang] })
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      await sandbox.advance(twoDays)
      const original = await webhook.deliveryWhen(({ status }) => status === 'failed')
      require.of('RTY-009').equal('status of a delivery whose last attempt got no answer', original.status, 'failed')
      const answers = Array.from({ length: maxAttempts }, (_, index) =>
        unanswered.has(index + 1) ? hang : failure(index + 1),
      )
      webhook.endpoint.script(answers[0] ?? hang, ...answers.slice(1))
      const watch = await webhook.watchRetries(
        async () =>
          require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202]),
        { event, isIt: (delivery) => delivery.id !== original.id },
      )
      const ends = (number: number) => (unanswered.has(number) ? 'timeout' : 'answered')
      const expectedRecord = (number: number) => (unanswered.has(number) ? {} : { code: 500, snippet: bodyOf(number) })
      await watch.first(require.of('RPL-002'))
      for (let number = 2; number <= maxAttempts; number++) {
        await watch.expectRecord((id) => check.of(id), expectedRecord(number - 1))
        await watch.next(check.of('RPL-008'), require.of('RPL-008'), retryDelaysMs[number - 1] ?? 0, {
          ending: ends(number),
          previous: ends(number - 1),
        })
      }
      await watch.expectRecord((id) => check.of(id), expectedRecord(maxAttempts))
    },
  }),

  serviceCase({
    id: 'service/answer-time/end-no-webhook',
    requirements: ['DLV-004', 'RTY-001'],
    level: 'must',
    title: `after ${inARow} unanswered events the next is still sent at once`,
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [hang] })
      await Promise.all(Array.from({ length: inARow }, () => project.raise('message.received')))
      await webhook.endpoint.until(() => webhook.attempts().length > 0, sandbox.budgetMs)
      // Two attempts of each are over then, where one at a time is made too, and no third is due.
      await sandbox.advance(4 * minute)
      webhook.endpoint.script(status(200))
      await webhook.attempt(1, await project.raise('message.received'), check.of('DLV-004'))
    },
  }),
]
