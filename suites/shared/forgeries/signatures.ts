// Forgeries in which the right signature is changed, or is written in another way.

import { collidingWith, type Delivery } from '../../../harness/authoring.js'
import { wrongEntryFor } from './forgery.js'
import { ownPrefix, refused, type Row } from './rows.js'

/** A row whose signature is made from the bytes of the right one. */
function fromBytes(name: string, title: string, change: (bytes: Buffer) => Uint8Array, more: Partial<Row> = {}): Row {
  const make = (good: Delivery) =>
    good.signedWith(Buffer.from(change(Buffer.from(good.macBytes))).toString(good.scheme.data.encoding))
  return { name, title, make, ...more }
}

/** A row whose signature is made from the text of the right one; no row where nothing changes. */
function fromText(name: string, title: string, change: (mac: string) => string, more: Partial<Row> = {}): Row {
  return {
    name,
    title,
    make: (good) => {
      const changed = change(good.mac)
      return changed === good.mac ? undefined : good.signedWith(changed)
    },
    ...more,
  }
}

/** The bytes with one bit changed: of all their bits the one at this position, counted round. */
export function withBitChanged(bytes: Uint8Array, position: number): Buffer {
  const changed = Buffer.from(bytes)
  const at = position % (changed.length * 8)
  changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7))
  return changed
}

export const wrongValues = refused('wrong-value', [
  {
    name: 'random-value',
    title: 'a signature of random bytes',
    make: (good) => good.with({ signature: wrongEntryFor(good) }),
  },
  fromBytes('last-bit', 'the right signature with its last bit changed', (bytes) => withBitChanged(bytes, 31 * 8)),
  fromText('first-20-characters', 'the first 20 characters of the right signature', (mac) => mac.slice(0, 20)),
  fromText('lower-case', 'the right signature in lower case', (mac) => mac.toLowerCase(), { needs: ['base64'] }),
  fromText('upper-case', 'the right signature in upper case', (mac) => mac.toUpperCase(), {
    needs: ['base64'],
    isDense: true,
  }),
  fromText(
    'other-encoding',
    'the right signature in hexadecimal where base64 is expected',
    (mac) => Buffer.from(mac, 'base64').toString('hex'),
    { needs: ['base64'] },
  ),
  fromText(
    'base64-for-hex',
    'the right signature in base64 where hexadecimal is expected',
    (mac) => Buffer.from(mac, 'hex').toString('base64'),
    { needs: ['hex'] },
  ),
  fromText('hex-in-capitals', 'the right signature in capitals', (mac) => mac.toUpperCase(), { needs: ['hex'] }),
  { name: 'no-value', title: 'an entry without a value', needs: ['entry-prefix'], make: (good) => good.signedWith('') },
])

const everyFourth = (from: number) => Array.from({ length: 8 }, (_, index) => from + 4 * index)

export const partsOfValues = refused('part-of-value', [
  ...[1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 41, 42].map((length) =>
    fromText(`first-${length}`, `the first ${length} characters of the right signature`, (mac) => mac.slice(0, length)),
  ),
  ...[1, 2, 4, 12, 20, 28, 36, 40].map((from) =>
    fromText(`from-${from}`, `the right signature without its first ${from} characters`, (mac) => mac.slice(from)),
  ),
  ...[...everyFourth(0), ...everyFourth(2)].map((at) =>
    fromBytes(`byte-${at}`, `the right signature with a bit of byte ${at} changed`, (bytes) =>
      withBitChanged(bytes, at * 8),
    ),
  ),
  ...Array.from({ length: 43 }, (_, length) =>
    fromText(
      `only-first-${length}`,
      `the first ${length} characters of the right signature`,
      (mac) => mac.slice(0, length),
      { isDense: true },
    ),
  ),
  fromBytes('reversed', 'the bytes of the right signature in reverse: their sum is the same', (bytes) =>
    bytes.reverse(),
  ),
  fromBytes('same-sum', 'the right signature with two bits changed, whose bytes have the same sum', (bytes) =>
    withBitChanged(withBitChanged(bytes, 24), 160),
  ),
  fromText(
    'same-hash',
    'a signature whose 32-bit hash is that of the right one',
    (mac) => collidingWith(mac, 31) ?? '',
    { needs: ['base64'] },
  ),
  fromText('after-a', 'the right signature after a character', (mac) => `A${mac}`),
  fromText('after-aaaa', 'the right signature after four characters', (mac) => `AAAA${mac}`),
  {
    name: 'without-version',
    title: 'the right entry without its first two characters',
    needs: ['entry-prefix'],
    make: (good) => good.with({ signature: (entry) => entry.slice(2) }),
  },
])

/** A row whose entry is made from the good one. */
const entry = (name: string, title: string, change: (good: string) => string, more: Partial<Row> = {}): Row => ({
  name,
  title,
  make: (good) => {
    const changed = change(good.scheme.entryOf(good.mac))
    return changed === good.scheme.entryOf(good.mac) ? undefined : good.with({ signature: changed })
  },
  ...more,
})

export const looseEntries = refused('loose-entry', [
  entry('unpadded', 'the right entry without its padding', (good) => good.replace(/=+$/, ''), { needs: ['base64'] }),
  entry('over-padded', 'the right entry with more padding', (good) => `${good}==`, { needs: ['base64'] }),
  entry('letter-after', 'the right entry with a letter after it', (good) => `${good}A`),
  entry('field-after', 'the right entry with another field after it', (good) => `${good},x`, { needs: ['base64'] }),
  entry('text-after-signature', 'the right entry with an equals sign and text after it', (good) => `${good}=x`),
  entry('sign-inside', 'the right entry with a sign inside', (good) => `${good.slice(0, 20)}!${good.slice(20)}`),
  fromText('quoted', 'the right signature in quotes', (mac) => `"${mac}"`),
  fromText('unused-bits', 'the right signature with a bit set that no byte uses', withUnusedBits, {
    needs: ['base64'],
  }),
  fromText(
    'base64url',
    'the right signature in the alphabet of base64url',
    (mac) => mac.replaceAll('+', '-').replaceAll('/', '_'),
    { needs: ['base64'] },
  ),
])

/** The same base64 with a bit set in the part of the last character that no byte uses. */
function withUnusedBits(mac: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const bare = mac.replace(/=+$/, '')
  if (bare === mac) return mac
  const last = alphabet.indexOf(bare.at(-1) ?? 'A')
  return `${bare.slice(0, -1)}${alphabet[last ^ 1] ?? 'A'}${mac.slice(bare.length)}`
}

const text = (name: string, title: string, signature: (prefix: string) => string): Row => ({
  name,
  title,
  make: (good) => good.with({ signature: signature(ownPrefix(good)) }),
})

export const malformedSignatures = refused('malformed-signature', [
  text('no-comma', 'a signature entry without a comma', () => 'garbage'),
  text('bare-version', 'a signature of a version alone', (prefix) => prefix.replace(/\W+$/, '') || 'v1'),
  text('empty-value', 'a signature entry without a value', (prefix) => prefix || 'v1,'),
  text('not-base64', 'a signature that is not base64', (prefix) => `${prefix}***not base64***`),
  text('one-character', 'a signature of one character', (prefix) => `${prefix}A`),
  text('only-commas', 'a signature of commas', () => ',,,,'),
  {
    name: 'many-entries',
    title: 'a signature of two hundred entries',
    make: (good) => {
      const wrong = Buffer.alloc(good.scheme.signatureBytes, 1).toString(good.scheme.data.encoding)
      const separator = good.scheme.data.signature.separator ?? ' '
      return good.with({ signature: Array.from({ length: 100 }, () => good.scheme.entryOf(wrong)).join(separator) })
    },
  },
  text('latin-1-bytes', 'a signature with bytes beyond ASCII', (prefix) => `${prefix}\u00e9\u00ff\u00fe`),
  // A guard that counts characters passes it to a comparison of bytes, which throws where the lengths differ.
  text(
    'one-byte-beyond-ascii',
    'a signature of the usual number of characters with one beyond ASCII',
    (prefix) => `${prefix}\u00e9${'A'.repeat(42)}=`,
  ),
])
