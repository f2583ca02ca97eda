// DLV-005 to DLV-023, RTY-001 to RTY-012, RPL-001 to RPL-006, WHK-009, WHK-014, WHK-015: deliveries under random scripts.
//
// Webhooks with overlapping filters, events one by one and many at once, every kind of answer and failure, answers that are
// held back, replays in any state, deletes, and silences of months. The world model computes the expectations.

import { serviceCase } from '../../../harness/authoring.js'
import { anyDeliveryScript } from '../shared/delivery-script.js'
import { runDeliveryScript } from '../shared/delivery-world.js'

export const deliveryPrograms = [
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
    title: 'Deliveries, retries, replays and their records follow the schedule whatever endpoints answer.',
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
