// RPL-001  "`POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay` answers `202`."
// RPL-002  "Replay sends the same event again now."
// RPL-003  "The replay is a new delivery with its own id, next to the original."
// RPL-005  "A delivery in any state can be replayed: succeeded, failed and pending."
// RPL-006  "Replay leaves the original delivery as it was."
// RPL-008  "A replayed delivery is a delivery like any other: when its attempt fails it is retried on the schedule."
// WHK-009  a replay below another webhook does not go round that webhook's filter.
// DLV-005  any 2xx is success, of a replay too.
//
// Replays of every type, age and answer, below their own webhook and below others.

import { eventTypes, retryDelaysMs, type EventType } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  serviceCase,
  status,
  type DeliveryItem,
  type Webhook,
} from '../../../harness/authoring.js'
import { absent } from '../shared/error-fields.js'
import { oddData } from '../shared/odd-data.js'

const hour = 3_600_000
/** Longest time in which a replay is still sent at once, in milliseconds: half the time to answer. */
const promptMs = 5_000

/** The only delivery once its first attempt has succeeded. */
function succeededOf(webhook: Webhook): Promise<DeliveryItem> {
  return webhook.deliveryWhen(({ status }) => status === 'succeeded')
}

export const replaysByKind = [
  serviceCase({
    id: 'service/replay/replays-events-of-every-type',
    requirements: ['RPL-001', 'RPL-002', 'RPL-004'],
    level: 'must',
    title: 'a delivery of any event type can be replayed, and is listed with its original',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const types = Object.keys(eventTypes) as EventType[]
      const webhooks = await project.createWebhooks(
        types.map((type) => ({ eventTypes: [type] })),
        { atLeast: 1 },
      )
      await Promise.all(
        webhooks.map(async (webhook, index) => {
          const type = types[index]
          if (webhook === undefined || type === undefined) return
          const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
          const event = await project.raise(type, { data: oddData(type, options) })
          const first = await webhook.attempt(1, event)
          const original = await succeededOf(webhook)
          const answer = await project.api.replayDelivery(webhook.id, asText(original.id))
          if (!check.of('RPL-001').equal(`status of the replay of ${type}`, answer.status, 202)) return
          const second = await webhook.attempt(2, event, check.of('RPL-002'))
          for (const field of ['id', 'type', 'timestamp', 'data'])
            check.of('RPL-002').equal(`${field} of the replay of ${type}`, second.field(field), first.field(field))
          const listed = await webhook.deliveriesListed(2)
          const named = listed.filter((delivery) => delivery.replay_of === original.id)
          check.of('RPL-004').equal(`deliveries listed that repeat that of ${type}`, named.length, 1)
        }),
      )
    },
  }),

  serviceCase({
    id: 'service/replay/replays-a-delivery-under-way',
    requirements: ['RPL-005', 'RPL-001', 'RPL-002', 'DLV-004', 'DLV-018', 'DLV-019'],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'a delivery in flight can be replayed; both stay pending until answered',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'hang' }, status(200, { body: 'taken' })],
      })
      const event = await project.raise('message.received')
      const held = await webhook.heldAttempt(event)
      const [original] = await webhook.deliveriesListed(1)
      const answer = await project.api.replayDelivery(webhook.id, asText(original?.id))
      check.of('RPL-001').status(answer, [202])
      const isSent = () => webhook.attempts(event).length > 1
      const isSentBeside = await webhook.endpoint.arrives(isSent, promptMs)
      held.answer(status(200, { body: 'taken' }))
      // A service may make one attempt at a time for a webhook (open point delivery-order).
      const isSentAfter = isSentBeside || (await webhook.endpoint.until(isSent, sandbox.budgetMs))
      check.of('RPL-002').ok('the replay', isSentAfter, 'sent', 'not sent')
      const listed = await webhook.deliveriesWhen(
        (all) => all.length > 1 && all.every(({ status }) => status === 'succeeded'),
      )
      const states = listed.map((delivery) => delivery.status)
      check.equal('states of the delivery and its replay', states, ['succeeded', 'succeeded'])
      webhook.endpoint.script({ kind: 'hang' }, status(200))
      check.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original?.id)), [202])
      const last = await webhook.heldAttempt(event, 3)
      const known = listed.map((delivery) => delivery.id)
      const underWay = (await webhook.deliveriesListed(3)).find((delivery) => !known.includes(delivery.id))
      last.answer(status(200))
      // A lagging list may not have it yet.
      if (underWay === undefined) return
      check.of('DLV-004').equal('status of a replay under way', underWay.status, 'pending')
      const isEmpty = (value: unknown) => value === undefined || value === null || value === 0 || value === ''
      for (const [id, field] of [
        ['DLV-018', 'response_code'],
        ['DLV-019', 'response_body_snippet'],
      ] as const)
        check.of(id).ok(`${field} of a replay under way`, isEmpty(underWay[field]), 'nothing', underWay[field])
    },
  }),

  serviceCase({
    id: 'service/replay/takes-any-2xx',
    requirements: ['DLV-005', 'RPL-008'],
    level: 'must',
    title: 'each 2xx to a replay makes it succeeded, and it is not attempted again',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const codes = [200, 201, 202, 204, 299]
      const webhooks = await project.createWebhooks(
        codes.map((code) => ({ eventTypes: ['message.received'], answers: [status(code)] as const })),
        { atLeast: 2 },
      )
      const event = await project.raise('message.received')
      for (const webhook of webhooks) {
        if (webhook === undefined) continue
        await webhook.attempt(1, event)
        const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
        await webhook.attempt(2, event, require.of('RPL-002'))
      }
      await sandbox.settle()
      await sandbox.advance(7_000)
      for (const [index, webhook] of webhooks.entries()) {
        if (webhook === undefined) continue
        const listed = await webhook.deliveriesWhen(
          (all) => all.length > 1 && all.every(({ status }) => status === 'succeeded'),
        )
        const replayed = listed.find((delivery) => (delivery.replay_of ?? null) !== null)
        check.of('DLV-005').equal(`status of a replay after a ${codes[index]}`, replayed?.status, 'succeeded')
        check
          .of('DLV-005')
          .equal(`attempts with a replay that was answered ${codes[index]}`, webhook.attempts(event).length, 2)
      }
    },
  }),

  serviceCase({
    id: 'service/replay/is-retried-beside-a-pending-original',
    requirements: ['RPL-008', 'RPL-003', 'RPL-006'],
    dependsOn: ['DLV-016', ...delaysBefore(7)],
    level: 'must',
    title: "a replay has its own attempts and leaves the original's schedule unchanged",
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ answers: [status(500)] })
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      // Its third attempt is due five minutes later, and its fourth half an hour after that.
      await sandbox.advance(7_000)
      await webhook.attempt(2, event)
      await sandbox.advance(302_000)
      await webhook.attempt(3, event)
      const original = await webhook.deliveryWhen((delivery) => delivery.attempt === 3)
      const watch = await webhook.watchRetries(
        async () =>
          require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202]),
        { event, isIt: (delivery) => delivery.id !== original.id },
      )
      await watch.first(require.of('RPL-002'))
      await watch.next(check.of('RPL-008'), require.of('RPL-008'), retryDelaysMs[1] ?? 0)
      webhook.endpoint.script(status(200))
      await watch.next(check.of('RPL-008'), require.of('RPL-008'), retryDelaysMs[2] ?? 0)
      const made = await watch.delivery(({ status }) => status === 'succeeded')
      check.of('RPL-003').equal('attempt of the replay', made.attempt, 3)
      check.equal('status of the replay', made.status, 'succeeded')
      const listed = await webhook.deliveriesListed(2)
      const kept = listed.find((delivery) => delivery.id === original.id)
      for (const field of ['status', 'attempt'] as const)
        check.of('RPL-006').equal(`${field} of the original`, kept?.[field], original[field])
      await sandbox.advance(retryDelaysMs[3] ?? 0)
      await webhook.attempt(7, event, check.of('RPL-006'))
    },
  }),

  ...(
    [
      ['succeeded', status(200)],
      ['failed', status(500)],
    ] as const
  ).map(([became, last]) =>
    serviceCase({
      id: `service/replay/goes-on-when-the-original-has-${became}`,
      requirements: ['RPL-008', 'RPL-006'],
      dependsOn: ['DLV-016', ...delaysBefore(7)],
      level: 'must',
      title: `the last attempt of a replay is made although its original has ${became} meanwhile`,
      needs: ['sink', 'clock', 'own-data'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const { project } = sandbox
        const webhook = await project.createWebhook({ answers: [status(500)] })
        const event = await project.raise('message.received')
        await webhook.attempt(1, event)
        await sandbox.settle()
        // Six of its attempts are over, and its last is due in the eighteenth hour: by then the replay has had six, too.
        await sandbox.advance(8 * hour)
        await webhook.attempt(6, event)
        const { id } = await webhook.deliveryWhen((delivery) => delivery.attempt === 6)
        const failed = Array.from({ length: 5 }, () => status(500))
        webhook.endpoint.script(status(500), ...failed, last, status(500))
        require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
        await webhook.attempt(7, event, require.of('RPL-002'))
        await sandbox.settle()
        await sandbox.advance(10 * hour)
        await webhook.attempt(13, event, require.of('RPL-008'))
        const isEnded = (delivery: DeliveryItem) => delivery.id === id && delivery.status === became
        const listed = await webhook.deliveriesWhen((all) => all.some(isEnded))
        require.of('RPL-006').ok('status of the original', listed.some(isEnded), became, listed)
        await sandbox.advance(10 * hour)
        await webhook.attempt(14, event, check.of('RPL-008'))
        const isReplay = (delivery: DeliveryItem) => delivery.id !== id && delivery.status === 'failed'
        const ended = await webhook.deliveriesWhen((all) => all.some(isReplay))
        check.of('RPL-008').ok('status of the replay', ended.some(isReplay), 'failed', ended)
      },
    }),
  ),

  serviceCase({
    id: 'service/replay/of-a-replay-is-retried',
    requirements: ['RPL-008', 'RPL-005'],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'a replay of a replay is retried after 5 seconds if its first attempt fails',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const answers = [status(200), status(200), status(500), status(200)] as const
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers })
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      const original = await succeededOf(webhook)
      require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202])
      await webhook.attempt(2, event, require.of('RPL-002'))
      const known = await webhook.deliveriesWhen(
        (all) => all.length > 1 && all.every(({ status }) => status === 'succeeded'),
      )
      const replay = known.find((delivery) => delivery.id !== original.id)
      const watch = await webhook.watchRetries(
        async () =>
          require.of('RPL-005').status(await project.api.replayDelivery(webhook.id, asText(replay?.id)), [202]),
        { event, isIt: (delivery) => known.every(({ id }) => id !== delivery.id) },
      )
      await watch.first(require.of('RPL-002'))
      await watch.next(check.of('RPL-008'), require.of('RPL-008'), retryDelaysMs[1] ?? 0)
      const made = await watch.delivery(({ status }) => status === 'succeeded')
      check.equal('status of the replay', made.status, 'succeeded')
      check.equal('attempt of the replay', made.attempt, 2)
    },
  }),

  serviceCase({
    id: 'service/replay/goes-to-its-own-webhook-only',
    requirements: ['RPL-002'],
    level: 'must',
    title: 'a replay sends the event of that delivery to that webhook, and nothing to another',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [webhook, other] = [await project.createWebhook(), await project.createWebhook()]
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      const original = await succeededOf(webhook)
      const later = await project.raise('message.received')
      await webhook.attempt(1, later)
      require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202])
      await webhook.attempt(2, event, require)
      await sandbox.settle()
      check.equal('attempts of the replayed event at the other webhook', other.attempts(event).length, 1)
      check.equal('attempts of the other event', webhook.attempts(later).length, 1)
      const [newest, ...others] = await webhook.deliveriesListed(3)
      check.of('DLV-012').equal('replay_of of the newest delivery', newest?.replay_of, original.id)
      check.of('DLV-012').equal('oldest of three deliveries', others.at(-1)?.id, original.id)
    },
  }),

  serviceCase({
    id: 'service/replay/takes-no-delivery-of-another-webhook',
    requirements: ['WHK-009', 'ERR-004'],
    level: 'must',
    title: 'a delivery replayed under the path of another webhook is not sent to that webhook',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
      const other = await project.createWebhook({ eventTypes: ['message.complained'] })
      const event = await project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      const original = await succeededOf(webhook)
      const answer = await project.api.once.replayDelivery(other.id, asText(original.id))
      await sandbox.settle()
      check.equal('attempts at the other webhook', other.attempts(event).length, 0)
      check.ok('answer', (answer.status ?? 500) < 500, 'no 5xx', answer.status ?? answer.failure)
      check.of('ERR-004').refused(await project.api.replayDelivery(`whk_${unique()}`, asText(original.id)), absent)
      require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202])
      await webhook.endpoint.until(() => webhook.attempts(event).length >= 2, sandbox.budgetMs)
      check.of('RPL-002').ok('replay below its own webhook', webhook.attempts(event).length >= 2, 'sent', 'not sent')
    },
  }),
]
