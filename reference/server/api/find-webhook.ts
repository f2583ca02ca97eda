import { notFound } from './api-error.js'
import type { ApiContext } from './http.js'
import type { Services } from '../services.js'
import type { StoredWebhook } from '../store/webhook-store.js'

/** The webhook that the path names. Errors: `ApiError` where there is none that the key reaches. */
export function findWebhook(c: ApiContext, { policy, webhooks }: Services): StoredWebhook {
  const key = c.get('key')
  const webhook = webhooks.get(c.req.param('id') ?? '')
  const { malformedIdStatus } = policy
  if (malformedIdStatus !== null && !/^whk_[0-9a-f]+$/.test(c.req.param('id') ?? ''))
    throw notFound('webhook', malformedIdStatus)
  if (webhook === undefined || !policy.keyReaches(key, webhook)) throw notFound('webhook', policy.foreignIdStatus)
  return webhook
}
