// WHK-014  "`DELETE /v1/webhooks/{id}` stops deliveries at once: an event raised after it is not sent."
// WHK-015  "Deleting a webhook stops its pending retries at once."
//
// What may wait when a webhook is deleted, kind by kind: whatever failed, of each type of event, at each attempt, of a replay too. What a
// case counts is made after the delete; an attempt whose connection was there before is legal.

import { answerTimeMs, maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  serviceCase,
  status,
  type Answer,
  type RaisedEvent,
  type Webhook,
} from '../../../harness/authoring.js'
import { madeBefore } from '../shared/attempts-made.js'

const day = 24 * 3_600_000
/** Milliseconds after an attempt is due in which it has been made. */
const overDueMs = 1_000
const stages = Array.from({ length: maxAttempts - 1 }, (_, index) => index + 2)

const hang: Answer = { kind: 'hang' }

const failing: readonly (readonly [name: string, answer: Answer])[] = [
  ['got no answer', hang],
  ['was reset', { kind: 'reset' }],
  ['got a failure', { kind: 'garbage' }],
  ['was redirected', status(302, { headers: { location: 'https://127.0.0.1:1/' } })],
  ['was answered 404', status(404)],
  ['was answered 503', status(503)],
]

export const deletionByKind = [
  serviceCase({
    id: 'service/deletion/stops-retries-whatever-failed',
    requirements: ['WHK-015'],
    level: 'must',
    title: 'a failed delivery of any kind is not retried after the delete',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = await project.createWebhooks(
        failing.map(([, answer]) => ({ answers: [answer, status(500)] as const })),
        { atLeast: 1 },
      )
      const event = await project.raise('message.received')
      for (const webhook of webhooks) await webhook?.heldAttempt(event)
      // The time of the one without an answer is over then, and each waits for its second or third attempt: a third is not due.
      await sandbox.advance(answerTimeMs + overDueMs)
      for (const webhook of webhooks) await webhook?.delete()
      await sandbox.settle()
      const before = webhooks.map((webhook) => Math.min(webhook?.attempts(event).length ?? 0, 2))
      await sandbox.advance(day)
      for (const [index, webhook] of webhooks.entries()) {
        const made = (webhook?.attempts(event).length ?? 0) - (before[index] ?? 0)
        check.equal(`attempts after the delete of a delivery whose attempt ${failing[index]?.[0]}`, made, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-what-is-in-flight-whatever-comes-of-it',
    requirements: ['WHK-015'],
    level: 'must',
    title: 'an attempt in flight at the delete is the last, however it ends',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = await project.createWebhooks(
        failing.map(() => ({ answers: [hang, status(500)] as const })),
        { atLeast: 1 },
      )
      const event = await project.raise('message.received')
      const made: number[] = []
      const held = await Promise.all(webhooks.map(async (webhook) => webhook?.heldAttempt(event)))
      for (const [index, webhook] of webhooks.entries()) {
        await webhook?.delete()
        made.push(webhook?.attempts(event).length ?? 0)
        const outcome: Answer = failing[index]?.[1] ?? hang
        if (outcome !== hang) held[index]?.answer(outcome)
      }
      await sandbox.settle()
      await sandbox.advance(day)
      for (const [index, webhook] of webhooks.entries())
        check.equal(
          `attempts after the delete while one was in flight that ${failing[index]?.[0]}`,
          (webhook?.attempts(event).length ?? 0) - (made[index] ?? 0),
          0,
        )
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-new-deliveries-of-an-inbox',
    requirements: ['WHK-014', 'DLV-004'],
    level: 'must',
    title: 'an inbox webhook gets no event after its delete; others of the inbox do',
    needs: ['sink', 'event:message.received', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const own = project.inbox()
      const witness = await project.createWebhook({ inboxId: own.id })
      for (const [name, by, from] of [
        ['that the key of the org made and deleted', project.api, project.api],
        ['that the key of the inbox made, and that of the org deleted', own.api, project.api],
        ['that the key of the inbox made and deleted', own.api, own.api],
      ] as const) {
        const eventTypes = ['message.received']
        const webhook = await project.createWebhook({ api: by, inboxId: own.id, eventTypes })
        await webhook.attempt(1, await project.raise('message.received', { inbox: own }))
        const { status: answered = 0 } = await from.deleteWebhook(webhook.id)
        // What the key of an inbox may do with webhooks is open (open point scoped-key-rights).
        if (from === own.api && (answered < 200 || answered > 299)) return
        require.of('WHK-017').ok('status of the delete', answered >= 200 && answered <= 299, '2xx', answered)
        const later = await project.raise('message.received', { inbox: own })
        await witness.attempt(1, later, require.of('DLV-004'))
        await sandbox.settle()
        check.equal(`attempts after the delete at a webhook ${name}`, webhook.attempts(later).length, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-what-waits-for-a-key-of-an-inbox',
    requirements: ['WHK-015'],
    level: 'must',
    title: 'a waiting delivery is not retried once an inbox key deleted its webhook',
    needs: ['sink', 'clock', 'own-data', 'inboxes'],
    async run({ openSandbox, check, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project.inbox()
      const webhook = await project.createWebhook({ api, answers: [status(500)] })
      const event = await project.raise('message.received', { inbox: project.inbox() })
      await webhook.attempt(1, event)
      await sandbox.settle()
      const deleted = await api.deleteWebhook(webhook.id)
      // What such a key may do is open (open point scoped-key-rights).
      if (deleted.status === undefined || deleted.status < 200 || deleted.status > 299)
        return skip('needs a service that lets the key of an inbox delete the webhook it made')
      await sandbox.settle()
      const before = madeBefore(webhook, event)
      await sandbox.advance(day)
      check.equal('attempts after the delete', webhook.attempts(event).length - before, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-replays-that-wait-for-each-attempt',
    requirements: ['WHK-015'],
    dependsOn: ['DLV-012'],
    level: 'must',
    title: 'waiting replays are not retried after the delete, at any attempt',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const events: RaisedEvent[] = []
      for (const _ of stages) {
        const event = await project.raise('message.received')
        await webhook.attempt(1, event)
        events.push(event)
      }
      await sandbox.settle()
      const listed = await webhook.deliveriesWhen(
        (all) => all.length >= stages.length && all.every(({ status }) => status === 'succeeded'),
      )
      webhook.endpoint.script(status(500))
      // The longest wait first: it is not due while the others get that far. The list has the newest first.
      for (const [index, next] of [...stages].reverse().entries()) {
        const event = events[events.length - 1 - index]
        const answer = await project.api.replayDelivery(webhook.id, asText(listed[index]?.id))
        require.of('RPL-001').status(answer, [202])
        for (let number = 2; number < next; number++)
          await sandbox.advance((retryDelaysMs[number - 1] ?? 0) + overDueMs)
        // One attempt of the original preceded those of its replay.
        await webhook.attempt(next, event, require, { dependsOn: ['RPL-002', ...delaysBefore(next - 1)] })
      }
      await sandbox.settle()
      await webhook.delete()
      await sandbox.settle()
      const before = events.map((event) => webhook.attempts(event).length)
      await sandbox.advance(2 * day)
      for (const [index, next] of stages.entries()) {
        const event = events[index]
        if (event === undefined) continue
        const made = webhook.attempts(event).length - (before[index] ?? 0)
        check.equal(`attempts after the delete of a replay that waited for attempt ${next}`, made, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-what-is-in-flight-at-each-attempt',
    requirements: ['WHK-015'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'later attempts in flight at the delete are not followed by another',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const scripts = stages.map((number) => ({
        answers: [status(500), ...Array.from({ length: number - 2 }, () => status(500)), hang, status(500)] as const,
      }))
      const [replayed, ...webhooks] = await project.createWebhooks(
        [{ answers: [status(200), status(500), hang, status(500)] }, ...scripts],
        { atLeast: 2 },
      )
      const event = await project.raise('message.received')
      for (const webhook of [replayed, ...webhooks]) await webhook?.attempt(1, event)
      await sandbox.settle()
      const rows = webhooks.map((webhook, index) => ({ webhook, number: index + 2, of: 'a delivery' }))
      if (replayed !== undefined) {
        const { id } = await replayed.deliveryWhen(({ status }) => status === 'succeeded')
        require.of('RPL-001').status(await project.api.replayDelivery(replayed.id, asText(id)), [202])
        await replayed.attempt(2, event)
        await sandbox.settle()
        rows.unshift({ webhook: replayed, number: 3, of: 'a replay' })
      }
      const made = new Map<Webhook, number>()
      for (const number of stages) {
        // Awaited below, unless the case ends before.
        const moved = sandbox.advance((retryDelaysMs[number - 1] ?? 0) + overDueMs)
        moved.catch(() => undefined)
        const due = rows.filter((row) => row.number - (row.of === 'a replay' ? 1 : 0) === number)
        for (const { webhook, number: own } of due) {
          if (webhook === undefined) continue
          const held = await webhook.heldAttempt(event, own)
          await webhook.delete()
          held.answer(status(500))
          made.set(webhook, webhook.attempts(event).length)
        }
        await moved
        await sandbox.settle()
      }
      await sandbox.advance(day)
      for (const { webhook, number, of } of rows)
        if (webhook !== undefined)
          check.equal(
            `attempts after the delete while attempt ${of === 'a replay' ? number - 1 : number} of ${of} was in flight`,
            webhook.attempts(event).length - (made.get(webhook) ?? 0),
            0,
          )
    },
  }),

  serviceCase({
    id: 'service/deletion/leaves-its-url-to-another',
    requirements: ['DLV-004', 'DLV-023', 'WHK-009', 'WHK-015', 'WHK-018', 'SIG-006'],
    dependsOn: ['DLV-003'],
    level: 'must',
    title: "a webhook on a deleted webhook's url has its own secret, filter and events",
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const first = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
      const earlier = await project.raise('message.received')
      await first.attempt(1, earlier)
      await sandbox.settle()
      await first.delete()
      await sandbox.settle()
      const before = madeBefore(first, earlier)
      const [, second] = await project.createWebhooks(
        [{ eventTypes: ['message.complained'] }, { eventTypes: ['message.bounced'], sameUrlAs: first }],
        { atLeast: 1 },
      )
      if (second === undefined) return skip('needs a service that accepts the url of a webhook that was deleted')
      check.of('WHK-018').ok('secret of the second webhook', second.secret !== first.secret, 'another', 'the same')
      second.endpoint.script(status(200))
      await sandbox.settle()
      const unrequested = await project.raise('message.received')
      const later = await project.raise('message.bounced')
      const attempt = await second.attempt(1, later, check.of('DLV-004'))
      const secretOf = second.hasSigned(attempt) ? 'the second' : first.hasSigned(attempt) ? 'the first' : 'neither'
      check.of('SIG-006').equal('webhook with whose secret the second is signed to', secretOf, 'the second')
      await sandbox.settle()
      check.of('WHK-009').equal('attempts of events that only the first listed', second.attempts(unrequested).length, 0)
      await sandbox.advance(7_000)
      check
        .of('WHK-015')
        .equal('attempts of the earlier event after the delete', second.attempts(earlier).length, before)
      check.of('DLV-023').equal('deliveries of the second webhook', (await second.deliveriesListed(1)).length, 1)
    },
  }),
]
