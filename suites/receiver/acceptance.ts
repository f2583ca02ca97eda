// RCV-001  "A signed delivery is answered with a 2xx."
// RCV-003  "The answer is not a redirect: redirects are not followed and count as failures."
// RCV-013  "Every event type and data kind is accepted."
// RCV-014  "An event type or a field the receiver does not know does not make it fail."
// RCV-028  "A delivery is JSON, with or without a `charset` in its content type."
//
// Reading: header names are HTTP field names, which have no case (RFC 9110, 5.1); a proxy may write them differently.

import { randomUUID } from 'node:crypto'
import { loadEventSamples } from '../../fixtures/index.js'
import { answerTimeMs } from '../../spec/index.js'
import { receiverCase } from '../../harness/authoring.js'
import { forged } from './forged.js'

const titleCase = (name: string) => name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase())

export const acceptance = [
  receiverCase({
    id: 'receiver/acceptance/accepts-a-signed-delivery',
    requirements: ['RCV-001', 'RCV-003'],
    level: 'must',
    title: 'a valid delivery is answered with a 2xx, not with a redirect',
    isBasic: true,
    async run({ delivery, send, check, profile }) {
      const answer = await send(delivery())
      const isRedirect = answer.status !== undefined && answer.status >= 300 && answer.status < 400
      if (isRedirect) check.of('RCV-003').status(answer, '2xx')
      else if (answer.isLate && profile === 'interface') check.of('RCV-002').status(answer, '2xx')
      else if (answer.durationMs > answerTimeMs && profile === 'interface')
        check.of('RCV-002').measured.between('milliseconds to the answer', answer.durationMs, 0, answerTimeMs)
      else check.of('RCV-001').status(answer, '2xx')
    },
  }),

  receiverCase({
    id: 'receiver/acceptance/takes-every-event-type',
    requirements: ['RCV-013'],
    level: 'must',
    title: 'each event type, in each shape of its data, is answered with a 2xx',
    needs: ['events'],
    timeoutMs: 180_000,
    async run({ delivery, accepts, unique, ownEvents, forEach }) {
      const samples = loadEventSamples().map(
        (sample) => () => delivery({ event: { ...sample, id: `evt_${unique()}` } }),
      )
      const all = ownEvents.length > 0 ? ownEvents.map((own) => own.delivery) : samples
      await forEach(all, (make) => accepts(make()))
    },
  }),

  receiverCase({
    id: 'receiver/acceptance/takes-unknown-event-types',
    requirements: ['RCV-014'],
    level: 'must',
    title: 'an event type the interface does not describe is answered with a 2xx',
    needs: ['interface-events'],
    async run({ delivery, accepts, unique }) {
      const event = { timestamp: new Date().toISOString(), data: { message_id: `msg_${unique()}` } }
      await accepts(delivery({ event: { id: `evt_${unique()}`, type: 'message.scheduled', ...event } }))
      await accepts(delivery({ event: { id: `evt_${unique()}`, type: 'domain.verified', ...event } }))
    },
  }),

  receiverCase({
    id: 'receiver/acceptance/takes-unknown-fields-and-headers',
    requirements: ['RCV-014'],
    level: 'must',
    title: 'fields and headers the interface does not describe do not make a delivery fail',
    needs: ['interface-events'],
    async run({ delivery, accepts, unique }) {
      const mark = unique()
      const data = {
        message_id: `msg_${mark}`,
        inbox_id: 'ibx_1',
        thread_id: `thr_${mark}`,
        from: 'a@b.example',
        subject: 'Hi',
        spam_score: 0.1,
        tags: ['x'],
        more: { deep: true },
      }
      const event = {
        id: `evt_${mark}`,
        type: 'message.received',
        timestamp: new Date().toISOString(),
        org_id: 'org_1',
        data,
        version: 2,
      }
      await accepts(delivery({ event, extra: { 'x-request-id': mark, 'webhook-version': '2' } }))
    },
  }),

  receiverCase({
    id: 'receiver/acceptance/takes-any-form-of-id',
    requirements: ['RCV-001'],
    level: 'must',
    title: 'ids with capitals or hyphens, of one character or of 64, are accepted',
    needs: ['scheme:signed-id'],
    async run({ delivery, accepts, unique, require }) {
      await accepts(delivery(), require)
      const mark = unique()
      for (const id of [mark.toUpperCase(), randomUUID(), `${mark}_${'0'.repeat(64)}`.slice(0, 64), mark.slice(-1)])
        await accepts(delivery({ id: `evt_${id}` }))
    },
  }),

  receiverCase({
    id: 'receiver/acceptance/takes-header-names-in-any-case',
    requirements: ['RCV-001'],
    level: 'must',
    title: 'header names with capitals are the same names: valid deliveries are accepted, forged ones refused',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require)
      for (const names of [titleCase, (name: string) => name.toUpperCase()]) {
        await accepts(delivery({ names }))
        await refuses(forged(delivery({ names })))
      }
    },
  }),

  receiverCase({
    id: 'receiver/acceptance/takes-a-charset',
    requirements: ['RCV-028'],
    level: 'should',
    title: 'a delivery of the type `application/json; charset=utf-8` is answered with a 2xx',
    async run({ delivery, accepts, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await accepts(delivery({ extra: { 'content-type': 'application/json; charset=utf-8' } }))
    },
  }),
]
