import type { Hono } from 'hono'
import { eventTypes } from '../../../spec/index.js'
import { ApiError, invalidRequest, notFound } from './api-error.js'
import { asObject } from './email-input.js'
import { readJson, reply, resource, type ApiContext, type ApiEnv } from './http.js'
import type { Services } from '../services.js'
import { checkUrl } from '../egress/url-check.js'
import type { Policy } from '../policy.js'
import { findWebhook } from './find-webhook.js'

const isOfWorkspace = (type: string): boolean => type.startsWith('sending.')

/** `/webhooks`: create, list, delete. */
export function webhookRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, webhooks, deliveries, directory, egress, store } = services
  const prefix = `${policy.pathPrefix}/webhooks`

  resource(app, prefix, { GET: list, POST: create })
  resource(app, `${prefix}/:id`, { DELETE: remove })

  async function create(c: ApiContext): Promise<Response> {
    const key = c.get('key')
    const fields = asObject(await readJson(c, policy))
    const url = fields['url']
    if (typeof url !== 'string') throw invalidRequest('url is missing or not a string.', 'Send url as a string.')
    const asked = readTypes(fields['event_types'], policy)
    const inbox = readInbox(fields['inbox_id'], policy)
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
    if (
      policy.pointlessFilter === 'refuse' &&
      inboxId !== null &&
      asked?.every(isOfWorkspace) === true &&
      asked.length > 0
    )
      throw invalidRequest(
        'A webhook of one inbox never gets these events.',
        'Leave inbox_id out, or use other events.',
      )
    if (
      policy.sameUrl === 'refuse' &&
      webhooks.ofOrg(key.orgId).some((other) => !other.isDeleted && other.url === url)
    ) {
      const message = 'There is a webhook on this url.'
      throw new ApiError({ status: 409, code: 'webhook_exists', message, fix: 'Delete it first, or use another url.' })
    }
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

  function list(c: ApiContext): Response {
    const key = c.get('key')
    const items = webhooks
      .ofOrg(key.orgId)
      .filter((webhook) => !webhook.isDeleted)
      .filter((webhook) => key.inboxId === null || webhook.inboxId === key.inboxId)
      .map((webhook) => policy.listedWebhook(webhook))
    const start = Number(c.req.query('cursor') ?? 0)
    const end = start + (policy.webhookPageSize ?? items.length)
    const nextCursor = end < items.length ? String(end) : null
    return reply({ status: 200, body: policy.webhookListEnvelope(items.slice(start, end), nextCursor) })
  }

  function remove(c: ApiContext): Response {
    const webhook = findWebhook(c, services)
    if (webhook.isDeleted && policy.deleteAgain === 'succeed') return reply(policy.deleteAnswer(webhook))
    if (webhook.isDeleted) throw notFound('webhook', policy.foreignIdStatus)
    store.transaction(() => {
      webhooks.delete(webhook)
      deliveries.stop(webhook.id, policy.deletedPendingStatus)
    })
    return reply(policy.deleteAnswer(webhook))
  }
}

function readTypes(value: unknown, policy: Policy): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && policy.eventTypeAsText === 'list-of-one') return [value]
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

function readInbox(value: unknown, policy: Policy): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (policy.wrongTypes === 'ignore') return null
  throw invalidRequest('inbox_id is not a string.', 'Send inbox_id as the id of an inbox, or null.')
}
