// SCOPE-007  "Events, webhooks and deliveries belong to one org: the key of another org neither sees nor receives them."
//
// Reading: two projects of one workspace are two orgs. An id of another org gets the answer of an id that does not
// exist (open point foreign-id: 404 or 403).

import { itemsOf, memberOf, serviceCase, type Exchange } from '../../harness/authoring.js'

const absent = [404, 403]

export const orgIsolation = [
  serviceCase({
    id: 'service/org-isolation/keeps-events-apart',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'an event of one project is neither polled, streamed nor sent in another project or workspace',
    needs: ['sink', 'projects', 'own-data'],
    async run({ scene: open, check, require }) {
      const [scene, stranger] = [await open({ projects: 2 }), await open()]
      const [owner, sibling] = scene.projects
      if (owner === undefined || sibling === undefined) return
      const others = [sibling, stranger.project]
      const hook = await owner.hook()
      const hooks = await Promise.all(others.map((project) => project.hook()))
      const streams = await Promise.all(others.map((project) => project.stream().opened(require.of('STR-001'))))
      const event = await owner.raise('message.received')
      await hook.attempt(1, event, require.of('SCOPE-006'))
      const witnesses = await Promise.all(others.map((project) => project.raise('message.received')))
      for (const [index, project] of others.entries()) {
        const [otherHook, stream, witness] = [hooks[index], streams[index], witnesses[index]]
        if (otherHook === undefined || stream === undefined || witness === undefined) continue
        await otherHook.attempt(1, witness)
        await stream.until(() => stream.ids.includes(witness.id), scene.budgetMs)
        check.equal('events sent in another org', otherHook.attempts(event).length, 0)
        check.ok('event on the stream of another org', !stream.ids.includes(event.id), 'absent', 'found')
        const ids = (itemsOf(await project.api.pollEvents({ limit: 100 })) ?? []).map((each) => memberOf(each, 'id'))
        check.equal('events polled in another org', ids, [witness.id])
      }
      const own = (itemsOf(await owner.api.pollEvents({ limit: 100 })) ?? []).map((each) => memberOf(each, 'id'))
      check.equal('events polled in the org itself', own, [event.id])
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-webhooks-and-deliveries',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'the webhook, delivery and email of one org look absent to another, and stay as they are',
    needs: ['sink', 'projects', 'own-data', 'send'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open({ projects: 2 })
      const stranger = await open()
      const [owner, sibling] = scene.projects
      if (owner === undefined || sibling === undefined) return
      const hook = await owner.hook({ eventTypes: ['message.received'] })
      await hook.attempt(1, await owner.raise('message.received'))
      await scene.settle()
      const delivery = await hook.delivery()
      const sent = await owner.api.sendEmail({
        from: owner.from,
        to: ['someone@recipient.example'],
        subject: unique(),
        text: 'Text',
        scheduled_at: new Date(scene.now() + 48 * 3_600_000).toISOString(),
      })
      require.of('SND-001').status(sent, '2xx')
      const emailId = String(sent.field('id'))
      for (const { api } of [sibling, stranger.project]) {
        const deliveryId = String(delivery.id)
        const answers: readonly Exchange[] = [
          await api.listDeliveries(hook.id),
          await api.replayDelivery(hook.id, deliveryId),
          await api.getEmail(emailId),
          await api.updateEmail(emailId, { scheduled_at: '2040-01-01T00:00:00.000Z' }),
          await api.cancelEmail(emailId),
        ]
        for (const answer of answers) check.refused(answer, absent)
        const deleted = await api.deleteWebhook(hook.id)
        check.ok(
          'answer to the delete of another org',
          deleted.status !== undefined && deleted.status < 500,
          'no 5xx',
          deleted.status ?? deleted.failure,
        )
        const listed = (itemsOf(await api.listWebhooks()) ?? []).map((each) => memberOf(each, 'id'))
        check.ok('webhook in the list of another org', !listed.includes(hook.id), 'absent', 'found')
        const mails = (itemsOf(await api.listEmails()) ?? []).map((each) => memberOf(each, 'id'))
        check.ok('email in the list of another org', !mails.includes(emailId), 'absent', 'found')
      }
      const own = (itemsOf(await owner.api.listWebhooks()) ?? []).map((each) => memberOf(each, 'id'))
      check.ok('webhook in the list of its own org', own.includes(hook.id), 'listed', own)
      await hook.attempt(1, await owner.raise('message.received'))
      check.status(await owner.api.getEmail(emailId), [200])
      await scene.settle()
      check.equal('attempts of both events', hook.attempts().length, 2)
    },
  }),
]
