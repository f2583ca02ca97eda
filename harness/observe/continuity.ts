// No event lost, none twice, oldest first: on each walk of pages and each connection, and over all of them together.
import type { RequirementId } from '../../spec/index.js'
import type { Ledger } from './ledger.js'
import type { TrafficLine } from './record.js'
import { channelWindow, eventWindow, type Channel, type KeyState, type OrgState, type SeenEvent } from './org-state.js'

/** An event with the time that the service gives for it. */
type Timed = Pick<SeenEvent, 'id' | 'time'>

/** Checks the order of consecutive events, and learns from it how ids compare. Returns whether the order is right. */
export function checkOrder(
  ledger: Ledger,
  {
    orgState,
    events,
    requirement,
    line,
  }: {
    readonly orgState: OrgState
    readonly events: readonly Timed[]
    readonly requirement: RequirementId
    readonly line: TrafficLine
  },
): boolean {
  const pairs = events.slice(1).map((event, index) => [events[index] ?? event, event] as const)
  const distinct = pairs.filter(([before, after]) => before.id !== after.id)
  for (const [before, after] of distinct)
    if ((before.time ?? 0) <= (after.time ?? Infinity)) {
      // With equal times it is unknown which event was first: such a pair teaches only if it agrees.
      const isShown = before.time !== after.time || !orgState.order.isSurelyAfter(before.id, after.id)
      if (isShown) orgState.order.learn(before.id, after.id)
    }
  let isHeld = true
  for (const [before, after] of distinct) {
    ledger.checked(requirement)
    if (!isDisorder(orgState, before, after)) continue
    isHeld = false
    ledger.violated(requirement, {
      what: requirement === 'STR-007' ? 'order of the frames of a stream' : 'order of the events of a page',
      expected: `${after.id} before ${before.id}`,
      got: `${before.id} before ${after.id}`,
      fault: `order:${requirement === 'STR-007' ? 'stream' : 'poll'}`,
      lines: [line],
    })
  }
  return isHeld
}

/** A second is what clocks of one service may differ by. */
const clockMs = 1_000

function isDisorder({ order }: OrgState, before: Timed, after: Timed): boolean {
  const byId = order.compare(before.id, after.id)
  const olderBy = before.time === undefined || after.time === undefined ? undefined : before.time - after.time
  if (olderBy === undefined || olderBy === 0) return byId !== undefined && byId > 0
  if (olderBy < 0) return false
  if (byId !== undefined) return byId > 0
  return order.isSurelyAfter(before.id, after.id) || olderBy > clockMs
}

export function newChannel(
  kind: Channel['kind'],
  key: KeyState,
  anchor: string | undefined,
  line: TrafficLine,
): Channel {
  return {
    kind,
    key,
    anchor,
    ids: [],
    set: new Set(),
    seams: new Set(),
    holes: new Set(),
    inboxes: new Set(),
    isDisordered: false,
    fromOldestAt: undefined,
    skipped: new Map(),
    line,
    cursor: anchor,
  }
}

/** Adds a channel to the orgState of its key; the oldest of too many is judged and forgotten. */
export function addChannel(ledger: Ledger, channel: Channel): void {
  const { orgState } = channel.key
  orgState.channels.push(channel)
  if (orgState.channels.length <= channelWindow) return
  const [oldest] = orgState.channels.splice(0, 1)
  if (oldest !== undefined) checkWhole(ledger, orgState, oldest)
}

/** Records the next event of a channel. */
export function extend(channel: Channel, event: SeenEvent, line: TrafficLine): void {
  channel.ids.push(event.id)
  channel.set.add(event.id)
  channel.line = line
  if (event.inbox !== undefined) channel.inboxes.add(event.inbox)
}

/** Checks every channel of the orgState against every event that is known of. */
export function checkOrgState(ledger: Ledger, orgState: OrgState): void {
  for (const channel of orgState.channels) checkWhole(ledger, orgState, channel)
}

/** Judges and forgets the older half of the events once there are too many. */
export function trim(ledger: Ledger, orgState: OrgState): void {
  if (orgState.events.size <= eventWindow) return
  checkOrgState(ledger, orgState)
  let spare = orgState.events.size - eventWindow / 2
  for (const id of orgState.events.keys()) {
    if (spare-- <= 0) break
    orgState.events.delete(id)
  }
  for (const channel of orgState.channels) {
    const kept = channel.ids.findIndex((id) => orgState.events.has(id))
    const gone = channel.ids.splice(0, kept === -1 ? channel.ids.length : kept)
    for (const id of gone) {
      channel.set.delete(id)
      channel.seams.delete(id)
      channel.holes.delete(id)
    }
    channel.anchor = gone.at(-1) ?? channel.anchor
    if (gone.length > 0) channel.fromOldestAt = undefined
  }
}

/** Whether an event is known to be before the event of a cursor. */
export function isBefore({ events, order }: OrgState, id: string, cursor: string): boolean {
  const [event, other] = [events.get(id), events.get(cursor)]
  if (event === undefined || other === undefined || (order.compare(id, cursor) ?? 0) >= 0) return false
  return event.time !== undefined && other.time !== undefined && event.time < other.time
}

/** Checks the beginning: a stream begins after its cursor, a walk without a cursor at the oldest event. */
function checkBeginning(ledger: Ledger, orgState: OrgState, channel: Channel): void {
  const { kind, anchor, ids, fromOldestAt, line } = channel
  const [first] = ids
  if (first === undefined) return
  const violated = (requirement: RequirementId, got: string, { line: other }: SeenEvent) =>
    ledger.violated(requirement, {
      what: `first event of ${kind === 'stream' ? `a stream after ${anchor ?? ''}` : 'a walk of pages without a cursor'}`,
      expected: kind === 'stream' ? 'a later one' : 'the oldest',
      got,
      lines: [other, line],
    })
  const reported = orgState.events.get(first)
  if (kind === 'stream' && anchor !== undefined && reported !== undefined && isBefore(orgState, first, anchor)) {
    violated('STR-005', first, reported)
    channel.isDisordered = true
  }
  if (fromOldestAt === undefined) return
  ledger.checked('POL-002')
  const inboxes = inboxesOfPage(orgState, channel, 0)
  for (const event of orgState.events.values())
    if (
      isBefore(orgState, event.id, first) &&
      isVisible(event, channel, inboxes) &&
      wasListable(event, fromOldestAt, reported?.time)
    )
      return violated('POL-002', `${first}, and ${event.id} is older`, event)
}

/** Whether an event was there before, by when it was seen or by the times of both, and is listed after: it was not forgotten in between. */
function wasListable({ seenAt, time, listedAt }: SeenEvent, at: number, firstTime = Number.NaN): boolean {
  const wasThere = seenAt < at - clockMs || (time ?? Number.NaN) < firstTime - clockMs
  return wasThere && listedAt !== undefined && listedAt > at
}

/** Checks cursors: one that is the id of an event means that this event was on its page, or on an earlier page. */
function checkCursors(ledger: Ledger, orgState: OrgState, channel: Channel): void {
  for (const [id, line] of channel.skipped) {
    const event = orgState.events.get(id)
    if (event === undefined || channel.set.has(id) || !isVisible(event, channel)) continue
    ledger.violated('POL-008', {
      what: `page whose next_after is ${id}`,
      expected: `the event ${id}, which was seen elsewhere, before the walk goes on after it`,
      got: channel.ids.slice(-3),
      fault: `lost:${id}`,
      lines: [event.line, line],
    })
  }
}

function checkWhole(ledger: Ledger, orgState: OrgState, channel: Channel): void {
  if (!channel.isDisordered) {
    checkBeginning(ledger, orgState, channel)
    checkCursors(ledger, orgState, channel)
  }
  const reported = channel.ids.length + (channel.anchor === undefined ? 0 : 1)
  if (reported < 2) return
  const requirement = channel.kind === 'poll' ? 'POL-003' : 'STR-006'
  ledger.checked(requirement)
  if (channel.isDisordered) return
  for (const event of orgState.events.values()) {
    if (channel.set.has(event.id) || !isVisible(event, channel)) continue
    const gap = gapOf(orgState, channel, event)
    if (gap === undefined || channel.holes.has(gap.isAfterCursor ? '' : gap.before)) continue
    const pages = [gap.index - 1, gap.index].filter((index) => index >= 0)
    if (!pages.every((index) => isVisible(event, channel, inboxesOfPage(orgState, channel, index)))) continue
    const isSeam = channel.kind === 'poll' && gap.before !== undefined && channel.seams.has(gap.before)
    ledger.violated(isSeam ? 'POL-008' : gap.isAfterCursor && channel.kind === 'stream' ? 'STR-005' : requirement, {
      what: `event ${event.id}, which was seen elsewhere, on ${channel.kind === 'poll' ? 'a walk of pages' : 'a stream'} that went past it`,
      expected: `${event.id} between ${gap.before ?? ''} and ${gap.after}`,
      got: `${gap.before ?? ''}, ${gap.after}`,
      fault: `lost:${event.id}`,
      lines: [event.line, channel.line],
    })
  }
}

/**
 * Returns the inboxes of the events around an index of a channel. A walk whose key is hidden may be that of several keys, each of which
 * went on from a cursor of another: only one page is sure to be of one key.
 */
function inboxesOfPage({ events }: OrgState, { kind, key, ids, seams, inboxes }: Channel, index: number): Inboxes {
  if (key.isKnown || kind === 'stream') return inboxes
  const begin = ids.slice(0, index).findLastIndex((id) => seams.has(id)) + 1
  const end = ids.findIndex((id, at) => at >= index && seams.has(id))
  const page = ids.slice(begin, end === -1 ? undefined : end + 1)
  return new Set(page.flatMap((id) => events.get(id)?.inbox ?? []))
}

type Inboxes = ReadonlySet<string>

/** Whether the reader of the channel must get the event; `inboxes` are those it is shown, as far as it is a key that is hidden. */
function isVisible(event: SeenEvent, { key, inboxes: all }: Channel, inboxes: Inboxes = all): boolean {
  if (!key.isKnown) return event.inbox !== undefined && inboxes.has(event.inbox)
  if (key.scope !== undefined) return event.inbox === key.scope
  return event.keys.has(key) || key.isWide || (event.inbox !== undefined && key.inboxes.has(event.inbox))
}

/** Between which two ids of the channel the event belongs, and the index of the latter; undefined where that is not clear, or where the channel ended. */
function gapOf(
  { order, events }: OrgState,
  channel: Channel,
  event: SeenEvent,
):
  | { readonly before: string; readonly after: string; readonly index: number; readonly isAfterCursor: boolean }
  | undefined {
  const { ids, anchor } = channel
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const sign = order.compare(ids[middle] ?? '', event.id)
    if (sign === undefined) return undefined
    if (sign < 0) low = middle + 1
    else high = middle
  }
  const after = ids[low]
  const before = low > 0 ? ids[low - 1] : anchor
  if (after === undefined || before === undefined || before === event.id) return undefined
  if ((order.compare(before, event.id) ?? 0) >= 0 || (order.compare(event.id, after) ?? 0) >= 0) return undefined
  const [earliest, latest] = [events.get(before)?.time, events.get(after)?.time]
  if (event.time !== undefined && earliest !== undefined && event.time < earliest) return undefined
  if (event.time !== undefined && latest !== undefined && event.time > latest) return undefined
  return { before, after, index: low, isAfterCursor: low === 0 }
}
