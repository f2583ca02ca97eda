import type { Transport } from './transport.js'
import type { CallOptions, CreatedWebhook, WebhookToCreate } from './types.js'
import type { VerifyWebhook } from './verify-webhook.js'

/** `client.webhooks`. Source: spec/interface.md#endpoints. */
export interface Webhooks {
  /** The answer carries the secret, and no later one does. Not made again after a server error or without an answer. */
  create(webhook: WebhookToCreate, options?: CallOptions): Promise<CreatedWebhook>
  /** The shape of the answer is not shown. */
  list(options?: CallOptions): Promise<unknown>
  /** Resolves to the API's JSON, where it answers with any. */
  delete(id: string, options?: CallOptions): Promise<unknown>
  /** Newest first; `limit` is 50 by default, 100 at most. The envelope of the list is not shown. */
  deliveries(id: string, query?: { readonly limit?: number | undefined }, options?: CallOptions): Promise<unknown>
  /** Sends the event of a delivery again now. Resolves to the API's JSON, where it answers with any. */
  replay(id: string, deliveryId: string, options?: CallOptions): Promise<unknown>
  /** The same function as `verifyWebhook`. */
  readonly verify: VerifyWebhook
}

export function createWebhooks(call: Transport, verify: VerifyWebhook): Webhooks {
  return {
    create: async (webhook, options) => call({ operation: 'webhooks.create', body: webhook, options }),
    list: async (options) => call({ operation: 'webhooks.list', options }),
    delete: async (id, options) => call({ operation: 'webhooks.delete', path: { id }, options }),
    deliveries: async (id, query, options) =>
      call({ operation: 'webhooks.deliveries', path: { id }, query: { ...query }, options }),
    replay: async (id, deliveryId, options) =>
      call({ operation: 'webhooks.replay', path: { id, delivery_id: deliveryId }, options }),
    verify,
  }
}
