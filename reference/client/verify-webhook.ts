import { WebhookVerificationError, type ServiceErrorFields } from './errors.js'
import type { WebhookPolicy } from './policy/webhooks.js'
import type { WebhookEvent } from './types.js'
import { SignatureRefusal } from './verify-signature.js'

/** Headers as runtimes hand them out. */
export type IncomingHeaders =
  | { forEach(each: (value: string, name: string) => void): void }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookDelivery {
  /** The raw body: its bytes, or the text they are as UTF-8. Never JSON that was parsed and written again. */
  readonly payload: string | Uint8Array | ArrayBuffer
  /** Names in any case. */
  readonly headers: IncomingHeaders
  /** `whsec_` followed by base64. */
  readonly secret: string
  /** Default: the clock. */
  readonly now?: Date
}

/**
 * Checks the signature of a delivery, refuses one that is more than 300 seconds from the clock, and resolves to the event.
 * Rejects with `WebhookVerificationError`. Needs Web Crypto. Source: CLI-048 to CLI-051.
 */
export type VerifyWebhook = (delivery: WebhookDelivery) => Promise<WebhookEvent>

/** Makes `verifyWebhook` as `policy` has it. */
export function createVerifyWebhook(policy: WebhookPolicy): VerifyWebhook {
  const { toleranceSeconds } = policy
  return async ({ payload, headers, secret, now = new Date() }) => {
    const bytes = bytesOf(payload)
    try {
      await policy.verifySignature({ payload: bytes, headers: byLowerName(headers), secret, now, toleranceSeconds })
      return policy.verifiedEvent(bytes) as WebhookEvent
    } catch (error) {
      const isRefusal = error instanceof SignatureRefusal
      throw policy.refusal({
        status: 0,
        code: isRefusal ? error.code : 'malformed-payload',
        message: isRefusal ? error.message : 'The payload is signed, but it is no JSON.',
        fix: 'Pass the raw body, all headers and the secret of this webhook, soon after the delivery arrived.',
        cause: error,
      })
    }
  }
}

/** The default of `WebhookPolicy.refusal`. */
export function verificationError(fields: ServiceErrorFields): Error {
  return new WebhookVerificationError(fields)
}

function bytesOf(payload: WebhookDelivery['payload']): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload)
  return payload instanceof Uint8Array ? payload : new Uint8Array(payload)
}

function byLowerName(headers: IncomingHeaders): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (typeof headers.forEach === 'function') {
    headers.forEach((value, name) => found.set(name.toLowerCase(), value))
    return found
  }
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') found.set(name.toLowerCase(), value)
    else if (Array.isArray(value)) found.set(name.toLowerCase(), value.join(' '))
  }
  return found
}
