// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
//
// Empty, zero, false and null, which careless code drops on one of the channels.

import type { EventType } from '../../../spec/index.js'
import { memberOf, sampleData, serviceCase, type RaisedEvent } from '../../../harness/authoring.js'
import { frameOf, listedEvents, showsEvent } from '../shared/event-log.js'

type Data = Readonly<Record<string, unknown>>

/** What careless code takes for absent, in events of the types that may have it. */
const emptied: readonly (readonly [type: EventType, more: Data])[] = [
  ['message.received', { subject: '' }],
  ['message.queued', { subject: '', cc: [] }],
  ['message.bounced', { permanent: false, response: '', bounce_classification: null }],
  ['message.delivered', { permanent: false, bounce_classification: null }],
  ['sending.paused', { stats: { sent: 0, bounced: 0, bounce_rate: 0 } }],
]

/** A list that is taken for a set. */
const mistaken: readonly (readonly [type: EventType, more: Data])[] = [
  ['message.queued', { to: ['b@recipient.example', 'a@recipient.example', 'b@recipient.example'] }],
]

export const equivalenceOfEmptyValues = [
  serviceCase({
    id: 'service/equivalence/holds-for-what-is-empty-zero-or-false',
    requirements: ['EVT-014'],
    level: 'must',
    title: 'empty values, zeros, false and null are equal by webhook, stream and polling',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const marker = await project.raise('message.received')
      const live = await project.stream().opened(require.of('STR-001'))
      const raised: RaisedEvent[] = []
      for (const [type, more] of [...emptied, ...mistaken]) {
        const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
        raised.push(await project.raise(type, { data: { ...sampleData(type, options), ...more } }))
      }
      const resumed = await project.stream({ after: marker.id }).opened(require.of('STR-001'))
      const items = await listedEvents(
        sandbox,
        project.api,
        raised.map(({ id }) => id),
        marker.id,
      )
      for (const event of raised) {
        const attempt = await webhook.attempt(1, event, require)
        const isShown = (
          await Promise.all([live, resumed].map((stream) => showsEvent(stream, sandbox, event.id)))
        ).every(Boolean)
        require.ok(`${event.type} on a live stream and on one that resumed`, isShown, 'one frame', 'none')
        for (const [where, one] of [
          ['the frame of a live stream', frameOf(live, event)],
          ['the frame of a stream that resumed', frameOf(resumed, event)],
          ['the list', items.find((candidate) => memberOf(candidate, 'id') === event.id)],
        ] as const)
          check.equal(`data of ${event.type} in ${where}`, memberOf(one, 'data'), attempt.field('data'))
      }
    },
  }),
]
