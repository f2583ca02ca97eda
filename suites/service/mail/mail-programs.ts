// SND-001 to SND-018, EVT-003, EVT-004, EVT-014, EVT-016, SCOPE-001: mail under random scripts.
//
// Mail sent at once, in batches and months ahead, moved, cancelled, listed while it changes, over pauses and long silences, with
// texts and names of every legal form. The world model computes the expectations of every outlet.

import { serviceCase } from '../../../harness/authoring.js'
import { anyMailScript, inboxCount } from '../shared/mail-script.js'
import { learnMailFacts, runMailScript } from '../shared/mail-run.js'

export const mailPrograms = [
  serviceCase({
    id: 'service/model/sends-any-mail',
    requirements: [
      'EVT-003',
      'EVT-004',
      'EVT-005',
      'EVT-014',
      'EVT-016',
      'IDM-001',
      'IDM-002',
      'IDM-003',
      'IDM-004',
      'IDM-005',
      'SCOPE-001',
      'SND-001',
      'SND-004',
      'SND-007',
      'SND-008',
      'SND-009',
      'SND-010',
      'SND-011',
      'SND-013',
      'SND-014',
      'SND-016',
      'SND-018',
    ],
    level: 'must',
    title: 'scheduled, rescheduled, cancelled and batched mail is sent once, and every outlet agrees',
    needs: ['sink', 'clock', 'send', 'inboxes', 'workspace', 'sending-status'],
    timeoutMs: 240_000,
    async run({ openSandbox, property, skip, ...context }) {
      const facts = await learnMailFacts(await openSandbox(), { ...context, asks: { isMoved: true, isCarried: true } })
      if (!facts.isMoved) skip('needs a service that sends scheduled mail by the clock of the workspace')
      await property(
        anyMailScript,
        async (script, require) => {
          await runMailScript(await openSandbox({ inboxes: inboxCount }), {
            script,
            require,
            facts,
            context,
            hasOutlets: true,
          })
        },
        { runs: 8, atOnce: 4 },
      )
    },
  }),
]
