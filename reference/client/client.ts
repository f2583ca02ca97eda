import { createEmails, type Emails } from './emails.js'
import { createEvents, type Events } from './events.js'
import type { ClientPolicy } from './policy.js'
import { settingsOf, type EmailClientOptions } from './settings.js'
import { createTransport } from './transport.js'
import { createUnshown } from './unshown.js'
import { createVerifyWebhook, type VerifyWebhook } from './verify-webhook.js'
import { createWebhooks, type Webhooks } from './webhooks.js'

/** The client as a policy has it; {@link EmailClient} is the one of the package. */
export class PolicyClient {
  readonly emails: Emails
  readonly webhooks: Webhooks
  readonly events: Events
  readonly verifyWebhook: VerifyWebhook
  constructor(policy: Partial<ClientPolicy>, apiKey?: string, options: EmailClientOptions = {}) {
    const settings = settingsOf(apiKey, options, policy)
    const call = createTransport(settings)
    this.verifyWebhook = createVerifyWebhook(settings.policy)
    this.emails = createEmails(call, settings)
    this.webhooks = createWebhooks(call, this.verifyWebhook)
    this.events = createEvents(call, settings)
    // Groups of methods without a type: the interface does not show their paths.
    Object.assign(this, createUnshown(call, settings.policy.unshownPaths))
  }
}

/**
 * The client library, on any runtime with `fetch`. Every method takes `CallOptions` last, returns the API's JSON
 * unchanged, and throws `ServiceError`. Source: spec/interface.md#client-library-behaviour.
 *
 * Errors of the constructor: `ServiceError` `missing_api_key`, or `invalid_argument`.
 */
export class EmailClient extends PolicyClient {
  constructor(apiKey?: string, options: EmailClientOptions = {}) {
    super({}, apiKey, options)
  }
}
