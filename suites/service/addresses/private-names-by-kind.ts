// NET-008  a delivery to a name that resolves to a private address is blocked.
// NET-009  it is `failed` and is not retried: that one, and no other.
// NET-010  nothing is sent then.
// RPL-006, RTY-010, RTY-012, DLV-004  replays, waiting retries and later events continue as usual.
//
// Reading: the sentences distinguish neither webhooks, nor types, nor refused blocks.

import { loadAddressEdges } from '../../../fixtures/index.js'
import { blockedPrivateAddress, eventTypes, type EventType } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  serviceCase,
  status,
  type DeliveryItem,
  type Sandbox,
  type ServiceContext,
} from '../../../harness/authoring.js'
import { isBlocked, namedWebhook, outcomeOf, privateAddress } from '../shared/private-addresses.js'

const types = Object.keys(eventTypes) as EventType[]
const ofMessages = types.filter((type) => type.startsWith('message.'))

/** The first and the last address of every refused block. */
const refusedEnds = loadAddressEdges()
  .filter(({ expect, level }) => expect === 'refuse' && level === 'must')
  .map(({ address }) => address)
/** Webhooks of an org at once: no more than most quotas allow. */
const atOnce = 5
/** Concurrent workspaces; one org gets one group of addresses after the other. */
const lanes = 4

/** Checks that an event reaches no webhook on a name that resolves to one of these addresses, and that each record shows it. */
async function blocksNamesAt(addresses: readonly string[], context: ServiceContext, sandbox: Sandbox): Promise<void> {
  const { check } = context
  const requested = await Promise.all(
    addresses.map(async (address) => {
      const { target, webhook } = await namedWebhook(context, sandbox)
      await target.answer([address])
      return { address, webhook }
    }),
  )
  const event = await sandbox.project.raise('message.received')
  await sandbox.settle()
  for (const { address, webhook } of requested) {
    const delivery = await webhook.deliveryWhen(({ status }) => status !== 'pending')
    const what = `delivery to a name at ${address}`
    check.of('NET-008').ok(what, isBlocked(delivery), `failed with ${blockedPrivateAddress}`, outcomeOf(delivery))
    check.of('NET-010').equal(`attempts for a name at ${address}`, webhook.attempts(event).length, 0)
  }
  await Promise.all(requested.map(({ webhook }) => webhook.delete()))
}

function groupsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return items.length === 0 ? [] : [items.slice(0, size), ...groupsOf(items.slice(size), size)]
}

export const privateNamesByKind = [
  serviceCase({
    id: 'service/private-names/blocks-both-ends-of-every-block',
    requirements: ['NET-008', 'NET-010'],
    level: 'must',
    title: 'a name is blocked for every refused block, at its first and last address',
    needs: ['sink', 'dns', 'event:message.received'],
    timeoutMs: 120_000,
    async run(context) {
      const first = await context.openSandbox()
      const others = first.isIsolated ? Array.from({ length: lanes - 1 }, () => context.openSandbox()) : []
      const ends = refusedEnds.filter((address) => !context.leadsToSink(address))
      const groups = groupsOf(ends, atOnce)
      const send = async (sandbox: Sandbox): Promise<void> => {
        for (let group = groups.shift(); group !== undefined; group = groups.shift())
          await blocksNamesAt(group, context, sandbox)
      }
      await Promise.all([first, ...(await Promise.all(others))].map(send))
    },
  }),

  serviceCase({
    id: 'service/private-names/blocks-for-any-webhook-and-type',
    requirements: ['NET-008', 'NET-010'],
    level: 'must',
    title: 'a name that became private is blocked for every webhook and event type',
    needs: ['sink', 'dns', 'named-sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, name, sinkAddress, leadsToSink, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const target = await name()
      await target.answer([sinkAddress])
      const own = project.inbox()
      const kinds = [
        { what: 'a webhook for every type', expected: types, options: {} },
        { what: 'a webhook of an inbox', expected: ofMessages, options: { inboxId: own.id } },
        { what: 'a webhook made by the key of an inbox', expected: ofMessages, options: { api: own.api } },
        ...types.map((type) => ({ what: `a webhook for ${type}`, expected: [type], options: { eventTypes: [type] } })),
      ]
      const webhooks = await project.createWebhooks(
        kinds.map(({ options }) => ({ ...options, hostname: target.host })),
        { atLeast: 1 },
      )
      await target.answer([privateAddress({ leadsToSink })])
      for (const type of types) await project.raise(type)
      await sandbox.settle()
      for (const [index, { what, expected }] of kinds.entries()) {
        const webhook = webhooks[index]
        if (webhook === undefined) continue
        const listed = await webhook.deliveriesWhen((all) => all.filter(isBlocked).length >= expected.length)
        check
          .of('NET-008')
          .equal(
            `deliveries of ${what} that failed with ${blockedPrivateAddress}`,
            listed.filter(isBlocked).length,
            expected.length,
          )
        check.of('NET-010').equal(`attempts at ${what} that reached the sink`, webhook.attempts().length, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/private-names/ends-no-other-delivery',
    requirements: ['RTY-012', 'RTY-010', 'RPL-006', 'DLV-004'],
    dependsOn: delaysBefore(7),
    level: 'must',
    title: 'a blocked attempt ends only its own delivery; others and later events go on',
    needs: ['sink', 'dns', 'named-sink', 'clock', 'event:message.received'],
    async run(context) {
      const { check, require, sinkAddress } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const { target, webhook } = await namedWebhook(context, sandbox)
      webhook.endpoint.script(status(200, { body: 'taken' }), status(500, { body: 'refused' }))
      const otherWebhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
      await webhook.attempt(1, await project.raise('message.received'))
      const waiting = await project.raise('message.received')
      for (const hook of [webhook, otherWebhook]) await hook.attempt(1, waiting)
      await sandbox.settle()
      // Its third attempt is due five minutes later, that of the next event after five seconds.
      await sandbox.advance(7_000)
      for (const hook of [webhook, otherWebhook]) await hook.attempt(2, waiting)
      await webhook.attempt(1, await project.raise('message.received'))
      await sandbox.settle()
      const isKept = ({ status: reported, attempt }: DeliveryItem) => reported === 'succeeded' || attempt === 2
      // A list that lags may show an attempt before its answer.
      const isReported = (delivery: DeliveryItem) => isKept(delivery) && Number(delivery.response_code) > 0
      const before = await webhook.deliveriesWhen((all) => all.filter(isReported).length > 1)
      const kept = before.filter(isKept)
      await target.answer([privateAddress(context)])
      await project.raise('message.received')
      for (const { id } of kept)
        require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
      await sandbox.settle()
      await sandbox.advance(7_000)
      const after = await webhook.deliveriesWhen((all) => all.filter(isBlocked).length > kept.length + 1)
      for (const delivery of kept)
        for (const field of ['status', 'attempt', 'response_code', 'response_body_snippet'] as const)
          check
            .of(delivery.status === 'succeeded' ? 'RPL-006' : 'RTY-010')
            .equal(
              `${field} of an event ${asText(delivery.status)} before`,
              after.find(({ id }) => id === delivery.id)?.[field],
              delivery[field],
            )
      await target.answer([sinkAddress])
      await sandbox.advance(302_000)
      for (const hook of [webhook, otherWebhook]) await hook.attempt(3, waiting, check.of('RTY-012'))
      await webhook.attempt(1, await project.raise('message.received'), check.of('DLV-004'))
    },
  }),
]
