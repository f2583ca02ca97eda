// RCV-001  "A signed delivery is answered with a 2xx."
// RCV-005  "A delivery with no matching signature is refused."
// RCV-008  "A delivery whose id, timestamp or body was changed after signing is refused."
// RCV-026  "The answer to an invalid delivery does not reveal the correct signature."
//
// Reading: only its id, timestamp, body and signature decide whether a delivery is valid. The connection, the content type and the coding
// of its body change nothing: an unsigned one is refused. It is open whether a coded and signed body is decoded.

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { receiverCase, type Delivery } from '../../harness/authoring.js'
import { wrongEntryFor } from '../shared/forgeries/forgery.js'
import { forgeriesOf, reasonToSkip, requirementsOfGroups, type ForgeryGroup } from '../shared/forgeries/index.js'
import { forged } from './forged.js'

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const contentTypes = [
  'application/json; charset=utf-8',
  'application/json; charset=iso-8859-1',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/cloudevents+json',
] as const

/** Headers that any client can send. */
const unrelatedHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;proto=https' },
  { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1', 'x-forwarded-proto': 'https' },
  { 'x-test': '1', 'x-debug': 'true', 'webhook-test': 'true', 'x-skip-verification': 'true' },
  { authorization: 'Bearer key_1', cookie: 'session=1', 'x-api-key': 'key_1' },
]

/** How a delivery arrives: none of it decides whether the delivery is valid. */
const anyForm = fc
  .tuple(
    fc.constantFrom<Parameters<Delivery['with']>[0]>({}, { chunkBytes: 7 }, { chunkBytes: 4_000 }, { cuts: [1, 30] }),
    fc.constantFrom({}, ...contentTypes.map((type) => ({ 'content-type': type }))),
    fc.constantFrom({}, ...unrelatedHeaders),
    fc.constantFrom({}, { names: (name: string) => name.toUpperCase() }),
    fc.constantFrom({}, { keepsConnection: true }),
  )
  .map(([pieces, type, headers, ...others]) => Object.assign({ extra: { ...type, ...headers } }, pieces, ...others))

/** Groups whose every delivery must be refused. */
const refusedGroups: readonly ForgeryGroup[] = [
  ...(['missing-id', 'missing-timestamp', 'missing-signature', 'wrong-value', 'part-of-value', 'other-key'] as const),
  ...(['other-hash', 'other-content', 'changed', 'version', 'stale', 'future', 'malformed-timestamp'] as const),
]

export const arrival = [
  receiverCase({
    id: 'receiver/arrival/refuses-any-forgery-however-it-arrives',
    requirements: ['RCV-004', 'RCV-005', 'RCV-006', 'RCV-007', 'RCV-008', 'RCV-011', 'RCV-020', 'RCV-023'],
    level: 'must',
    title: 'any forgery is refused in any form of HTTP, with any type and other headers',
    timeoutMs: 400_000,
    async run({ delivery, accepts, refuses, property, require, scheme }) {
      await accepts(delivery(), require.of('RCV-001'))
      const all = refusedGroups.flatMap((group) => forgeriesOf(group))
      await property(
        fc.record({
          forgery: fc.constantFrom(...all.filter((forgery) => reasonToSkip(forgery, scheme) === undefined)),
          form: anyForm,
        }),
        async ({ forgery, form }, requireThat) => {
          const bad = forgery.make(delivery(form))
          if (bad === undefined) return
          await refuses(bad, requireThat.of(requirementsOfGroups[forgery.group].receiver), forgery.title)
          await accepts(delivery(), requireThat.of('RCV-001'))
        },
        { runs: 16 },
      )
    },
  }),

  receiverCase({
    id: 'receiver/arrival/refuses-a-forgery-on-a-kept-connection',
    requirements: ['RCV-005', 'RCV-008'],
    level: 'must',
    title: 'forged and changed deliveries between valid ones on one connection are refused',
    async run({ delivery, accepts, refuses, require, check }) {
      const over = { keepsConnection: true }
      const good = delivery(over)
      await accepts(good, require.of('RCV-001'))
      await refuses(forged(delivery(over)), check.of('RCV-005'))
      // A matching signature proves nothing about other bytes.
      const longer = Buffer.concat([good.fields.body, Buffer.from(' ')])
      await refuses(good.tampered({ body: longer }), check.of('RCV-008'))
      await accepts(delivery(over), require.of('RCV-001'))
      const tampered = delivery(over)
      const body = Buffer.concat([tampered.fields.body, Buffer.from('\n')])
      await refuses(tampered.tampered({ body }), check.of('RCV-008'))
      await accepts(delivery(over), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/arrival/takes-a-delivery-after-any-refusal-on-a-kept-connection',
    requirements: ['RCV-001'],
    level: 'must',
    title: 'a valid delivery is accepted on a connection where one was refused',
    async run({ delivery, accepts, sendInvalid, require, check, now }) {
      const over = { keepsConnection: true }
      await accepts(delivery(over), require.of('RCV-001'))
      const refused: readonly Delivery[] = [
        ...headerNames.map((name) => delivery({ ...over, without: [name] })),
        delivery({ ...over, timestamp: now() - 3_600 }),
        delivery({ ...over, signature: 'v1' }),
        forged(delivery(over)),
      ]
      // An unread body precedes the next request. Other cases check that each is refused.
      for (const bad of refused) {
        await sendInvalid(bad)
        await accepts(delivery(over), check)
      }
    },
  }),

  // An attempt may break off at any time; the sender repeats it.
  receiverCase({
    id: 'receiver/arrival/takes-a-delivery-after-one-that-broke-off',
    requirements: ['RCV-001'],
    level: 'must',
    title: 'after a delivery cut off in its body, the same and another event are accepted',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const share of [0.5, 0.9]) {
        const sent = delivery()
        // The client cannot get the refusal; the valid delivery that follows shows whether the endpoint still works.
        await refuses(sent.with({ breaksOffAfter: Math.ceil(sent.fields.body.length * share) }))
        await accepts(sent)
      }
    },
  }),

  receiverCase({
    id: 'receiver/arrival/refuses-a-forgery-of-any-type',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a forged delivery is refused with any content type, and without one',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, forEach }) {
      await accepts(delivery(), require.of('RCV-001'))
      await forEach(contentTypes, (type) => refuses(forged(delivery({ extra: { 'content-type': type } }))))
      await refuses(forged(delivery({ without: ['content-type'] })))
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/arrival/refuses-a-forgery-whatever-else-it-carries',
    requirements: ['RCV-005'],
    level: 'must',
    title: 'a forged delivery is refused whatever trust its other headers claim',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, forEach }) {
      await accepts(delivery(), require.of('RCV-001'))
      await forEach(unrelatedHeaders, (extra) => refuses(forged(delivery({ extra }))))
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/arrival/refuses-a-forgery-in-gzip',
    requirements: ['RCV-005', 'RCV-008'],
    level: 'must',
    title: 'a forged body in gzip is refused, also under the signature of another body',
    async run({ delivery, accepts, refuses, require, check }) {
      await accepts(delivery(), require.of('RCV-001'))
      const coded = { 'content-encoding': 'gzip' }
      const plain = delivery()
      const body = gzipSync(plain.fields.body)
      await refuses(forged(plain.with({ body, extra: coded })), check.of('RCV-005'))
      const other = delivery()
      const tampered = Buffer.concat([plain.fields.body, Buffer.from(' ')])
      await refuses(other.tampered({ body: gzipSync(tampered) }).with({ extra: coded }), check.of('RCV-008'))
      await refuses(forged(delivery({ extra: coded })), check.of('RCV-005'))
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/arrival/refuses-a-forgery-in-pieces',
    requirements: ['RCV-005', 'RCV-008'],
    level: 'must',
    title: 'a forged delivery is refused however its body arrives: in pieces, in chunks, or large',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require, check }) {
      await accepts(delivery(), require.of('RCV-001'))
      const sent = delivery()
      const middle = Math.ceil(sent.fields.body.length / 2)
      await refuses(forged(sent.with({ cuts: [1, middle] })), check.of('RCV-005'))
      await refuses(forged(delivery({ chunkBytes: 7 })), check.of('RCV-005'))
      // Below and beyond what the parsers of usual frameworks take.
      for (const more of [20_000, 70_000, 300_000]) {
        const grown = Buffer.concat([sent.fields.body, Buffer.alloc(more, ' ')])
        await refuses(delivery().tampered({ body: grown }), check.of('RCV-008'))
      }
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/arrival/refuses-doubled-headers-none-of-which-is-right',
    requirements: ['RCV-005', 'RCV-008'],
    level: 'must',
    title: 'a header that is repeated and wrong both times is refused',
    async run({ delivery, accepts, refuses, require, check, unique }) {
      await accepts(delivery(), require.of('RCV-001'))
      const bad = forged(delivery())
      const { scheme } = bad
      const second = scheme.signatureText(
        wrongEntryFor(bad, 'second'),
        scheme.timestampAt(Number(bad.fields.timestamp)),
      )
      await refuses(bad.with({ repeated: { 'webhook-signature': second } }), check.of('RCV-005'))
      if (!scheme.has('signed-id') || !scheme.has('id-header')) return
      const [id, other] = [`evt_${unique()}`, `evt_${unique()}`]
      const renamed = delivery().tampered({ id })
      await refuses(renamed.with({ repeated: { 'webhook-id': other } }), check.of('RCV-008'))
      await accepts(delivery(), require.of('RCV-001'))
    },
  }),

  receiverCase({
    id: 'receiver/arrival/keeps-the-right-signature-to-itself',
    requirements: ['RCV-026'],
    level: 'must',
    title: 'the answer to a refused delivery does not contain the right signature',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      await refuses(forged(delivery()))
      await refuses(delivery().tampered({ body: Buffer.from('{"a":1}') }))
      await refuses(delivery({ signature: '' }))
      await refuses(delivery({ signature: (_, mac) => `v2,${mac}` }).tampered({ body: Buffer.from('{}') }))
    },
  }),
]
