// WHK-014  "`DELETE /v1/webhooks/{id}` stops deliveries at once: an event raised after it is not sent."
// WHK-015  "Deleting a webhook stops its pending retries at once."
// WHK-016  "Delivery history is kept after the webhook is deleted."
//
// Reading: the state of a pending delivery whose webhook is deleted is not shown (open point deleted-pending-state), nor
// where the history can be read once the webhook is gone (open point deleted-history): a 4xx leaves it open.

import { eventTypes, type EventType } from '../../spec/index.js'
import { asText, CaseErrored, serviceCase, status, type Attempt } from '../../harness/authoring.js'

const day = 24 * 3_600_000
/** An attempt may be signed so many seconds after a delete whose answer was there: clocks differ, and seconds are rounded. */
const slackSeconds = 3

/** The attempts that say themselves that they were made after an instant of the workspace, whenever they arrived here. */
function signedAfter(attempts: readonly Attempt[], instantMs: number): Attempt[] {
  return attempts.filter((attempt) => attempt.signedAt > instantMs / 1000 + slackSeconds)
}

export const deletion = [
  serviceCase({
    id: 'service/deletion/stops-new-deliveries',
    requirements: ['WHK-014'],
    settles: ['WHK-014'],
    level: 'must',
    title: 'an event raised after the delete is not sent, where one raised before was',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
      const witness = await project.createWebhook({ eventTypes: ['message.received'] })
      await webhook.attempt(1, await project.raise('message.received'))
      await webhook.delete()
      const later = await project.raise('message.received')
      await witness.attempt(1, later)
      await sandbox.settle()
      check.equal('attempts of an event raised after the delete', webhook.attempts(later).length, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-events-of-every-type',
    requirements: ['WHK-014'],
    level: 'must',
    title: 'after the delete no event is sent, whatever its type, to a webhook for everything or for all types by name',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const types = Object.keys(eventTypes) as EventType[]
      const webhooks = [await project.createWebhook(), await project.createWebhook({ eventTypes: types })]
      const witness = await project.createWebhook()
      for (const webhook of webhooks) await webhook.delete()
      const later = await Promise.all(types.map((type) => project.raise(type)))
      for (const event of later) await witness.attempt(1, event)
      await sandbox.settle()
      for (const webhook of webhooks)
        check.equal(
          'types that are sent after the delete',
          later.filter((event) => webhook.attempts(event).length > 0).map(({ type }) => type),
          [],
        )
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-pending-retries',
    requirements: ['WHK-015'],
    settles: ['WHK-015'],
    level: 'must',
    title: 'a delivery that waits for its retry is not attempted again after the delete',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [webhook, witness] = [
        await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] }),
        await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] }),
      ]
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      await witness.attempt(1, event)
      await sandbox.settle()
      await webhook.delete()
      await sandbox.settle()
      const before = webhook.attempts(event).length
      if (sandbox.time === 'real' && before > 1)
        throw new CaseErrored('the retry was made before the webhook was deleted')
      await sandbox.advance(7_000)
      await witness.attempt(2, event)
      if (sandbox.time === 'virtual') await sandbox.advance(day)
      check.equal('attempts after the delete', webhook.attempts(event).length - before, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-retries-whoever-made-the-webhook',
    requirements: ['WHK-015'],
    level: 'must',
    title:
      'a webhook of one inbox, made by a key of the org or of the inbox, or with a filter, is not sent a retry after the delete',
    needs: ['sink', 'clock', 'own-data', 'inboxes'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const own = project.inbox(0)
      const answers = [status(500)] as const
      const names = ['of an inbox', 'made by the key of an inbox', 'with a filter of two types']
      // As many as the service takes.
      const webhooks = await project.createWebhooks(
        [
          { inboxId: own.id, answers },
          { api: own.api, answers },
          { eventTypes: ['message.received', 'message.bounced'], answers },
        ],
        { atLeast: 1 },
      )
      const witness = await project.createWebhook({ answers })
      const event = await project.raise('message.received', { inbox: own })
      for (const webhook of [...webhooks, witness]) await webhook?.attempt(1, event)
      await sandbox.settle()
      for (const webhook of webhooks) await webhook?.delete()
      await sandbox.settle()
      await sandbox.advance(7_000)
      await witness.attempt(2, event)
      await sandbox.advance(day)
      for (const [index, webhook] of webhooks.entries())
        if (webhook !== undefined)
          check.equal(`attempts after the delete at a webhook ${names[index]}`, webhook.attempts(event).length - 1, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-what-is-in-flight',
    requirements: ['WHK-015'],
    level: 'must',
    title: 'an attempt in flight when the webhook is deleted is not followed by another',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'hang' }, status(200)],
      })
      const event = await project.raise('message.received')
      const attempt = await webhook.heldAttempt(event)
      await webhook.delete()
      attempt.answer(status(500))
      await sandbox.settle()
      await sandbox.advance(day)
      check.equal('attempts after the delete', webhook.attempts(event).length - 1, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-all-that-is-pending',
    requirements: ['WHK-015'],
    level: 'must',
    title:
      'of deliveries that wait for their second, third and fourth attempt, and of a replay, none is attempted again after the delete',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ answers: [status(500)] })
      const fourth = await project.raise('message.received')
      await webhook.attempt(1, fourth)
      for (const ms of [6_000, 5 * 60_000 + 1_000]) await sandbox.advance(ms)
      await webhook.attempt(3, fourth)
      const third = await project.raise('message.received')
      await webhook.attempt(1, third)
      await sandbox.advance(6_000)
      await webhook.attempt(2, third)
      const replaying = await project.createWebhook({ answers: [status(200), status(500)] })
      const second = await project.raise('message.received')
      for (const each of [webhook, replaying]) await each.attempt(1, second)
      const original = await replaying.deliveryWhen((each) => each.status === 'succeeded')
      const replay = await project.api.replayDelivery(replaying.id, asText(original.id))
      require.of('RPL-001').status(replay, [202])
      await replaying.attempt(2, second)
      await sandbox.settle()
      for (const each of [webhook, replaying]) await each.delete()
      await sandbox.settle()
      const waiting = [
        ['its second attempt', webhook, second],
        ['its third attempt', webhook, third],
        ['its fourth attempt', webhook, fourth],
        ['the second attempt of its replay', replaying, second],
      ] as const
      const before = waiting.map(([, each, event]) => each.attempts(event).length)
      const deletedAt = sandbox.now()
      await sandbox.advance(2 * day)
      for (const [index, [name, each, event]] of waiting.entries()) {
        const what = `attempts after the delete of a delivery that waited for ${name}`
        if (check.certain.equal(what, signedAfter(each.attempts(event), deletedAt).length, 0))
          check.equal(what, each.attempts(event).length - (before[index] ?? 0), 0)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/keeps-the-history',
    requirements: ['WHK-016'],
    level: 'must',
    title: 'the deliveries of a deleted webhook are still listed, one that succeeded and one that waited for its retry',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, skip }) {
      const { project } = await openSandbox()
      const webhooks = [
        await project.createWebhook({ eventTypes: ['message.received'] }),
        await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] }),
      ]
      const event = await project.raise('message.received')
      for (const [index, name] of ['succeeded', 'waits for its retry'].entries()) {
        const webhook = webhooks[index]
        if (webhook === undefined) continue
        await webhook.attempt(1, event)
        const before = await webhook.deliveryWhen((each) => (index === 0) === (each.status !== 'pending'))
        await webhook.delete()
        const history = await webhook.history(1)
        if (history === undefined)
          return skip(
            'needs a service that lists the deliveries of a webhook once it is deleted: where else they are kept is not shown',
          )
        const ids = history.map(({ id }) => id)
        check.ok(`deliveries with one that ${name}`, ids.includes(before.id), `with ${asText(before.id)}`, ids)
        const kept = history.find(({ id }) => id === before.id)
        // What becomes of the one that waits is open.
        if (index === 0 && kept !== undefined)
          for (const field of ['status', 'attempt', 'response_code'] as const)
            check.equal(`${field} of the one that ${name}`, kept[field], before[field])
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/keeps-what-has-failed',
    requirements: ['WHK-016'],
    level: 'must',
    title: 'a delivery that has failed for good is still listed as it was once its webhook is deleted',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
      await webhook.attempt(1, await project.raise('message.received'))
      await sandbox.advance(2 * 24 * 3_600_000)
      const before = await webhook.deliveryWhen((each) => each.status === 'failed')
      require.of('RTY-009').equal('status two days later', before.status, 'failed')
      await webhook.delete()
      const history = await webhook.history(1)
      if (history === undefined)
        return skip(
          'needs a service that lists the deliveries of a webhook once it is deleted: where else they are kept is not shown',
        )
      const kept = history.find(({ id }) => id === before.id)
      check.ok('the delivery that failed', kept !== undefined, 'listed', 'absent')
      for (const field of ['status', 'attempt', 'response_code'] as const)
        check.equal(`${field} of the one that failed`, kept?.[field], before[field])
    },
  }),
]
