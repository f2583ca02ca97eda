// The library entry `webhook-conformance/verifier`. It depends on nothing but node:crypto.
import { createVerifier, type SignOptions, type VerifyOptions } from './verifier.js'

export { WebhookVerificationError, type RefusalCode } from './errors.js'
export type { HeaderSource } from './headers.js'
export { verifierPolicy, type VerifierPolicy } from './policy.js'
export { createVerifier, type Payload, type SignOptions, type Verifier, type VerifyOptions } from './verifier.js'

const verifier = createVerifier()

/**
 * Throws `WebhookVerificationError` unless the delivery is signed by the secret and at most 300 seconds from the clock.
 * The bytes are verified as they are; nothing is parsed. Source: #webhook-signature-standard-webhooks.
 *
 * @example verify({ payload: rawBody, headers: request.headers, secret: process.env.WEBHOOK_SECRET })
 */
export function verify(options: VerifyOptions): void {
  verifier.verify(options)
}

/** {@link verify}, then the body parsed as JSON. Throws `malformed_payload` when the signed body is no JSON. */
export function verifyWebhook(options: VerifyOptions): unknown {
  return verifier.verifyWebhook(options)
}

/** One entry of `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{payload}`. */
export function sign(options: SignOptions): string {
  return verifier.sign(options)
}
