import { memberOf } from '../wire/exchange.js'
import { parseInstant } from '../wire/numbers.js'
import { IdOrder } from './order.js'
import { markedField, type TrafficLine } from './record.js'
import { canonical } from './shape.js'

/** How a key was seen to behave. */
export interface KeyState {
  readonly service: string
  readonly name: string
  /** False where the traffic does not show which key it was. */
  readonly isKnown: boolean
  orgState: OrgState
  orgId: string | undefined
  /** The inbox it is limited to; undefined where that is unknown. */
  scope: string | undefined
  /** It made a webhook for every inbox: it sees the whole org. */
  isWide: boolean
  /** Inboxes of which it was shown events, and where. */
  readonly inboxes: Map<string, { readonly line: TrafficLine; readonly isStream: boolean }>
  workspaceEvent: { readonly line: TrafficLine; readonly isStream: boolean } | undefined
}

/** An event as it was seen first. */
export interface SeenEvent {
  readonly id: string
  readonly type: unknown
  /** Undefined where a field of it was marked. */
  readonly data: string | undefined
  readonly inbox: string | undefined
  readonly isOfWorkspace: boolean
  /** The service's time of the event, in milliseconds. */
  time: number | undefined
  timestamp: unknown
  /** When it was seen first. */
  readonly seenAt: number
  /** When a list that showed it was last requested, if ever. */
  listedAt: number | undefined
  readonly line: TrafficLine
  readonly keys: Set<KeyState>
  /** The event itself has a fault. */
  readonly isFaulty: boolean
}

/** A walk of pages, or one connection to the stream: ids in their order of arrival. */
export interface Channel {
  readonly kind: 'poll' | 'stream'
  readonly key: KeyState
  /** The cursor it began after; undefined where it began at the oldest event, or from now. */
  anchor: string | undefined
  ids: string[]
  readonly set: Set<string>
  /** Ids after which another page begins. */
  readonly seams: Set<string>
  /** Ids after which something unreadable arrived; an empty string stands for the beginning. */
  readonly holes: Set<string>
  readonly inboxes: Set<string>
  /** Its events were out of order, so missing ones cannot be found. */
  isDisordered: boolean
  /** When a walk was begun at the oldest event; undefined of others, and once its beginning was forgotten. */
  fromOldestAt: number | undefined
  /** Cursors that are on no page, with the line that contained them: an event of that id was lost. */
  readonly skipped: Map<string, TrafficLine>
  /** The last line, for evidence. */
  line: TrafficLine
  cursor: string | undefined
}

/** Events one orgState keeps; older ones are judged and forgotten. */
export const eventWindow = 10_000
/** Walks and connections it keeps. */
export const channelWindow = 64

/** The state of one org, as far as the traffic shows which keys belong to it. */
export class OrgState {
  readonly events = new Map<string, SeenEvent>()
  readonly order = new IdOrder()
  channels: Channel[] = []
  orgId: string | undefined
  /** Set once it was found to be another's org. */
  mergedInto: OrgState | undefined

  get current(): OrgState {
    return this.mergedInto === undefined ? this : this.mergedInto.current
  }
}

export function newKey(service: string, name: string | undefined): KeyState {
  return {
    service,
    name: name ?? 'an unknown key',
    isKnown: name !== undefined,
    orgState: new OrgState(),
    orgId: undefined,
    scope: undefined,
    isWide: false,
    inboxes: new Map(),
    workspaceEvent: undefined,
  }
}

/** A value; undefined where it was marked. */
function known(value: unknown): unknown {
  return value === markedField ? undefined : value
}

/** An event of a body; undefined where it has no id, or none that is known. */
export function seenEventOf(
  event: unknown,
  { at, line, isFaulty }: { readonly at: number; readonly line: TrafficLine; readonly isFaulty: boolean },
): SeenEvent | undefined {
  const id = memberOf(event, 'id')
  if (typeof id !== 'string' || id === '' || id === markedField) return undefined
  const data = memberOf(event, 'data')
  const inbox = memberOf(data, 'inbox_id')
  const type = known(memberOf(event, 'type'))
  const text = canonical(data)
  const timestamp = known(memberOf(event, 'timestamp'))
  const when = timestamp ?? memberOf(event, 'created_at')
  const time = typeof when === 'string' ? parseInstant(when) : Number.NaN
  return {
    id,
    type,
    data: text.includes(markedField) ? undefined : text,
    inbox: typeof inbox === 'string' && inbox !== markedField ? inbox : undefined,
    isOfWorkspace: type === 'sending.paused' || type === 'sending.resumed',
    time: Number.isNaN(time) ? undefined : time,
    timestamp,
    seenAt: at,
    listedAt: undefined,
    line,
    keys: new Set(),
    isFaulty,
  }
}

/** A list may show a time in seconds. */
const sameMs = 1_000

/** Whether two sightings are of one event beyond doubt. */
export function isSameEvent(a: SeenEvent, b: SeenEvent): boolean {
  return (
    a.id === b.id &&
    a.type === b.type &&
    a.data !== undefined &&
    a.data === b.data &&
    Math.abs((a.time ?? 0) - (b.time ?? 0)) <= sameMs
  )
}
