import { createEmails, type Emails } from './emails.js'
import { createEvents, type Events } from './events.js'
import { createMessages, type Messages } from './messages.js'
import { settingsOf, type EmailClientOptions } from './settings.js'
import { createTransport } from './transport.js'
import { createVerifyWebhook, type VerifyWebhook } from './verify-webhook.js'
import { createWebhooks, type Webhooks } from './webhooks.js'

/**
 * The client library, on any runtime with `fetch`. Every method takes `CallOptions` last, returns the API's JSON
 * unchanged, and throws `ServiceError`. Source: spec/interface.md#client-library-behaviour.
 *
 * Errors of the constructor: `ServiceError` `missing_api_key`, or `invalid_argument`.
 */
export class EmailClient {
  readonly emails: Emails
  /** Undefined unless the policy tells the paths: the interface does not show them. */
  readonly messages: Messages | undefined
  readonly webhooks: Webhooks
  readonly events: Events
  readonly verifyWebhook: VerifyWebhook

  constructor(apiKey?: string, options: EmailClientOptions = {}) {
    const settings = settingsOf(apiKey, options)
    const call = createTransport(settings)
    this.verifyWebhook = createVerifyWebhook(settings.policy)
    this.emails = createEmails(call, settings)
    this.messages = settings.policy.messages === undefined ? undefined : createMessages(call)
    this.webhooks = createWebhooks(call, settings.policy.namespacedVerify(this.verifyWebhook))
    this.events = createEvents(call, settings)
  }
}
