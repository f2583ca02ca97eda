import { toleranceSeconds } from '../../../spec/index.js'
import { verify, type SubtleVerifyOptions } from '../../verifier/subtle.js'
import type { ServiceErrorFields } from '../errors.js'
import { parsedEvent, verificationError, type WebhookDelivery } from '../verify-webhook.js'

/** Verification of deliveries. */
export interface WebhookPolicy {
  /** Source: CLI-049. */
  readonly toleranceSeconds: number
  /** Rejects for a delivery that is not signed by the secret, or not fresh. Source: CLI-048. */
  readonly verifySignature: (delivery: SubtleVerifyOptions) => Promise<void>
  /** The result for a verified payload; throws if it is invalid JSON. Source: CLI-048. */
  readonly verifiedEvent: (payload: WebhookDelivery['payload']) => unknown
  /** The error for a refused delivery. Source: CLI-050. */
  readonly refusal: (fields: ServiceErrorFields) => Error
}

export const webhookPolicy: WebhookPolicy = {
  toleranceSeconds,
  verifySignature: verify,
  verifiedEvent: parsedEvent,
  refusal: verificationError,
}
