/**
 * The entry `webhook-conformance/client`: a client of the API, with `verifyWebhook`.
 *
 * @example
 * ```ts
 * import { EmailClient } from 'webhook-conformance/client'
 *
 * const client = new EmailClient(process.env.SERVICE_API_KEY, { baseUrl: 'https://api.staging.example' })
 * const { id } = await client.emails.send({ from: 'a@mail.example', to: 'b@mail.example', subject: 'Hello', text: 'Hi' })
 * ```
 *
 * @module
 */
import { defaultClientPolicy } from './policy.js'
import { createVerifyWebhook } from './verify-webhook.js'

export { EmailClient } from './client.js'
export { ServiceError, WebhookVerificationError } from './errors.js'
export type { ServiceErrorFields } from './errors.js'
export { defaultBaseUrl } from './policy.js'
export type { Environment } from './policy.js'
export type { EmailClientOptions } from './settings.js'
export type { ClientRuntime } from './runtime.js'
export type { WebSocketConstructor, WebSocketLike } from './web-socket.js'
export type { BatchOptions, EmailListQuery, Emails } from './emails.js'
export type { EventQuery, Events } from './events.js'
export type { EventStream } from './event-stream.js'
export type { Webhooks } from './webhooks.js'
export type { ScheduledAt } from './scheduled-at.js'
export type { VerifyWebhook, WebhookDelivery } from './verify-webhook.js'
export type * from './types.js'

/** Verifies a webhook delivery without a client; see {@link VerifyWebhook}. */
export const verifyWebhook = createVerifyWebhook(defaultClientPolicy)
