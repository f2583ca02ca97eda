// What each key may see: keys of one inbox see only its events, and all keys of one org share its events.
import { parseInstant } from '../wire/numbers.js'
import { asText } from '../wire/json.js'
import type { Ledger } from './ledger.js'
import { isSameEvent, newKey, type KeyState, type OrgState, type SeenEvent } from './org-state.js'
import type { TrafficLine } from './record.js'
import { keepNewest } from './keep-newest.js'

/** Keys kept; the oldest is forgotten first. */
const maxKeys = 5_000
/** Events of which it is known what org they were seen in. */
const maxIndexed = 10_000

/** The keys seen, and the events of the org of each. */
export class Keys {
  readonly #ledger: Ledger
  readonly #keys = new Map<string, KeyState>()
  readonly #orgs = new Map<string, OrgState>()
  readonly #realmOf = new Map<string, OrgState>()
  readonly #scopes: ReadonlyMap<string, string>

  /** @param scopes the inbox of each key that the configuration names, by the key's stable name */
  constructor(ledger: Ledger, scopes: ReadonlyMap<string, string>) {
    this.#ledger = ledger
    this.#scopes = scopes
  }

  /** Returns the key of a request. `place` distinguishes requests without a key, or without a recorded one. */
  of(service: string, name: string | undefined, place = ''): KeyState {
    const id = `${service} ${name ?? `?${place}`}`
    const known = this.#keys.get(id)
    if (known !== undefined) return known
    const key = newKey(service, name)
    key.scope = name === undefined ? undefined : this.#scopes.get(name)
    this.#keys.set(id, key)
    keepNewest(this.#keys, maxKeys)
    return key
  }

  /** Every orgState that is still held. */
  get orgStates(): ReadonlySet<OrgState> {
    return new Set([...this.#keys.values()].map((key) => key.orgState))
  }

  /** Takes an event that a key was shown, or that a webhook of it received; returns the event as it was seen first. */
  see(key: KeyState, event: SeenEvent, orgId?: string): SeenEvent {
    if (orgId !== undefined) this.#learnOrg(key, orgId, event)
    this.#join(key, event)
    const known = key.orgState.events.get(event.id)
    if (known === undefined) {
      key.orgState.events.set(event.id, event)
      event.keys.add(key)
      return event
    }
    known.keys.add(key)
    // Each project has its own event of the workspace, under one id or several; which project a hidden key is of is unknown.
    if (key.isKnown || !event.isOfWorkspace) this.#checkSame(known, event)
    return known
  }

  #learnOrg(key: KeyState, orgId: string, event: SeenEvent): void {
    if (key.isKnown) {
      this.#ledger.checked('SCOPE-007')
      if (key.orgId !== undefined && key.orgId !== orgId)
        this.#ledger.violated('SCOPE-007', {
          what: 'org_id of events that one key was shown',
          expected: key.orgId,
          got: orgId,
          fault: `org:${key.name}`,
          lines: [event.line],
        })
      key.orgId ??= orgId
      if (key.orgId !== orgId) return
    }
    key.orgState.orgId ??= orgId
    const orgState = this.#orgs.get(`${key.service} ${orgId}`)?.current
    if (orgState === undefined) this.#orgs.set(`${key.service} ${orgId}`, key.orgState)
    else this.merge(orgState, key.orgState)
  }

  /** Two keys that were shown the very same event are of one org. */
  #join(key: KeyState, event: SeenEvent): void {
    // An event of the workspace reaches each of its projects, under one id or several.
    if (event.inbox === undefined || key.orgState.events.has(event.id)) return
    const found = this.#realmOf.get(event.id)
    const orgState = found === undefined ? undefined : found.current
    if (orgState === undefined || orgState === key.orgState) {
      this.#realmOf.set(event.id, key.orgState)
      keepNewest(this.#realmOf, maxIndexed)
      return
    }
    const twin = orgState.events.get(event.id)
    const areApart =
      orgState.orgId !== undefined && key.orgState.orgId !== undefined && orgState.orgId !== key.orgState.orgId
    if (twin !== undefined && !areApart && isSameEvent(twin, event)) this.merge(orgState, key.orgState)
  }

  /** Makes two orgStates one. */
  merge(one: OrgState, other: OrgState): void {
    if (one === other) return
    for (const key of this.#keys.values()) if (key.orgState === other) key.orgState = one
    other.mergedInto = one
    one.orgId ??= other.orgId
    for (const channel of other.channels) {
      one.channels.push(channel)
      for (let index = 1; index < channel.ids.length; index++)
        if (!channel.isDisordered) one.order.learn(channel.ids[index - 1] ?? '', channel.ids[index] ?? '')
    }
    for (const event of other.events.values()) {
      const known = one.events.get(event.id)
      if (known === undefined) one.events.set(event.id, event)
      else {
        for (const key of event.keys) known.keys.add(key)
        this.#checkSame(known, event)
      }
    }
  }

  #checkSame(known: SeenEvent, event: SeenEvent): void {
    this.#ledger.checked('EVT-014')
    const isData = known.data !== undefined && event.data !== undefined && known.data !== event.data
    const isTime =
      typeof known.timestamp === 'string' &&
      typeof event.timestamp === 'string' &&
      Math.abs(parseInstant(known.timestamp) - parseInstant(event.timestamp)) > 0
    const isType = known.type !== undefined && event.type !== undefined && known.type !== event.type
    const what = isData ? 'data' : isType ? 'type' : isTime ? 'timestamp' : undefined
    known.timestamp ??= event.timestamp
    // A fault of one sighting alone is reported there.
    if (what === undefined || known.isFaulty || event.isFaulty) return
    const isOneDelivery = known.line.kind === 'delivery' && event.line.kind === 'delivery'
    const isOne = isOneDelivery && known.line.signature.secret === event.line.signature.secret
    this.#ledger.violated(isOne && known.line.signature.secret !== undefined ? 'RTY-014' : 'EVT-014', {
      what: `${what} of ${event.id}, seen twice`,
      expected: asText(isData ? known.data : what === 'type' ? known.type : known.timestamp),
      got: isData ? event.data : what === 'type' ? event.type : event.timestamp,
      fault: `same:${event.id}`,
      lines: [known.line, event.line],
    })
  }

  /** Checks what a key is shown against the inbox it is limited to; an inbox it is found to be limited to later, too. */
  shown(key: KeyState, event: SeenEvent, at: { readonly line: TrafficLine; readonly isStream: boolean }): void {
    if (!key.isKnown) return
    if (event.inbox !== undefined && !key.inboxes.has(event.inbox) && key.inboxes.size < 1_000)
      key.inboxes.set(event.inbox, at)
    if (event.isOfWorkspace) key.workspaceEvent ??= at
    if (key.scope !== undefined) this.#checkScope(key, event.isOfWorkspace ? undefined : event.inbox, at, event)
  }

  /** A webhook the key made was forced to `inbox`: it is limited to it, whatever it was shown so far. */
  limit(key: KeyState, inbox: string): void {
    if (!key.isKnown || key.scope !== undefined) return
    key.scope = inbox
    for (const [seen, at] of key.inboxes) this.#checkScope(key, seen, at)
    if (key.workspaceEvent !== undefined) this.#checkScope(key, undefined, key.workspaceEvent)
  }

  #checkScope(
    key: KeyState,
    inbox: string | undefined,
    { line, isStream }: { readonly line: TrafficLine; readonly isStream: boolean },
    event?: SeenEvent,
  ): void {
    if (event !== undefined && inbox === undefined && !event.isOfWorkspace) return
    const requirement = isStream ? 'SCOPE-002' : 'SCOPE-001'
    this.#ledger.checked(requirement)
    if (inbox === key.scope) return
    this.#ledger.violated(requirement, {
      what: `inbox of an event that ${key.name}, limited to ${key.scope ?? ''}, was shown`,
      expected: key.scope ?? '',
      got: inbox ?? 'an event of the workspace',
      fault: `scope:${key.name}`,
      lines: [line],
    })
  }
}
