import { secretPrefix } from '../../spec/index.js'

/** Why a delivery is refused. */
export type RefusalCode =
  | 'malformed-secret'
  | 'missing-header'
  | 'malformed-timestamp'
  | 'stale'
  | 'future'
  | 'no-matching-signature'
  | 'malformed-payload'

/** A delivery that does not verify. */
export class SignatureRefusal extends Error {
  override readonly name = 'SignatureRefusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface SignedDelivery {
  readonly payload: Uint8Array
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly secret: string
  readonly now: Date
  readonly toleranceSeconds: number
}

/**
 * Verifies a delivery with Web Crypto, and resolves when it is valid. Rejects with {@link SignatureRefusal}.
 * Source: spec/interface.md#webhook-signature-standard-webhooks.
 */
export async function verifySignature(delivery: SignedDelivery): Promise<void> {
  const { payload, headers, secret, now, toleranceSeconds } = delivery
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers.get(name)
    if (value === undefined || value === '') throw new SignatureRefusal('missing-header', `${name} is missing.`)
    return value
  })
  if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) {
    throw new SignatureRefusal('malformed-timestamp', 'webhook-timestamp is not a number of seconds.')
  }
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp)
  if (ageSeconds > toleranceSeconds) {
    throw new SignatureRefusal('stale', `The delivery is more than ${toleranceSeconds} seconds old.`)
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new SignatureRefusal('future', `The delivery is more than ${toleranceSeconds} seconds in the future.`)
  }
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + payload.length)
  signed.set(prefix)
  signed.set(payload, prefix.length)
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const entry of (signatures ?? '').split(' ')) {
    const bytes = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : undefined
    // `verify` compares in constant time.
    if (bytes?.length === 32 && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return
  }
  throw new SignatureRefusal('no-matching-signature', 'No v1 signature matches the payload.')
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith(secretPrefix) ? fromBase64(secret.slice(secretPrefix.length)) : undefined
  if (key === undefined || key.length === 0) {
    throw new SignatureRefusal('malformed-secret', `The secret is not ${secretPrefix} followed by base64.`)
  }
  return key
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
