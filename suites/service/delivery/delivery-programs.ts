// DLV-005 to DLV-023, RTY-001 to RTY-012, RPL-001 to RPL-006, WHK-009, WHK-014, WHK-015: deliveries under random scripts.
//
// Webhooks with overlapping filters, events one by one and many at once, every kind of answer and failure, answers that are
// held back, replays in any state, deletes, and silences of months. The world model computes the expectations.

import { serviceCase } from '../../../harness/authoring.js'
import { anyDeliveryScript, type AnswerPlan, type DeliveryScript } from '../shared/delivery-script.js'
import { runDeliveryScript } from '../shared/delivery-world.js'

const ok: AnswerPlan = { kind: 'answer', status: 200, body: '', headers: {}, form: 'plain' }

/** An endpoint takes longer than a worker of the sender may reserve a delivery, and less than the time to answer. */
const heldScript: DeliveryScript = {
  hooks: [
    { inbox: undefined, types: [], answer: ok },
    { inbox: undefined, types: ['message.received'], answer: ok },
  ],
  steps: [
    { do: 'raise', type: 'message.received', inbox: 0, times: 1 },
    { do: 'hold', hook: 0, meanwhile: ['raise', 'replay-first'], forMs: 7_000, answer: ok },
    { do: 'pass', ms: 360_000 },
  ],
}

export const deliveryPrograms = [
  serviceCase({
    id: 'service/model/sends-once-what-is-answered-late',
    requirements: ['DLV-006', 'DLV-007', 'EVT-014', 'RPL-002', 'RTY-011'],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'deliveries and a replay that are answered after seven seconds are sent once each',
    needs: ['sink', 'direct-sink', 'clock', 'own-data', 'inboxes'],
    async run({ openSandbox, require }) {
      await runDeliveryScript(await openSandbox(), heldScript, require)
    },
  }),

  serviceCase({
    id: 'service/model/delivers-through-any-failure',
    requirements: [
      'DLV-017',
      'DLV-018',
      'DLV-019',
      'DLV-020',
      'DLV-023',
      'EVT-014',
      'RPL-001',
      'RPL-002',
      'RPL-004',
      'RTY-009',
      'RTY-010',
      'RTY-011',
      'WHK-009',
      'WHK-014',
      'WHK-015',
    ],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'deliveries, retries, replays and their records follow the schedule, whatever endpoints answer',
    needs: ['sink', 'direct-sink', 'clock', 'own-data', 'inboxes'],
    timeoutMs: 240_000,
    async run({ openSandbox, property }) {
      await property(
        anyDeliveryScript,
        async (script, require) => runDeliveryScript(await openSandbox(), script, require),
        { runs: 8, atOnce: 4 },
      )
    },
  }),
]
