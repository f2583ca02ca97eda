// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// POL-003  the list after a cursor; STR-005, STR-007  a stream after one, and its order.
//
// Reading: neither the list nor the stream depends on when an event is delivered.

import { serviceCase, status } from '../../../harness/authoring.js'
import { knownAmong, eventsOnce, idsOf, lagMs, showsEvent } from '../shared/event-log.js'

export const pendingEvents = [
  serviceCase({
    id: 'service/equivalence/holds-while-a-delivery-is-pending',
    requirements: ['EVT-014', 'POL-003', 'STR-005', 'STR-007'],
    level: 'must',
    title: 'an event with a waiting delivery precedes the next event in list and streams',
    needs: ['sink', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [{ kind: 'hang' }] })
      const marker = await project.raise('message.queued')
      const live = await project.stream().opened(require.of('STR-001'))
      const event = await project.raise('message.received')
      const attempt = await webhook.heldAttempt(event)
      const next = await project.raise('message.queued')
      const both = [event.id, next.id]
      // A reader of the next event continues after it, and never sees an earlier one that appears later.
      const isPassed = (events: readonly unknown[]) => idsOf(events).includes(next.id)
      for (const state of ['waits for its answer', 'waits for its retry']) {
        if (state === 'waits for its retry') {
          attempt.answer(status(500))
          await sandbox.settle()
        }
        const items = await eventsOnce(sandbox, project.api, isPassed, { after: marker.id, withinMs: lagMs })
        require.of('POL-003').ok('the next event in the list', isPassed(items), 'listed', 'missing')
        check
          .of('POL-003')
          .equal(`events of the list while the delivery ${state}`, knownAmong(idsOf(items), both), both)
        const resumed = await project.stream({ after: marker.id }).opened(require.of('STR-001'))
        for (const [stream, what, requirement] of [
          [live, 'a live stream', 'STR-007'],
          [resumed, 'a stream that resumed', 'STR-005'],
        ] as const) {
          require
            .of(requirement)
            .ok(`the next event on ${what}`, await showsEvent(stream, sandbox, next.id), 'a frame', 'none')
          check
            .of(requirement)
            .equal(`frames of ${what} while the delivery ${state}`, knownAmong(stream.ids, both), both)
        }
        resumed.close()
      }
    },
  }),
]
