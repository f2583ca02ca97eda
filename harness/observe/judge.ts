import type { RequirementId } from '../../spec/index.js'
import { loadScheme } from '../../fixtures/index.js'
import { otherSchemeOf } from '../schemes/of-headers.js'
import { checkFrame, isEventFrame } from '../service/rules.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { Answers } from './answers.js'
import { addChannel, extend, checkOrder, checkOrgState, newChannel, trim } from './continuity.js'
import { Deliveries } from './deliveries.js'
import { DeliveryRecords } from './delivery-records.js'
import { Keys } from './keys.js'
import { Ledger } from './ledger.js'
import { seenEventOf, type Channel, type SeenEvent } from './org-state.js'
import { endOf, type DeliveryLine, type FrameLine, type StreamLine, type TrafficLine } from './record.js'
import { SeenCounter, type SeenTraffic } from './seen-traffic.js'
import { requirementsOfEvent, pushedEventFault } from './shape.js'
import { Webhooks } from './webhooks.js'
import { keepNewest } from './keep-newest.js'

export interface JudgeOptions {
  /** The inbox of each key that the configuration names, by the key's stable name. */
  readonly scopes?: ReadonlyMap<string, string>
}

/** Connections to the stream that are followed; the oldest is forgotten first. */
const maxStreams = 10_000
/** How much earlier than a stream began an event must have been seen, that was not to be on it. */
const nowMs = 1_000

interface OpenStream {
  readonly opened: StreamLine
  readonly channel: Channel
  /** It began from now. */
  readonly isLive: boolean
  last: SeenEvent | undefined
}

/** Checks traffic line by line, in the order of time. It sends nothing, and keeps a bounded part of the traffic. */
export class TrafficJudge {
  readonly ledger = new Ledger()
  readonly #keys: Keys
  readonly #answers: Answers
  readonly #deliveries: Deliveries
  readonly #streams = new Map<string, OpenStream>()
  readonly #seen = new SeenCounter()
  readonly #webhooks: Webhooks
  /** Deliveries that were not judged, by the name of their scheme. */
  readonly #ofOtherSchemes = new Map<string, number>()

  constructor({ scopes = new Map() }: JudgeOptions = {}) {
    const { ledger } = this
    this.#keys = new Keys(ledger, scopes)
    const webhooks = new Webhooks(this.#keys)
    this.#webhooks = webhooks
    const records = new DeliveryRecords(ledger)
    this.#deliveries = new Deliveries({ ledger, keys: this.#keys, webhooks, records })
    this.#answers = new Answers({ ledger, keys: this.#keys, webhooks, deliveries: this.#deliveries, records })
  }

  take(line: TrafficLine): void {
    if (line.kind === 'delivery' && this.#isOfOtherScheme(line)) return
    this.#seen.take(line)
    if (line.kind === 'exchange') this.#answers.take(line)
    else if (line.kind === 'delivery') this.#deliveries.take(line)
    else if (line.kind === 'stream') this.#open(line)
    else if (line.kind === 'frame') this.#frame(line)
    else this.#streams.delete(line.stream)
  }

  /** Judges what only the end of the traffic settles. */
  finish(): void {
    for (const orgState of this.#keys.orgStates) checkOrgState(this.ledger, orgState)
    this.#deliveries.finish()
    const missing = this.#seen.describeMissing()
    if (missing !== undefined) this.ledger.notes.add(missing)
    for (const [name, count] of this.#ofOtherSchemes) this.ledger.notes.add(notJudgedText(name, count))
  }

  get seen(): SeenTraffic {
    return this.#seen.seen
  }

  /** Counts a delivery that is signed as another provider signs, unless it goes to a webhook of the service. */
  #isOfOtherScheme(line: DeliveryLine): boolean {
    const scheme = otherSchemeOf(line.request.headers)
    if (scheme === undefined || this.#webhooks.isUsed(line.url)) return false
    this.#ofOtherSchemes.set(scheme.name, (this.#ofOtherSchemes.get(scheme.name) ?? 0) + 1)
    return true
  }

  #open(line: StreamLine): void {
    const key = this.#keys.of(line.service, line.key, `stream ${line.stream}`)
    const query = new URLSearchParams(line.path.split('?')[1] ?? '')
    // Which of two cursors counts is unknown.
    const [first = '', another] = query.getAll('after')
    const after = another === undefined ? first : ''
    const channel = newChannel('stream', key, after === '' ? undefined : after, line)
    // The filter of a query of the service's own is unknown.
    const isOwn = [...query.keys()].some((name) => name !== 'after' && name !== 'token')
    channel.isDisordered = isOwn || another !== undefined
    this.#streams.set(line.stream, { opened: line, channel, isLive: !query.has('after'), last: undefined })
    addChannel(this.ledger, channel)
    keepNewest(this.#streams, maxStreams)
  }

  #frame(line: FrameLine): void {
    const open = this.#streams.get(line.stream)
    // Any event may have been in it.
    const leaveHole = () => open?.channel.holes.add(open.channel.ids.at(-1) ?? '')
    if (line.body_missing !== undefined) {
      leaveHole()
      return
    }
    const body = line.body === undefined ? undefined : parseJson(line.body)
    if (body !== undefined && !isEventFrame(body)) return
    if (!checkFrame(this.ledger.recorderFor(line), body, line.body ?? 'a binary frame')) {
      leaveHole()
      return
    }
    for (const requirement of ['STR-003', ...requirementsOfEvent(body)] as const) this.ledger.checked(requirement)
    const fault = pushedEventFault(body, 'STR-003')
    if (fault !== undefined)
      this.ledger.violated(fault.requirement, {
        what: `frame of the stream, ${fault.where}`,
        expected: fault.problem,
        got: fault.found,
        fault: fault.fault,
        lines: [line],
      })
    if (typeof memberOf(body, 'id') !== 'string') leaveHole()
    else if (open !== undefined)
      this.#addFrame(open, line, seenEventOf(body, { at: endOf(line), line, isFaulty: fault !== undefined }))
  }

  #addFrame(open: OpenStream, line: FrameLine, fresh: SeenEvent | undefined): void {
    if (fresh === undefined) return
    const { channel, opened } = open
    const { key } = channel
    const event = this.#keys.see(key, fresh)
    this.#keys.shown(key, fresh, { line, isStream: true })
    const lines = [opened, line]
    const violated = (requirement: RequirementId, what: string, expected: string) =>
      this.ledger.violated(requirement, { what, expected, got: fresh.id, fault: `repeat:${fresh.id}`, lines })
    this.ledger.checked('STR-005')
    if (channel.set.has(fresh.id)) {
      violated('STR-006', `event ${fresh.id} on one stream`, 'once')
      return
    }
    if (fresh.id === channel.anchor) {
      violated('STR-005', `frame of a stream after ${fresh.id}`, 'a later event')
      channel.isDisordered = true
    }
    if (open.isLive) {
      this.ledger.checked('STR-004')
      if (event.seenAt < Date.parse(opened.at) - nowMs)
        violated('STR-004', 'frame of a stream that starts from now', 'no event from before it was opened')
    }
    const events = open.last === undefined ? [] : [open.last, fresh]
    if (!checkOrder(this.ledger, { orgState: key.orgState, events, requirement: 'STR-007', line }))
      channel.isDisordered = true
    open.last = fresh
    extend(channel, fresh, line)
    trim(this.ledger, key.orgState)
  }
}

function notJudgedText(name: string, count: number): string {
  const { title, signature } = loadScheme(name)
  const deliveries = count === 1 ? 'one delivery was' : `${count} deliveries were`
  return `${deliveries} not judged: signed as ${title} signs (${signature.header}), not as the interface; to check one: conformance diagnose --scheme ${name}`
}
