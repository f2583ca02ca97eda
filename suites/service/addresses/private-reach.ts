// NET-018  "No request of the service to a url reaches a private, loopback or reserved address, including its own request
//           when the webhook is created."
// DLV-009  "Redirects are not followed."
//
// Other ways to a private address than the delivery itself: a check of a new URL, and a redirect to another host. A connection that was
// kept while its name moved is allowed: it leads to the checked address. Reading: it is open whether a service requests a new URL (open
// point url-check), and its answer if a name has a private address by then (private-hostname); no such request may reach the canary.

import { asText, redirect, serviceCase } from '../../../harness/authoring.js'
import { redirects } from '../shared/redirects.js'
import { isAccepted, rareEvent } from '../shared/registration.js'

/** A service may connect to a url shortly after it answered the create request: how long that is waited for, in milliseconds of real time. */
const lookMs = 1_000
/** After the URL of an endpoint: where only a redirect leads. */
const followed = '/followed'

export const privateReach = [
  serviceCase({
    id: 'service/private-reach/never-looks-at-a-private-address',
    requirements: ['NET-018'],
    level: 'must',
    title: 'creating a webhook on a private name leads to no connection',
    needs: ['sink', 'dns', 'canary', 'event:message.received'],
    async run(context) {
      const { openSandbox, check, canary, sinkAddress, deadAddress, unique, cleanup } = context
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const control = await sandbox.project.createWebhook({ eventTypes: ['message.received'] })
      const { port } = new URL(control.endpoint.url)
      const lists = [
        [[canary.address]],
        [[sinkAddress, canary.address]],
        [[deadAddress, canary.address]],
        [[sinkAddress], [canary.address]],
        [[sinkAddress], [sinkAddress], [canary.address]],
        ...(canary.ipv6 === undefined ? [] : [[[canary.ipv6]], [[sinkAddress, canary.ipv6]]]),
      ]
      const hosts: string[] = []
      for (const answers of lists) {
        const target = await context.name()
        await target.answer(...answers)
        hosts.push(target.host)
        const url = `https://${target.host}:${port}/${unique()}`
        const created = await api.createWebhook({ url, event_types: [rareEvent] })
        if (isAccepted(created)) cleanup(async () => void (await api.deleteWebhook(asText(created.field('id')))))
      }
      await control.attempt(1, await sandbox.project.raise('message.received'))
      await sandbox.quiet(lookMs)
      for (const [index, host] of hosts.entries())
        check.equal(
          `connections for a name with the answers ${JSON.stringify(lists[index])}`,
          await canary.connections(host),
          0,
        )
    },
  }),

  serviceCase({
    id: 'service/private-reach/never-follows-a-redirect-to-another-host',
    requirements: ['DLV-009'],
    level: 'must',
    title: 'a redirect to another host, public or private, is not followed',
    needs: ['sink', 'dns', 'named-sink', 'canary', 'time:5000', 'event:message.received'],
    async run(context) {
      const { openSandbox, check, canary, sinkAddress } = context
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [good, bad] = [await context.name(), await context.name()]
      await good.answer([sinkAddress])
      await bad.answer([canary.address])
      const elsewhere = await project.createWebhook({ hostname: good.host, eventTypes: ['message.complained'] })
      const { port } = new URL(elsewhere.endpoint.url)
      const before = await canary.connections(bad.host)
      const plans = redirects.flatMap((code) =>
        [`${elsewhere.endpoint.url}${followed}`, `https://${bad.host}:${port}/hook`].map((location) =>
          redirect(location, code),
        ),
      )
      const webhooks = await project.createWebhooks(
        plans.map((answer) => ({ eventTypes: ['message.received'], answers: [answer] as const })),
        { atLeast: 2 },
      )
      const event = await project.raise('message.received')
      for (const webhook of webhooks) await webhook?.attempt(1, event)
      await sandbox.settle()
      await sandbox.advance(7_000)
      check.equal('connections to the private address', (await canary.connections(bad.host)) - before, 0)
      // A check of a new URL (open point url-check) follows no redirect: it requests the URL itself.
      const { attempts, others } = elsewhere.endpoint
      const strayed = [...attempts, ...others].filter(({ path }) => path.endsWith(followed))
      check.equal('requests that followed a redirect', strayed.length, 0)
    },
  }),
]
