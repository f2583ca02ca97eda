// RCV-012  "`webhook-id` is identical on every retry: the same event sent again is answered with a 2xx."
// RCV-017  "Deliveries that arrive side by side are each answered."

import { receiverCase } from '../../harness/authoring.js'

/** Deliveries at once; fewer where a receiver that takes one after the other would need more than so many milliseconds. */
const burst = { most: 20, least: 2, withinMs: 6_000 }

export const duplicates = [
  receiverCase({
    id: 'receiver/duplicates/accepts-the-same-delivery-again',
    requirements: ['RCV-012'],
    level: 'must',
    title: 'the same bytes again, and the same event signed at a later time, are answered with a 2xx',
    async run({ delivery, accepts, now, require }) {
      const first = delivery({ timestamp: now() - 5 })
      await accepts(first, require)
      await accepts(first)
      await accepts(first.with({ timestamp: now() }))
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
    title: 'a forged delivery with the id of a later one does not make the later one fail',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const good = delivery()
      await refuses(good.with({ signature: `v1,${Buffer.alloc(32).toString('base64')}` }))
      await accepts(good)
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
            ? refuses(delivery({ signature: `v1,${Buffer.alloc(32, index).toString('base64')}` }))
            : send(delivery()).then((answer) => check.status(answer, '2xx')),
        ),
      )
    },
  }),
]
