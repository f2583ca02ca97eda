// RCV-010  "A delivery is valid when at least one `v1` entry matches, in whatever position it stands."
// RCV-011  "Entries with another version prefix are ignored."
// RCV-027  "Only the exact entry `v1,<base64>` matches: text after it, other padding, another alphabet or other unused bits
//           make another entry."

import { newSecret, receiverCase, sign, type Delivery, type ReceiverContext } from '../../harness/authoring.js'

/** No number of entries is stated; these are fewer than the headers of any server are long. */
const manyEntries = 12

export const entries = [
  receiverCase({
    id: 'receiver/entries/accepts-the-matching-entry-anywhere',
    requirements: ['RCV-010'],
    level: 'must',
    title: `one matching entry is enough: first, in the middle, last, or with ${manyEntries} others`,
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const wrong = (each: Delivery) => sign(newSecret(), each.fields)
      for (const arrange of [
        (good: string, bad: string) => `${good} ${bad}`,
        (good: string, bad: string) => `${bad} ${good}`,
        (good: string, bad: string) => `${bad} ${good} ${bad}`,
        (good: string, bad: string) => `${`${bad} `.repeat(manyEntries)}${good}`,
        (good: string, bad: string) => `${good}${` ${bad}`.repeat(manyEntries)}`,
        // As many secrets that were taken out of use: each entry is another one.
        (good: string, bad: string, others: string) => `${others} ${good} ${bad}`,
      ]) {
        const each = delivery()
        const others = Array.from({ length: manyEntries }, () => wrong(each)).join(' ')
        await accepts(each.with({ signature: (good) => arrange(good, wrong(each), others) }))
      }
      const none = delivery()
      await refuses(none.with({ signature: `${wrong(none)} ${wrong(none)}` }))
    },
  }),

  receiverCase({
    id: 'receiver/entries/ignores-other-versions-beside-a-good-entry',
    requirements: ['RCV-011'],
    level: 'must',
    title: 'entries of versions the receiver does not know do not spoil a matching v1 entry',
    async run({ delivery, accepts, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      const ed25519 = Buffer.alloc(64, 5).toString('base64')
      await accepts(delivery({ signature: (good) => `v1a,${ed25519} ${good}` }))
      await accepts(delivery({ signature: (good) => `${good} v2,${Buffer.alloc(32, 5).toString('base64')}` }))
    },
  }),

  receiverCase({
    id: 'receiver/entries/refuses-a-good-value-under-another-version',
    requirements: ['RCV-011'],
    level: 'must',
    title: 'the right value under another version or in another form is refused',
    timeoutMs: 180_000,
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const label of ['v2,', 'v0,', 'v1a,', 'v11,', 'xv1,', 'V1,', 'v1=', 'v1:', 'sha256=', ''])
        for (const beside of ['', `v1,${Buffer.alloc(32, 5).toString('base64')} `])
          await refuses(delivery({ signature: (good) => beside + label + good.slice('v1,'.length) }))
      await accepts(delivery())
    },
  }),

  receiverCase({
    id: 'receiver/entries/takes-a-good-entry-beside-malformed-ones',
    requirements: ['RCV-010'],
    level: 'must',
    title: 'a malformed entry does not spoil a matching one',
    async run({ delivery, accepts, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const malformed of ['garbage', 'v1', 'v1,***', 'v1,AAAA'])
        await accepts(delivery({ signature: (good) => `${malformed} ${good}` }))
      await accepts(delivery({ signature: (good) => `${good} garbage` }))
    },
  }),

  receiverCase({
    id: 'receiver/entries/takes-the-exact-entry-alone',
    requirements: ['RCV-027'],
    level: 'should',
    title: 'an entry that only lenient base64 equates, or with trailing text, is refused',
    async run({ delivery, accepts, refuses, require }) {
      await accepts(delivery(), require.of('RCV-001'))
      for (const spell of looseSpellings) await refuses(delivery({ signature: spell }))
      await refuses(tellingAlphabets(delivery).with({ signature: inUrlAlphabet }))
    },
  }),
]

const looseSpellings: readonly ((good: string) => string)[] = [
  (good) => good.replace(/=+$/, ''),
  (good) => `${good}==`,
  (good) => `${good}A`,
  (good) => `${good},x`,
  (good) => `${good.slice(0, 20)}!${good.slice(20)}`,
  (good) => `v1,"${good.slice('v1,'.length)}"`,
  withUnusedBits,
]

const inUrlAlphabet = (good: string) => good.replaceAll('+', '-').replaceAll('/', '_')

/** A delivery whose signature is another text in the alphabet of base64url. */
function tellingAlphabets(make: ReceiverContext['delivery']): Delivery {
  let each = make()
  while (!/[+/]/.test(each.mac)) each = make()
  return each
}

/** The same entry with a bit set in the part of the last character that no byte uses. */
function withUnusedBits(good: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const last = alphabet.indexOf(good.at(-2) ?? 'A')
  return `${good.slice(0, -2)}${alphabet[last ^ 1] ?? 'A'}=`
}
