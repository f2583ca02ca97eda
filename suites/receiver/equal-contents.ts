// RCV-019  "Consumers use `webhook-id` to drop duplicates: however often an event is sent, its work is done once."
// RCV-025  "A 2xx means that the event was accepted: its work is done."
//
// Reading: `webhook-id` identifies duplicates. Two events may have equal contents: a message is deferred again and again, a workspace is
// resumed twice. An endpoint with work for such a type must do it for each; one without need not do any.

import { loadEventSamples } from '../../fixtures/index.js'
import { receiverCase } from '../../harness/authoring.js'
import { isHandledOnce } from './effects.js'
import { received } from './valid-variations.js'

const deferred = {
  recipient: 'bob@recipient.example',
  response: '451 try again later',
  bounce_classification: null,
  permanent: false,
  status: 'deferred',
}

export const equalContents = [
  receiverCase({
    id: 'receiver/effects/handles-events-that-say-the-same',
    requirements: ['RCV-025'],
    level: 'must',
    title: 'two events with equal data and different ids are separate events',
    needs: ['handled', 'interface-events'],
    timeoutMs: 300_000,
    async run(context) {
      const { delivery, accepts, unique, require, check, handled } = context
      const message = unique()
      const { data } = received('evt_', message)
      for (const event of [
        { type: 'message.deferred', data: { ...data, ...deferred } },
        { type: 'sending.resumed', data: { workspace_id: `wsp_${message}`, status: 'active' } },
      ]) {
        const at = (timestamp: string) => delivery({ event: { ...event, id: `evt_${unique()}`, timestamp } })
        const first = at('2026-01-02T03:04:05.678Z')
        await accepts(first, require.of('RCV-001'))
        if ((await handled.awaited(first.fields.id)) === 0) continue
        const second = at('2026-01-02T04:04:05.678Z')
        await accepts(second, check.of('RCV-001'))
        await isHandledOnce(context, second)
      }
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-an-event-of-any-type-once',
    requirements: ['RCV-019'],
    level: 'must',
    title: 'an event of any type that is sent again, or signed again, is handled once',
    needs: ['handled', 'events'],
    timeoutMs: 300_000,
    async run({ delivery, accepts, unique, check, handled, now, ownEvents }) {
      const samples = loadEventSamples().map((sample) => ({
        delivery: () => delivery({ event: { ...sample, id: `evt_${unique()}` } }),
      }))
      const ids: string[] = []
      for (const { delivery: make } of ownEvents.length > 0 ? ownEvents : samples) {
        const sent = make().with({ timestamp: now() - 5 })
        await accepts(sent, check.of('RCV-001'))
        for (const repeat of [sent, sent.with({ timestamp: now() })]) await accepts(repeat, check.of('RCV-012'))
        ids.push(sent.fields.id)
      }
      for (const [id, count] of await handled.watched(ids, 1))
        check.ok(`how often ${id} was handled, sent three times`, count <= 1, '0 or 1', count)
    },
  }),
]
