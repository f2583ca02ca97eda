import type { Hono } from 'hono'
import { eventTypes } from '../../spec/index.js'
import { ApiError, invalidRequest, notFound } from './api-error.js'
import { asObject } from './email-input.js'
import { readJson, readLimit, reply, resource, type ApiContext, type ApiEnv } from './http.js'
import type { DeliveryRecord } from './policy.js'
import type { Services } from './services.js'
import { checkUrl } from './url-check.js'
import type { StoredWebhook } from './webhook-store.js'

/** `/webhooks`, the deliveries of a webhook, and replay. */
export function webhookRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, webhooks, deliveries, directory, egress, store } = services
  const prefix = `${policy.pathPrefix}/webhooks`

  resource(app, prefix, { GET: list, POST: create })
  resource(app, `${prefix}/:id`, { DELETE: remove })
  resource(app, `${prefix}/:id/deliveries`, { GET: listDeliveries })
  resource(app, `${prefix}/:id/deliveries/:delivery_id/replay`, { POST: replay })

  async function create(c: ApiContext): Promise<Response> {
    const key = c.get('key')
    const fields = asObject(await readJson(c, policy))
    const url = fields['url']
    if (typeof url !== 'string') throw invalidRequest('url is missing or not a string.', 'Send url as a string.')
    const asked = readTypes(fields['event_types'])
    const inbox = readInbox(fields['inbox_id'])
    if (key.inboxId !== null && inbox !== null && inbox !== key.inboxId && policy.foreignInbox === 'refuse') {
      throw new ApiError({
        status: 403,
        code: 'forbidden',
        message: 'This key is limited to another inbox.',
        fix: 'Leave inbox_id out, or send the inbox of the key.',
      })
    }
    const inboxId = policy.webhookInbox(key.inboxId, inbox)
    if (inboxId !== null && policy.unknownInbox === 'refuse') {
      const isKnown = directory.inboxesOf(key.orgId).some(({ id }) => id === inboxId)
      if (!isKnown) throw notFound('inbox', policy.foreignIdStatus)
    }
    await checkUrl(url, { policy, egress })
    const webhook = webhooks.create({
      orgId: key.orgId,
      workspaceId: key.workspaceId,
      url,
      eventTypes: policy.storedEventTypes(asked),
      inboxId,
      secret: policy.newSecret(),
    })
    return reply({ status: policy.webhookCreatedStatus, body: policy.createdWebhook(webhook) })
  }

  function readTypes(value: unknown): readonly string[] | undefined {
    if (value === undefined || value === null) return undefined
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
    if (!isList) {
      if (policy.wrongTypes === 'ignore') return undefined
      throw invalidRequest('event_types is not a list of strings.', 'Send event_types as a list of event types.')
    }
    const unknown = value.find((type) => type !== '*' && !Object.hasOwn(eventTypes, type))
    if (unknown !== undefined && policy.unknownEventType === 'refuse') {
      throw invalidRequest('event_types names a type that does not exist.', 'Use the event types of the interface.')
    }
    return value
  }

  function readInbox(value: unknown): string | null {
    if (value === undefined || value === null) return null
    if (typeof value === 'string') return value
    if (policy.wrongTypes === 'ignore') return null
    throw invalidRequest('inbox_id is not a string.', 'Send inbox_id as the id of an inbox, or null.')
  }

  function list(c: ApiContext): Response {
    const key = c.get('key')
    const all = policy.webhookListOrgs === 'own' ? webhooks.ofOrg(key.orgId) : webhooks.ofEveryOrg()
    const items = all
      .filter((webhook) => policy.listsDeleted || !webhook.isDeleted)
      .filter((webhook) => key.inboxId === null || webhook.inboxId === key.inboxId)
      .map((webhook) => policy.listedWebhook(webhook))
    return reply({ status: 200, body: policy.webhookListEnvelope(items) })
  }

  function find(c: ApiContext): StoredWebhook {
    const key = c.get('key')
    const webhook = webhooks.get(c.req.param('id') ?? '')
    if (webhook === undefined || !policy.keyReaches(key, webhook)) throw notFound('webhook', policy.foreignIdStatus)
    return webhook
  }

  function remove(c: ApiContext): Response {
    const webhook = find(c)
    if (webhook.isDeleted) throw notFound('webhook', policy.foreignIdStatus)
    store.transaction(() => {
      webhooks.delete(webhook)
      if (policy.deleteStopsRetries) deliveries.stop(webhook.id, policy.deletedPendingStatus)
      if (!policy.deleteKeepsHistory) deliveries.erase(webhook.id)
    })
    return reply(policy.deleteAnswer(webhook))
  }

  function listDeliveries(c: ApiContext): Response {
    const webhook = find(c)
    const { deliveryDefaultLimit: defaultLimit, deliveryMaxLimit: maxLimit } = policy
    const limit = readLimit(c, { defaultLimit, maxLimit, policy })
    const items = deliveries.list(webhook.id, limit).map((delivery) => policy.shownDelivery(delivery))
    return reply({ status: 200, body: policy.deliveryListEnvelope(items) })
  }

  function replay(c: ApiContext): Response {
    const webhook = find(c)
    const original = deliveries.get(c.req.param('delivery_id') ?? '', webhook.id)
    if (original === undefined) throw notFound('delivery', policy.foreignIdStatus)
    if (webhook.isDeleted || !policy.replayable(original.status)) {
      throw new ApiError({
        status: 409,
        code: webhook.isDeleted ? 'webhook_deleted' : 'not_replayable',
        message: webhook.isDeleted ? 'The webhook is deleted.' : `The delivery is ${original.status}.`,
        fix: 'Create a webhook and wait for new events.',
      })
    }
    const shown = start(webhook, original)
    services.engine.wake(webhook.workspaceId)
    return reply(policy.replayAnswer(policy.shownDelivery(shown)))
  }

  function start(webhook: StoredWebhook, original: DeliveryRecord): DeliveryRecord {
    const now = services.engine.now(webhook.workspaceId)
    const dueAt = now + policy.replayDelayMs
    if (policy.replayMakes === 'original-again') deliveries.restart(original.id, dueAt)
    if (policy.replayMakes !== 'new-delivery') return original
    const latest = policy.replayEvent === 'latest' ? services.events.newestOfOrg(webhook.orgId)?.id : undefined
    const id = deliveries.create({
      workspaceId: webhook.workspaceId,
      webhookId: webhook.id,
      eventId: latest ?? original.eventId,
      dueAt,
      replayOf: policy.replayOf(original),
      nowMs: now,
    })
    return deliveries.get(id, webhook.id) ?? original
  }
}
