// RCV-004  "A delivery with a missing header is refused."
// RCV-005  "A delivery with no matching signature is refused."
// RCV-008  "A delivery whose id, timestamp or body was changed after signing is refused."
// RCV-020  "The signature is made with the decoded secret: a delivery signed with another secret, or with an empty or
//           undecoded key, is refused."
// RCV-029  "A delivery whose headers have the names of another family, such as `svix-id`, has missing headers and is refused."
//
// The last is advice: libraries that serve two families of names read both, and deliveries they accept are signed with the secret. Each
// refused delivery has a new id: with a known one, an endpoint that reports its counts would drop a forgery as a duplicate, whatever its
// signature.

import fc from 'fast-check'
import { loadEventSamples } from '../../fixtures/index.js'
import { receiverCase } from '../../harness/authoring.js'
import { withBitChanged } from '../shared/forgeries/signatures.js'
import { forged, refusesForgeries } from './forged.js'

const headers = [
  { name: 'webhook-id', group: 'missing-id', needs: ['scheme:signed-id'] },
  { name: 'webhook-timestamp', group: 'missing-timestamp', needs: ['scheme:timestamp'] },
  { name: 'webhook-signature', group: 'missing-signature', needs: [] },
] as const
const headerNames = headers.map(({ name }) => name)

/** Types that the interface does not know; some endpoints answer those of a trial before they verify anything. */
const unknownTypes = ['domain.verified', 'ping', 'test', 'webhook.test', 'webhook.ping']

export const signature = [
  ...headers.map(({ name, group, needs }) =>
    receiverCase({
      id: `receiver/signature/refuses-without-${name}`,
      requirements: ['RCV-004'],
      level: 'must',
      title: `a delivery without its ${name.slice('webhook-'.length)} is refused`,
      needs: [...needs],
      async run(context) {
        const { delivery, accepts, require } = context
        await accepts(delivery(), require.of('RCV-001'))
        await refusesForgeries(context, group)
        await accepts(delivery())
      },
    }),
  ),

  receiverCase({
    id: 'receiver/signature/refuses-an-unsigned-post',
    requirements: ['RCV-004'],
    level: 'must',
    title: 'a post without the three headers, or without its signature, is refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, unique, ownEvents, profile, forEach }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery({ without: headerNames }))
      // Lengths beyond what the parsers of usual frameworks take.
      for (const more of [20_000, 70_000, 300_000])
        await refuses(
          delivery({
            without: ['webhook-signature'],
            body: Buffer.concat([delivery().fields.body, Buffer.alloc(more, ' ')]),
          }),
        )
      await forEach(ownEvents, (own) => refuses(own.delivery().with({ without: ['webhook-signature'] })))
      if (ownEvents.length > 0 || profile !== 'interface') return
      await forEach(eventsOfEveryType(), (sample) =>
        refuses(delivery({ without: ['webhook-signature'], event: { ...sample, id: `evt_${unique()}` } })),
      )
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-headers-of-another-family',
    requirements: ['RCV-029'],
    level: 'should',
    needs: ['scheme:signed-id'],
    title: 'the three headers under the names of another family (`svix-id` for `webhook-id`) are refused',
    async run({ delivery, accepts, refuses, require, scheme, leaveToOthers }) {
      const lenience = scheme.data.leniences?.['other-header-names']
      if (lenience !== undefined) leaveToOthers(lenience)
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery().inOtherFamily)
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-a-wrong-signature',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a signature of the right form that does not match is refused',
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'wrong-value')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-parts-of-a-good-signature',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'parts of the right signature, text before it, and a changed byte are refused',
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'part-of-value')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-another-secret',
    requirements: ['RCV-020'],
    level: 'must',
    title: 'a delivery signed with another, an empty or an undecoded secret is refused',
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'other-key')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-another-algorithm',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a MAC of any other hash, or a hash without a key, is refused',
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'other-hash')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-a-forgery-of-every-type',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a forged delivery is refused for every event type, also an unknown one',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, unique, ownEvents, profile, forEach }) {
      await accepts(delivery(), require.of('RCV-001'))
      await forEach(ownEvents, (own) => refuses(forged(own.delivery())))
      if (ownEvents.length > 0 || profile !== 'interface') return
      await forEach(eventsOfEveryType(), (sample) =>
        refuses(forged(delivery({ event: { ...sample, id: `evt_${unique()}` } }))),
      )
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-parts-signed-alone',
    requirements: ['RCV-008'],
    level: 'must',
    title: 'a signature that leaves out the id, timestamp, body or a full stop is refused',
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'other-content')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-what-was-changed-after-signing',
    requirements: ['RCV-008'],
    level: 'must',
    title: 'a delivery with a changed id, timestamp or body is refused',
    timeoutMs: 180_000,
    async run(context) {
      const { delivery, accepts, require } = context
      await accepts(delivery(), require.of('RCV-001'))
      await refusesForgeries(context, 'changed')
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-any-changed-bit',
    requirements: ['RCV-008'],
    level: 'must',
    title: 'a body, and a signature, in which one bit was changed after signing is refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, property, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await property(
        fc.tuple(fc.nat(), fc.nat(255)),
        async ([position, bit], requireThat) => {
          const good = delivery()
          await refuses(good.tampered({ body: withBitChanged(good.fields.body, position) }), requireThat)
          const other = delivery()
          const changed = withBitChanged(other.macBytes, bit).toString(other.scheme.data.encoding)
          await refuses(other.signedWith(changed), requireThat.of('RCV-005'))
          await accepts(delivery(), requireThat.of('RCV-001'))
        },
        { runs: 10 },
      )
    },
  }),
]

/** An event of each type, in each shape of its data, and of types that the interface does not know. */
function eventsOfEveryType(): readonly object[] {
  const samples: readonly object[] = loadEventSamples()
  return [...samples, ...unknownTypes.map((type) => ({ ...samples[0], type }))]
}
