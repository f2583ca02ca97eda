import { ownScheme } from '../schemes/scheme.js'
import { sampleData } from '../service/sample-data.js'
import { memberOf } from '../wire/exchange.js'
import { Delivery, type DeliveryFields } from './delivery.js'
import { bodyOf, type OwnEvent } from './own-events.js'
import type { ReceiverTarget } from './target.js'

/** Valid deliveries of fresh events, signed with the secret of the endpoint. */
export class ValidDeliveries {
  readonly #target: ReceiverTarget
  /** The next event of those that are not samples of the interface. */
  #turn = 0

  constructor(target: ReceiverTarget) {
    this.#target = target
  }

  /** Event bodies instead of the samples of the interface: the user's own, or those of the scheme. */
  get events(): readonly OwnEvent[] {
    const { ownEvents = [], scheme } = this.#target
    if (ownEvents.length > 0) return ownEvents
    return (scheme?.data.samples ?? []).map(({ name, headers, body }) => ({
      name,
      parts: [JSON.stringify(body)],
      ...(headers === undefined ? {} : { headers }),
    }))
  }

  /** A valid delivery, `changes` left aside: of the user's own events one after the other, else of a sample. */
  make(mark: string, { event, ...changes }: Partial<DeliveryFields> & { readonly event?: unknown } = {}): Delivery {
    const { secret, profile = 'interface', headerNames = 'webhook', scheme = ownScheme, url } = this.#target
    const events = this.events
    const own = memberOf(event, 'id')
    const id = changes.id ?? (typeof own === 'string' ? own : `evt_${mark}`)
    const ownEvent = events[this.#turn++ % Math.max(1, events.length)]
    const isOwn = changes.body === undefined && event === undefined && ownEvent !== undefined
    const sample = () => Buffer.from(JSON.stringify(event ?? sampleEvent(id, { mark, profile })))
    const body = changes.body ?? (isOwn ? bodyOf(ownEvent, id) : sample())
    const headers = isOwn ? headersOfEvent(ownEvent) : {}
    return new Delivery(
      { id, timestamp: now(), secret, ...headers, ...changes, body },
      { family: headerNames, scheme, url },
    )
  }
}

/** The headers that an event has of its own, as fields of a delivery. */
export function headersOfEvent({ headers }: OwnEvent): Pick<DeliveryFields, 'eventHeaders'> {
  return headers === undefined ? {} : { eventHeaders: headers }
}

/** Unix seconds. */
export function now(): number {
  return Math.floor(Date.now() / 1000)
}

function sampleEvent(id: string, { mark, profile }: { readonly mark: string; readonly profile: string }): unknown {
  const timestamp = new Date().toISOString()
  if (profile === 'standard-webhooks') return { type: 'conformance.sample', timestamp, data: { id, mark } }
  const data = sampleData('message.received', { inboxId: 'ibx_1', workspaceId: 'wsp_1', mark })
  return { id, type: 'message.received', timestamp, data }
}
