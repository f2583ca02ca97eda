// DLV-023  each event makes one delivery at each webhook that asks for it.
// SIG-006  each is signed with the secret of its own webhook.

import { asText, serviceCase, status, type Attempt, type Webhook, type RaisedEvent } from '../../harness/authoring.js'

export const deliveriesOfEach = [
  serviceCase({
    id: 'service/deliveries/one-delivery-for-each-webhook-and-event',
    requirements: ['DLV-023', 'WHK-021', 'SIG-006'],
    level: 'must',
    title: 'three webhooks and two events make six deliveries, each signed with the secret of its own webhook',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = [
        await project.createWebhook(),
        await project.createWebhook(),
        await project.createWebhook({ eventTypes: ['message.received'] }),
      ]
      const events = [await project.raise('message.received'), await project.raise('message.received')]
      await sandbox.settle()
      for (const webhook of webhooks) {
        for (const event of events) await webhook.attempt(1, event)
        check.of('WHK-021').equal('attempts at each endpoint', webhook.attempts().length, 2)
        check.of('DLV-023').equal('deliveries listed for each webhook', (await webhook.deliveriesListed(2)).length, 2)
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/webhooks-on-one-url-are-two',
    requirements: ['DLV-023', 'SIG-006', 'RTY-012', 'WHK-015'],
    level: 'must',
    title:
      'a second webhook on one url is refused, or both get a delivery of their own secret and one outlives the other',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require, publicUrl }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const fields = { url: publicUrl('twice/'), event_types: ['message.complained'] }
      const probe = await project.api.createWebhook(fields)
      require.of('WHK-001').status(probe, '2xx')
      const again = await project.api.createWebhook(fields)
      for (const made of [probe, again])
        if (made.field('id') !== undefined) await project.api.deleteWebhook(asText(made.field('id')))
      const { status: answer = 0 } = again
      if (answer >= 400 && answer < 500) return
      const first = await project.createWebhook({ answers: [status(500)] })
      const second = await project.createWebhook({ beside: first })
      const event = await project.raise('message.received')
      await first.endpoint.until(
        () => [first, second].every((webhook) => signedBy(webhook, event).length > 0),
        sandbox.budgetMs,
      )
      await sandbox.settle()
      for (const [index, webhook] of [first, second].entries()) {
        const listed = await webhook.deliveriesListed(1)
        check.of('DLV-023').equal(`deliveries listed for webhook ${index + 1} of 2`, listed.length, 1)
        const isSigned = signedBy(webhook, event).length > 0
        check
          .of('SIG-006')
          .ok(`an attempt signed with the secret of webhook ${index + 1} of 2`, isSigned, 'one', 'none')
      }
      await first.delete()
      await sandbox.settle()
      const before = signedBy(first, event).length
      await sandbox.advance(7_000)
      await second.endpoint.until(() => signedBy(second, event).length > 1, sandbox.budgetMs)
      check
        .of('WHK-015')
        .equal('retries of the first webhook once it was deleted', signedBy(first, event).length, before)
      check.of('RTY-012').ok('retry of the second webhook', signedBy(second, event).length > 1, 'made', 'none')
    },
  }),
]

/** The attempts of `event` signed with the secret of one of the webhooks that lead to the endpoint. */
function signedBy(webhook: Webhook, event: RaisedEvent): Attempt[] {
  return webhook.attempts(event).filter((each) => webhook.hasSigned(each))
}
