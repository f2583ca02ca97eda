// VFY-001  "The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`: a change of the id, the timestamp or the
//           body is refused."
// VFY-003  "The signature is base64 of HMAC-SHA256: the complete value must be equal; a modified or truncated one is
//           refused."
// VFY-004  "A delivery is valid when at least one `v1` entry equals the computed signature, at any position."
// VFY-019  "Header names are HTTP header names: their case and their order do not matter."

import fc from 'fast-check'
import { keyOf, macOf, newSecret, verifierCase } from '../../harness/authoring.js'
import { accepts, delivery, eventText, refuses, testClock, withHeaders, wrongEntry } from './deliveries.js'

/** Lengths of a note in a body: some are for code that handles large bodies differently, of four and more buffers. */
const lengths = [0, 6_000, 70_000, 300_000] as const

export const properties = [
  verifierCase({
    id: 'verifier/properties/refuses-any-flipped-bit-of-the-body',
    requirements: ['VFY-001', 'VFY-005'],
    level: 'must',
    title: 'a body with any one bit changed is refused',
    async run({ property, verify, unique }) {
      await property(
        fc.tuple(fc.nat(), fc.nat(7)),
        async ([position, bit], require) => {
          const good = delivery(unique())
          const payload = Buffer.from(good.payload)
          const at = position % payload.length
          payload[at] = (payload[at] ?? 0) ^ (1 << bit)
          await accepts({ verify, check: require }, good)
          await refuses(
            { verify, check: require },
            { ...good, payload },
            `a body with bit ${bit} of byte ${at} changed`,
          )
        },
        { runs: 40 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/refuses-any-flipped-bit-of-the-signature',
    requirements: ['VFY-003', 'VFY-009'],
    level: 'must',
    title: 'a signature with any one bit changed is refused',
    async run({ property, verify, unique }) {
      await property(
        fc.nat(255),
        async (position, require) => {
          const good = delivery(unique())
          const mac = Buffer.from((good.headers['webhook-signature'] ?? '').slice(3), 'base64')
          mac[position >> 3] = (mac[position >> 3] ?? 0) ^ (1 << (position & 7))
          const bad = withHeaders(good, { 'webhook-signature': `v1,${mac.toString('base64')}` })
          await refuses({ verify, check: require }, bad, `a signature with bit ${position} changed`)
        },
        { runs: 40 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/refuses-every-prefix-of-the-signature',
    requirements: ['VFY-003', 'VFY-009'],
    level: 'must',
    title: 'a signature cut short anywhere is refused',
    async run({ property, verify, unique }) {
      await property(
        fc.integer({ min: 0, max: 42 }),
        async (length, require) => {
          const good = delivery(unique())
          const bad = withHeaders(good, {
            'webhook-signature': (good.headers['webhook-signature'] ?? '').slice(0, 3 + length),
          })
          await refuses({ verify, check: require }, bad, `a signature of ${length} characters`)
        },
        { runs: 25, examples: [0, 1, 22, 41, 42] },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/refuses-a-changed-id-or-timestamp',
    requirements: ['VFY-001'],
    level: 'must',
    title: 'a delivery with a changed id or timestamp is refused',
    async run({ property, verify, unique }) {
      await property(
        fc.record({
          id: fc.stringMatching(/^evt_[a-z0-9]{1,20}$/),
          shift: fc.integer({ min: -200, max: 200 }).filter((shift) => shift !== 0),
        }),
        async ({ id, shift }, require) => {
          const good = delivery(unique())
          await refuses(
            { verify, check: require },
            withHeaders(good, { 'webhook-id': id }),
            'another id than the one signed',
          )
          const timestamp = String(testClock + shift)
          await refuses(
            { verify, check: require },
            withHeaders(good, { 'webhook-timestamp': timestamp }),
            'another timestamp than the one signed',
          )
        },
        { runs: 20 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/accepts-the-matching-entry-in-any-position',
    requirements: ['VFY-004', 'VFY-010'],
    level: 'must',
    title: 'the matching entry is found among others in any order; without one, verification fails',
    async run({ property, verify, unique }) {
      const others = fc.array(
        fc.oneof(
          fc.constant(wrongEntry),
          fc
            .constantFrom('v2', 'v1a', 'v0', 'v10')
            .map((version) => `${version},${Buffer.alloc(32, 3).toString('base64')}`),
        ),
        { maxLength: 6 },
      )
      await property(
        fc.tuple(others, fc.nat()),
        async ([wrong, position], require) => {
          const good = delivery(unique())
          const entries = [...wrong]
          entries.splice(position % (wrong.length + 1), 0, good.headers['webhook-signature'] ?? '')
          await accepts(
            { verify, check: require },
            withHeaders(good, { 'webhook-signature': entries.join(' ') }),
            'a header with one matching entry',
          )
          if (wrong.length > 0)
            await refuses(
              { verify, check: require },
              withHeaders(good, { 'webhook-signature': wrong.join(' ') }),
              'a header without a matching entry',
            )
        },
        { runs: 25 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/accepts-header-names-in-any-case-and-order',
    requirements: ['VFY-019'],
    level: 'should',
    title: 'case and order of headers, and other headers, make no difference',
    async run({ property, verify, unique }) {
      const spellings = {
        lower: (name: string) => name,
        upper: (name: string) => name.toUpperCase(),
        title: titleCase,
      } as const
      await property(
        fc.tuple(
          fc.constantFrom('lower', 'upper', 'title'),
          fc.shuffledSubarray(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'], {
            minLength: 4,
          }),
        ),
        async ([spelling, order], require) => {
          const good = delivery(unique())
          const headers = Object.fromEntries(
            order.map((name) => [spellings[spelling](name), good.headers[name] ?? 'application/json']),
          )
          await accepts({ verify, check: require }, { ...good, headers }, `headers in ${spelling} case`)
        },
        {
          runs: 15,
          examples: [
            ['upper', ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']],
            ['title', ['webhook-signature', 'webhook-id', 'content-type', 'webhook-timestamp']],
          ],
        },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/accepts-any-json-body-as-signed',
    requirements: ['VFY-005', 'VFY-011'],
    level: 'must',
    title: 'any JSON event, in any spacing and with any characters, is accepted as signed',
    async run({ property, verify, unique }) {
      const subject = fc.string({ unit: 'grapheme', maxLength: 40 })
      await property(
        fc.tuple(
          subject,
          fc.constantFrom(undefined, 1, 2, '\t'),
          fc.constantFrom('', '\n', '\r\n'),
          fc.constantFrom(...lengths),
        ),
        async ([text, indent, end, length], require) => {
          const mark = unique()
          const event = { ...(JSON.parse(eventText(`evt_${mark}`, mark)) as object), note: text + 'x'.repeat(length) }
          const payload = Buffer.from(JSON.stringify(event, undefined, indent) + end)
          await accepts({ verify, check: require }, delivery(mark, { payload }), 'a body in another spelling')
        },
        {
          runs: 30,
          examples: [
            ...lengths.map((length): [string, number, string, number] => ['Grüße', 1, '\n', length]),
            // Characters with look-alikes, and some invisible ones.
            ['a\u00a0b\u2009c \u2019d\u201c \u00ade\u200bf\ufeffg \u2013\u2026 &amp; %C3%A9', undefined, '', 0],
          ],
        },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/keeps-to-the-tolerance',
    requirements: ['VFY-006', 'VFY-007'],
    level: 'must',
    title: 'a delivery is accepted within 300 seconds of the clock on both sides',
    async run({ property, verify, unique }) {
      await property(
        fc.integer({ min: -900, max: 900 }),
        async (age, require) => {
          const good = delivery(unique(), { timestamp: testClock - age })
          const requirement = age >= 0 ? 'VFY-006' : 'VFY-007'
          const judge = { verify, check: require.of(requirement) }
          if (Math.abs(age) <= 300) await accepts(judge, good, `a delivery ${age} seconds old`)
          else await refuses(judge, good, `a delivery ${age} seconds old`)
        },
        { runs: 40, examples: [300, -300, 301, -301, 299, -299, 0] },
      )
    },
  }),

  verifierCase({
    id: 'verifier/properties/refuses-other-secrets',
    requirements: ['VFY-002', 'VFY-009'],
    level: 'must',
    title: 'a delivery signed with a key of one changed bit, or another key, is refused',
    async run({ property, verify, unique }) {
      await property(
        fc.tuple(fc.integer({ min: 24, max: 64 }), fc.nat(), fc.boolean()),
        async ([length, position, isNear], require) => {
          const secret = newSecret(length)
          const good = delivery(unique(), { secret })
          await accepts({ verify, check: require }, good, `a delivery under a key of ${length} bytes`)
          const key = Buffer.from(keyOf(isNear ? secret : newSecret(length)))
          const at = position % key.length
          key[at] = (key[at] ?? 0) ^ (1 << (position & 7))
          const message = { id: good.headers['webhook-id'] ?? '', timestamp: testClock, body: good.payload }
          const forged = withHeaders(good, { 'webhook-signature': `v1,${macOf(key, message)}` })
          const what = isNear ? `a key that differs in byte ${at} of ${length}` : 'another key'
          await refuses({ verify, check: require }, forged, `a signature made with ${what}`)
        },
        { runs: 15 },
      )
    },
  }),
]

function titleCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}
