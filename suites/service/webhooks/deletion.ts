// WHK-014  "`DELETE /v1/webhooks/{id}` stops deliveries at once: an event raised after it is not sent."
// WHK-015  "Deleting a webhook stops its pending retries at once."
// WHK-016  "Delivery history is kept after the webhook is deleted."
//
// Reading: the interface shows neither the state of a pending delivery whose webhook is deleted (open point deleted-pending-state), nor
// where the history can be read afterwards (open point deleted-history): a 4xx leaves it open.

import { eventTypes, maxAttempts, retryDelaysMs, type EventType } from '../../../spec/index.js'
import {
  asText,
  CaseErrored,
  delaysBefore,
  serviceCase,
  status,
  type Answer,
  type Attempt,
  type DeliveryItem,
  type RaisedEvent,
} from '../../../harness/authoring.js'
import { madeBefore } from '../shared/attempts-made.js'

const day = 24 * 3_600_000
/** Longest delay of a due attempt, in milliseconds. */
const overDueMs = 1_000
/** The fields of a delivery record about the answer to its last attempt. */
const answerFields = ['response_code', 'response_body_snippet'] as const
/** How long a list is watched for items that a delete may remove, in milliseconds. */
const lateMs = 1_000

/** Seconds after the answer to a delete in which an attempt may still be signed: clocks differ, and seconds are rounded. */
const slackSeconds = 3

/** The fields that the record of an ended delivery keeps. */
const keptFields = ['status', 'attempt', 'response_code', 'response_body_snippet'] as const

/** Returns the attempts with a signed time after an instant of the workspace, whenever they arrived here. */
function signedAfter(attempts: readonly Attempt[], instantMs: number): Attempt[] {
  return attempts.filter((attempt) => attempt.signedAt > instantMs / 1000 + slackSeconds)
}

/** Attempts that may be open when a webhook is deleted, and the answer to the attempt before. */
const inFlight: readonly { readonly name: string; readonly what: string; readonly before?: Answer }[] = [
  { name: 'stops-what-is-in-flight', what: 'a first attempt' },
  { name: 'stops-a-retry-in-flight', what: 'a retry', before: status(500) },
  { name: 'stops-a-replay-in-flight', what: 'a replay', before: status(200) },
]

export const deletion = [
  serviceCase({
    id: 'service/deletion/stops-new-deliveries',
    requirements: ['WHK-014'],
    decides: ['WHK-014'],
    level: 'must',
    title: 'an event raised before the delete is sent, one raised after it is not',
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
    title: 'after the delete no event of any type is sent',
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
    decides: ['WHK-015'],
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
      const before = madeBefore(webhook, event)
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
    requirements: ['WHK-015', 'RTY-012'],
    level: 'must',
    title: 'an inbox webhook gets no retry after its delete; another of the inbox does',
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
      // Of the same inbox as those that are deleted.
      const witness = await project.createWebhook({ inboxId: own.id, answers })
      const event = await project.raise('message.received', { inbox: own })
      for (const webhook of [...webhooks, witness]) await webhook?.attempt(1, event)
      await sandbox.settle()
      for (const webhook of webhooks) await webhook?.delete()
      await sandbox.settle()
      const before = webhooks.map((webhook) => (webhook === undefined ? 0 : madeBefore(webhook, event)))
      await sandbox.advance(7_000)
      await witness.attempt(2, event, check.of('RTY-012'))
      await sandbox.advance(day)
      for (const [index, webhook] of webhooks.entries()) {
        const made = (webhook?.attempts(event).length ?? 0) - (before[index] ?? 0)
        check.equal(`attempts after the delete at a webhook ${names[index]}`, made, 0)
      }
    },
  }),

  ...inFlight.map(({ name, what, before }) =>
    serviceCase({
      id: `service/deletion/${name}`,
      requirements: ['WHK-015', 'WHK-016'],
      level: 'must',
      title: `${what} in flight at the delete is kept and not retried`,
      needs: ['sink', 'clock', 'event:message.received'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const { project } = sandbox
        const first: Answer = before ?? { kind: 'hang' }
        const webhook = await project.createWebhook({
          eventTypes: ['message.received'],
          answers: before === undefined ? [first, status(200)] : [first, { kind: 'hang' }, status(200)],
        })
        const event = await project.raise('message.received')
        let moved: Promise<unknown> | undefined
        if (before !== undefined) {
          await webhook.attempt(1, event)
          await sandbox.settle()
          if (name === 'stops-a-retry-in-flight') moved = sandbox.advance((retryDelaysMs[1] ?? 0) + overDueMs)
          else {
            const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
            require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
          }
          moved?.catch(() => undefined) // Awaited below, unless the case ends before.
        }
        const attempt = await webhook.heldAttempt(event, before === undefined ? 1 : 2)
        const made = webhook.attempts(event).length
        await webhook.delete()
        attempt.answer(status(500))
        await moved
        await sandbox.settle()
        await sandbox.advance(day)
        check.equal('attempts after the delete', webhook.attempts(event).length - made, 0)
        // What becomes of it is open (open point deleted-pending-state), and so is where it is listed (deleted-history).
        const count = name === 'stops-a-replay-in-flight' ? 2 : 1
        const history = await webhook.history(count)
        if (history !== undefined)
          check.of('WHK-016').equal('deliveries listed after the delete', history.length, count)
      },
    }),
  ),

  serviceCase({
    id: 'service/deletion/stops-all-that-is-pending',
    requirements: ['WHK-015'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'waiting deliveries and replays are not attempted after the delete',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ answers: [status(500)] })
      const pending: { readonly event: RaisedEvent; readonly next: number }[] = []
      // The longest wait first: it is not due while the others get that far.
      for (let next = maxAttempts; next >= 2; next--) {
        const event = await project.raise('message.received')
        await webhook.attempt(1, event)
        for (let number = 2; number < next; number++)
          await sandbox.advance((retryDelaysMs[number - 1] ?? 0) + overDueMs)
        await webhook.attempt(next - 1, event)
        pending.push({ event, next })
      }
      const replaying = await project.createWebhook({ answers: [status(200), status(500)] })
      const replayed = await project.raise('message.received')
      for (const hook of [webhook, replaying]) await hook.attempt(1, replayed)
      const original = await replaying.deliveryWhen(({ status }) => status === 'succeeded')
      const replay = await project.api.replayDelivery(replaying.id, asText(original.id))
      require.of('RPL-001').status(replay, [202])
      await replaying.attempt(2, replayed)
      await sandbox.settle()
      for (const hook of [webhook, replaying]) await hook.delete()
      await sandbox.settle()
      const waiting = [
        ...pending.map(({ event, next }) => [`attempt ${next}`, webhook, event] as const),
        ['the second attempt of its replay', replaying, replayed] as const,
      ]
      const before = waiting.map(([, webhook, event]) => webhook.attempts(event).length)
      const deletedAt = sandbox.now()
      await sandbox.advance(2 * day)
      for (const [index, [name, webhook, event]] of waiting.entries()) {
        const what = `attempts after the delete of a delivery that waited for ${name}`
        if (check.certain.equal(what, signedAfter(webhook.attempts(event), deletedAt).length, 0))
          check.equal(what, webhook.attempts(event).length - (before[index] ?? 0), 0)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/keeps-the-history',
    requirements: ['WHK-016'],
    level: 'must',
    title: 'the deliveries of a deleted webhook are still listed',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = [
        await project.createWebhook({ eventTypes: ['message.received'], answers: [status(200, { body: 'kept' })] }),
        await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500, { body: 'not yet' })] }),
      ]
      const hasBeenAnswered = (delivery: DeliveryItem) =>
        delivery.status === 'pending' &&
        Number(delivery.response_code) === 500 &&
        delivery.response_body_snippet === 'not yet'
      const raisedAt = performance.now()
      const event = await project.raise('message.received')
      for (const [index, name] of ['succeeded', 'waits for its retry'].entries()) {
        const webhook = webhooks[index]
        if (webhook === undefined) continue
        await webhook.attempt(1, event)
        const before = await webhook.deliveryWhen((delivery) =>
          index === 0 ? delivery.status !== 'pending' : hasBeenAnswered(delivery),
        )
        await webhook.delete()
        const isBeforeItsRetry = performance.now() - raisedAt < (retryDelaysMs[1] ?? 0) - overDueMs
        const history = await webhook.history(1)
        if (history === undefined)
          return skip('needs a service that lists the deliveries of a deleted webhook: no other history is documented')
        const ids = history.map(({ id }) => id)
        check.ok(`deliveries with one that ${name}`, ids.includes(before.id), `with ${asText(before.id)}`, ids)
        const kept = history.find(({ id }) => id === before.id)
        if (index === 0 && kept !== undefined)
          for (const field of keptFields) check.equal(`${field} of the one that ${name}`, kept[field], before[field])
        // It is open which state a waiting delivery gets, and whether its number is that of the future attempt. The answer to the attempt
        // that was made must stay. A lagging list may briefly show the earlier state.
        if (index === 0 || !hasBeenAnswered(before) || !isBeforeItsRetry) continue
        const reported = async () => (await webhook.history(1))?.find(({ id }) => id === before.id)
        const isLost = (delivery: DeliveryItem | undefined) =>
          delivery === undefined ||
          answerFields.some((field) => delivery[field] !== before[field]) ||
          !(Number(delivery.attempt) >= 1)
        let now: DeliveryItem | undefined
        await sandbox.until(async () => isLost((now = await reported())), lateMs)
        if (now === undefined) continue
        for (const field of answerFields) check.equal(`${field} of the one that ${name}`, now[field], before[field])
        check.ok(`attempt of the one that ${name}`, Number(now.attempt) >= 1, '1 or more', now.attempt)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/keeps-replays',
    requirements: ['WHK-016', 'DLV-012'],
    level: 'must',
    title: 'replays of a deleted webhook are still listed with their original',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, require, skip }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(200), status(200, { body: 'taken' }), status(500)],
      })
      await webhook.attempt(1, await project.raise('message.received'))
      const original = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      const replayedWhen = async (state: string, count: number) => {
        require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202])
        const isMade = ({ status: reported, attempt }: DeliveryItem) => reported === state && Number(attempt) > 0
        const all = await webhook.deliveriesWhen((deliveries) => deliveries.filter(isMade).length >= count)
        const made = all.filter(isMade).length
        require.of('RPL-003').ok(`deliveries that are ${state}, with a replay`, made >= count, String(count), made)
        return all
      }
      await replayedWhen('succeeded', 2)
      const before = await replayedWhen('pending', 1)
      await webhook.delete()
      const history = await webhook.history(3)
      if (history === undefined)
        return skip('needs a service that lists the deliveries of a deleted webhook: no other history is documented')
      const idsIn = (all: readonly { readonly id: unknown }[]) => all.map(({ id }) => asText(id))
      check.equal('deliveries after the delete', idsIn(history).sort(), idsIn(before).sort())
      const kept = history.filter(({ id }) => idsIn(before).includes(asText(id)))
      check.of('DLV-012').equal('order after the delete', idsIn(kept), idsIn(before))
      for (const delivery of before) {
        const now = kept.find(({ id }) => id === delivery.id)
        // What becomes of the one that waits is open.
        for (const field of ['replay_of', ...(delivery.status === 'pending' ? [] : keptFields)] as const)
          check.equal(`${field} of a delivery after the delete`, now?.[field] ?? null, delivery[field] ?? null)
      }
    },
  }),

  serviceCase({
    id: 'service/deletion/keeps-what-has-failed',
    requirements: ['WHK-016'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'a failed delivery is still listed unchanged once its webhook is deleted',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(500, { body: 'no' })],
      })
      await webhook.attempt(1, await project.raise('message.received'))
      await sandbox.advance(2 * day)
      const before = await webhook.deliveryWhen(({ status }) => status === 'failed')
      require.of('RTY-009').equal('status two days later', before.status, 'failed')
      await webhook.delete()
      const history = await webhook.history(1)
      if (history === undefined)
        return skip('needs a service that lists the deliveries of a deleted webhook: no other history is documented')
      const kept = history.find(({ id }) => id === before.id)
      check.ok('the delivery that failed', kept !== undefined, 'listed', 'absent')
      for (const field of keptFields) check.equal(`${field} of the one that failed`, kept?.[field], before[field])
    },
  }),
]
