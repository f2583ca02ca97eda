// Knows each webhook from the answers that made, listed or deleted it.
import { asText } from '../wire/json.js'
import { memberOf } from '../wire/exchange.js'
import { placeOf } from '../wire/url.js'
import { secretToken } from './confidential.js'
import type { Keys } from './keys.js'
import type { KeyState } from './org-state.js'
import { markedField, type DeliveryLine, type ExchangeLine } from './record.js'
import { keepNewest } from './keep-newest.js'

/** Webhooks kept; the oldest is forgotten first. */
const maxWebhooks = 10_000

/** A possible fault that an unseen replay may explain. */
export interface Suspicion {
  /** Settles it, once a deliveries list shows that there was no such replay. */
  readonly settle: () => void
  readonly eventId: string
  readonly startedAt: number
  readonly endedAt: number
}

export interface WebhookState {
  readonly id: string
  readonly place: string
  readonly key: KeyState
  /** The stable name of its secret. */
  readonly secret: string | undefined
  /** Types it is limited to; undefined where it has every event, or where nothing is known. */
  readonly types: ReadonlySet<string> | undefined
  readonly inbox: string | undefined
  deletedAt: number | undefined
  /** As it was listed last before it was deleted. */
  listedAs: string | undefined
  /** When replays of its deliveries were requested. */
  readonly replays: number[]
  /** Deliveries whose replay was requested. */
  readonly replayIds: Set<string>
  /** Deliveries whose replay was accepted, until a list has shown it. */
  readonly replayed: Map<string, { readonly endedAt: number; readonly line: ExchangeLine }>
  suspicions: Suspicion[]
}

export class Webhooks {
  readonly #keys: Keys
  readonly #all = new Map<string, WebhookState>()
  readonly #bySecret = new Map<string, readonly WebhookState[]>()
  readonly #byPlace = new Map<string, Set<WebhookState>>()
  /** Urls and secrets of webhooks that were changed in a way the interface does not know: they may have another secret. */
  readonly #changed = new Map<string, true>()
  /** Such a request named a webhook whose create answer was not seen, or was seen without its id. */
  #isUnknownChanged = false

  constructor(keys: Keys) {
    this.#keys = keys
  }

  /** Adds a webhook of a create answer or a list; known values stay. */
  add(service: string, webhook: unknown, key: KeyState, isCreated: boolean): WebhookState | undefined {
    const id = memberOf(webhook, 'id')
    if (typeof id !== 'string') return undefined
    const known = this.get(service, id)
    if (known !== undefined) return known
    const url = memberOf(webhook, 'url')
    const secret = secretToken.exec(asText(memberOf(webhook, 'secret')))?.[2]
    const types = memberOf(webhook, 'event_types')
    const inbox = memberOf(webhook, 'inbox_id')
    const isForAll = !Array.isArray(types) || types.length === 0 || types.includes('*')
    const state: WebhookState = {
      id,
      place: typeof url === 'string' ? placeOf(url) : '',
      key: isCreated ? key : this.#ownerOf(service, id, key),
      secret,
      types: isForAll ? undefined : new Set(types.map(String)),
      inbox: typeof inbox === 'string' ? inbox : undefined,
      deletedAt: undefined,
      listedAs: undefined,
      replays: [],
      replayIds: new Set(),
      replayed: new Map(),
      suspicions: [],
    }
    this.#all.set(`${service} ${id}`, state)
    if (secret !== undefined && isCreated) this.#bySecret.set(secret, [...(this.#bySecret.get(secret) ?? []), state])
    const there = this.#byPlace.get(state.place) ?? new Set()
    this.#byPlace.set(state.place, there.add(state))
    if (this.#all.size > maxWebhooks) this.#forget(this.#all.keys().next().value ?? '')
    return state
  }

  /** Returns the owner of a webhook that is only listed: the org of the lister; its creator is unknown. */
  #ownerOf(service: string, id: string, lister: KeyState): KeyState {
    const owner = this.#keys.of(service, undefined, `webhook ${id}`)
    if (lister.isKnown) this.#keys.merge(lister.orgState, owner.orgState)
    return owner
  }

  get(service: string, id: string): WebhookState | undefined {
    return this.#all.get(`${service} ${id}`)
  }

  /** Marks a webhook that was changed in a way outside the interface: it is no longer checked. */
  change(service: string, id: string): void {
    const state = this.get(service, id)
    this.#isUnknownChanged ||= state === undefined
    for (const mark of [state?.place, state?.secret]) if (mark !== undefined) this.#changed.set(mark, true)
    keepNewest(this.#changed, maxWebhooks)
    this.#forget(`${service} ${id}`)
  }

  /** Whether a delivery may be signed with a secret that the traffic did not show. */
  isChanged({ url, signature }: DeliveryLine): boolean {
    const place = placeOf(url)
    const isKnown = [...(this.#byPlace.get(place) ?? [])].some(({ id }) => id !== markedField)
    return (this.#isUnknownChanged && !isKnown) || this.#changed.has(place) || this.#changed.has(signature.secret ?? '')
  }

  #forget(id: string): void {
    const state = this.#all.get(id)
    this.#all.delete(id)
    if (state === undefined) return
    if (state.secret !== undefined) {
      const left = this.#bySecret.get(state.secret)?.filter((other) => other !== state) ?? []
      if (left.length > 0) this.#bySecret.set(state.secret, left)
      else this.#bySecret.delete(state.secret)
    }
    this.#byPlace.get(state.place)?.delete(state)
  }

  isKnownSecret(name: string): boolean {
    return this.#bySecret.has(name)
  }

  /** Whether deliveries of a known webhook go to this url. */
  isUsed(url: string): boolean {
    return (this.#byPlace.get(placeOf(url))?.size ?? 0) > 0
  }

  /** The webhook of a delivery: by the secret that made its signature, else by a url that no other webhook has. */
  of({ signature, url }: DeliveryLine): WebhookState | undefined {
    if (signature.secret !== undefined) {
      const owners = this.#bySecret.get(signature.secret) ?? []
      // Of several that share a secret it is the one whose url this is.
      const likely = owners.length > 1 ? owners.filter(({ place }) => place === placeOf(url)) : owners
      if (owners.length > 0) return likely.length === 1 ? likely[0] : undefined
    }
    const there = this.#byPlace.get(placeOf(url))
    const [only, another] = there ?? []
    return another === undefined && (only?.secret === undefined || signature.verdict === 'wrong') ? only : undefined
  }
}
