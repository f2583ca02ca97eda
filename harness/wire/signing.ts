// The kit's own signer. It shares no line with the reference verifier: the two meet only in the vectors.
import { createHmac, randomBytes } from 'node:crypto'
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

/** A fresh secret with a key of `bytes` random bytes. */
export function newSecret(bytes = 24): string {
  return secretPrefix + randomBytes(bytes).toString('base64')
}

/** Why a delivery's signature does not hold; undefined when it does. */
export function signatureProblem(
  headers: {
    readonly id: string | undefined
    readonly timestamp: string | undefined
    readonly signature: string | undefined
  },
  body: Uint8Array,
  secret: string,
): string | undefined {
  const { id, timestamp, signature } = headers
  if (id === undefined || timestamp === undefined || signature === undefined)
    return 'a signature header is missing or stands twice'
  const expected = sign(secret, { id, timestamp, body })
  if (signature.split(' ').includes(expected)) return undefined
  return explain(signature.split(' '), { id, timestamp, body }, secret)
}

/** Names the usual mistake that makes this signature, so that the reader need not guess. */
function explain(
  entries: readonly string[],
  message: Signable & { readonly body: Uint8Array },
  secret: string,
): string {
  const bare = secret.slice(secretPrefix.length)
  const mistakes: readonly (readonly [string, string])[] = [
    ['the key is the text of the secret, not its decoded bytes', macOf(Buffer.from(secret), message)],
    ['the key is the undecoded base64 text', macOf(Buffer.from(bare), message)],
    ['the id is not signed', hmac(keyOf(secret), `${message.timestamp}.`, message.body)],
    ['only the body is signed', hmac(keyOf(secret), message.body)],
    ['the signature is hexadecimal', Buffer.from(macOf(keyOf(secret), message), 'base64').toString('hex')],
    ['the signature is base64url', Buffer.from(macOf(keyOf(secret), message), 'base64').toString('base64url')],
  ]
  const found = mistakes.find(([, mac]) => entries.some((entry) => entry === mac || entry.endsWith(`,${mac}`)))
  if (found !== undefined) return found[0]
  const isUnlabelled = entries.includes(macOf(keyOf(secret), message))
  return isUnlabelled ? 'the entry has no version prefix' : 'no v1 entry equals the computed signature'
}
