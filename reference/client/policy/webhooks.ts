import { toleranceSeconds } from '../../../spec/index.js'
import type { ServiceErrorFields } from '../errors.js'
import { verifySignature, type SignedDelivery } from '../verify-signature.js'
import { verificationError, type VerifyWebhook } from '../verify-webhook.js'

/** Verification of deliveries. */
export interface WebhookPolicy {
  /** Source: CLI-049. */
  readonly toleranceSeconds: number
  /** Rejects with `SignatureRefusal`. Source: CLI-048. */
  readonly verifySignature: (delivery: SignedDelivery) => Promise<void>
  /** What a verified payload resolves to; throws for one that is no JSON. Source: CLI-048. */
  readonly verifiedEvent: (payload: Uint8Array) => unknown
  /** What is thrown for a delivery that is refused. Source: CLI-050. */
  readonly refusal: (fields: ServiceErrorFields) => Error
  /** `webhooks.verify`, from `verifyWebhook`. Source: CLI-051. */
  readonly namespacedVerify: (verifyWebhook: VerifyWebhook) => VerifyWebhook
}

export const webhookPolicy: WebhookPolicy = {
  toleranceSeconds,
  verifySignature,
  verifiedEvent: (payload) => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown,
  refusal: verificationError,
  namespacedVerify: (verifyWebhook) => verifyWebhook,
}
