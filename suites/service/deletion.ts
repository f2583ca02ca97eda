// WHK-014  "`DELETE /v1/webhooks/{id}` stops deliveries at once: an event raised after it is not sent."
// WHK-015  "Deleting a webhook stops its pending retries at once."
// WHK-016  "Delivery history is kept after the webhook is deleted."
//
// Reading: the state of a pending delivery whose webhook is deleted is not shown (open point deleted-pending-state).

import { CaseErrored, itemsOf, memberOf, serviceCase, status } from '../../harness/authoring.js'

const day = 24 * 3_600_000

export const deletion = [
  serviceCase({
    id: 'service/deletion/stops-new-deliveries',
    requirements: ['WHK-014'],
    level: 'must',
    title: 'an event raised after the delete is not sent, where one raised before was',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const hook = await project.hook({ eventTypes: ['message.received'] })
      const witness = await project.hook({ eventTypes: ['message.received'] })
      await hook.attempt(1, await project.raise('message.received'))
      await hook.delete()
      const later = await project.raise('message.received')
      await witness.attempt(1, later)
      await scene.settle()
      check.equal('attempts of an event raised after the delete', hook.attempts(later).length, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-pending-retries',
    requirements: ['WHK-015'],
    level: 'must',
    title: 'a delivery that waits for its retry is not attempted again after the delete',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const [hook, witness] = [
        await project.hook({ eventTypes: ['message.received'], answers: [status(500)] }),
        await project.hook({ eventTypes: ['message.received'], answers: [status(500)] }),
      ]
      const event = await project.raise('message.received')
      await hook.attempt(1, event)
      await witness.attempt(1, event)
      await scene.settle()
      await hook.delete()
      await scene.settle()
      const before = hook.attempts(event).length
      if (scene.time === 'real' && before > 1)
        throw new CaseErrored('the retry was made before the webhook was deleted')
      await scene.advance(7_000)
      await witness.attempt(2, event)
      if (scene.time === 'virtual') await scene.advance(day)
      check.equal('attempts after the delete', hook.attempts(event).length - before, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/stops-what-is-in-flight',
    requirements: ['WHK-015'],
    level: 'must',
    title: 'an attempt in flight when the webhook is deleted is not followed by another',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const hook = await project.hook({ eventTypes: ['message.received'], answers: [{ kind: 'hang' }, status(200)] })
      const event = await project.raise('message.received')
      const attempt = await hook.heldAttempt(event)
      await hook.delete()
      attempt.answer(status(500))
      await scene.settle()
      await scene.advance(day)
      check.equal('attempts after the delete', hook.attempts(event).length - 1, 0)
    },
  }),

  serviceCase({
    id: 'service/deletion/keeps-the-history',
    requirements: ['WHK-016'],
    level: 'must',
    title: 'the deliveries of a deleted webhook are still listed, one that succeeded and one that waited for its retry',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const hooks = [
        await project.hook({ eventTypes: ['message.received'] }),
        await project.hook({ eventTypes: ['message.received'], answers: [status(500)] }),
      ]
      const event = await project.raise('message.received')
      for (const [index, name] of ['succeeded', 'waits for its retry'].entries()) {
        const hook = hooks[index]
        if (hook === undefined) continue
        await hook.attempt(1, event)
        const before = await hook.deliveryWhen((each) => (index === 0) === (each.status !== 'pending'))
        await hook.delete()
        const answer = await project.api.listDeliveries(hook.id)
        check.status(answer, [200])
        const ids = itemsOf(answer)?.map((each) => memberOf(each, 'id')) ?? []
        check.ok(`deliveries with one that ${name}`, ids.includes(before.id), `with ${String(before.id)}`, ids)
      }
    },
  }),
]
