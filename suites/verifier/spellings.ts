// VFY-001  "The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`: a change of the id, the timestamp or the body is
//           refused."
// VFY-009  "A delivery with no matching signature is rejected."
// VFY-021  "Only the exact entry `v1,<base64>` matches: text after it, other padding, another alphabet or other unused bits
//           make another entry."
// VFY-022  "A refusal does not reveal the correct signature."
//
// Reading: only the exact text is accepted. An entry with text after the signature or in loose base64 lets no attacker forge or replay a
// delivery: refusing it is advice. The language's class of headers decides on blanks around a value, and on two headers of one name.

import fc from 'fast-check'
import { verifierCase, type VerifyRequest } from '../../harness/authoring.js'
import { accepts, delivery, refuses, testClock, withHeaders, wrongEntry } from './deliveries.js'

type Spelling = (good: string) => string

const letters = fc.stringMatching(/^[A-Za-z0-9._~-]{1,6}$/)
const value = (good: string) => good.slice('v1,'.length)

/** Spellings of a valid entry that no decoder of base64 accepts; every run tries each. */
const knownOtherEntries: readonly Spelling[] = [
  (good) => `V1,${value(good)}`,
  (good) => `v1=${value(good)}`,
  (good) => `v1:${value(good)}`,
  (good) => `v1;${value(good)}`,
  (good) => `v1${value(good)}`,
  (good) => `v1.0,${value(good)}`,
  (good) => `v01,${value(good)}`,
  (good) => `v1,v1,${value(good)}`,
  (good) => `v 1,${value(good)}`,
  (good) => `x${good}`,
  (good) => `v1x,${value(good)}`,
  (good) => `v1,A${value(good)}`,
  (good) => `v1,AAAA${value(good)}`,
  (good) => `v1,${value(good).slice(0, 22)} ${value(good).slice(22)}`,
  (good) => `v1,${value(good).split('').toReversed().join('')}`,
  (good) => `v1,${value(good).toUpperCase()}`,
  (good) => `v1,0x${Buffer.from(value(good), 'base64').toString('hex')}`,
]

const otherEntries: fc.Arbitrary<Spelling> = fc.oneof(
  letters.map(
    (text): Spelling =>
      (good) =>
        text + good,
  ),
  letters.map(
    (text): Spelling =>
      (good) =>
        `v1${text},${value(good)}`,
  ),
  fc.stringMatching(/^[A-Za-z0-9]{1,8}$/).map(
    (text): Spelling =>
      (good) =>
        `v1,${text}${value(good)}`,
  ),
  fc.nat(42).map(
    (at): Spelling =>
      (good) =>
        `v1,${value(good).slice(0, at)} ${value(good).slice(at)}`,
  ),
)

/** Spellings of a valid entry that a lenient decoder, or a generous separator, accepts; every run tries each. */
const knownLooseEntries: readonly Spelling[] = [
  (good) => good.replace(/=+$/, ''),
  (good) => `${good}=`,
  (good) => `${good}==`,
  (good) => `v1,${value(good).replaceAll('+', '-').replaceAll('/', '_')}`,
  (good) => withUnusedBits(good),
  (good) => `${good},x`,
  (good) => `${good}A`,
  (good) => `${good};${wrongEntry}`,
  (good) => `v1,"${value(good)}"`,
  (good) => `v1,${value(good).slice(0, 20)}!${value(good).slice(20)}`,
  // Letters of which as many bits as a byte of ASCII or of Latin-1 holds are those of the right one, and its wide form.
  ...[0x80, 0x100, 0xfee0].map(
    (more): Spelling =>
      (good) =>
        `v1,${String.fromCharCode(value(good).charCodeAt(0) + more)}${value(good).slice(1)}`,
  ),
]

const looseEntries: fc.Arbitrary<Spelling> = fc.oneof(
  letters.map(
    (text): Spelling =>
      (good) =>
        good + text,
  ),
  fc.tuple(fc.nat(42), fc.constantFrom('!', '.', '*', '~')).map(
    ([at, sign]): Spelling =>
      (good) =>
        `v1,${value(good).slice(0, at)}${sign}${value(good).slice(at)}`,
  ),
)

/** Spellings of the signed id, each tried in every run: if one is accepted, a known delivery is replayed under another id. */
const knownOtherIds: readonly Spelling[] = [
  (id) => `${id}.`,
  (id) => `${id}.1`,
  (id) => `${id}.${testClock}`,
  (id) => `.${id}`,
  (id) => `${id},${id}`,
  (id) => `${id};x`,
  (id) => `${id} x`,
  (id) => `${id}#x`,
  (id) => `${id}?x`,
  (id) => `${id}/`,
  (id) => `${id}%20`,
  (id) => `${id.slice(0, -1)}%${id.charCodeAt(id.length - 1).toString(16)}`,
  (id) => `"${id}"`,
  (id) => `<${id}>`,
  (id) => id.toUpperCase(),
  (id) => id.replace('evt_', ''),
  (id) => id.replace('evt_', 'EVT_'),
  (id) => id.replace('_', '-'),
  (id) => id.slice(0, -1),
  (id) => `${id}0`,
  (id) => `${id}${'0'.repeat(100)}`,
]

const otherIds: fc.Arbitrary<Spelling> = fc.oneof(
  fc.stringMatching(/^[!-~]{1,8}$/).map(
    (text): Spelling =>
      (id) =>
        id + text,
  ),
  fc.stringMatching(/^[!-~]{1,8}$/).map(
    (text): Spelling =>
      (id) =>
        text + id,
  ),
)

/** Random spellings as well as the known ones of a property. */
const draws = 30

/** Parts of a good value from its beginning and its end, good values with one bit of one byte changed, and with bytes that keep their sum. */
const worseValues: readonly Spelling[] = [
  ...Array.from(
    { length: 43 },
    (_, length): Spelling =>
      (good) =>
        `v1,${value(good).slice(0, length)}`,
  ),
  ...Array.from(
    { length: 43 },
    (_, from): Spelling =>
      (good) =>
        `v1,${value(good).slice(from + 1)}`,
  ),
  ...Array.from({ length: 32 }, (_, at): Spelling => (good) => {
    const bytes = Buffer.from(value(good), 'base64')
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
    return `v1,${bytes.toString('base64')}`
  }),
  ...[
    // Their sum is the same, and so is what all of them make by exclusive or.
    (bytes: Buffer) => bytes.reverse(),
    (bytes: Buffer) => Buffer.concat([bytes.subarray(16), bytes.subarray(0, 16)]),
    (bytes: Buffer) => bytes.map((byte, at) => (at === 3 || at === 20 ? byte ^ 0x41 : byte)),
  ].map(
    (change): Spelling =>
      (good) =>
        `v1,${Buffer.from(change(Buffer.from(value(good), 'base64'))).toString('base64')}`,
  ),
]

export const spellings = [
  verifierCase({
    id: 'verifier/spellings/refuses-parts-of-a-good-value',
    requirements: ['VFY-009'],
    level: 'must',
    title: 'a part of the right value, a changed byte or another byte order is refused',
    async run({ verify, check, unique }) {
      const good = delivery(unique())
      const entry = good.headers['webhook-signature'] ?? ''
      await accepts({ verify, check }, good)
      for (const spell of worseValues)
        await refuses({ verify, check }, withHeaders(good, { 'webhook-signature': spell(entry) }), spell(entry))
      await accepts({ verify, check }, good)
    },
  }),

  verifierCase({
    id: 'verifier/spellings/refuses-any-other-spelling-of-an-entry',
    requirements: ['VFY-009', 'VFY-010'],
    level: 'must',
    title: 'the right value with added text, or under another version than v1, is refused',
    async run({ property, verify, unique }) {
      await property(
        otherEntries,
        async (spell, require) => {
          const good = delivery(unique())
          const signature = spell(good.headers['webhook-signature'] ?? '')
          await accepts({ verify, check: require }, good)
          await refuses({ verify, check: require }, withHeaders(good, { 'webhook-signature': signature }), signature)
        },
        { runs: knownOtherEntries.length + draws, examples: knownOtherEntries },
      )
    },
  }),

  verifierCase({
    id: 'verifier/spellings/takes-the-exact-entry-alone',
    requirements: ['VFY-021'],
    level: 'should',
    title: 'an entry that matches only under lenient base64, or has trailing text, is refused',
    async run({ property, verify, unique }) {
      await property(
        looseEntries,
        async (spell, require) => {
          const { good, signature } = respelt(spell, unique)
          await refuses({ verify, check: require }, withHeaders(good, { 'webhook-signature': signature }), signature)
        },
        { runs: knownLooseEntries.length + draws, examples: knownLooseEntries },
      )
    },
  }),

  verifierCase({
    id: 'verifier/spellings/refuses-any-other-spelling-of-the-signed-id',
    requirements: ['VFY-001'],
    level: 'must',
    title: 'the signed id with additions, cut, or in another case is refused',
    async run({ property, verify, unique }) {
      await property(
        otherIds,
        async (spell, require) => {
          const good = delivery(unique())
          const signed = good.headers['webhook-id'] ?? ''
          const id = spell(signed)
          await accepts({ verify, check: require }, good)
          await refuses(
            { verify, check: require },
            withHeaders(good, { 'webhook-id': id }),
            `the id ${JSON.stringify(id)}, ${signed} signed`,
          )
        },
        { runs: knownOtherIds.length + draws, examples: knownOtherIds },
      )
    },
  }),

  verifierCase({
    id: 'verifier/spellings/refuses-other-names-of-the-headers',
    requirements: ['VFY-008'],
    level: 'must',
    title: 'a header with a similar name counts as missing',
    async run({ property, verify, unique }) {
      const names = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature')
      const rename = fc.constantFrom<((name: string) => string)[]>(
        (name) => `x-${name}`,
        (name) => `${name}-2`,
        (name) => name.replace('webhook', 'webhooks'),
        (name) => name.replace('webhook-', ''),
        (name) => name.slice(0, -1),
      )
      await property(
        fc.tuple(names, rename),
        async ([name, changed], require) => {
          const good = delivery(unique())
          const other = withHeaders(good, { [name]: undefined, [changed(name)]: good.headers[name] })
          await refuses({ verify, check: require }, other, `${changed(name)} in place of ${name}`)
        },
        { runs: 20 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/spellings/refuses-doubled-headers-none-of-which-is-right',
    requirements: ['VFY-009', 'VFY-001'],
    level: 'must',
    title: 'a repeated header, wrong both times, is refused; the next valid delivery is accepted',
    async run({ verify, check, unique }) {
      for (const [name, one, other] of [
        ['webhook-signature', wrongEntry, `v1,${Buffer.alloc(32, 1).toString('base64')}`],
        ['webhook-id', 'evt_one', 'evt_other'],
        ['webhook-timestamp', String(testClock - 1), String(testClock + 1)],
      ] as const) {
        const good = delivery(unique())
        const doubled = withHeaders(good, { [name]: one, [name.toUpperCase()]: other })
        await refuses({ verify, check }, doubled, `${name} twice, wrong both times`)
        await accepts({ verify, check }, good, 'the delivery as it was signed')
      }
    },
  }),

  verifierCase({
    id: 'verifier/spellings/keeps-the-right-signature-to-itself',
    requirements: ['VFY-022'],
    level: 'must',
    title: 'the error of a refused delivery does not contain the right signature',
    async run({ verify, check, unique }) {
      const tampered = { ...delivery(unique()), payload: Buffer.from('{"a":1}') }
      for (const bad of [
        tampered,
        withHeaders(delivery(unique()), { 'webhook-signature': wrongEntry }),
        withHeaders(delivery(unique()), { 'webhook-signature': 'v1,' }),
        withHeaders(delivery(unique()), { 'webhook-signature': undefined }),
        delivery(unique(), { timestamp: testClock - 3_600 }),
      ])
        await refuses({ verify, check }, bad, 'a delivery that is not valid')
    },
  }),
]

/** The same entry with a bit set in the part of the last character that no byte uses. */
function withUnusedBits(good: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const last = alphabet.indexOf(good.at(-2) ?? 'A')
  return `${good.slice(0, -2)}${alphabet[last ^ 1] ?? 'A'}=`
}

/** A good delivery whose entry has this other spelling: that of a MAC without `+` and `/` is the same in both alphabets. */
function respelt(spell: Spelling, unique: () => string): { readonly good: VerifyRequest; readonly signature: string } {
  for (;;) {
    const good = delivery(unique())
    const entry = good.headers['webhook-signature'] ?? ''
    const signature = spell(entry)
    if (signature !== entry) return { good, signature }
  }
}
