/**
 * The entry `webhook-conformance/verifier`. It depends on nothing but node:crypto.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from 'webhook-conformance/verifier'
 *
 * // The raw body, before anything has parsed it. Throws `WebhookVerificationError`.
 * const event = verifyWebhook({ payload: rawBody, headers: request.headers, secret: process.env.WEBHOOK_SECRET })
 * ```
 *
 * @module
 */
export { WebhookVerificationError, type RefusalCode } from './errors.js'
export type { HeaderSource } from './headers.js'
export { sign, verify, verifyWebhook, type Payload, type SignOptions, type VerifyOptions } from './verifier.js'
