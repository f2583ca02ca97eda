// Routes of webhooks and their deliveries.
import { randomBytes, randomUUID } from 'node:crypto'
import { asObject, invalid, notFound, Refusal, type Answer } from './answers.js'
import { deliver, removeWebhook, shownView } from './deliveries.js'
import { portOf, type Egress } from './egress.js'
import type { Caller, Delivery, Webhook } from './state.js'

const typeNames = new Set(
  ['received', 'queued', 'delivered', 'deferred', 'bounced', 'complained', 'failed', 'scheduled']
    .map((name) => `message.${name}`)
    .concat(['sending.paused', 'sending.resumed', '*']),
)

/** Refuses what it can at creation: literals, names that lead to private addresses, and names that lead nowhere. */
export function createWebhook(caller: Caller, body: unknown, egress: Egress): Answer {
  const fields = asObject(body)
  const url = urlFrom(fields['url'], egress)
  const eventTypes = eventTypesFrom(fields['event_types'])
  const inboxId = caller.inbox?.id ?? inboxFrom(fields['inbox_id'], caller)
  if (inboxId !== null && eventTypes.every((type) => type.startsWith('sending.')))
    throw invalid('an inbox has no workspace events', 'Leave inbox_id out, or add another type.')
  const hooks = caller.project.webhooks
  if ([...hooks.values()].some((webhook) => !webhook.isDeleted && webhook.url.href === url.href))
    throw new Refusal(409, 'webhook_exists', { message: 'this url has a webhook', fix: 'Delete it first.' })
  const webhook: Webhook = {
    id: `whk_${randomUUID()}`,
    url,
    shownUrl: String(fields['url']),
    eventTypes,
    inboxId,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    project: caller.project,
    deliveries: [],
    isDeleted: false,
  }
  hooks.set(webhook.id, webhook)
  return { status: 201, value: { ...shown(webhook), secret: webhook.secret } }
}

export function listWebhooks(caller: Caller): Answer {
  const all = [...caller.project.webhooks.values()].filter((webhook) => !webhook.isDeleted && isSeen(caller, webhook))
  return { status: 200, value: all.map(shown) }
}

export function deleteWebhook(caller: Caller, id: string): Answer {
  const webhook = find(caller, id)
  if (webhook.isDeleted) throw notFound('webhook with this id')
  removeWebhook(webhook)
  return { status: 200, value: { id, deleted: true } }
}

/** Of a deleted webhook too: its history is kept. */
export function listDeliveries(caller: Caller, id: string, query: URLSearchParams): Answer {
  const limit = limitFrom(query)
  const items = find(caller, id)
    .deliveries.toReversed()
    .map(shownDelivery)
    .filter((delivery) => delivery !== undefined)
  return { status: 200, value: { items: items.slice(0, limit) } }
}

export function replay(
  caller: Caller,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
  egress: Egress,
): Answer {
  const webhook = find(caller, id)
  const original = webhook.deliveries.find((delivery) => delivery.id === deliveryId)
  if (original === undefined) throw notFound('delivery with this id')
  if (webhook.isDeleted)
    throw new Refusal(410, 'webhook_deleted', { message: 'the webhook is deleted', fix: 'Create it again.' })
  deliver(webhook, original.event, egress, original.id)
  return { status: 202 }
}

/** Of a list of 50 by default, 100 at most; more is refused. */
export function limitFrom(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return 50
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100) throw invalid(`limit ${text}`, 'Ask for 1 to 100.')
  return limit
}

function find(caller: Caller, id: string): Webhook {
  const webhook = caller.project.webhooks.get(id)
  if (webhook === undefined || !isSeen(caller, webhook)) throw notFound('webhook with this id')
  return webhook
}

function isSeen({ inbox }: Caller, { inboxId }: Webhook): boolean {
  return inbox === undefined || inbox.id === inboxId
}

function shown({ id, shownUrl, eventTypes, inboxId }: Webhook): object {
  return { id, url: shownUrl, event_types: eventTypes, inbox_id: inboxId }
}

/** Fields without a value are absent. */
function shownDelivery(delivery: Delivery): object | undefined {
  const view = shownView(delivery)
  if (view === undefined) return undefined
  const { status, attempt, code, snippet, nextAt, problem } = view
  return {
    id: delivery.id,
    status,
    attempt,
    ...(code === undefined ? {} : { response_code: code, response_body_snippet: snippet ?? '' }),
    ...(nextAt === undefined ? {} : { next_attempt_at: new Date(nextAt).toISOString() }),
    ...(problem === undefined ? {} : { failure_reason: problem }),
    ...(delivery.replayOf === undefined ? {} : { replay_of: delivery.replayOf }),
    event: { id: delivery.event.id, type: delivery.event.type },
  }
}

/** `URL.canParse` of Node 20 denies a host with a letter of Latin-1 once it has run some thousand times. */
function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function urlFrom(value: unknown, egress: Egress): URL {
  const fix = 'Give a public https:// url.'
  if (typeof value !== 'string') throw invalid('url is not a text', fix)
  const url = parsed(value)
  if (url === undefined || /\s/.test(value)) throw invalid('url is not a url', fix)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') throw invalid('url is not https', fix)
  const addresses = egress.addressesOf(url)
  if (addresses.length === 0) throw invalid('the host of url has no address', fix)
  if (!egress.allows(addresses, portOf(url))) throw invalid('url leads to a private address', fix)
  return url
}

function eventTypesFrom(value: unknown): readonly string[] {
  if (value === undefined || value === null) return ['*']
  if (!Array.isArray(value)) throw invalid('event_types is not a list', 'Send a list of event types.')
  const names = value.map((name) => {
    if (typeof name !== 'string' || !typeNames.has(name))
      throw invalid('event_types has an unknown type', `Use some of ${[...typeNames].join(', ')}.`)
    return name
  })
  return names.length === 0 || names.includes('*') ? ['*'] : [...new Set(names)]
}

function inboxFrom(value: unknown, { project }: Caller): string | null {
  if (value === undefined || value === null) return null
  const inbox = project.inboxes.find(({ id }) => id === value)
  if (inbox === undefined) throw invalid('there is no such inbox', 'Use the id of an inbox of this org, or null.')
  return inbox.id
}
