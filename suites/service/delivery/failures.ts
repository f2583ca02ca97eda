// RTY-012  "Every kind of failure (non-2xx, redirect, timeout) is retried on the same schedule."
// RTY-009, RTY-010  pending while retries remain, then failed; `next_attempt_at` is the time of the next attempt.
// DLV-011, DLV-010, DLV-022  answers that are not 2xx, redirects, and connections that break.
// DLV-017 to DLV-019  the record of an attempt.
//
// Each kind of failure, at each of the seven attempts: no attempt is early, none late, and after each the record has this attempt's answer.
// Time-outs, which take real time, are in answer-time.ts.
//
// Reading: `attempt`, `response_code` and `response_body_snippet` are about one attempt, the latest. One that got no answer has no code and
// no body: null, absent, zero and empty are all accepted (open point empty-fields), the answer of the attempt before is not. Retry-After is
// the consumer's wish; the schedule is the interface's.

import { eventTypes, maxAttempts, retryDelaysMs, type EventType } from '../../../spec/index.js'
import {
  delaysBefore,
  redirect,
  sampleData,
  serviceCase,
  status,
  type Answer,
  type Checks,
  type DeliveryItem,
  type RetryWatch,
  type RecordedAnswer,
} from '../../../harness/authoring.js'

const delayBefore = (number: number) => retryDelaysMs[number - 1] ?? 0

/** A consumer's wishes: sooner than any retry but the first, later than most, and a date, which is later than all. */
const wishes = ['1', '3600', 'Thu, 31 Dec 2099 23:59:59 GMT']
const retryAfter = (index: number) => ({ 'retry-after': wishes[index % wishes.length] ?? '1' })

/** One answer for each attempt, no two of them alike. */
const codes = (...list: readonly number[]) =>
  list.map((code, index) => status(code, { body: `answer ${index + 1} is ${code}`, headers: retryAfter(index) }))

const always = (answer: Answer) => Array.from({ length: maxAttempts }, () => answer)

const kinds: readonly (readonly [name: string, title: string, answers: readonly Answer[]])[] = [
  ['4xx', 'a 4xx', codes(400, 401, 403, 404, 410, 422, 429)],
  ['5xx', 'a 5xx', codes(599, 500, 501, 502, 504, 507, 503)],
  ['a-status-beside-them', 'a 300, 304 or unusual 4xx', codes(304, 300, 402, 408, 451, 425, 409)],
  ['a-reset', 'a reset connection', always({ kind: 'reset' })],
  ['a-garbled-answer', 'an answer that is not HTTP', always({ kind: 'garbage' })],
  ['an-answer-that-is-cut-off', 'a 500 whose body is cut off', always({ kind: 'cut-body', status: 500 })],
]

/** Returns the record after an answer; undefined for a cut body: it is open whether it counts as an answer (answer-end). */
function expectedRecord(answer: Answer | undefined): RecordedAnswer | undefined {
  if (answer?.kind === 'cut-body') return undefined
  if (answer?.kind !== 'status') return {}
  // A 304 has no body, whatever a server writes after it.
  if (answer.status === 304) return { code: answer.status }
  return { code: answer.status, snippet: typeof answer.body === 'string' ? answer.body : '' }
}

/** Watches the whole schedule while the consumer gives `answers`, and the final record. */
async function expectSchedule(
  watch: RetryWatch,
  answers: readonly Answer[],
  { check, require }: { readonly check: Checks; readonly require: Checks },
): Promise<void> {
  await watch.first(require.of('RTY-001'))
  await watch.expectRecord((id) => check.of(id), expectedRecord(answers[0]))
  for (let number = 2; number <= maxAttempts; number++) {
    await watch.next(check.of('RTY-012'), require.of('RTY-012'), delayBefore(number))
    await watch.expectRecord((id) => check.of(id), expectedRecord(answers[number - 1]))
  }
}

const twoDays = 2 * 24 * 3_600_000

/** Answers that a sender may take for the end of a webhook, which only a delete is. */
const last: readonly (readonly [name: string, answer: Answer])[] = [
  ...[400, 401, 403, 404, 405, 410, 429, 451, 500, 503].map((code) => [`a ${code}`, status(code)] as const),
  ...[429, 503].map(
    (code) => [`a ${code} with Retry-After`, status(code, { headers: { 'retry-after': '3600' } })] as const,
  ),
  ['a redirect', redirect('/moved', 301)],
  ['a reset', { kind: 'reset' }],
  ['an answer that is not HTTP', { kind: 'garbage' }],
]
/** Events in a row that fail: more than a sender that counts failures lets pass, or one that keeps fifty retries waiting. */
const inARow = 55
/** Events raised at once. */
const atOnce = 11

export const failures = [
  ...kinds.map(([name, title, answers]) =>
    serviceCase({
      id: `service/failures/keeps-the-schedule-after-${name}`,
      requirements: ['RTY-012', 'RTY-009', 'RTY-010', 'DLV-017', 'DLV-018', 'DLV-019', 'DLV-011', 'DLV-022'],
      dependsOn: delaysBefore(7),
      level: 'must',
      title: `the schedule and the record are correct if every attempt gets ${title}`,
      needs: [
        'sink',
        ...(answers.some(({ kind }) => kind === 'garbage') ? (['direct-sink'] as const) : []),
        'clock',
        'event:message.received',
      ],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const [first, ...rest] = answers
        const webhook = await sandbox.project.createWebhook({
          eventTypes: ['message.received'],
          answers: [first ?? status(500), ...rest],
        })
        const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
        await expectSchedule(watch, answers, { check, require })
        await sandbox.advance(twoDays)
        check.of('RTY-008').equal('attempts in all', watch.count, maxAttempts)
      },
    }),
  ),

  serviceCase({
    id: 'service/failures/keeps-the-schedule-after-a-redirect',
    requirements: ['RTY-012', 'DLV-009', 'DLV-010', 'RTY-009', 'RTY-010', 'DLV-018', 'DLV-019'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'after a redirect at every attempt the schedule continues at the same url',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const headers = { location: `${webhook.endpoint.url}/moved` }
      const answers = [301, 302, 303, 307, 308, 300, 307].map((code, index) =>
        status(code, { headers, body: `redirect ${index + 1} is ${code}` }),
      )
      const [first = status(500), ...rest] = answers
      webhook.endpoint.script(first, ...rest)
      const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
      await expectSchedule(watch, answers, { check, require })
      await sandbox.advance(twoDays)
      check.of('DLV-009').equal('attempts in all', watch.count, maxAttempts)
      const moved = webhook.attempts(watch.event).filter(({ path }) => path.endsWith('/moved'))
      check.of('DLV-009').equal('requests that followed a redirect', moved.length, 0)
    },
  }),

  serviceCase({
    id: 'service/failures/tell-nothing-of-the-attempt-before',
    requirements: ['DLV-018', 'DLV-019', 'RTY-010', 'RTY-012'],
    level: 'must',
    title: 'after different failures the record shows only the latest one',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const answers: readonly [Answer, ...Answer[]] = [
        status(500, { body: 'of the first attempt' }),
        { kind: 'reset' },
        status(404, { body: 'of the third attempt' }),
        { kind: 'garbage' },
        status(503, { body: 'of the fifth attempt' }),
        status(502, { body: '' }),
        { kind: 'reset' },
      ]
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'], answers })
      const watch = await webhook.watchRetries(() => sandbox.project.raise('message.received'))
      await expectSchedule(watch, answers, { check, require })
    },
  }),

  serviceCase({
    id: 'service/failures/are-retried-whatever-the-type',
    requirements: ['RTY-012', 'RTY-009', 'RTY-001'],
    level: 'must',
    title: 'a failed delivery of any event type is pending and retried',
    needs: ['sink', 'time:5000', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ answers: [status(500)] })
      const ofOne = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
      // Each waits for its retry before the next is raised, which does not wait for it, and does not end it.
      const raised = []
      for (const type of ['message.deferred', ...(Object.keys(eventTypes) as EventType[])] as const) {
        const event = await project.raise(type, { data: sampleData(type, ofOne) })
        await webhook.attempt(1, event, require.of('RTY-001'))
        if (sandbox.time === 'virtual') await sandbox.settle()
        raised.push(event)
      }
      await sandbox.settle()
      await sandbox.advance(7_000)
      await Promise.all(
        raised.map(async (event) => {
          const isMade = await webhook.endpoint.until(() => webhook.attempts(event).length > 1, sandbox.budgetMs)
          check.of('RTY-012').ok(`second attempt of ${event.type}`, isMade, 'made', 'none')
        }),
      )
      const listed = await webhook.deliveriesListed(raised.length)
      const states = listed.map((delivery) => delivery.status)
      check.of('RTY-009').equal('states of the deliveries', states, Array(raised.length).fill('pending'))
    },
  }),

  serviceCase({
    id: 'service/failures/end-no-webhook',
    requirements: ['DLV-004', 'DLV-023'],
    level: 'must',
    title: 'whatever answer one event gets, the next is sent at once',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = await project.createWebhooks(
        last.map(([, answer]) => ({ eventTypes: ['message.received'], answers: [answer] })),
        { atLeast: 2 },
      )
      const first = await project.raise('message.received')
      await Promise.all(webhooks.map(async (webhook) => webhook?.attempt(1, first)))
      await sandbox.settle()
      const next = await project.raise('message.received')
      await Promise.all(
        webhooks.map(async (webhook, index) => {
          if (webhook === undefined) return
          const isMade = await webhook.endpoint.until(() => webhook.attempts(next).length > 0, sandbox.budgetMs)
          const what = `first attempt of the next event after ${last[index]?.[0] ?? ''}`
          check.of('DLV-004').ok(what, isMade, 'made', 'none')
        }),
      )
    },
  }),

  serviceCase({
    id: 'service/failures/in-a-row-end-no-webhook',
    requirements: ['DLV-004', 'DLV-023', 'DLV-011', 'RTY-010'],
    level: 'must',
    title: `after ${inARow} failed events the next event is still sent at once`,
    needs: ['sink', 'workspace', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
      for (let count = 0; count < inARow; count += atOnce) {
        const raised = await Promise.all(Array.from({ length: atOnce }, () => project.raise('message.received')))
        await Promise.all(raised.map((event) => webhook.attempt(1, event)))
      }
      await sandbox.settle()
      const next = await project.raise('message.received')
      const isMade = await webhook.endpoint.until(() => webhook.attempts(next).length > 0, sandbox.budgetMs)
      check.of('DLV-004').ok('first attempt of the next event', isMade, 'made', 'none')
      const isWaiting = ({ status: state, response_code: code }: DeliveryItem) => state === 'pending' && code === 500
      const all = await webhook.deliveriesWhen((list) => list.length > inARow && list.every(isWaiting), { limit: 100 })
      check.of('DLV-023').equal('deliveries listed', all.length, inARow + 1)
      const ended = all.filter(({ status: state }) => state !== 'pending')
      check.of('DLV-011').equal('deliveries that wait for no retry', ended.length, 0)
    },
  }),
]
