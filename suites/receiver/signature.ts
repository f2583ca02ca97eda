// RCV-004  "A delivery with a missing header is refused."
// RCV-005  "A delivery with no matching signature is refused."
// RCV-008  "A delivery whose id, timestamp or body was changed after signing is refused."
// RCV-020  "The signature is made with the decoded secret: a delivery signed with another secret, or with an empty or
//           undecoded key, is refused."
// RCV-029  "A delivery whose headers have the names of another family, such as `svix-id`, lacks its headers and is refused."
//
// The last is advice: libraries that serve two families of names read both, and what they take is signed with the secret.
// What is refused has an id of its own: of one that was taken before, an endpoint that tells its counts drops a forgery as
// a duplicate, whatever it thinks of its signature.

import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { loadEventSamples } from '../../fixtures/index.js'
import {
  collidingWith,
  hmac,
  keyOf,
  macOf,
  macsOfOtherHashes,
  newSecret,
  receiverCase,
  type Delivery,
} from '../../harness/authoring.js'

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const everyFourth = (from: number) => Array.from({ length: 8 }, (_, index) => from + 4 * index)
/** Of the right value, no decoder of base64 equates one of these with it. A slow receiver is asked some forty in the time of a case. */
const worseValues: readonly ((value: string) => string)[] = [
  ...[1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 41, 42].map((length) => (value: string) => value.slice(0, length)),
  ...[1, 2, 4, 12, 20, 28, 36, 40].map((from) => (value: string) => value.slice(from)),
  ...[...everyFourth(0), ...everyFourth(2)].map(
    (at) => (value: string) => withBitChanged(Buffer.from(value, 'base64'), at * 8).toString('base64'),
  ),
  // Their sum is the same, and so is what all of them make by exclusive or.
  (value) => Buffer.from(value, 'base64').reverse().toString('base64'),
  (value) => withBitChanged(withBitChanged(Buffer.from(value, 'base64'), 24), 160).toString('base64'),
  // So is a 32-bit hash of the text.
  (value) => collidingWith(value, 31) ?? '',
  (value) => `A${value}`,
  (value) => `AAAA${value}`,
]

/** Types that the interface does not know; some endpoints answer those of a trial before they verify anything. */
const unknownTypes = ['domain.verified', 'ping', 'test', 'webhook.test', 'webhook.ping']

export const signature = [
  ...headerNames.map((name) =>
    receiverCase({
      id: `receiver/signature/refuses-without-${name}`,
      requirements: ['RCV-004'],
      level: 'must',
      title: `a delivery without ${name} is refused`,
      async run({ delivery, accepts, refuses, require }) {
        await accepts(delivery(), require.of('RCV-001'))
        await refuses(delivery({ without: [name] }))
        await refuses(delivery({ extra: { [name]: '' } }))
        // What a program makes of a header that is not there, signed: the header is missing all the same.
        for (const text of name === 'webhook-signature' ? [] : ['', 'undefined'])
          await refuses(delivery({ without: [name], signed: { [name.replace('webhook-', '')]: text } }))
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
    async run({ delivery, accepts, refuses, require, unique, ownEvents, profile }) {
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
      for (const own of ownEvents) await refuses(own.delivery().with({ without: ['webhook-signature'] }))
      if (ownEvents.length > 0 || profile !== 'interface') return
      for (const sample of eventsOfEveryType())
        await refuses(delivery({ without: ['webhook-signature'], event: { ...sample, id: `evt_${unique()}` } }))
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-headers-of-another-family',
    requirements: ['RCV-029'],
    level: 'should',
    title: 'the three headers under the names of another family (`svix-id` for `webhook-id`) are refused',
    async run({ delivery, accepts, refuses, require }) {
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
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery({ signature: `v1,${Buffer.alloc(32, 7).toString('base64')}` }))
      await refuses(delivery({ signature: (entry) => `v1,${flipped(entry.slice(3))}` }))
      await refuses(delivery({ signature: (entry) => entry.slice(0, 3 + 20) }))
      await refuses(delivery({ signature: (entry) => `v1,${entry.slice(3).toLowerCase()}` }))
      await refuses(delivery({ signature: (entry) => `v1,${Buffer.from(entry.slice(3), 'base64').toString('hex')}` }))
      await refuses(delivery({ signature: 'v1,' }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-parts-of-a-good-signature',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'parts of the right signature, text before it, and a changed byte are refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const worse of worseValues)
        await refuses(delivery({ signature: (entry) => `v1,${worse(entry.slice('v1,'.length))}` }))
      await refuses(delivery({ signature: (entry) => entry.slice('v1'.length) }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-another-secret',
    requirements: ['RCV-020'],
    level: 'must',
    title: 'a delivery signed with another, an empty or an undecoded secret is refused',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(delivery({ secret: newSecret() }))
      const keys = [
        () => Buffer.alloc(0),
        (secret: string) => Buffer.from(secret),
        (secret: string) => Buffer.from(secret.replace('whsec_', '')),
      ]
      for (const keyFor of keys) {
        const each = delivery()
        const { id, timestamp, body, secret } = each.fields
        await refuses(each.with({ signature: `v1,${macOf(keyFor(secret), { id, timestamp, body })}` }))
      }
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-another-algorithm',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a MAC of any other hash, or a hash without a key, is refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const each = delivery()
      for (const [, mac] of macsOfOtherHashes(keyOf(each.fields.secret), each.fields))
        await refuses(each.with({ signature: `v1,${mac}` }))
      await refuses(each.with({ signature: `v1,${createHash('sha256').update(signedOf(each)).digest('base64')}` }))
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-a-forgery-of-every-type',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a forged delivery is refused for every event type, also an unknown one',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, unique, ownEvents, profile }) {
      await accepts(delivery(), require.of('RCV-001'))
      const forged = { signature: `v1,${Buffer.alloc(32, 8).toString('base64')}` }
      for (const own of ownEvents) await refuses(own.delivery().with(forged))
      if (ownEvents.length > 0 || profile !== 'interface') return
      for (const sample of eventsOfEveryType())
        await refuses(delivery({ ...forged, event: { ...sample, id: `evt_${unique()}` } }))
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-parts-signed-alone',
    requirements: ['RCV-008'],
    level: 'must',
    title: 'a signature that leaves out the id, the timestamp, the body or a stop is refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const part of ['body', 'timestamp', 'id'] as const) {
        const each = delivery()
        const { id, timestamp, body, secret } = each.fields
        const prefix = { body: '', timestamp: `${timestamp}.`, id: `${id}.` }[part]
        await refuses(each.with({ signature: `v1,${hmac(keyOf(secret), prefix, body)}` }))
      }
      // Without the stops, in another order, and without the body: of such a string a part can stand in another one's place.
      const { id, timestamp, body, secret } = delivery().fields
      for (const parts of [
        [`${id}${timestamp}`, body],
        [`${timestamp}.${id}.`, body],
        [`${id}.${timestamp}`],
        [`${id}.${timestamp}.`],
      ])
        await refuses(
          delivery({ id, timestamp, body, secret }).with({ signature: `v1,${hmac(keyOf(secret), ...parts)}` }),
        )
    },
  }),

  receiverCase({
    id: 'receiver/signature/refuses-what-was-changed-after-signing',
    requirements: ['RCV-008'],
    level: 'must',
    title: 'a delivery with a changed id, timestamp or body is refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, unique, now }) {
      const good = delivery()
      await accepts(good, require.of('RCV-001'))
      await refuses(delivery().tampered({ id: `evt_${unique()}` }))
      await refuses(delivery().tampered({ timestamp: now() - 7 }))
      const other = delivery()
      await refuses(other.tampered({ body: Buffer.concat([other.fields.body, Buffer.from(' ')]) }))
      await refuses(other.tampered({ body: other.fields.body.subarray(0, -1) }))
      await refuses(other.tampered({ body: Buffer.alloc(0) }))
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
          const changed = (entry: string) =>
            withBitChanged(Buffer.from(entry.slice(3), 'base64'), bit).toString('base64')
          await refuses(delivery({ signature: (entry) => `v1,${changed(entry)}` }), requireThat.of('RCV-005'))
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

/** What is signed of a delivery. */
function signedOf({ fields: { id, timestamp, body } }: Delivery): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
}

/** The bytes with one bit changed: of all their bits the one at this position, counted round. */
function withBitChanged(bytes: Uint8Array, position: number): Buffer {
  const changed = Buffer.from(bytes)
  const at = position % (changed.length * 8)
  changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7))
  return changed
}

function flipped(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[31] = (bytes[31] ?? 0) ^ 1
  return bytes.toString('base64')
}
