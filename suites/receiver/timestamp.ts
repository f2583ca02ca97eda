// RCV-006  "A delivery whose timestamp is more than 300 seconds in the past is refused."
// RCV-007  "A delivery whose timestamp is more than 300 seconds in the future is refused."
// RCV-031  "The timestamp is the text that was signed: another spelling of the same number of seconds is refused."
//
// Reading: the receiver uses its own clock, which may differ from ours by a few seconds. So a delivery at 285 seconds must be
// accepted, and one at 315 refused. The Standard Webhooks specification gives no number: an endpoint that follows only that must
// accept a delivery signed now, and refuse one signed a day ago or a day ahead.

import { toleranceSeconds } from '../../spec/index.js'
import { loadEventSamples } from '../../fixtures/index.js'
import { receiverCase } from '../../harness/authoring.js'
import { refusesForgeries } from './forged.js'
import { edgesFor } from './valid-variations.js'

const marginSeconds = 15
const daySeconds = 86_400

/** Longer than the cache of a clock that is read once a second. */
const laterMs = 3_000

export const timestamp = [
  receiverCase({
    id: 'receiver/timestamp/refuses-stale',
    requirements: ['RCV-006'],
    level: 'must',
    needs: ['scheme:past'],
    title: 'a delivery signed over 300 seconds ago is refused, a slightly younger one accepted',
    async run(context) {
      const { delivery, accepts, refuses, now, require } = context
      const { inside, outside } = edgesFor(context)
      await accepts(delivery({ timestamp: now() - inside }), require)
      for (const age of outside) await refuses(delivery({ timestamp: now() - age }))
      await refusesForgeries(context, 'stale')
      // Zero is false in many languages.
      await refuses(delivery({ timestamp: 0 }))
      // The sender chooses the Date header: only the receiver's own clock counts.
      const [age = daySeconds] = outside
      const date = new Date((now() - age) * 1000).toUTCString()
      await refuses(delivery({ timestamp: now() - age, extra: { date } }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/timestamp/refuses-future',
    requirements: ['RCV-007'],
    level: 'must',
    needs: ['scheme:future'],
    title: 'a delivery signed over 300 seconds ahead is refused, a slightly nearer one accepted',
    async run(context) {
      const { delivery, accepts, refuses, now, require } = context
      const { inside, outside } = edgesFor(context)
      await accepts(delivery({ timestamp: now() + inside }), require)
      for (const age of outside) await refuses(delivery({ timestamp: now() + age }))
      // Equal to now if only 32 bits are kept.
      await refuses(delivery({ timestamp: now() + 2 ** 32 }))
      // The sender chooses the Date header: only the receiver's own clock counts.
      const [age = daySeconds] = outside
      const date = new Date((now() + age) * 1000).toUTCString()
      await refuses(delivery({ timestamp: now() + age, extra: { date } }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/timestamp/goes-with-the-time',
    requirements: ['RCV-006'],
    level: 'must',
    title: 'the oldest delivery that is still accepted is refused some seconds later',
    needs: ['interface-profile'],
    timeoutMs: 180_000,
    async run({ delivery, send, accepts, now, require, check, leaveToOthers }) {
      await accepts(delivery(), require.of('RCV-001'))
      const takes = async (timestamp: number) => isSuccess((await send(delivery({ timestamp }))).status)
      let taken = now() - toleranceSeconds + marginSeconds
      let refused = taken - 2 * marginSeconds
      // The cases above check each; an endpoint that drops refused deliveries with a 2xx shows nothing here.
      if (!(await takes(taken)) || (await takes(refused)))
        leaveToOthers('this endpoint answers old and fresh deliveries alike, so its clock cannot be measured')
      while (taken - refused > 1) {
        const middle = Math.floor((taken + refused) / 2)
        if (await takes(middle)) taken = middle
        else refused = middle
      }
      await new Promise((resolve) => setTimeout(resolve, laterMs))
      // In an order that two endpoints at one address with different clocks would not answer by chance.
      for (const isTaken of [true, false, false, true, true, false, true, false])
        if ((await takes(isTaken ? taken : refused)) !== isTaken) return
      check.fail('the timestamp of the oldest delivery that is accepted, 3 s later', `more than ${taken}`, taken)
    },
  }),

  receiverCase({
    id: 'receiver/timestamp/refuses-stale-of-every-type',
    requirements: ['RCV-006', 'RCV-007'],
    level: 'must',
    title: 'a past or future delivery is refused for every event type',
    needs: ['interface-events'],
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, now, require, check, unique, forEach }) {
      await accepts(delivery(), require.of('RCV-001'))
      await forEach(loadEventSamples(), async (sample) => {
        const at = (seconds: number) =>
          delivery({ event: { ...sample, id: `evt_${unique()}` }, timestamp: now() + seconds })
        await refuses(at(-2 * daySeconds), check.of('RCV-006'))
        await refuses(at(2 * daySeconds), check.of('RCV-007'))
      })
      await accepts(delivery(), check.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/timestamp/refuses-a-stale-timestamp-beside-a-fresh-one',
    requirements: ['RCV-006'],
    level: 'must',
    needs: ['scheme:past', 'scheme:timestamp-header'],
    title: 'a stale delivery is refused when the present time is added to its timestamp',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, now, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const separator of [',', ', ', ' ', '.']) {
        const stale = now() - 2 * daySeconds
        const signed = delivery({ timestamp: stale })
        await refuses(signed.tampered({ timestamp: `${stale}${separator}${now()}` }))
        await refuses(signed.tampered({ timestamp: `${now()}${separator}${stale}` }))
      }
    },
  }),

  // Another spelling lets no attacker forge or replay a delivery: refusing it is advice.
  receiverCase({
    id: 'receiver/timestamp/refuses-another-spelling-of-what-was-signed',
    requirements: ['RCV-031'],
    level: 'should',
    title: 'another spelling of the signed number of seconds is refused',
    needs: ['scheme:timestamp-header'],
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'respelled-timestamp')
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),
]

const isSuccess = (status = 0) => status >= 200 && status < 300
