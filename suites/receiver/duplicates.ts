// RCV-005  "A delivery with no matching signature is refused."
// RCV-006  "A delivery whose timestamp is more than 300 seconds in the past is refused."
// RCV-008  "A delivery whose id, timestamp or body was changed after signing is refused."
// RCV-012  "`webhook-id` is identical on every retry: the same event sent again is answered with a 2xx."
// RCV-017  "Deliveries that arrive concurrently are all answered."

import { loadEventSamples } from '../../fixtures/index.js'
import { receiverCase, type Delivery } from '../../harness/authoring.js'
import { forged } from './forged.js'
import { edgesFor } from './valid-variations.js'

/** Concurrent deliveries: `most`, or fewer if a receiver that handles them one by one would need more than `withinMs` milliseconds. */
const burst = { most: 20, least: 2, withinMs: 6_000 }

const daySeconds = 86_400

export const duplicates = [
  receiverCase({
    id: 'receiver/duplicates/accepts-the-same-delivery-again',
    requirements: ['RCV-012'],
    level: 'must',
    title: 'the same bytes again, and the event signed later, are answered with a 2xx',
    async run(context) {
      const { delivery, accepts, now, require, unique, ownEvents, profile, forEach } = context
      const first = delivery({ timestamp: now() - Math.min(5, edgesFor(context).inside) })
      await accepts(first, require)
      await accepts(first)
      await accepts(first.with({ timestamp: now() }))
      const samples = profile === 'interface' && ownEvents.length === 0 ? loadEventSamples() : []
      await forEach(samples, async (sample) => {
        const valid = delivery({ event: { ...sample, id: `evt_${unique()}` } })
        await accepts(valid, require.of('RCV-001'))
        await accepts(valid)
      })
    },
  }),

  receiverCase({
    id: 'receiver/duplicates/accepts-duplicates-side-by-side',
    requirements: ['RCV-012', 'RCV-017'],
    level: 'should',
    title: 'the same delivery several times at once is answered with a 2xx each time',
    async run({ delivery, accepts, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const same = delivery()
      await Promise.all(Array.from({ length: 5 }, () => accepts(same)))
    },
  }),

  receiverCase({
    id: 'receiver/duplicates/a-refused-delivery-does-not-use-up-its-id',
    requirements: ['RCV-012'],
    level: 'must',
    title: 'an invalid delivery with the id of a later one does not block it',
    async run({ delivery, accepts, refuses, require, check, now, scheme }) {
      await accepts(delivery(), require.of('RCV-001'))
      const old = (good: Delivery) => good.with({ timestamp: now() - 2 * daySeconds })
      for (const [requirement, spoil] of [
        ['RCV-005', forged],
        ...(scheme.has('past') ? [['RCV-006', old] as const] : []),
        ['RCV-004', (good: Delivery) => good.with({ without: ['webhook-signature'] })],
      ] as const) {
        const good = delivery()
        await refuses(spoil(good), check.of(requirement))
        await accepts(good)
      }
    },
  }),

  receiverCase({
    id: 'receiver/duplicates/refuses-what-is-not-valid-of-an-event-it-took',
    requirements: ['RCV-005', 'RCV-006', 'RCV-008'],
    level: 'must',
    title: 'after a delivery was accepted, invalid ones with its id are refused',
    async run({ delivery, accepts, refuses, require, check, now, scheme }) {
      const good = delivery()
      await accepts(good, require.of('RCV-001'))
      await refuses(forged(good), check.of('RCV-005'))
      // An endpoint that caches results by signature, not by signed bytes, accepts this one.
      const longer = Buffer.concat([Buffer.from(good.fields.body), Buffer.from(' ')])
      await refuses(good.tampered({ body: longer }), check.of('RCV-008'))
      if (scheme.has('past')) await refuses(good.with({ timestamp: now() - 2 * daySeconds }), check.of('RCV-006'))
      await accepts(good, require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/duplicates/answers-a-burst',
    requirements: ['RCV-017'],
    level: 'should',
    title: `up to ${burst.most} deliveries at once, good and forged, are each answered as if alone`,
    async run({ delivery, accepts, refuses, send, require, check }) {
      const { durationMs } = await accepts(delivery(), require.of('RCV-001'))
      const count = Math.max(burst.least, Math.min(burst.most, Math.floor(burst.withinMs / durationMs)))
      await Promise.all(
        Array.from({ length: count }, (_, index) =>
          index % 4 === 3
            ? refuses(forged(delivery()))
            : send(delivery()).then((answer) => check.status(answer, '2xx')),
        ),
      )
    },
  }),
]
