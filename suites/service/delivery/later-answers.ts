// DLV-007  "The consumer has 10 seconds to answer: an answer within them counts."
// DLV-008  "The consumer has 10 seconds to answer: no answer by then is a failed attempt."
// RPL-008  a replay is a delivery like any other.
// DLV-004, RTY-001  each event makes a delivery, attempted immediately, whatever the outcome of others.
// DLV-018, DLV-019, RTY-009, RTY-010  the record of an attempt without an answer, of a replay too.
//
// Retries and replays get the same 10 seconds as a first attempt. Where retry delays count from the start of an attempt, records do not
// show how long an attempt stayed open. So the answer is delayed until shortly before the 10 seconds are over, or until after.

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

/** The second attempt of an event, as a retry or a replay, and the answer to the first. */
const retryAndReplay = [
  { name: 'retry', before: status(500) },
  { name: 'replay', before: status(200) },
] as const

/** The attempts after those: 3 to 7 of a delivery, 2 to 7 of a replay. */
const remainingAttempts = [
  { name: 'a-retry', title: 'retry', isReplay: false, numbers: [3, 4, 5, 6, 7] },
  { name: 'a-retry-of-a-replay', title: 'retry of a replay', isReplay: true, numbers: [2, 3, 4, 5, 6, 7] },
] as const

const bodyOf = (number: number) => `of attempt ${number}`
const failure = (number: number) => status(500, { body: bodyOf(number) })
const hang: Answer = { kind: 'hang' }
/** Attempts of a replay without an answer: one after a recorded answer, and the last. */
const unanswered: ReadonlySet<number> = new Set([2, maxAttempts])
/** Events that get no answer at all: enough that a sender might take the webhook for dead. */
const unansweredEvents = 6
/** A walk through the schedule makes many requests, which a slow target answers slowly. */
const walkTimeoutMs = 240_000
const minute = 60_000
/** Time in which all attempts of a delivery are over, in milliseconds. */
const twoDays = 2 * 24 * 3_600_000

/**
 * Creates a webhook that leaves the second attempt of an event open. Returns the time until that attempt, when this was measured, and
 * which delivery the attempt belongs to.
 */
async function startSecondAttempt(
  { require }: ServiceContext,
  sandbox: Sandbox,
  { name, before }: (typeof retryAndReplay)[number],
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
  if (name === 'retry') return { webhook, event, startedAt, dueMs: retryDelaysMs[1], isWatched: () => true }
  const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
  const replayedAt = Date.now()
  require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
  const isWatched = (delivery: DeliveryItem) => delivery.id !== id
  return { webhook, event, startedAt: replayedAt, dueMs: 0, isWatched }
}

/** Waits for all, then throws the first error. */
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

/** Creates a webhook that fails every attempt before `number`, which is not made yet and will get no answer. The attempts are those of a delivery or of a replay. */
async function startAttempt(
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
  ...retryAndReplay.map((cell) =>
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
          const { webhook, event, startedAt, dueMs, isWatched } = await startSecondAttempt(context, sandbox, cell)
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
            all.some((delivery) => isWatched(delivery) && delivery.status !== 'pending'),
          )
          const reported = listed.find(isWatched)
          // An early retry may have waited more than 10 seconds for its answer.
          const ofTime = check.of('DLV-007').dependingOn(...(cell.name === 'retry' ? [attemptRequirement(2)] : []))
          ofTime.equal('status after an answer within 10 seconds', reported?.status, 'succeeded')
          ofTime.equal('attempts', webhook.attempts(event).length, 2)
          return
        }
        throw new TooBusy('this machine was too busy to answer within 10 seconds of a request')
      },
    }),
  ),

  ...retryAndReplay.map((cell) =>
    serviceCase({
      id: `service/answer-time/does-not-count-an-answer-to-a-${cell.name}-that-comes-too-late`,
      requirements: ['DLV-008', 'RPL-008'],
      level: 'must',
      title: `10 seconds without an answer to a ${cell.name} leave the delivery pending`,
      needs: ['sink', 'clock', 'event:message.received'],
      async run(context) {
        const { check } = context
        const sandbox = await context.openSandbox()
        const { webhook, event, dueMs, isWatched } = await startSecondAttempt(context, sandbox, cell)
        const advanced = sandbox.advance(dueMs + answerTimeMs + 2_000)
        advanced.catch(() => undefined) // Awaited below, unless the case ends before.
        const attempt = await webhook.heldAttempt(event, 2)
        // An advance ends once the attempt has ended: one that is still open has had more than its 10 seconds.
        const isOpen = await Promise.race([advanced, attempt.closed, stillOpen()])
        attempt.answer(status(200))
        await advanced
        await sandbox.settle()
        const judging = isOpen === 'open' ? check.measured : check
        const reported = (await webhook.deliveriesWhen((all) => all.some(isWatched))).find(isWatched)
        judging.equal(`status after the time-out of the ${cell.name}`, reported?.status, 'pending')
      },
    }),
  ),

  ...remainingAttempts.map(({ name, title, isReplay, numbers }) =>
    serviceCase({
      id: `service/answer-time/accepts-a-late-answer-to-${name}-at-any-attempt`,
      requirements: ['DLV-007', 'RPL-008'],
      dependsOn: ['DLV-016'],
      level: 'must',
      title: `at every ${title}, an answer after 9 seconds is a success`,
      needs: ['sink', 'clock', 'event:message.received'],
      timeoutMs: walkTimeoutMs,
      async run(context) {
        const { check, openSandbox } = context
        const send = async (number: number) => {
          const sandbox = await openSandbox()
          for (const aheadMs of aheadOfAnswerMs) {
            const { watch, held, earliest } = await startAttempt(context, sandbox, { isReplay, number })
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
            // An early attempt may have waited more than 10 seconds for its answer.
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

  ...remainingAttempts.map(({ name, title, isReplay, numbers }) =>
    serviceCase({
      id: `service/answer-time/does-not-count-an-answer-to-${name}-that-comes-too-late-at-any-attempt`,
      requirements: ['DLV-008', 'RPL-008'],
      level: 'must',
      title: `at every ${title}, an answer after more than 10 seconds does not count`,
      needs: ['sink', 'clock', 'event:message.received'],
      timeoutMs: walkTimeoutMs,
      async run(context) {
        const { check, openSandbox } = context
        const send = async (number: number) => {
          const sandbox = await openSandbox()
          const { watch, held, latest } = await startAttempt(context, sandbox, { isReplay, number })
          const advanced = sandbox.advance(Math.round(latest + answerTimeMs + 2_000 - sandbox.now()))
          advanced.catch(() => undefined) // Awaited below, unless the case ends before.
          const attempt = await held()
          // An advance ends once the attempt has ended: one that is still open has had more than its 10 seconds.
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
    title: 'the replay of a failed delivery has its own seven attempts and its own record',
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
    title: `after ${unansweredEvents} unanswered events the next is still sent at once`,
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [hang] })
      await Promise.all(Array.from({ length: unansweredEvents }, () => project.raise('message.received')))
      await webhook.endpoint.until(() => webhook.attempts().length > 0, sandbox.budgetMs)
      // By then each event has had two attempts, also where they are made one at a time, and no third is due.
      await sandbox.advance(4 * minute)
      webhook.endpoint.script(status(200))
      await webhook.attempt(1, await project.raise('message.received'), check.of('DLV-004'))
    },
  }),
]
