// RCV-006  "A delivery whose timestamp is more than 300 seconds in the past is refused."
// RCV-007  "A delivery whose timestamp is more than 300 seconds in the future is refused."
//
// Reading: the receiver judges by its own clock, which may be a few seconds off ours; so the accepted side is tested at
// 285 seconds and the refused one at 315.

import { toleranceSeconds } from '../../spec/index.js'
import { receiverCase } from '../../harness/authoring.js'

const marginSeconds = 15
const inside = toleranceSeconds - marginSeconds
const outside = toleranceSeconds + marginSeconds

export const timestamp = [
  receiverCase({
    id: 'receiver/timestamp/refuses-stale',
    requirements: ['RCV-006'],
    level: 'must',
    title: 'a delivery signed more than 300 seconds ago is refused, one signed shortly before that is accepted',
    async run({ delivery, accepts, refuses, now, require }) {
      await accepts(delivery({ timestamp: now() - inside }), require)
      await refuses(delivery({ timestamp: now() - outside }))
      await refuses(delivery({ timestamp: now() - 86_400 }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/timestamp/refuses-future',
    requirements: ['RCV-007'],
    level: 'must',
    title: 'a delivery signed more than 300 seconds in the future is refused, one shortly before that is accepted',
    async run({ delivery, accepts, refuses, now, require }) {
      await accepts(delivery({ timestamp: now() + inside }), require)
      await refuses(delivery({ timestamp: now() + outside }))
      await refuses(delivery({ timestamp: now() + 86_400 }))
      await accepts(delivery())
    },
  }),
]
