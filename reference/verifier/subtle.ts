/**
 * The entry `webhook-conformance/verifier/subtle`, for runtimes without node:crypto: Web Crypto alone, and therefore asynchronous.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from 'webhook-conformance/verifier/subtle'
 *
 * const payload = await request.arrayBuffer()
 * const event = await verifyWebhook({ payload, headers: request.headers, secret: env.WEBHOOK_SECRET })
 * ```
 *
 * @module
 */
import { WebhookVerificationError } from './errors.js'
import { headerOf, type HeaderSource } from './headers.js'

export { WebhookVerificationError, type RefusalCode } from './errors.js'

export interface SubtleVerifyOptions {
  readonly payload: string | Uint8Array | ArrayBuffer
  readonly headers: HeaderSource
  readonly secret: string | readonly string[]
  readonly now?: number | Date
  readonly toleranceSeconds?: number
}

const defaultToleranceSeconds = 300
const encoder = new TextEncoder()

/** Rejects with `WebhookVerificationError` unless the delivery is signed by the secret and fresh. Parses nothing. */
export async function verify(options: SubtleVerifyOptions): Promise<void> {
  const { headers, secret, now, toleranceSeconds = defaultToleranceSeconds } = options
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name)
    if (value === undefined || value === '')
      throw new WebhookVerificationError('missing_header', `the header ${name} is missing`)
    return value
  }) as [string, string, string]
  const macs = signature
    .split(' ')
    .flatMap((entry) => (entry.startsWith('v1,') ? (macBytes(entry.slice(3)) ?? []) : []))
  if (!signature.split(' ').some((entry) => entry.startsWith('v1,')))
    throw new WebhookVerificationError('malformed_signature', 'webhook-signature has no entry of version v1')
  checkTimestamp(timestamp, now, toleranceSeconds)
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytesOf(options.payload))
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new WebhookVerificationError('bad_secret', 'there is no secret to verify with')
  for (const bytes of secrets.map(keyBytes)) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const mac of macs) if (await crypto.subtle.verify('HMAC', key, mac, signed)) return
  }
  throw new WebhookVerificationError(
    'no_matching_signature',
    'no v1 entry of webhook-signature equals the computed signature',
  )
}

/** {@link verify}, then the body parsed as JSON. */
export async function verifyWebhook(options: SubtleVerifyOptions): Promise<unknown> {
  await verify(options)
  try {
    return JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(options.payload)),
    ) as unknown
  } catch {
    throw new WebhookVerificationError('malformed_payload', 'the body is signed but is not JSON')
  }
}

function checkTimestamp(timestamp: string, now: number | Date | undefined, toleranceSeconds: number): void {
  if (!/^(?:0|[1-9]\d{0,11})$/.test(timestamp))
    throw new WebhookVerificationError(
      'malformed_timestamp',
      'webhook-timestamp is not an integer number of Unix seconds',
    )
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number of seconds, 0 or more')
  const clock = typeof now === 'number' ? now : Math.floor((now?.getTime() ?? Date.now()) / 1000)
  if (!Number.isFinite(clock)) throw new TypeError('now is neither Unix seconds nor a date')
  const age = clock - Number(timestamp)
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('too_old', `webhook-timestamp is ${age} seconds in the past`)
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError('too_new', `webhook-timestamp is ${-age} seconds in the future`)
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string') throw new WebhookVerificationError('bad_secret', 'the secret is not a text')
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret
  const key = decoded(text)
  if (key === undefined || key.length === 0)
    throw new WebhookVerificationError('bad_secret', 'the secret is not whsec_ followed by the base64 of a key')
  return key
}

/** The bytes of a MAC in canonical base64; undefined for other text. */
function macBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = text.length === 44 ? decoded(text) : undefined
  return bytes?.length === 32 && btoa(String.fromCharCode(...bytes)) === text ? bytes : undefined
}

function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function bytesOf(payload: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (payload instanceof Uint8Array) return payload
  if (typeof payload === 'string') return encoder.encode(payload)
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  throw new WebhookVerificationError('malformed_payload', 'the payload is not the raw body: pass its bytes or its text')
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}
