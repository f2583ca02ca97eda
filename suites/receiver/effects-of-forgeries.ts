// RCV-024  "An invalid delivery has no effect: no work is done for its id, nor for the id of the delivery from which it was
//           made."
// RCV-025  "A 2xx means that the event was accepted: its work is done."

import { receiverCase, type Delivery, type ReceiverContext } from '../../harness/authoring.js'
import { idsOf, isHandledOnce } from './effects.js'
import { forged, forgedOf } from './forged.js'

const slowMs = 300_000
const daySeconds = 86_400

export const effectsOfForgeries = [
  receiverCase({
    id: 'receiver/effects/does-nothing-for-a-forgery',
    requirements: ['RCV-024'],
    level: 'must',
    title: 'deliveries with a wrong signature or secret, or without a header, have no effect',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery } = context
      await haveNoEffect(context, [
        forged(delivery()),
        delivery({ signature: '' }),
        delivery({ signature: (good) => good.slice(0, 20) }),
        ...(['version', 'other-key', 'missing-id', 'missing-timestamp', 'missing-signature'] as const).flatMap(
          (group) =>
            forgedOf(context, group)
              .slice(0, 1)
              .map(({ bad }) => bad),
        ),
        forged(delivery({ method: 'PUT' })),
        forged(delivery({ extra: { 'content-type': 'text/plain' } })),
      ])
    },
  }),

  receiverCase({
    id: 'receiver/effects/does-nothing-for-a-stale-delivery',
    requirements: ['RCV-024'],
    level: 'must',
    title: 'deliveries from the past, the future or without a valid time have no effect',
    needs: ['scheme:past', 'handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, now } = context
      await haveNoEffect(context, [
        delivery({ timestamp: now() - 2 * daySeconds }),
        ...(context.scheme.has('future')
          ? [delivery({ timestamp: now() + 2 * daySeconds }), delivery({ timestamp: now() * 1000 })]
          : []),
        ...forgedOf(context, 'malformed-timestamp')
          .slice(0, 1)
          .map(({ bad }) => bad),
        ...(context.scheme.data.leniences?.['timestamp-malformed'] === undefined ? [delivery({ timestamp: '' })] : []),
      ])
    },
  }),

  receiverCase({
    id: 'receiver/effects/does-nothing-for-a-tampered-delivery',
    requirements: ['RCV-024'],
    level: 'must',
    title: 'a delivery changed after signing has no effect for either id',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, unique, now, accepts, handled, check, require } = context
      const longer = ({ fields: { body } }: Delivery) => Buffer.concat([Buffer.from(body), Buffer.from(' ')])
      const [one, two] = [delivery(), delivery()]
      await haveNoEffect(context, [
        one.tampered({ body: longer(one) }),
        two.tampered({ body: Buffer.from(JSON.stringify({ id: two.fields.id, type: 'message.received', data: {} })) }),
        ...(context.scheme.has('signed-id') ? [delivery().tampered({ id: `evt_${unique()}` })] : []),
        ...(context.scheme.has('timestamp') ? [delivery().tampered({ timestamp: now() - 3 })] : []),
      ])
      const known = delivery()
      await accepts(known, require.of('RCV-001'))
      await handled.awaited(known.fields.id)
      const renamed = context.scheme.has('signed-id') ? known.tampered({ id: `evt_${unique()}` }) : forged(delivery())
      await context.sendInvalid(renamed)
      await context.sendInvalid(known.tampered({ body: longer(known) }))
      const counts = await handled.watched([known.fields.id], 1)
      const count = counts.get(known.fields.id) ?? 0
      check.ok(`how often ${known.fields.id} was handled, tampered copies of which were sent`, count <= 1, '1', count)
      check.equal(`how often its copy under another id was handled`, await handled.of(renamed.fields.id), 0)
    },
  }),

  receiverCase({
    id: 'receiver/effects/handles-an-event-after-a-forgery-of-it',
    requirements: ['RCV-025', 'RCV-024'],
    level: 'must',
    title: 'an invalid delivery does not use up its id: the valid one is handled',
    needs: ['handled'],
    timeoutMs: slowMs,
    async run(context) {
      const { delivery, sendInvalid, accepts, check, require, handled, now } = context
      const plain = delivery()
      await accepts(plain, require.of('RCV-001'))
      require.equal(
        'how often a plain event was handled, within 5 s of its answer',
        await handled.awaited(plain.fields.id),
        1,
      )
      const spoilt: readonly ((good: Delivery) => Delivery)[] = [
        forged,
        ...(context.scheme.has('past') ? [(good: Delivery) => good.with({ timestamp: now() - 2 * daySeconds })] : []),
        ...(context.scheme.has('future') ? [(good: Delivery) => good.with({ timestamp: now() + 2 * daySeconds })] : []),
        (good) => good.tampered({ body: Buffer.concat([Buffer.from(good.fields.body), Buffer.from(' ')]) }),
        (good) => good.with({ without: ['webhook-signature'] }),
        // Its body alone names the event.
        ...(context.scheme.has('signed-id') ? [(good: Delivery) => good.with({ without: ['webhook-id'] })] : []),
      ]
      for (const spoil of spoilt) {
        const good = delivery()
        await sendInvalid(spoil(good))
        await accepts(good, check.of('RCV-001'))
        await isHandledOnce(context, good)
      }
    },
  }),
]

/** Sends them all, watches, and reports a mismatch for each that led to anything. */
async function haveNoEffect(context: ReceiverContext, bad: readonly Delivery[]): Promise<void> {
  const { accepts, sendInvalid, delivery, handled, check, require, forEach } = context
  await accepts(delivery(), require.of('RCV-001'))
  await forEach(bad, (invalid) => sendInvalid(invalid))
  const counts = await handled.watched(idsOf(bad), 0)
  for (const [id, count] of counts) check.equal(`how often ${id}, which has no valid delivery, was handled`, count, 0)
}
