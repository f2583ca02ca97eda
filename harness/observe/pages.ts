// `GET /v1/events`: the events of a page, and how pages follow each other.
import { memberOf } from '../wire/exchange.js'
import type { AnswerParts } from './answers.js'
import { labelOf } from './operation.js'
import { addChannel, extend, checkOrder, isBefore, newChannel, trim } from './continuity.js'
import { checkLimit } from './page-limit.js'
import { seenEventOf, type Channel, type KeyState, type SeenEvent } from './org-state.js'
import { endOf, markedField, type ExchangeLine } from './record.js'
import { requirementsOfEvent, polledEventFault } from './shape.js'
import { keepNewest } from './keep-newest.js'

/** Cursors from which a walk may go on; the oldest is forgotten first. */
const maxCursors = 10_000

export class Pages {
  readonly #parts: Pick<AnswerParts, 'ledger' | 'keys'>
  readonly #walks = new Map<string, Channel>()

  constructor(parts: Pick<AnswerParts, 'ledger' | 'keys'>) {
    this.#parts = parts
  }

  take(line: ExchangeLine, body: unknown, query: URLSearchParams): void {
    const { ledger } = this.#parts
    const data = memberOf(body, 'data')
    if (data === markedField) return
    ledger.checked('POL-007')
    if (!Array.isArray(data)) {
      const expected = 'an array of events in "data"'
      ledger.violated('POL-007', {
        what: `answer to ${labelOf(line)}`,
        expected,
        got: body ?? line.response?.body,
        lines: [line],
      })
      return
    }
    const next = memberOf(body, 'next_after') ?? undefined
    const isNext = typeof next === 'string' && (next !== '' || data.length === 0)
    const isKnown = next !== markedField
    if (isKnown && (next === undefined ? data.length > 0 : !isNext)) {
      const expected = data.length > 0 ? 'a string that continues the list' : 'a string, or nothing'
      ledger.violated('POL-007', { what: `next_after of ${labelOf(line)}`, expected, got: next, lines: [line] })
    }
    checkLimit(ledger, { line, count: data.length, query, ids: ['POL-004', 'POL-005', 'POL-006'] })
    const events = this.#events(line, data)
    this.#walk({ line, events, query, next: isKnown && typeof next === 'string' && next !== '' ? next : undefined })
  }

  #events(line: ExchangeLine, data: readonly unknown[]): SeenEvent[] {
    const { ledger, keys } = this.#parts
    const key = this.#keyOf(line)
    return data.flatMap((item) => {
      for (const requirement of ['POL-009', ...requirementsOfEvent(item)] as const) ledger.checked(requirement)
      const fault = polledEventFault(item)
      if (fault !== undefined)
        ledger.violated(fault.requirement, {
          what: `event of ${labelOf(line)}, ${fault.where}`,
          expected: fault.problem,
          got: fault.found,
          fault: fault.fault,
          lines: [line],
        })
      const fresh = seenEventOf(item, { at: endOf(line), line, isFaulty: fault !== undefined })
      if (fresh === undefined) return []
      const orgId = memberOf(item, 'org_id')
      const event = keys.see(key, fresh, typeof orgId === 'string' && orgId !== markedField ? orgId : undefined)
      event.listedAt = Date.parse(line.at)
      keys.shown(key, fresh, { line, isStream: false })
      return [fresh]
    })
  }

  #keyOf(line: ExchangeLine): KeyState {
    return this.#parts.keys.of(line.service, line.key, 'no key')
  }

  #walk({
    line,
    events,
    query,
    next,
  }: {
    readonly line: ExchangeLine
    readonly events: readonly SeenEvent[]
    readonly query: URLSearchParams
    readonly next: string | undefined
  }): void {
    const { ledger } = this.#parts
    const key = this.#keyOf(line)
    const after = query.get('after') ?? ''
    // The filter of a query of the service's own is unknown.
    if ([...query.keys()].some((name) => name !== 'after' && name !== 'limit')) return
    // Nor which of two cursors counts.
    if (query.getAll('after').length > 1) return
    const { channel, isContinued } = this.#channelOf(key, line, after)
    const ids = new Set<string>()
    let isRepeated = false
    for (const { id } of events) {
      const repeats =
        id === after
          ? 'POL-003'
          : // After a page out of order the cursor is not that of its latest event, so repeats follow from it.
            ids.has(id) || (!channel.isDisordered && channel.set.has(id))
            ? 'POL-008'
            : isBefore(key.orgState, id, after)
              ? 'POL-003'
              : undefined
      ids.add(id)
      ledger.checked('POL-008')
      if (repeats === undefined) continue
      isRepeated = true
      ledger.violated(repeats, {
        what: `events of ${labelOf(line)}${after === '' ? '' : `?after=${after}`}`,
        expected: isContinued ? 'each event once, those after the cursor' : 'those after the cursor',
        got: `${id} again`,
        fault: 'poll repeats',
        lines: [line],
      })
    }
    const isOrdered = checkOrder(ledger, { orgState: key.orgState, events, requirement: 'POL-001', line })
    if (!isOrdered || isRepeated) channel.isDisordered = true
    const last = channel.ids.at(-1)
    if (events.length > 0 && last !== undefined) channel.seams.add(last)
    for (const event of events) if (!channel.set.has(event.id)) extend(channel, event, line)
    if (next !== undefined && next !== after && events.length > 0 && !channel.set.has(next))
      channel.skipped.set(next, line)
    keepNewest(channel.skipped, maxCursors)
    this.#checkCursor({ line, events, after, next, isOrdered: isOrdered && !isRepeated })
    this.#end(channel, next ?? (events.length > 0 ? undefined : channel.cursor))
    trim(ledger, key.orgState)
  }

  /** Checks that the cursor continues after the page: one of an earlier event repeats the events after it. */
  #checkCursor({
    line,
    events,
    after,
    next,
    isOrdered,
  }: {
    readonly line: ExchangeLine
    readonly events: readonly SeenEvent[]
    readonly after: string
    readonly next: string | undefined
    readonly isOrdered: boolean
  }): void {
    const last = events.at(-1)?.id
    if (next === undefined || last === undefined || next === last || !isOrdered) return
    if (next !== after && !events.some(({ id }) => id === next)) return
    this.#parts.ledger.violated('POL-008', {
      what: `next_after of ${labelOf(line)}`,
      expected: `a cursor behind ${last}`,
      got: next,
      fault: 'poll repeats',
      lines: [line],
    })
  }

  /** The walk that goes on from this cursor, or a new one. */
  #channelOf(
    key: KeyState,
    line: ExchangeLine,
    after: string,
  ): { readonly channel: Channel; readonly isContinued: boolean } {
    const known = after === '' ? undefined : this.#walks.get(this.#nameOf(line, after))
    if (known !== undefined && known.cursor === after && known.key === key) return { channel: known, isContinued: true }
    const channel = newChannel('poll', key, after === '' ? undefined : after, line)
    if (after === '') channel.fromOldestAt = Date.parse(line.at)
    addChannel(this.#parts.ledger, channel)
    return { channel, isContinued: false }
  }

  #end(channel: Channel, cursor: string | undefined): void {
    channel.cursor = cursor
    if (cursor === undefined) return
    this.#walks.set(`${channel.key.service} ${channel.key.name} ${cursor}`, channel)
    keepNewest(this.#walks, maxCursors)
  }

  #nameOf(line: ExchangeLine, cursor: string): string {
    const key = this.#keyOf(line)
    return `${key.service} ${key.name} ${cursor}`
  }
}
