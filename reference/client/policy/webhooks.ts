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
  /** What a verified payload resolves to; throws for one that is no JSON. Source: CLI-048. */
  readonly verifiedEvent: (payload: WebhookDelivery['payload']) => unknown
  /** What is thrown for a delivery that is refused. Source: CLI-050. */
  readonly refusal: (fields: ServiceErrorFields) => Error
}

export const webhookPolicy: WebhookPolicy = {
  toleranceSeconds,
  verifySignature: verify,
  verifiedEvent: parsedEvent,
  refusal: verificationError,
}
