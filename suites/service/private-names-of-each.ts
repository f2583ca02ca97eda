// NET-008  a delivery to a name that resolves to a private address is blocked.
// NET-010  nothing is sent then.
//
// Reading: the sentences make no difference between webhooks, nor between types.

import { blockedPrivateAddress, eventTypes, type EventType } from '../../spec/index.js'
import { serviceCase } from '../../harness/authoring.js'
import { isBlocked } from './private-names.js'

const types = Object.keys(eventTypes) as EventType[]
const ofMessages = types.filter((type) => type.startsWith('message.'))

export const privateNamesOfEach = [
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
