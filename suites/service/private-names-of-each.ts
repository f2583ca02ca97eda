// NET-008  a delivery to a name that resolves to a private address is blocked.
// NET-010  nothing is sent then.
//
// Reading: the sentences make no difference between webhooks, between types, nor between refused blocks.

import { loadAddressEdges } from '../../fixtures/index.js'
import { blockedPrivateAddress, eventTypes, type EventType } from '../../spec/index.js'
import { serviceCase, type Sandbox, type ServiceContext } from '../../harness/authoring.js'
import { isBlocked, namedWebhook, outcomeOf } from './private-names.js'

const types = Object.keys(eventTypes) as EventType[]
const ofMessages = types.filter((type) => type.startsWith('message.'))

/** The first and the last address of every refused block. */
const refusedEnds = loadAddressEdges()
  .filter(({ expect, level }) => expect === 'refuse' && level === 'must')
  .map(({ address }) => address)
/** Webhooks of an org at once: no more than most quotas allow. */
const atOnce = 5
/** Workspaces side by side; one org is asked for one group of addresses after the other. */
const lanes = 4

/** An event reaches no webhook on a name that resolves to one of these addresses, and each of them is told why. */
async function blocksNamesAt(addresses: readonly string[], context: ServiceContext, sandbox: Sandbox): Promise<void> {
  const { check } = context
  const asked = await Promise.all(
    addresses.map(async (address) => {
      const { target, webhook } = await namedWebhook(context, sandbox)
      await target.answer([address])
      return { address, webhook }
    }),
  )
  const event = await sandbox.project.raise('message.received')
  await sandbox.settle()
  for (const { address, webhook } of asked) {
    const delivery = await webhook.deliveryWhen((each) => each.status !== 'pending')
    const what = `delivery to a name at ${address}`
    check.of('NET-008').ok(what, isBlocked(delivery), `failed with ${blockedPrivateAddress}`, outcomeOf(delivery))
    check.of('NET-010').equal(`attempts for a name at ${address}`, webhook.attempts(event).length, 0)
  }
  await Promise.all(asked.map(({ webhook }) => webhook.delete()))
}

function groupsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return items.length === 0 ? [] : [items.slice(0, size), ...groupsOf(items.slice(size), size)]
}

export const privateNamesOfEach = [
  serviceCase({
    id: 'service/private-names/blocks-both-ends-of-every-block',
    requirements: ['NET-008', 'NET-010'],
    level: 'must',
    title:
      'a name is blocked whichever refused block it resolves to, at the first and at the last address of the block',
    needs: ['sink', 'dns', 'event:message.received'],
    timeoutMs: 120_000,
    async run(context) {
      const first = await context.openSandbox()
      const others = first.isIsolated ? Array.from({ length: lanes - 1 }, () => context.openSandbox()) : []
      const groups = groupsOf(refusedEnds, atOnce)
      const ask = async (sandbox: Sandbox): Promise<void> => {
        for (let group = groups.shift(); group !== undefined; group = groups.shift())
          await blocksNamesAt(group, context, sandbox)
      }
      await Promise.all([first, ...(await Promise.all(others))].map(ask))
    },
  }),

  serviceCase({
    id: 'service/private-names/blocks-for-any-webhook-and-type',
    requirements: ['NET-008', 'NET-010'],
    level: 'must',
    title:
      'a name that became private is blocked for webhooks of any maker, inbox and filter, and for events of any type',
    needs: ['sink', 'dns', 'named-sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, name, sinkAddress, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const target = await name()
      await target.answer([sinkAddress])
      const own = project.inbox()
      const kinds = [
        { what: 'a webhook for every type', owed: types, options: {} },
        { what: 'a webhook of an inbox', owed: ofMessages, options: { inboxId: own.id } },
        { what: 'a webhook made by the key of an inbox', owed: ofMessages, options: { api: own.api } },
        ...types.map((type) => ({ what: `a webhook for ${type}`, owed: [type], options: { eventTypes: [type] } })),
      ]
      const webhooks = await project.createWebhooks(
        kinds.map(({ options }) => ({ ...options, hostname: target.host })),
        { atLeast: 1 },
      )
      await target.answer(['10.0.0.1'])
      for (const type of types) await project.raise(type)
      await sandbox.settle()
      for (const [index, { what, owed }] of kinds.entries()) {
        const webhook = webhooks[index]
        if (webhook === undefined) continue
        const listed = await webhook.deliveriesWhen((all) => all.filter(isBlocked).length >= owed.length)
        check
          .of('NET-008')
          .equal(
            `deliveries of ${what} that failed with ${blockedPrivateAddress}`,
            listed.filter(isBlocked).length,
            owed.length,
          )
        check.of('NET-010').equal(`attempts at ${what} that reached the sink`, webhook.attempts().length, 0)
      }
    },
  }),
]
