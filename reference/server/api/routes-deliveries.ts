import type { Hono } from 'hono'
import { ApiError, notFound } from './api-error.js'
import { findWebhook } from './find-webhook.js'
import { readLimit, reply, resource, type ApiContext, type ApiEnv } from './http.js'
import type { Services } from '../services.js'

/** The deliveries of a webhook, and replay. */
export function deliveryRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, deliveries, queues } = services
  const prefix = `${policy.pathPrefix}/webhooks/:id/deliveries`

  resource(app, prefix, { GET: list })
  resource(app, `${prefix}/:delivery_id/replay`, { POST: replay })

  function list(c: ApiContext): Response {
    const webhook = findWebhook(c, services)
    if (webhook.isDeleted && policy.deletedHistory === 'not-found') throw notFound('webhook', policy.foreignIdStatus)
    const { deliveryDefaultLimit: defaultLimit, deliveryMaxLimit: maxLimit } = policy
    const limit = readLimit(c, { defaultLimit, maxLimit, policy })
    const items = deliveries.list(webhook.id, limit).map((delivery) => policy.shownDelivery(delivery))
    return reply({ status: 200, body: policy.deliveryListEnvelope(items) })
  }

  function replay(c: ApiContext): Response {
    const webhook = findWebhook(c, services)
    const original = deliveries.get(c.req.param('delivery_id') ?? '', webhook.id)
    if (original === undefined) throw notFound('delivery', policy.foreignIdStatus)
    if (webhook.isDeleted && policy.replayAfterDelete === 'refuse') {
      throw new ApiError({
        status: 409,
        code: 'webhook_deleted',
        message: 'The webhook is deleted.',
        fix: 'Create a webhook and wait for new events.',
      })
    }
    const now = queues.now(webhook.workspaceId)
    const id = deliveries.create({
      workspaceId: webhook.workspaceId,
      webhookId: webhook.id,
      eventId: original.eventId,
      dueAt: now,
      replayOf: policy.replayOf(original),
      nowMs: now,
    })
    queues.wake(webhook.workspaceId)
    return reply(policy.replayAnswer(policy.shownDelivery(deliveries.get(id, webhook.id) ?? original)))
  }
}
