// EVT-013  "Webhooks limited to one inbox do not receive workspace events."
// SCOPE-001, SCOPE-002  "Inbox-scoped keys see only events of their inbox" (polling, WebSocket).
// SCOPE-010  resuming with `after` does not widen what an inbox-scoped key sees.
// SCOPE-005  "A webhook with an `inbox_id` receives only events of this inbox."
//
// An event without an inbox is invisible to the key of an inbox and to its webhooks, whatever filter those have.
//
// Reading: it is open whether a sent message may have no inbox (open point absent-inbox-and-thread), and whether a webhook that can receive
// nothing is created (pointless-filter).

import { asText, sampleData, serviceCase, type RaisedEvent } from '../../../harness/authoring.js'
import { checkView, openView } from '../shared/inbox-view.js'

/** Events of a message that was sent. */
const sentTypes = ['message.queued', 'message.delivered', 'message.bounced', 'message.failed'] as const
/** Filters that select events of the workspace alone. */
const pointless = [['sending.paused'], ['sending.resumed'], ['sending.paused', 'sending.resumed']]

export const eventsWithoutInbox = [
  serviceCase({
    id: 'service/inbox-scope/shows-no-event-of-no-inbox',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-005', 'SCOPE-010'],
    level: 'must',
    title: 'an event without an inbox is not visible to an inbox key or its webhook',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const view = await openView(sandbox, require)
      const own = view.inbox
      const ofNone: RaisedEvent[] = []
      for (const type of sentTypes) {
        const sample = sampleData(type, { inboxId: own.id, workspaceId: sandbox.workspaceId, mark: unique() })
        const data = { ...sample, inbox_id: null, thread_id: null }
        const event = await project.raise(type, { data }).catch(() => undefined)
        if (event === undefined) return skip('needs a service that has messages of no inbox')
        ofNone.push(event)
      }
      const mine = await project.raise('message.queued', { inbox: own })
      await checkView(view, { mine, foreign: ofNone }, { check, require })
    },
  }),

  serviceCase({
    id: 'service/workspace-events/skip-webhooks-that-ask-for-nothing-else',
    requirements: ['EVT-013'],
    level: 'must',
    title: 'an inbox webhook for workspace events only is refused or gets none',
    needs: ['sink', 'inboxes', 'event:sending.paused', 'event:sending.resumed'],
    async run({ openSandbox, check, require, publicUrl }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inboxId = project.inbox().id
      const taken: string[][] = []
      for (const types of pointless) {
        const requested = { url: publicUrl('pointless/'), event_types: types, inbox_id: inboxId }
        const probe = await project.api.createWebhook(requested)
        if (probe.status === undefined || probe.status < 200 || probe.status > 299) continue
        require.of('WHK-017').status(await project.api.deleteWebhook(asText(probe.field('id'))), '2xx')
        taken.push(types)
      }
      const limits = taken.map((eventTypes) => ({ inboxId, eventTypes }))
      const [whole, ...limited] = await project.createWebhooks([{}, ...limits], {
        atLeast: Math.min(2, 1 + taken.length),
      })
      const events = [await project.raise('sending.paused'), await project.raise('sending.resumed')]
      for (const event of events) await whole?.attempt(1, event)
      await sandbox.settle()
      for (const [index, webhook] of limited.entries()) {
        const sent = webhook?.attempts().map((attempt) => attempt.field('type')) ?? []
        check.equal(`events at a webhook of one inbox for ${JSON.stringify(taken[index])}`, sent, [])
      }
    },
  }),
]
