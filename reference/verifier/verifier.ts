import { createHmac } from 'node:crypto'
import { WebhookVerificationError, type RefusalCode } from './errors.js'
import type { HeaderSource } from './headers.js'
import { verifierPolicy, type VerifierPolicy } from './policy.js'

/** A body: bytes as they came, or text that is taken as UTF-8. */
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

export interface Verifier {
  /** Throws {@link WebhookVerificationError} unless the delivery is signed by the secret and fresh. Parses nothing. */
  verify(options: VerifyOptions): void
  /** The same, then the body parsed as JSON; `malformed_payload` when it is none. */
  verifyWebhook(options: VerifyOptions): unknown
  /** One entry of `webhook-signature`. */
  sign(options: SignOptions): string
}

const defaultToleranceSeconds = 300
/** Keys kept by their secret, so that base64 is decoded once. */
const mostKeys = 100

/** A verifier that follows `policy`. */
export function createVerifier(policy: VerifierPolicy = verifierPolicy): Verifier {
  const keys = new Map<string, Uint8Array>()
  const seen = new Set<string>()
  let hasRefused = false

  function keyOf(secret: string): Uint8Array {
    const known = keys.get(secret)
    if (known !== undefined) return known
    const key = typeof secret === 'string' ? policy.keyOf(secret) : undefined
    if (key === undefined) throw refusal('bad_secret', 'the secret is not whsec_ followed by the base64 of a key')
    if (keys.size >= mostKeys) keys.clear()
    keys.set(secret, key)
    return key
  }

  /** The keys of the secrets that may have signed; one that is none is refused, although another might match. */
  function keysOf(secrets: readonly string[]): Uint8Array[] {
    if (!Array.isArray(secrets) || secrets.length === 0)
      throw refusal('bad_secret', 'there is no secret to verify with')
    return secrets.map(keyOf)
  }

  function header(headers: HeaderSource, name: string): string {
    const value = policy.headerOf(headers, name)
    const present = value === undefined || value === '' ? policy.missingHeader(name) : value
    if (present === undefined) throw refusal('missing_header', `the header ${name} is missing`)
    return present
  }

  function refusal(code: RefusalCode, message: string): WebhookVerificationError {
    hasRefused = true
    return policy.refusal(code, message)
  }

  /** What is hashed of a body. Text goes to the hash as it is: a copy of its bytes costs as much as the hash. */
  function signedBody(payload: Payload): string | Uint8Array {
    if (policy.signedBody !== 'as-sent') return policy.signedBody(bytesOf(payload))
    return typeof payload === 'string' ? payload : bytesOf(payload)
  }

  /** The body that was verified. */
  function verified(options: VerifyOptions): string | Uint8Array {
    const { payload, headers, secret, now, toleranceSeconds = defaultToleranceSeconds } = options
    if (hasRefused && policy.afterRefusal === 'refused')
      throw refusal('no_matching_signature', 'an earlier delivery was refused')
    const id = header(headers, 'webhook-id')
    const timestamp = header(headers, 'webhook-timestamp')
    const signature = header(headers, 'webhook-signature')
    if (policy.repeatedIds !== 'judged' && seen.has(id)) {
      if (policy.repeatedIds === 'accepted') return bytesOf(payload)
      throw refusal('no_matching_signature', 'the id was seen before')
    }
    const values = valuesOf(signature)
    if (values.length === 0) throw refusal('malformed_signature', 'webhook-signature has no entry of version v1')
    checkTimestamp(timestamp, now, toleranceSeconds)
    const body = signedBody(payload)
    const head = policy.signedHead(id, timestamp)
    const isSigned =
      typeof secret === 'string'
        ? isSignedBy(keyOf(secret), { head, body, values })
        : keysOf(secret).some((key) => isSignedBy(key, { head, body, values }))
    if (!isSigned)
      throw refusal('no_matching_signature', 'no v1 entry of webhook-signature equals the computed signature')
    if (policy.repeatedIds !== 'judged') seen.add(id)
    return body
  }

  function isSignedBy(
    key: Uint8Array,
    { head, body, values }: { head: string; body: string | Uint8Array; values: readonly string[] },
  ): boolean {
    const mac = createHmac('sha256', key).update(head).update(body).digest('base64')
    for (const value of values) if (policy.isMac(value, mac)) return true
    return false
  }

  function valuesOf(signature: string): string[] {
    const values: string[] = []
    for (const entry of policy.entriesOf(signature)) {
      const value = policy.macOfEntry(entry)
      if (value !== undefined) values.push(value)
    }
    return values
  }

  function checkTimestamp(timestamp: string, now: number | Date | undefined, toleranceSeconds: number): void {
    const seconds = policy.parseTimestamp(timestamp)
    if (seconds === undefined)
      throw refusal('malformed_timestamp', 'webhook-timestamp is not an integer number of Unix seconds')
    if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds is no number of seconds')
    const clock = now === undefined ? policy.clock() : secondsOf(now)
    if (policy.isTooOld(clock - seconds, toleranceSeconds))
      throw refusal('too_old', `webhook-timestamp is ${clock - seconds} seconds in the past`)
    if (policy.isTooNew(seconds - clock, toleranceSeconds))
      throw refusal('too_new', `webhook-timestamp is ${seconds - clock} seconds in the future`)
  }

  return {
    verify(options) {
      verified(options)
    },
    verifyWebhook(options) {
      const body = verified(options)
      try {
        return policy.eventOf(body)
      } catch {
        throw policy.refusal('malformed_payload', 'the body is signed but is not JSON')
      }
    },
    sign({ id, timestamp, payload, secret }) {
      if (id === '') throw new WebhookVerificationError('missing_header', 'an id to sign must not be empty')
      const seconds = policy.parseTimestamp(String(timestamp))
      if (seconds === undefined)
        throw new WebhookVerificationError(
          'malformed_timestamp',
          `${timestamp} is not an integer number of Unix seconds`,
        )
      const mac = createHmac('sha256', keyOf(secret))
        .update(policy.signedHead(id, String(timestamp)))
        .update(signedBody(payload))
      return policy.writeEntry(mac.digest())
    },
  }
}

function bytesOf(payload: Payload): Uint8Array {
  if (payload instanceof Uint8Array) return payload
  if (typeof payload === 'string') return Buffer.from(payload, 'utf8')
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  throw new WebhookVerificationError('malformed_payload', 'the payload is not the raw body: pass its bytes or its text')
}

/** Throws a `TypeError` for what is no time: with it no delivery would ever be too old. */
function secondsOf(now: number | Date): number {
  const seconds = typeof now === 'number' ? now : Math.floor(now.getTime() / 1000)
  if (!Number.isFinite(seconds)) throw new TypeError('now is neither Unix seconds nor a date')
  return seconds
}
