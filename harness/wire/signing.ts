// The kit's own signer. It shares no line with the reference verifier: the two meet only in the vectors.
import { createHmac, getHashes, randomBytes } from 'node:crypto'
import { secretPrefix } from '../../spec/index.js'

export interface Signable {
  readonly id: string
  /** Unix seconds, or the header text as it is to be signed. */
  readonly timestamp: number | string
  readonly body: Uint8Array | string
}

/** The key of a secret: the base64-decoded part after `whsec_`. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64')
}

/** base64 of HMAC-SHA256 over the parts, one after the other. */
export function hmac(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): string {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest('base64')
}

/** base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`. Source: #webhook-signature-standard-webhooks. */
export function macOf(key: Uint8Array, { id, timestamp, body }: Signable): string {
  return hmac(key, `${id}.${timestamp}.`, body)
}

/** One entry of `webhook-signature`: `v1,<base64>`. */
export function sign(secret: string, message: Signable): string {
  return `v1,${macOf(keyOf(secret), message)}`
}

/** Hashes that are not the one of the scheme: of other schemes, of its length, and of its family. A machine may lack some. */
const otherHashes = [
  'md5',
  'sha1',
  'sha224',
  'sha384',
  'sha512',
  'sha512-224',
  'sha512-256',
  'sha3-256',
  'sha3-512',
  'blake2s256',
  'ripemd160',
] as const

/** base64 of the HMAC over the same string with every other hash that is at hand, and of the first 32 bytes of a longer one. */
export function macsOfOtherHashes(
  key: Uint8Array,
  { id, timestamp, body }: Signable,
): readonly (readonly [hash: string, mac: string])[] {
  const known = new Set(getHashes())
  return otherHashes
    .filter((hash) => known.has(hash))
    .flatMap((hash) => {
      const mac = createHmac(hash, key).update(`${id}.${timestamp}.`).update(body).digest()
      const whole = [hash, mac.toString('base64')] as const
      return mac.length > 32 ? [whole, [`${hash} cut to 32 bytes`, mac.subarray(0, 32).toString('base64')]] : [whole]
    })
}

/** A fresh secret with a key of `bytes` random bytes. */
export function newSecret(bytes = 24): string {
  return secretPrefix + randomBytes(bytes).toString('base64')
}
