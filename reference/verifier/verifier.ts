/// <reference lib="es2024.string" />
import { createHmac, timingSafeEqual } from 'node:crypto'
import { WebhookVerificationError } from './errors.js'
import { headerOf, type HeaderSource } from './headers.js'

/** A body: the received bytes, or text, which is encoded as UTF-8. */
export type Payload = string | Uint8Array | ArrayBuffer

export interface VerifyOptions {
  readonly payload: Payload
  readonly headers: HeaderSource
  /** `whsec_` and base64; several while a secret is rotated: one that matches is enough. */
  readonly secret: string | readonly string[]
  /** The clock: Unix seconds or a date; the system's by default. */
  readonly now?: number | Date
  /** Seconds a timestamp may be off on either side, the limit included (default 300); below 0 or no number: `TypeError`. */
  readonly toleranceSeconds?: number
}

export interface SignOptions {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly payload: Payload
  readonly secret: string
}

/** Source: VFY-006, VFY-007. */
const defaultToleranceSeconds = 300
/** Keys kept by their secret, so that base64 is decoded once. */
const maxKeys = 100

/**
 * Throws `WebhookVerificationError` unless the delivery is signed by the secret and at most 300 seconds from the clock.
 * The bytes are verified as they are; nothing is parsed. Source: #webhook-signature-standard-webhooks.
 *
 * @example verify({ payload: rawBody, headers: request.headers, secret: process.env.WEBHOOK_SECRET })
 */
export function verify(options: VerifyOptions): void {
  const { payload, headers, secret, now, toleranceSeconds = defaultToleranceSeconds } = options
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signature = header(headers, 'webhook-signature')

  const values = valuesOf(signature)
  checkAge(secondsOf(timestamp), clockOf(now), toleranceSeconds)
  const body = bodyOf(payload)
  for (const key of keysOf(secret)) {
    const mac = macOf(key, id, timestamp, body)
    if (values.some((value) => isEqual(value, mac))) return
  }
  throw new WebhookVerificationError(
    'no_matching_signature',
    'no v1 entry of webhook-signature equals the computed signature',
  )
}

/** {@link verify}, then the body parsed as JSON. Throws `malformed_payload` when the signed body is invalid JSON. */
export function verifyWebhook(options: VerifyOptions): unknown {
  verify(options)
  try {
    return JSON.parse(textOf(bodyOf(options.payload))) as unknown
  } catch {
    throw new WebhookVerificationError('malformed_payload', 'the body is signed but is not JSON')
  }
}

/** One entry of `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{payload}`. */
export function sign({ id, timestamp, payload, secret }: SignOptions): string {
  if (id === '') throw new WebhookVerificationError('missing_header', 'an id to sign must not be empty')
  const seconds = String(timestamp)
  secondsOf(seconds)
  return `v1,${macOf(keyOf(secret), id, seconds, bodyOf(payload))}`
}

/** The base64 of HMAC-SHA256. Source: VFY-001, VFY-003, VFY-005. */
function macOf(key: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

/** In constant time. Source: VFY-009. */
function isEqual(value: string, mac: string): boolean {
  const [left, right] = [Buffer.from(value), Buffer.from(mac)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Source: VFY-008, VFY-019. */
function header(headers: HeaderSource, name: string): string {
  const value = headerOf(headers, name)
  if (value === undefined || value === '')
    throw new WebhookVerificationError('missing_header', `the header ${name} is missing`)
  return value
}

/** The values of the entries of version `v1`; entries of other versions are ignored. Source: VFY-004, VFY-010. */
function valuesOf(signature: string): string[] {
  const entries = signature.split(' ')
  const values = entries.filter((entry) => entry.startsWith('v1,')).map((entry) => entry.slice(3))
  if (values.length === 0)
    throw new WebhookVerificationError('malformed_signature', 'webhook-signature has no entry of version v1')
  return values
}

/** Source: VFY-012. */
function secondsOf(timestamp: string): number {
  if (/^(?:0|[1-9]\d{0,11})$/.test(timestamp)) return Number(timestamp)
  throw new WebhookVerificationError(
    'malformed_timestamp',
    'webhook-timestamp is not an integer number of Unix seconds',
  )
}

/** Source: VFY-006, VFY-007. */
function checkAge(seconds: number, clock: number, toleranceSeconds: number): void {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number of seconds, 0 or more')
  const age = clock - seconds
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('too_old', `webhook-timestamp is ${age} seconds in the past`)
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError('too_new', `webhook-timestamp is ${-age} seconds in the future`)
}

/** Unix seconds. Throws a `TypeError` for an invalid time: with it no delivery would ever be too old. */
function clockOf(now: number | Date | undefined): number {
  if (now === undefined) return Math.floor(Date.now() / 1000)
  const seconds = typeof now === 'number' ? now : Math.floor(now.getTime() / 1000)
  if (!Number.isFinite(seconds)) throw new TypeError('now is neither Unix seconds nor a date')
  return seconds
}

const keys = new Map<string, Uint8Array>()

/** The keys of the secrets that may have signed; an invalid one is refused, although another might match. */
function keysOf(secrets: string | readonly string[]): Uint8Array[] {
  if (typeof secrets === 'string') return [keyOf(secrets)]
  if (Array.isArray(secrets) && secrets.length > 0) return secrets.map(keyOf)
  throw new WebhookVerificationError('bad_secret', 'there is no secret to verify with')
}

function keyOf(secret: string): Uint8Array {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = decodedKey(secret)
  if (keys.size >= maxKeys) keys.clear()
  keys.set(secret, key)
  return key
}

/** Source: VFY-002, VFY-015. */
function decodedKey(secret: string): Uint8Array {
  const text = String(secret).replace(/^whsec_/, '')
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)
  if (typeof secret === 'string' && text !== '' && isBase64) return Buffer.from(text, 'base64')
  throw new WebhookVerificationError('bad_secret', 'the secret is not whsec_ followed by the base64 of a key')
}

/** The hashed form of a body. Text is hashed directly: a copy of its bytes costs as much as the hash. */
function bodyOf(payload: Payload): string | Uint8Array {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  throw new WebhookVerificationError('malformed_payload', 'the payload is not the raw body: pass its bytes or its text')
}

/** Decodes a verified body; a byte order mark stays, so that JSON refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the text of a verified body as its bytes decode: an unpaired surrogate was signed as the replacement character. Text is not
 * turned into bytes and back for that, which would cost a third of the whole check.
 */
function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body.toWellFormed() : utf8.decode(body)
}
