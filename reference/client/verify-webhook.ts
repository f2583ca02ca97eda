import { WebhookVerificationError as Refusal, type SubtleVerifyOptions } from '../verifier/subtle.js'
import { WebhookVerificationError, type ServiceErrorFields } from './errors.js'
import type { WebhookPolicy } from './policy/webhooks.js'
import type { WebhookEvent } from './types.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A delivery as it arrived. */
export interface WebhookDelivery {
  /** The raw body: its bytes, or the text they are as UTF-8. Never JSON that was parsed and serialized again. */
  readonly payload: string | Uint8Array | ArrayBuffer
  /** Names in any case. */
  readonly headers: SubtleVerifyOptions['headers']
  /** `whsec_` followed by base64; several while a secret is rotated. */
  readonly secret: string | readonly string[]
  /** Default: the clock. */
  readonly now?: Date | undefined
}

/**
 * Checks the signature of a delivery, refuses one that is more than 300 seconds from the clock, and resolves to the event.
 * Rejects with `WebhookVerificationError`. Needs Web Crypto. Source: CLI-048 to CLI-051.
 */
export type VerifyWebhook = (delivery: WebhookDelivery) => Promise<WebhookEvent>

/** Makes `verifyWebhook` as `policy` has it. */
export function createVerifyWebhook(policy: WebhookPolicy): VerifyWebhook {
  const { toleranceSeconds } = policy
  return async (delivery) => {
    try {
      const { payload, headers, secret, now } = delivery
      await policy.verifySignature({ payload, headers, secret, toleranceSeconds, ...(now && { now }) })
      return policy.verifiedEvent(payload) as WebhookEvent
    } catch (error) {
      const { code, message } = error instanceof Refusal ? error : unusableDelivery
      const fix = 'Pass the raw body, all headers and the secret of this webhook, soon after the delivery arrived.'
      throw policy.refusal({ status: 0, code, message: `The delivery is refused: ${message}.`, fix, cause: error })
    }
  }
}

/** The event in a verified payload. Throws the verifier's error for invalid JSON or UTF-8. */
export function parsedEvent(payload: WebhookDelivery['payload']): unknown {
  try {
    // A byte order mark stays, so that JSON refuses it in bytes as in text.
    const text = typeof payload === 'string' ? payload : utf8.decode(payload)
    return JSON.parse(text) as unknown
  } catch {
    throw new Refusal('malformed_payload', 'the body is signed but is not JSON')
  }
}

/** The error for a delivery that is refused. */
export function verificationError(fields: ServiceErrorFields): Error {
  return new WebhookVerificationError(fields)
}

/** A value that is not a delivery, such as a missing payload. */
const unusableDelivery = { code: 'invalid_argument', message: 'payload, headers or secret cannot be used' }
