// RTY-012  "Every kind of failure (non-2xx, redirect, timeout) is retried on the same schedule."
// RTY-009, RTY-010  pending while retries remain, then failed; `next_attempt_at` is the time of the next attempt.
// RTY-011  "A retried delivery becomes `succeeded` at the first attempt that gets a 2xx, and is not attempted again."
// DLV-001  the delivery request: `POST` to the webhook `url`, JSON body.
// DLV-005, DLV-017 to DLV-020  any 2xx is success; the record of an attempt.
//
// The answers of a consumer at each of the seven attempts: every kind of failure at every one, and the ways to succeed at each but the
// first. Time-outs, which take real time, are in answer-time.ts; unreachable consumers in unreachable.ts. Many webhooks receive one event,
// each with the answers in another order, so that one walk through the schedule covers every pair of a kind and an attempt.

import { maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  instantOf,
  redirect,
  sampleData,
  serviceCase,
  status,
  type Answer,
  type Attempt,
  type RecordedAnswer,
  type RetryWatch,
  type Sandbox,
  type ServiceContext,
  type Webhook,
} from '../../../harness/authoring.js'
import { raisedOnce } from '../shared/raised-once.js'

const day = 24 * 3_600_000
/** Milliseconds from now in which a time does not count as a future one. */
const toComeMs = 2_000
/** Letters of a text that makes an event larger than a column of 65,535 bytes, or the job of a queue, holds. */
const largeText = 72_000
/** Milliseconds after an attempt is due in which it has been made. */
const overDueMs = 2_000
/** A walk puts some hundred questions, which a slow target takes its time for. */
const walkTimeoutMs = 240_000

const delayBefore = (number: number) => retryDelaysMs[number - 1] ?? 0

/** Kinds of failure, of which each webhook gets seven in a row, from another one on. */
const failures: readonly Answer[] = [
  ...[400, 410, 500].map((code) => status(code, { body: `answer ${code}` })),
  { kind: 'reset' },
  ...[404, 429, 503].map((code) => status(code, { body: `answer ${code}` })),
  redirect('/moved', 301),
  ...[422, 401, 408, 504].map((code) => status(code, { body: `answer ${code}` })),
  { kind: 'garbage' },
  redirect('/moved', 307),
  ...[304, 409].map((code) => status(code)),
]

/** Ways to succeed: those that consumers use, and those that only a sender accepts that accepts any 2xx. */
const successes: readonly Answer[] = [
  ...[200, 201, 202, 203, 206, 299, 207, 208, 226, 250].map((code) => status(code, { body: `taken ${code}` })),
  ...[204, 205].map((code) => status(code)),
]

/** Returns the record after an answer; the body of a redirect is the sink's own, and not checked. */
function expectedRecord(answer: Answer | undefined): RecordedAnswer {
  if (answer?.kind !== 'status') return {}
  if (answer.status >= 300 && answer.status < 400) return { code: answer.status }
  return { code: answer.status, snippet: typeof answer.body === 'string' ? answer.body : '' }
}

interface Walked {
  readonly webhook: Webhook
  readonly watch: RetryWatch
  readonly answers: readonly Answer[]
}

/** Creates a webhook for each list of answers, as many as the target accepts, and raises one event for all. */
async function watchAll({ project }: Sandbox, lists: readonly (readonly Answer[])[]): Promise<readonly Walked[]> {
  const made = await project.createWebhooks(
    lists.map(([first = status(500), ...rest]) => ({
      eventTypes: ['message.received'],
      answers: [first, ...rest] as const,
    })),
    { atLeast: 1 },
  )
  const reported = made.flatMap((webhook, index) =>
    webhook === undefined ? [] : [{ webhook, answers: lists[index] ?? [] }],
  )
  const raised = raisedOnce(reported.length, () => project.raise('message.received'))
  return Promise.all(
    reported.map(async ({ webhook, answers }) => ({ webhook, watch: await webhook.watchRetries(raised), answers })),
  )
}

/** Checks the first attempts, and the records of those that failed. */
async function checkFirst({ check, require }: ServiceContext, walked: readonly Walked[]): Promise<void> {
  for (const { watch } of walked) await watch.first(require.of('RTY-001'))
  for (const { watch, answers } of walked) await watch.expectRecord((id) => check.of(id), expectedRecord(answers[0]))
}

/** Webhooks that share a workspace: one walk through the schedule takes as long as it has webhooks, and other workspaces walk meanwhile. */
const webhooksOfOne = 3

/** Runs `walk` with parts of the lists, each in a workspace of its own; ends when all have ended, and with the first error of any. */
async function inWorkspaces(
  { openSandbox }: ServiceContext,
  lists: readonly (readonly Answer[])[],
  walk: (sandbox: Sandbox, part: readonly (readonly Answer[])[]) => Promise<void>,
): Promise<void> {
  const parts = Array.from({ length: Math.ceil(lists.length / webhooksOfOne) }, (_, index) =>
    lists.slice(index * webhooksOfOne, (index + 1) * webhooksOfOne),
  )
  const ended = await Promise.allSettled(parts.map(async (part) => walk(await openSandbox(), part)))
  for (const result of ended) if (result.status === 'rejected') throw result.reason
}

/** Returns `count` answers from `from` on, with the beginning again after the end. */
const turned = (list: readonly Answer[], from: number, count: number): readonly Answer[] =>
  Array.from({ length: count }, (_, index) => list[(from + index) % list.length] ?? status(500))

export const everyAttempt = [
  serviceCase({
    id: 'service/every-attempt/is-retried-after-any-failure',
    requirements: ['RTY-012', 'RTY-009', 'RTY-010', 'DLV-017', 'DLV-018', 'DLV-019', 'DLV-004'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'at each of seven attempts any failure is recorded and retried on schedule',
    needs: ['sink', 'clock', 'event:message.received'],
    timeoutMs: walkTimeoutMs,
    async run(context) {
      const { check, require } = context
      const lists = failures.map((_, index) => turned(failures, index, maxAttempts))
      await inWorkspaces(context, lists, async (sandbox, part) => {
        const walked = await watchAll(sandbox, part)
        await checkFirst(context, walked)
        for (let number = 2; number <= maxAttempts; number++) {
          for (const { watch } of walked)
            await watch.next(check.of('RTY-012'), require.of('RTY-012'), delayBefore(number))
          for (const { watch, answers } of walked)
            await watch.expectRecord((id) => check.of(id), expectedRecord(answers[number - 1]))
        }
        await sandbox.advance(2 * day)
        for (const { watch } of walked) check.of('RTY-008').equal('attempts in all', watch.count, maxAttempts)
        const next = await sandbox.project.raise('message.received')
        for (const { webhook } of walked) await webhook.attempt(1, next, check.of('DLV-004'))
      })
    },
  }),

  serviceCase({
    id: 'service/every-attempt/ends-a-delivery-with-any-2xx',
    requirements: ['RTY-011', 'DLV-005', 'DLV-017', 'DLV-018', 'DLV-019', 'DLV-020'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'at each later attempt any 2xx makes the delivery succeeded, without another attempt',
    needs: ['sink', 'clock', 'event:message.received'],
    timeoutMs: walkTimeoutMs,
    async run(context) {
      const { check, require } = context
      // Two ways to succeed at each attempt from the second to the last.
      const lists = Array.from({ length: 2 * (maxAttempts - 1) }, (_, index) => {
        const before = (index % (maxAttempts - 1)) + 1
        return [...turned(failures, index, before), successes[index % successes.length] ?? status(200)]
      })
      await inWorkspaces(context, lists, async (sandbox, part) => {
        const walked = await watchAll(sandbox, part)
        await checkFirst(context, walked)
        for (let number = 2; number <= maxAttempts; number++)
          for (const { watch, answers } of walked)
            if (number <= answers.length)
              await watch.next(check.of('RTY-012'), require.of('RTY-012'), delayBefore(number))
        await sandbox.advance(day)
        for (const { watch, answers } of walked) {
          const reported = expectedRecord(answers.at(-1))
          const after = `after a ${reported.code ?? ''} at attempt ${answers.length}`
          const record = await watch.delivery(({ status }) => status === 'succeeded')
          check.of('DLV-005').equal(`status ${after}`, record.status, 'succeeded')
          check.of('DLV-017').equal(`attempt ${after}`, record.attempt, answers.length)
          check.of('DLV-018').equal(`response_code ${after}`, record.response_code, reported.code)
          check
            .of('DLV-019')
            .equal(`response_body_snippet ${after}`, asText(record.response_body_snippet ?? ''), reported.snippet)
          const isToCome = instantOf(record.next_attempt_at) > sandbox.now() + toComeMs
          check.of('DLV-020').ok(`next_attempt_at ${after}`, !isToCome, 'no next attempt', record.next_attempt_at)
          check.of('RTY-011').equal(`attempts in all ${after}`, watch.count, answers.length)
        }
      })
    },
  }),

  serviceCase({
    id: 'service/every-attempt/carries-a-large-event-whole',
    requirements: ['RTY-014', 'RTY-012', 'RPL-001', 'RPL-002'],
    dependsOn: delaysBefore(3),
    level: 'must',
    title: 'an event of more than 64 KiB is sent whole by retries and replays',
    needs: ['sink', 'clock', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, skip, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ answers: [status(500), status(500), status(200)] })
      const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
      const data = { ...sampleData('message.queued', options), subject: `${'large '.repeat(largeText / 6)}Grüße` }
      // How large an event may be is not shown.
      const event = await project.raise('message.queued', { data }).catch(() => undefined)
      if (event === undefined) return skip(`needs a service that accepts an event of ${largeText / 1_000} KB`)
      const first = await webhook.attempt(1, event, require.of('EVT-014'))
      const expectEqual = (id: 'RTY-014' | 'RPL-002', what: string, attempt: Attempt) => {
        for (const field of ['id', 'type', 'timestamp', 'data'])
          check.of(id).equal(`${field} of ${what} of a large event`, attempt.field(field), first.field(field))
      }
      for (const number of [2, 3]) {
        await sandbox.settle()
        await sandbox.advance(delayBefore(number) + overDueMs)
        expectEqual('RTY-014', `attempt ${number}`, await webhook.attempt(number, event, require.of('RTY-012')))
      }
      const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
      expectEqual('RPL-002', 'the replay', await webhook.attempt(4, event, require.of('RPL-002')))
    },
  }),

  serviceCase({
    id: 'service/every-attempt/says-that-the-body-is-json',
    requirements: ['DLV-001'],
    dependsOn: delaysBefore(7),
    level: 'should',
    title: 'every attempt of a delivery and of a replay has the content type of JSON',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
      const watch = await webhook.watchRetries(() => project.raise('message.received'))
      await watch.until(maxAttempts, () => require.of('RTY-012'))
      const { id } = await watch.delivery(({ status }) => status === 'failed')
      const replay = await webhook.watchRetries(
        async () => require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202]),
        { event: watch.event, isIt: (delivery) => delivery.replay_of === id },
      )
      await replay.until(2, () => require.of('RPL-008'))
      for (const [name, attempts] of [
        ['attempt', watch.attempts],
        ['attempt of a replay,', replay.attempts],
      ] as const)
        for (const [index, attempt] of attempts.entries())
          check.matches(
            `content-type of ${name} ${index + 1}`,
            attempt.header('content-type')?.toLowerCase(),
            /^application\/([^;]+\+)?json\s*(;|$)/,
          )
    },
  }),
]
