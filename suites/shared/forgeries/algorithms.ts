// Forgeries whose signature is made in another way: with another key, by another algorithm, or over other bytes.

import { createHash } from 'node:crypto'
import { macsOfOtherHashes, type Delivery, type SchemeFeature } from '../../../harness/authoring.js'
import { bytesFor, type Forgery } from './forgery.js'
import { refused, type Row } from './rows.js'

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
          const { scheme, fields, message } = good
          const macs = macsOfOtherHashes(scheme.keyOf(fields.secret), message, scheme)
          const mac = macs.find(([name]) => (cut ? name.startsWith(`${hash} cut`) : name === hash))
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
