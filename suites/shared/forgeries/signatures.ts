// Forgeries whose signature is another one than that of the scheme, or is written in another way.

import { createHash } from 'node:crypto'
import { collidingWith, macsOfOtherHashes, type Delivery, type SchemeFeature } from '../../../harness/authoring.js'
import { bytesFor, wrongEntryFor, type Forgery } from './forgery.js'

type Row = Omit<Forgery, 'group' | 'expected'>

const refused = (group: Forgery['group'], rows: readonly Row[]): readonly Forgery[] =>
  rows.map((row) => ({ ...row, group, expected: 'refused' }))

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

/** A row signed with another key, made from the secret. */
const withKey = (
  name: string,
  title: string,
  keyFor: (secret: string, good: Delivery) => Uint8Array,
  needs: readonly SchemeFeature[] = [],
): Row => ({
  name,
  title,
  needs,
  make: (good) => good.with({ key: keyFor(good.fields.secret, good) }),
})

export const otherKeys = refused('other-key', [
  withKey('another-secret', 'a delivery signed with another secret', (_, good) => bytesFor(good, 'another secret', 32)),
  withKey('empty-key', 'a delivery signed with an empty key', () => Buffer.alloc(0), ['hmac']),
  withKey(
    'undecoded-secret',
    'a delivery signed with the undecoded text of the secret',
    (secret) => Buffer.from(secret),
    ['hmac', 'decoded-secret'],
  ),
  withKey(
    'undecoded-without-prefix',
    'a delivery signed with the undecoded text after the prefix of the secret',
    (secret, { scheme }) => Buffer.from(secret.replace(scheme.data.key.prefix ?? '', '')),
    ['hmac', 'decoded-secret'],
  ),
])

export const otherHashes: readonly Forgery[] = [
  ...[
    'md5',
    'sha1',
    'sha224',
    'sha256',
    'sha384',
    'sha512',
    'sha512-224',
    'sha512-256',
    'sha3-256',
    'sha3-512',
    'blake2s256',
    'ripemd160',
  ].flatMap((hash) =>
    [hash, ...(/(384|512|3-512)$/.test(hash) ? ['cut'] : [])].map((form): Forgery => {
      const cut = form === 'cut'
      return {
        name: cut ? `${hash}-cut` : hash,
        title: `an HMAC of ${hash}${cut ? ', cut to the length of the right one' : ''}`,
        group: 'other-hash',
        expected: 'refused',
        needs: ['hmac'],
        make: (good) => {
          const found = macsOfOtherHashes(good.scheme.keyOf(good.fields.secret), good.message, good.scheme).find(
            ([name]) => name === hash || (name.startsWith(`${hash} cut`) === cut && name.startsWith(`${hash} `) && cut),
          )
          const mac = cut
            ? macsOfOtherHashes(good.scheme.keyOf(good.fields.secret), good.message, good.scheme).find(([name]) =>
                name.startsWith(`${hash} cut`),
              )
            : found
          return mac === undefined ? undefined : good.signedWith(mac[1])
        },
      }
    }),
  ),
  {
    name: 'hash-without-key',
    title: 'a hash without a key',
    group: 'other-hash',
    expected: 'refused',
    needs: ['hmac'],
    make: (good) => {
      const hash = createHash(good.scheme.data.algorithm.replace('hmac-', ''))
      for (const part of good.scheme.signedOf(good.message)) hash.update(part)
      return good.signedWith(hash.digest(good.scheme.data.encoding))
    },
  },
  {
    name: 'hmac-of-public-key',
    title: 'an HMAC whose key is the public key, which everybody has',
    group: 'other-hash',
    expected: 'refused',
    needs: ['ed25519'],
    make: (good) => {
      const { scheme } = good
      const key = scheme.receiverSecret(good.fields.secret).replace(scheme.data.key.public_prefix ?? '', '')
      const bytes = createHash('sha512').update(Buffer.from(key, scheme.data.encoding))
      for (const part of scheme.signedOf(good.message)) bytes.update(part)
      return good.signedWith(bytes.digest(scheme.data.encoding))
    },
  },
  {
    name: 'malleable-s',
    title: 'an Ed25519 signature whose s has the order of the group added',
    group: 'other-hash',
    expected: 'refused',
    needs: ['ed25519'],
    make: (good) => good.signedWith(withOrderAdded(good.macBytes).toString(good.scheme.data.encoding)),
  },
]

/** The order of the group of Ed25519. Source: RFC 8032, 5.1. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

/** The signature (R, s) as (R, s + L), which a verifier that does not check the range of s accepts. */
function withOrderAdded(signature: Buffer): Buffer {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + groupOrder
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), bytes])
}

/** A row signed over other bytes, by the right key. */
const over = (
  name: string,
  title: string,
  parts: (good: Delivery) => readonly (string | Uint8Array)[],
  needs: readonly SchemeFeature[],
): Row => ({
  name,
  title,
  needs,
  make: (good) => good.signedOver(...parts(good)),
})

const textOf = (good: Delivery, separator: string, names: readonly ('id' | 'timestamp')[]): string =>
  names.map((name) => `${good.message[name]}${separator}`).join('')

export const otherContents = refused('other-content', [
  over('body-alone', 'a signature over the body alone', ({ fields }) => [fields.body], ['signed-prefix']),
  over(
    'no-id',
    'a signature over the timestamp and the body, without the id',
    (good) => [textOf(good, '.', ['timestamp']), good.fields.body],
    ['signed-id'],
  ),
  over(
    'no-timestamp',
    'a signature over the id and the body, without the timestamp',
    (good) => [textOf(good, '.', ['id']), good.fields.body],
    ['signed-id'],
  ),
  over(
    'no-separators',
    'a signature over the parts without separators between them',
    (good) => [textOf(good, '', ['id', 'timestamp']), good.fields.body],
    ['signed-id'],
  ),
  over(
    'timestamp-first',
    'a signature over the parts in another order',
    (good) => [textOf(good, '.', ['timestamp', 'id']), good.fields.body],
    ['signed-id'],
  ),
  over(
    'no-body',
    'a signature over everything but the body',
    (good) => [textOf(good, '.', ['id', 'timestamp']).slice(0, -1)],
    ['signed-id'],
  ),
  over(
    'empty-body',
    'a signature over an empty body',
    (good) => good.scheme.signedOf({ ...good.message, body: '' }),
    [],
  ),
])

/** Labels of signatures that are not the right one, with the separator of the right one. */
function otherLabels(prefix: string): readonly string[] {
  const [name = '', separator = ''] = /^(.*?)([^A-Za-z0-9]*)$/.exec(prefix)?.slice(1) ?? []
  return [
    ...['v2', 'v0', 'v1', 'v1a', 'v11', 'h1', 'sha1', 'sha256', 'sha512'].map((label) => label + separator),
    `x${prefix}`,
    prefix.toUpperCase(),
    ...['=', ',', ':', ';', ''].map((mark) => name + mark),
    'sha256=',
    `${name}x${separator}`,
    `${name}0${separator}`,
    `${name.slice(0, 1)}0${name.slice(1)}${separator}`,
    `${name}.0${separator}`,
    `${name.slice(0, 1)} ${name.slice(1)}${separator}`,
    prefix + prefix,
    '',
  ].filter((label, index, all) => label !== prefix && all.indexOf(label) === index)
}

const ownPrefix = (good: Delivery) => good.scheme.entryOf('|').split('|')[0] ?? ''
/** Labels that the interface has, so that the number of rows is that of the catalogue whatever the scheme is. */
const labelCount = otherLabels('v1,').length
/** Of so many labels the value is also sent after a wrong entry. */
const besideWrong = 8

export const otherVersions: readonly Forgery[] = [
  ...Array.from({ length: labelCount }, (_, index) => index).flatMap((index) =>
    (index < besideWrong ? [false, true] : [false]).map((isBeside): Forgery => ({
      name: `label-${index + 1}${isBeside ? '-after-a-wrong-entry' : ''}`,
      title: `the right value under another label${isBeside ? ', after a wrong entry' : ''}`,
      group: 'version',
      expected: 'refused',
      needs: isBeside ? ['entry-prefix', 'several'] : ['entry-prefix'],
      make: (good) => {
        const label = otherLabels(ownPrefix(good))[index]
        if (label === undefined) return undefined
        const separator = good.scheme.data.signature.separator ?? ''
        const before = isBeside ? wrongEntryFor(good) + separator : ''
        return good.with({ signature: before + label + good.mac })
      },
    })),
  ),
  {
    name: 'other-entry-alone',
    title: 'the right value in an entry of a version that never counts, and no other',
    group: 'version',
    expected: 'refused',
    needs: ['other-entries'],
    make: (good) => {
      const [template = ''] = good.scheme.data.signature.others ?? []
      return good.with({ signature: template.replace('{signature}', good.mac) })
    },
  },
  {
    name: 'entry-of-sha1',
    title: 'a right HMAC of SHA-1 under its own label',
    group: 'version',
    expected: 'refused',
    needs: ['hmac', 'entry-prefix'],
    make: (good) => {
      const { scheme } = good
      if (!scheme.data.signature.entry.startsWith('sha256=')) return undefined
      const macs = macsOfOtherHashes(scheme.keyOf(good.fields.secret), good.message, scheme)
      const sha1 = macs.find(([hash]) => hash === 'sha1')?.[1]
      return sha1 === undefined ? undefined : good.with({ signature: `sha1=${sha1}` })
    },
  },
]

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
])
