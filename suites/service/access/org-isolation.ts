// SCOPE-007  "Events, webhooks and deliveries belong to one org: the key of another org neither sees nor receives them."
//
// Reading: two projects of one workspace are two orgs. An id of another org gets the answer of an unknown id (open points foreign-id and
// unknown-webhook-list); a delete may also pretend to have deleted. It changes nothing. A workspace event may have one id in all projects
// (open point event-ids-per-project), so only message events are compared.

import {
  asText,
  cursorOf,
  itemsOf,
  memberOf,
  serviceCase,
  type Api,
  type Checks,
  type Exchange,
  type Project,
  type Sandbox,
} from '../../../harness/authoring.js'
import { absent, expectNothingListed } from '../shared/error-fields.js'
import { knownAmong, eventsAfter, idsOf, listedEvents, readPage, showsEvent } from '../shared/event-log.js'
import { readPastEvents } from '../shared/earlier-events.js'
import { rareEvent } from '../shared/registration.js'
import { openOtherOrgs } from '../shared/other-orgs.js'
import { webhookList } from '../shared/webhook-list.js'

/** Deletes a thing of another org: the service may refuse, or pretend to have done it, but must not crash. */
async function expectRefusedDelete(check: Checks, api: Api, webhookId: string): Promise<void> {
  const deleted = await api.deleteWebhook(webhookId)
  if (deleted.status === undefined) check.refused(deleted, absent)
  else check.ok('answer to the delete of another org', deleted.status < 500, 'no 5xx', deleted.status)
}

function hasItem(list: Exchange, id: string): boolean {
  return idsOf(itemsOf(list) ?? []).includes(id)
}

/** A webhook of a project, and the delivery of an event that it was sent. */
async function deliveredIn(sandbox: Sandbox, project: Project) {
  const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
  await webhook.attempt(1, await project.raise('message.received'))
  await sandbox.settle()
  return { webhook, deliveryId: asText((await webhook.deliveryWhen(({ id }) => id !== undefined)).id) }
}

export const orgIsolation = [
  serviceCase({
    id: 'service/org-isolation/keeps-events-apart',
    requirements: ['SCOPE-007'],
    dependsOn: ['EVT-014', 'DLV-002'],
    level: 'must',
    title: 'an event of one project is invisible in other projects and workspaces',
    needs: ['sink', 'projects', 'own-data'],
    async run({ openSandbox, check, require }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const webhook = await owner.createWebhook()
      const elsewhere = []
      for (const project of others)
        elsewhere.push({
          project,
          webhook: await project.createWebhook(),
          stream: await project.stream().opened(require.of('STR-001')),
        })
      const event = await owner.raise('message.received')
      await webhook.attempt(1, event, require.of('SCOPE-006'))
      for (const { project, webhook: theirs, stream } of elsewhere) {
        const witness = await project.raise('message.received')
        await theirs.attempt(1, witness)
        require.ok(
          'an event of its own on the stream of another org',
          await showsEvent(stream, sandbox, witness.id),
          'sent',
          'none',
        )
        const sent = theirs.attempts().map((attempt) => attempt.field('id'))
        check.equal('events sent in another org', sent, [witness.id])
        check.equal('events streamed in another org', stream.ids, [witness.id])
        check.equal('events polled in another org', idsOf(await listedEvents(sandbox, project.api, [witness.id])), [
          witness.id,
        ])
      }
      check.equal('events polled in the org itself', idsOf(await listedEvents(sandbox, owner.api, [event.id])), [
        event.id,
      ])
      check.equal('attempts in the org itself', webhook.attempts().length, 1)
    },
  }),

  serviceCase({
    id: 'service/org-isolation/keeps-cursors-apart',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'a cursor of another org shows none of its events, polled or streamed',
    needs: ['projects', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const start = await owner.raise('message.received')
      const secrets = [await owner.raise('message.received'), await owner.raise('sending.paused')]
      const own = await listedEvents(
        sandbox,
        owner.api,
        secrets.map(({ id }) => id),
        start.id,
      )
      require.equal(
        'events after the cursor in the org itself',
        idsOf(own),
        secrets.map(({ id }) => id),
      )
      for (const project of others) {
        const apis: readonly Api[] = [project.api, project.inbox().api]
        const opened = apis.map((api) => project.stream({ api, after: start.id }))
        await Promise.all(opened.map((stream) => stream.opening))
        secrets.push(await owner.raise('message.received'))
        const witness = await project.raise('message.received')
        for (const [index, stream] of opened.entries()) {
          await showsEvent(stream, sandbox, witness.id)
          const leaked = secrets.filter(({ id }) => stream.ids.includes(id)).length
          check.equal(`events of another org on a stream after its cursor (key ${index + 1} of 2)`, leaked, 0)
        }
        for (const [index, api] of apis.entries()) {
          const ids = idsOf(await eventsAfter(api, start.id))
          const leaked = secrets.filter(({ id }) => ids.includes(id)).length
          check.equal(`events of another org in a list after its cursor (key ${index + 1} of 2)`, leaked, 0)
        }
      }
    },
  }),

  serviceCase({
    id: 'service/org-isolation/sends-nothing-to-webhooks-of-a-foreign-inbox',
    requirements: ['SCOPE-007', 'SCOPE-005'],
    level: 'must',
    title: "a webhook with another org's inbox is refused, or gets no event of it",
    needs: ['sink', 'projects', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, publicUrl }) {
      const { owner, others, settleAll } = await openOtherOrgs(openSandbox)
      const own = await owner.createWebhook({ inboxId: owner.inbox().id })
      const takers: Project[] = []
      for (const project of others) {
        const probe = await project.api.createWebhook({ url: publicUrl('foreign-inbox/'), inbox_id: owner.inbox().id })
        const isMade = probe.status !== undefined && probe.status < 300
        if (!isMade) check.of('SCOPE-005').status(probe, '4xx')
        else takers.push(project)
        if (isMade) await project.api.deleteWebhook(asText(probe.field('id')))
      }
      const webhooks = await Promise.all(takers.map((project) => project.createWebhook({ inboxId: owner.inbox().id })))
      const event = await owner.raise('message.received')
      await own.attempt(1, event, require.of('SCOPE-005'))
      await settleAll()
      for (const webhook of webhooks)
        check.equal('events of another org at a webhook of its inbox', webhook.attempts().length, 0)
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-webhooks-and-deliveries',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'webhook and delivery of one org look absent to another, and stay unchanged',
    needs: ['sink', 'projects', 'own-data'],
    async run({ openSandbox, check, require }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const { webhook, deliveryId } = await deliveredIn(sandbox, owner)
      for (const project of others) {
        const { api } = project
        const { webhook: theirs, deliveryId: theirDelivery } = await deliveredIn(sandbox, project)
        require.of('RPL-001').status(await api.replayDelivery(theirs.id, theirDelivery), '2xx')
        expectNothingListed(check, await api.listDeliveries(webhook.id))
        check.refused(await api.replayDelivery(webhook.id, deliveryId), absent)
        check.refused(await api.once.replayDelivery(theirs.id, deliveryId), absent)
        check.refused(await api.replayDelivery(webhook.id, theirDelivery), absent)
        await expectRefusedDelete(check, api, webhook.id)
        const { items } = await webhookList(sandbox, api, (webhooks) => idsOf(webhooks).includes(theirs.id))
        require.ok('its own webhook in the list of another org', idsOf(items).includes(theirs.id), 'listed', 'absent')
        check.ok('webhook in the list of another org', !idsOf(items).includes(webhook.id), 'absent', 'found')
      }
      const own = await webhookList(sandbox, owner.api, (webhooks) => idsOf(webhooks).includes(webhook.id))
      const isListed = idsOf(own.items).includes(webhook.id)
      check.ok('webhook in the list of its own org', isListed, 'listed', 'absent')
      const again = await owner.raise('message.received')
      await webhook.attempt(1, again, require)
      await sandbox.settle()
      check.equal('attempts of the two events', webhook.attempts().length, 2)
      check.equal('deliveries of the two events', (await webhook.deliveriesListed(2)).length, 2)
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-webhooks-from-keys-of-an-inbox-elsewhere',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'an inbox key of another org cannot list or replay deliveries of a webhook, or delete it',
    needs: ['sink', 'projects', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const { webhook, deliveryId } = await deliveredIn(sandbox, owner)
      for (const { api } of others.map((project) => project.inbox())) {
        expectNothingListed(check, await api.listDeliveries(webhook.id))
        check.refused(await api.replayDelivery(webhook.id, deliveryId), absent)
        await expectRefusedDelete(check, api, webhook.id)
        check.ok(
          'webhook in the list of another org',
          !hasItem(await api.listWebhooks(), webhook.id),
          'absent',
          'found',
        )
      }
      const again = await owner.raise('message.received')
      await webhook.attempt(1, again, require)
      await sandbox.settle()
      check.equal('attempts of the two events', webhook.attempts().length, 2)
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-emails',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'the email of one org looks absent to another, and stays as it is',
    needs: ['second-key', 'send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const scheduled = new Date(sandbox.now() + 20 * 3_600_000).toISOString()
      const email = { from: owner.from, to: recipient, subject: unique(), text: 'Text' }
      const sent = await owner.api.sendEmail({ ...email, scheduled_at: scheduled })
      require.of('SND-001').status(sent, '2xx')
      const id = asText(sent.field('id'))
      const before = await owner.api.getEmail(id)
      require.of('SND-007').status(before, [200])
      for (const { api } of others) {
        check.refused(await api.getEmail(id), absent)
        check.refused(await api.updateEmail(id, { scheduled_at: '2040-01-01T00:00:00.000Z' }), absent)
        check.refused(await api.cancelEmail(id), absent)
        check.ok('email in the list of another org', !hasItem(await api.listEmails(), id), 'absent', 'found')
      }
      for (const { api, from } of others) {
        // Two of its own, so that the list continues after a cursor.
        for (let count = 0; count < 2; count++)
          await api.sendEmail({ from, to: recipient, subject: unique(), text: 'Text' })
        const cursor = cursorOf((await api.listEmails({ limit: 1 })).field('next_cursor'))
        if (cursor === undefined) continue
        const following = await api.listEmails({ limit: 50, cursor })
        check.ok('email after a cursor in the list of another org', !hasItem(following, id), 'absent', 'found')
      }
      const after = await owner.api.getEmail(id)
      check.status(after, [200])
      check.equal('status of the email', after.field('status'), before.field('status'))
      if (before.field('scheduled_at') !== undefined)
        check.equal('scheduled_at of the email', after.field('scheduled_at'), before.field('scheduled_at'))
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-past-events',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: "another org's key gets none of the newest events, with or without a cursor",
    needs: ['second-key', 'past-events'],
    async run({ openSandbox, check, require, skip }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const events = await readPastEvents(sandbox, skip)
      const ofMessages = events.filter((event) => asText(memberOf(event, 'type')).startsWith('message.'))
      const [after = '', ...ids] = idsOf(ofMessages).map(asText)
      if (ids.length === 0) return skip('needs an org whose newest events are of messages')
      const own = await owner.stream({ after }).opened(require.of('STR-001'))
      const opened = others.map((project) => project.stream({ after }))
      await Promise.all(opened.map((stream) => stream.opening))
      await showsEvent(own, sandbox, ids.at(-1) ?? '')
      require.equal('events after the cursor on a stream of the org itself', knownAmong(own.ids, ids), ids)
      await sandbox.settle()
      for (const [index, { api }] of others.entries()) {
        check.equal('events of another org on a stream after its cursor', knownAmong(opened[index]?.ids ?? [], ids), [])
        const following = idsOf(await eventsAfter(api, after, 2))
        check.equal('events of another org in a list after its cursor', knownAmong(following, ids), [])
        const fromStart = idsOf(await readPage(api, { limit: 100 }))
        check.equal('events of another org in a list from the start', knownAmong(fromStart, [after, ...ids]), [])
      }
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-a-webhook',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: "another org's key neither lists nor deletes a webhook, nor sees its deliveries",
    needs: ['second-key'],
    async run({ openSandbox, check, require, publicUrl }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const made = await owner.api.createWebhook({ url: publicUrl('hidden/'), event_types: [rareEvent] })
      require.of('WHK-001').status(made, '2xx')
      const id = asText(made.field('id'))
      require.of('DLV-012').status(await owner.api.listDeliveries(id), [200])
      for (const { api } of others) {
        expectNothingListed(check, await api.listDeliveries(id))
        check.ok('webhook in the list of another org', !hasItem(await api.listWebhooks(), id), 'absent', 'found')
        await expectRefusedDelete(check, api, id)
      }
      const { items } = await webhookList(sandbox, owner.api, (webhooks) => idsOf(webhooks).includes(id))
      check.ok('webhook in the list of its own org', idsOf(items).includes(id), 'listed', 'absent')
    },
  }),

  serviceCase({
    id: 'service/org-isolation/sends-and-shows-nothing-to-a-second-key',
    requirements: ['SCOPE-007'],
    decides: ['SCOPE-007'],
    level: 'must',
    title: "events, webhooks and deliveries of one org are invisible to a second org's key",
    needs: ['sink', 'second-key', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const webhook = await owner.createWebhook({ eventTypes: ['message.received'] })
      const elsewhere = await Promise.all(
        others.map(async (project) => ({
          project,
          webhook: await project.createWebhook(),
          stream: await project.stream().opened(require.of('STR-001')),
        })),
      )
      const event = await owner.raise('message.received')
      await webhook.attempt(1, event, require.of('SCOPE-006'))
      await sandbox.settle()
      const deliveryId = asText((await webhook.delivery()).id)
      for (const { project, webhook: theirs, stream } of elsewhere) {
        const { api } = project
        const sent = theirs.attempts().map((attempt) => attempt.field('id'))
        check.equal('events of another org that were sent', knownAmong(sent, [event.id]), [])
        check.equal('events of another org that were streamed', knownAmong(stream.ids, [event.id]), [])
        const polled = idsOf(await eventsAfter(api, event.listedAfter, 2))
        check.equal('events of another org that were polled', knownAmong(polled, [event.id]), [])
        const own = await webhookList(sandbox, api, (webhooks) => idsOf(webhooks).includes(theirs.id))
        require.ok('its own webhook in the list of a key', idsOf(own.items).includes(theirs.id), 'listed', 'absent')
        check.ok('webhook of another org in the list', !idsOf(own.items).includes(webhook.id), 'absent', 'found')
        require.of('DLV-012').status(await api.listDeliveries(theirs.id), [200])
        expectNothingListed(check, await api.listDeliveries(webhook.id))
        check.refused(await api.replayDelivery(webhook.id, deliveryId), absent)
        check.refused(await api.once.replayDelivery(theirs.id, deliveryId), absent)
        await expectRefusedDelete(check, api, webhook.id)
      }
      const { items } = await webhookList(sandbox, owner.api, (webhooks) => idsOf(webhooks).includes(webhook.id))
      check.ok('webhook in the list of its own org', idsOf(items).includes(webhook.id), 'listed', 'absent')
    },
  }),

  serviceCase({
    id: 'service/org-isolation/hides-emails-from-keys-of-an-inbox-elsewhere',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: "an email looks absent to another org's inbox key, and stays unchanged",
    needs: ['projects', 'send', 'inboxes'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const scheduled = new Date(sandbox.now() + 20 * 3_600_000).toISOString()
      const email = { from: owner.from, to: recipient, subject: unique(), text: 'Text', scheduled_at: scheduled }
      const sent = await owner.api.sendEmail(email)
      require.of('SND-001').status(sent, '2xx')
      const id = asText(sent.field('id'))
      const before = await owner.api.getEmail(id)
      require.of('SND-007').status(before, [200])
      for (const { api } of others.map((project) => project.inbox())) {
        check.refused(await api.getEmail(id), absent)
        check.refused(await api.updateEmail(id, { scheduled_at: '2040-01-01T00:00:00.000Z' }), absent)
        check.refused(await api.cancelEmail(id), absent)
      }
      const after = await owner.api.getEmail(id)
      check.status(after, [200])
      check.equal('status of the email', after.field('status'), before.field('status'))
    },
  }),
]
