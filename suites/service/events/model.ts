// WHK-014, WHK-015  a deleted webhook gets nothing more.
// RTY-009, RTY-011  how a delivery ends.  RPL-003, RPL-004  what a replay makes.
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
//
// Random programs: webhooks are created, fail, recover and are deleted, events are raised, days pass, deliveries are replayed, keys poll
// and stream, in any order. After each step the org must match a small model.

import fc from 'fast-check'
import { serviceCase } from '../../../harness/authoring.js'
import { anyStep, beginProgram, endProgram } from '../shared/model-steps.js'

/** Longest program. */
const maxSteps = 14

export const model = [
  serviceCase({
    id: 'service/model/holds-for-any-program',
    requirements: [
      'EVT-014',
      'EVT-016',
      'WHK-009',
      'WHK-014',
      'WHK-015',
      'DLV-023',
      'RTY-009',
      'RTY-010',
      'RTY-011',
      'RPL-002',
      'RPL-004',
      'POL-003',
      'SCOPE-001',
      'SCOPE-002',
      'SCOPE-005',
    ],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'after any sequence of actions, webhooks, deliveries, lists and streams match the model',
    needs: ['sink', 'clock', 'own-data', 'inboxes'],
    timeoutMs: 240_000,
    async run({ openSandbox, property }) {
      await property(
        (replayPath) =>
          fc.commands([anyStep], {
            maxCommands: maxSteps,
            size: 'max',
            ...(replayPath === undefined ? {} : { replayPath }),
          }),
        async (program, require) => {
          const begun = await beginProgram(await openSandbox(), require)
          await fc.asyncModelRun(() => begun, program)
          await endProgram(begun)
        },
        { runs: 8, atOnce: 4 },
      )
    },
  }),
]
