// SCOPE-007  "Events, webhooks and deliveries belong to one org: the key of another org neither sees nor receives them."
// WHK-018  "A secret is returned only in the create response of its webhook: two webhooks do not share one."
// DLV-004  "When an event matches a webhook a delivery is created `pending` and the first attempt is made."
//
// Two orgs that register one URL, as a company with several projects does.
//
// Reading: the second may be refused (open point same-url); if it is accepted, it is a separate webhook.

import { asText, serviceCase } from '../../../harness/authoring.js'
import { idsOf } from '../shared/event-log.js'
import { rareInboxEvent } from '../shared/registration.js'
import { openOtherOrgs } from '../shared/other-orgs.js'
import { webhookList } from '../shared/webhook-list.js'

export const sharedUrls = [
  serviceCase({
    id: 'service/org-isolation/keeps-webhooks-on-one-url-apart',
    requirements: ['SCOPE-007', 'WHK-018', 'DLV-004'],
    level: 'must',
    title: 'a webhook of another org on the same url has its own secret and events',
    needs: ['sink', 'projects', 'own-data'],
    async run({ openSandbox, check, require, publicUrl, leaveToOthers }) {
      const { sandbox, owner, others, settleAll } = await openOtherOrgs(openSandbox)
      const webhook = await owner.createWebhook({ eventTypes: ['message.received'] })
      const earliest = await owner.raise('message.received')
      await webhook.attempt(1, earliest)
      const events = [earliest]
      for (const project of others) {
        const fields = { url: publicUrl('of-two-orgs/'), event_types: [rareInboxEvent] }
        const [first, second] = [await owner.api.createWebhook(fields), await project.api.createWebhook(fields)]
        require.of('WHK-001').status(first, '2xx')
        const isRefused = second.status !== undefined && second.status >= 400 && second.status < 500
        await owner.api.deleteWebhook(asText(first.field('id')))
        if (isRefused) continue
        await project.api.deleteWebhook(asText(second.field('id')))
        const theirs = await project.createWebhook({ eventTypes: ['message.received'], sameUrlAs: webhook })
        check.of('WHK-018').ok('secret of the second', theirs.secret !== webhook.secret, 'its own', 'that of the first')
        const [event, own] = [await owner.raise('message.received'), await project.raise('message.received')]
        events.push(event)
        // The interface does not guarantee that ids differ between orgs.
        if (events.some(({ id }) => id === own.id)) leaveToOthers('the service gives events of two orgs the same id')
        await webhook.attempt(1, event, check.of('DLV-004'))
        await theirs.attempt(1, own, check.of('DLV-004'))
        await settleAll()
        check.equal('attempts of the event of the first org', webhook.attempts(event).length, 1)
        check.equal('attempts of the event of the second org', theirs.attempts(own).length, 1)
        await theirs.delete()
        const last = await owner.raise('message.received')
        events.push(last)
        await webhook.attempt(1, last, check.of('DLV-004'))
        const { items } = await webhookList(sandbox, owner.api, (webhooks) => idsOf(webhooks).includes(webhook.id))
        check
          .of('WHK-011')
          .ok('the first in the list of its org', idsOf(items).includes(webhook.id), 'listed', 'absent')
      }
    },
  }),
]
