// The signature of the interface, for cases and connectors that sign by hand. How it is made is data of its scheme.
import { createHmac, getHashes } from 'node:crypto'
import { freshSecret } from '../schemes/key.js'
import { ownScheme, type SignedMessage } from '../schemes/scheme.js'

/** The key of a secret: the base64-decoded part after `whsec_`. */
export function keyOf(secret: string): Buffer {
  return ownScheme.keyOf(secret)
}

/** The signature over the parts, one after the other: base64 of HMAC-SHA256. */
export function hmac(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): string {
  return ownScheme.macOf(key, ...parts)
}

/** The signature of a message. Source: #webhook-signature-standard-webhooks. */
export function macOf(key: Uint8Array, message: SignedMessage): string {
  return ownScheme.macOf(key, ...ownScheme.signedOf(message))
}

/** One entry of `webhook-signature`: `v1,<base64>`. */
export function sign(secret: string, message: SignedMessage): string {
  return ownScheme.sign(secret, message)
}

/** Hashes that are not the one of the scheme: of other schemes, of its length, and of its family. A machine may lack some. */
const otherHashes = [
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
] as const

/** The HMAC over the same bytes with every other hash that is available, and the beginning of a longer one. */
export function macsOfOtherHashes(
  key: Uint8Array,
  message: SignedMessage,
  scheme = ownScheme,
): readonly (readonly [hash: string, mac: string])[] {
  const known = new Set(getHashes())
  const length = scheme.signatureBytes
  return otherHashes
    .filter((hash) => known.has(hash) && `hmac-${hash}` !== scheme.data.algorithm)
    .flatMap((hash) => {
      const hashing = createHmac(hash, key)
      for (const part of scheme.signedOf(message)) hashing.update(part)
      const mac = hashing.digest()
      const whole = [hash, mac.toString(scheme.data.encoding)] as const
      if (mac.length <= length) return [whole]
      return [whole, [`${hash} cut to ${length} bytes`, mac.subarray(0, length).toString(scheme.data.encoding)]]
    })
}

/** A fresh secret of the interface with a key of `bytes` random bytes. */
export function newSecret(bytes = 24): string {
  return freshSecret(ownScheme.data, bytes)
}
