// The value of an entry: the base64 of all 32 bytes of HMAC-SHA256.

import { createHash } from 'node:crypto'
import { collidingWith } from '../../wire/colliding.js'
import {
  bytesOf,
  clock,
  entryOf,
  eventText,
  first,
  otherHmac,
  rawHmac,
  secretOf,
  type Changes,
  type Open,
  type Topic,
} from './message.js'

export const macs: Topic = [
  { from: 142, isFirst: true, build: firstTests },
  { from: 1201, build: laterTests },
]

function firstTests(open: Open): void {
  const add = open(first.secret)
  for (const bit of [0, 7, 8, 63, 127, 128, 200, 247, 255])
    add('invalid', 'ModifiedMac', `bit ${bit} of the MAC changed`, {
      signature: (_, mac) => entryOf(flipped(mac, bit)),
    })
  add('invalid', 'ModifiedMac', 'all bits of the MAC changed', {
    signature: (_, mac) => entryOf(mac.map((byte) => byte ^ 255)),
  })
  add('invalid', 'ModifiedMac', 'zeros', { signature: entryOf(Buffer.alloc(32)) })
  add('invalid', 'ModifiedMac', 'ones', { signature: entryOf(Buffer.alloc(32, 255)) })
  add('invalid', 'ModifiedMac', 'the bytes of the MAC in reverse', {
    signature: (_, mac) => entryOf(mac.toReversed()),
  })
  for (const length of [0, 1, 4, 8, 10, 16, 20, 24, 31])
    add('invalid', 'TruncatedMac', `the first ${length} bytes of the MAC`, {
      signature: (_, mac) => entryOf(mac.subarray(0, length)),
    })
  for (const length of [1, 8, 22, 42])
    add('invalid', 'TruncatedMac', `the first ${length} characters of the entry's value`, {
      signature: (good) => good.slice(0, 3 + length),
    })
  add('invalid', 'TruncatedMac', 'a byte more than the MAC', {
    signature: (_, mac) => entryOf(Buffer.concat([mac, Buffer.alloc(1)])),
  })
  add('invalid', 'TruncatedMac', 'the MAC twice', {
    signature: (_, mac) => entryOf(Buffer.concat([mac, mac])),
  })
  add('invalid', 'EncodedMac', 'hexadecimal', { signature: (_, mac) => `v1,${mac.toString('hex')}` })
  add('invalid', 'EncodedMac', 'hexadecimal in capitals', {
    signature: (_, mac) => `v1,${mac.toString('hex').toUpperCase()}`,
  })
  add('invalid', 'EncodedMac', 'lower case', { signature: (good) => good.toLowerCase() })
  add('invalid', 'EncodedMac', 'base64 of the base64', {
    signature: (good) => `v1,${Buffer.from(good.slice(3)).toString('base64')}`,
  })
  add('invalid', 'EncodedMac', 'base64 of the hexadecimal form', {
    signature: (_, mac) => `v1,${Buffer.from(mac.toString('hex')).toString('base64')}`,
  })
  add('invalid', 'EncodedMac', 'percent-encoded', { signature: (good) => `v1,${encodeURIComponent(good.slice(3))}` })
  add('acceptable', 'HeaderGrammar', 'without its padding', { signature: (good) => good.replace(/=+$/, '') })
  add('acceptable', 'HeaderGrammar', 'with more padding', { signature: (good) => `${good}=` })
}

function laterTests(open: Open): void {
  const key = bytesOf('macs', 40)
  const add = open(secretOf(key), key)
  type Signature = NonNullable<Changes['signature']>

  const modified = (comment: string, change: (mac: Buffer) => Uint8Array) =>
    add('invalid', 'ModifiedMac', comment, { signature: (_, mac) => entryOf(change(mac)) })
  modified('two bytes exchanged: comparing the sum of the differences misses it', swapped)
  modified('the first half zero', (mac) => Buffer.concat([Buffer.alloc(16), mac.subarray(16)]))
  modified('the second half zero', (mac) => Buffer.concat([mac.subarray(0, 16), Buffer.alloc(16)]))
  modified('the first byte right, the others not', (mac) => Buffer.concat([mac.subarray(0, 1), bytesOf('x', 31)]))
  modified('the last byte right, the others not', (mac) => Buffer.concat([bytesOf('x', 31), mac.subarray(31)]))
  modified('the same bit of two bytes changed: an exclusive or of all bytes is the same', (mac) =>
    mac.map((byte, index) => (index === 3 || index === 21 ? byte ^ 4 : byte)),
  )

  for (const bytes of [30, 28, 2])
    add('invalid', 'TruncatedMac', `the first ${bytes} bytes of the MAC, in base64`, {
      signature: (_, mac) => entryOf(mac.subarray(0, bytes)),
    })
  add('invalid', 'TruncatedMac', 'the last 16 bytes of the MAC', { signature: (_, mac) => entryOf(mac.subarray(16)) })
  add('invalid', 'TruncatedMac', 'the first 40 characters of the value', { signature: (good) => good.slice(0, 43) })
  add('acceptable', 'LooseMac', 'a character after the value', { signature: (good) => `${good}A` })
  add('acceptable', 'LooseMac', 'the value twice', { signature: (good) => good + good.slice(3) })
  add('invalid', 'EncodedMac', 'in upper case', { signature: (good) => `v1,${good.slice(3).toUpperCase()}` })
  add('invalid', 'EncodedMac', 'the decimal numbers of the bytes', {
    signature: (_, mac) => `v1,${[...mac].join('-')}`,
  })
  add('invalid', 'EncodedMac', 'base32, as if by hand', {
    signature: (_, mac) => `v1,${[...mac].map((byte) => (byte % 32).toString(32)).join('')}`,
  })

  const loose = (comment: string, signature: Signature, changes: Changes = {}) =>
    add('acceptable', 'LooseMac', comment, { ...changes, signature })
  loose('a character that is not base64 in the middle', (good) => `${good.slice(0, 20)}!${good.slice(20)}`)
  loose('a full stop in the middle', (good) => `${good.slice(0, 20)}.${good.slice(20)}`)
  loose('a character that is not base64 at the end', (good) => `${good}*`)
  loose('five padding characters', (good) => `${good}====`)
  loose('other bits in the part of the last character that no byte uses', looseBits)
  const id = idWithUrlCharacters(key)
  loose('the alphabet of base64url, for a value that holds + and /', (_, mac) => `v1,${mac.toString('base64url')}=`, {
    id,
  })
  loose('base64url without padding, for a value that holds + and /', (_, mac) => `v1,${mac.toString('base64url')}`, {
    id,
  })
  add('valid', 'Plain', 'a value that holds + and /', { id })

  const other = (comment: string, makeMac: (text: string) => Buffer) => {
    const messageId = 'evt_algorithm'
    const body = eventText(messageId)
    add('invalid', 'WrongAlgorithm', comment, {
      id: messageId,
      body,
      signature: entryOf(makeMac(`${messageId}.${clock}.${body}`)),
    })
  }
  other('HMAC-SHA-1', (text) => otherHmac('sha1', key, text))
  other('HMAC-SHA-384', (text) => otherHmac('sha384', key, text))
  other('HMAC-SHA-512', (text) => otherHmac('sha512', key, text))
  other('HMAC-SHA-512 cut to 32 bytes', (text) => otherHmac('sha512', key, text).subarray(0, 32))
  other('HMAC-SHA3-256, which is of the right length', (text) => otherHmac('sha3-256', key, text))
  other('HMAC-MD5', (text) => otherHmac('md5', key, text))
  other('SHA-256 without a key', (text) => createHash('sha256').update(text).digest())
  other('SHA-256 of the key followed by the text', (text) => createHash('sha256').update(key).update(text).digest())
  other('SHA-256 of the text followed by the key', (text) => createHash('sha256').update(text).update(key).digest())
  other('HMAC-SHA256 with key and text exchanged', (text) => rawHmac(Buffer.from(text), [key]))
  other('HMAC-SHA256 of the SHA-256 of the text', (text) => rawHmac(key, [createHash('sha256').update(text).digest()]))

  for (const [factor, whose] of [
    [31, 'the 32-bit hash of a text in Java'],
    [33, 'a hash that many languages have'],
  ] as const)
    add('invalid', 'ModifiedMac', `two neighbouring characters changed, so that ${whose} is the same`, {
      signature: (good) => `v1,${collidingWith(good.slice(3), factor) ?? ''}`,
    })
  modified('two neighbouring bytes changed, so that the 32-bit hash of bytes in Java is the same', withSameHash)
  // Found by trying: they hold for the MACs of these two alone.
  for (const [head, whose] of [
    ['p9+AK6', 'its CRC-32'],
    ['LzzM+E', 'its FNV-1a hash of 32 bits'],
  ] as const)
    add('invalid', 'ModifiedMac', `the first six characters changed, so that ${whose} is the same`, {
      signature: (good) => `v1,${head}${good.slice('v1,'.length + head.length)}`,
    })
}

function flipped(mac: Buffer, bit: number): Buffer {
  const bytes = Buffer.from(mac)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes
}

function swapped(mac: Buffer): Buffer {
  const bytes = Buffer.from(mac)
  const second = bytes.findIndex((byte) => byte !== bytes[0])
  const [first = 0] = bytes
  bytes[0] = bytes[second] ?? 0
  bytes[second] = first
  return bytes
}

/** Signed bytes, as those of Java, of which one is greater by 1 and the next one less by 31. */
function withSameHash(mac: Buffer): Buffer {
  const bytes = Buffer.from(mac)
  const at = bytes.findIndex((_, index) => bytes.readInt8(index) < 127 && bytes.readInt8(index + 1) >= -97)
  bytes.writeInt8(bytes.readInt8(at) + 1, at)
  bytes.writeInt8(bytes.readInt8(at + 1) - 31, at + 1)
  return bytes
}

/** The same bytes for a lenient decoder: a low bit of the last character before the padding is set. */
function looseBits(entry: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return `${entry.slice(0, -2)}${alphabet[alphabet.indexOf(entry.at(-2) ?? 'A') + 1]}=`
}

/** Returns an id whose MAC contains both characters that differ in base64url. */
function idWithUrlCharacters(key: Uint8Array): string {
  for (let number = 1; ; number++) {
    const id = `evt_url${number}`
    const text = rawHmac(key, [`${id}.${clock}.${eventText(id)}`]).toString('base64')
    if (text.includes('+') && text.includes('/')) return id
  }
}
