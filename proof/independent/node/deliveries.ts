// From an event to the attempts that carry it.
import { randomUUID } from 'node:crypto'
import { send, type Outcome } from './attempt.js'
import { portOf, type Egress } from './egress.js'
import type { Delivery, DeliveryView, Project, StoredEvent, Webhook } from './state.js'
import { nextEventId } from './state.js'

const second = 1_000
const hour = 3_600 * second
const delays = [5 * second, 300 * second, 1_800 * second, 2 * hour, 5 * hour, 10 * hour]
/** The lag of the list, in milliseconds. */
const lagMs = 300

/** Stores an event, shows it to streams, and sends it to the webhooks that want it. */
export function raise(
  project: Project,
  egress: Egress,
  { type, data }: { readonly type: string; readonly data: Readonly<Record<string, unknown>> },
): StoredEvent {
  const inbox = data['inbox_id']
  const event: StoredEvent = {
    id: nextEventId(),
    type,
    at: new Date(project.workspace.clock.now()).toISOString(),
    inboxId: typeof inbox === 'string' ? inbox : undefined,
    data,
  }
  project.events.push(event)
  for (const listener of project.listeners) listener(event)
  for (const webhook of project.webhooks.values()) if (wants(webhook, event)) deliver(webhook, event, egress)
  return event
}

/** The body of a delivery and of a frame. */
export function bodyOf({ id, type, at, data }: StoredEvent): string {
  return JSON.stringify({ type, id, timestamp: at, data, api_version: '1' })
}

function wants(webhook: Webhook, event: StoredEvent): boolean {
  if (webhook.isDeleted) return false
  const isOfInbox =
    webhook.inboxId === null || (event.inboxId === webhook.inboxId && !event.type.startsWith('sending.'))
  return isOfInbox && (webhook.eventTypes.includes('*') || webhook.eventTypes.includes(event.type))
}

/** Begins a delivery, or a replay of `replayOf`. */
export function deliver(webhook: Webhook, event: StoredEvent, egress: Egress, replayOf?: string): Delivery {
  const delivery: Delivery = { id: randomUUID(), webhook, event, replayOf, history: [] }
  webhook.deliveries.push(delivery)
  note(delivery, { status: 'pending', attempt: 1 })
  const { clock } = webhook.project.workspace
  clock.at(clock.now(), () => attempt(delivery, egress, 1))
  return delivery
}

/** Returns the listed state; undefined while the list does not have the delivery yet. */
export function shownView({ history }: Delivery): DeliveryView | undefined {
  const until = Date.now() - lagMs
  return history.findLast(({ since }) => since <= until)?.view
}

function note(delivery: Delivery, view: DeliveryView): void {
  delivery.history.push({ since: Date.now(), view })
}

function attempt(delivery: Delivery, egress: Egress, number: number): void {
  const { webhook, event } = delivery
  const { clock } = webhook.project.workspace
  if (webhook.isDeleted) return
  const addresses = egress.addressesOf(webhook.url)
  if (!egress.allows(addresses, portOf(webhook.url))) {
    note(delivery, { status: 'failed', attempt: number, problem: 'blocked_private_address' })
    return
  }
  const startedAt = clock.now()
  const [address] = addresses
  if (address === undefined) {
    conclude(delivery, egress, { number, startedAt, outcome: {} })
    return
  }
  const { outcome, timeOut } = send({
    url: webhook.url,
    address,
    authorities: egress.authorities,
    eventId: event.id,
    secret: webhook.secret,
    signedAt: Math.floor(startedAt / second),
    body: bodyOf(event),
  })
  const ended = outcome.then((done) => conclude(delivery, egress, { number, startedAt, outcome: done }))
  clock.watch({ startedAt, startedReal: Date.now(), ended, timeOut })
}

/** Writes down how an attempt ended, and when the next one is due: this long after this one began. */
function conclude(
  delivery: Delivery,
  egress: Egress,
  { number, startedAt, outcome }: { readonly number: number; readonly startedAt: number; readonly outcome: Outcome },
): void {
  const { clock } = delivery.webhook.project.workspace
  const { code } = outcome
  const seen = { attempt: number, ...outcome }
  const delay = delays[number - 1]
  if (code !== undefined && code >= 200 && code < 300) note(delivery, { status: 'succeeded', ...seen })
  else if (delay === undefined || delivery.webhook.isDeleted) note(delivery, { status: 'failed', ...seen })
  else {
    const nextAt = Math.max(clock.now(), startedAt + delay)
    note(delivery, { status: 'pending', ...seen, nextAt })
    clock.at(nextAt, () => attempt(delivery, egress, number + 1))
  }
}

/** Sends nothing more to it; deliveries that wait for a retry end here. */
export function removeWebhook(webhook: Webhook): void {
  webhook.isDeleted = true
  for (const delivery of webhook.deliveries) {
    const view = delivery.history.at(-1)?.view
    if (view?.nextAt === undefined) continue
    const { nextAt: _, ...rest } = view
    note(delivery, { ...rest, status: 'failed' })
  }
}
