// POL-001 to POL-010, STR-003 to STR-007, SCOPE-001 to SCOPE-010: what lists and streams show of the events that a script raised.
import type { RequirementId } from '../../../spec/index.js'
import {
  admits,
  asText,
  instantOf,
  isConnectionLimit,
  itemsOf,
  memberOf,
  type Api,
  type Attempt,
  type Checks,
  type Sandbox,
  type Stream,
  type StreamRequest,
} from '../../../harness/authoring.js'
import type { Span } from '../../shared/world/span.js'
import type { DeliveryStep, Reader } from './delivery-script.js'
import { eventsAfter, idsOf, lagMs, listedEvents, selectExpected } from './event-log.js'
import { idsFor, wholeOrg, type Limits, type ModelEvent } from './org-model.js'

/** Streams of a script at most, besides the one that is open from its begin. */
const maxStreams = 3
/** Pages of a walk at most. */
const maxPages = 12
/** Clocks may differ by minutes; a time of another zone is off by a quarter of an hour or more. */
const timeSlackMs = 600_000
const defaultLimit = 50
const maxLimit = 100

/** Events of one project that were raised together: their order is the service's. */
export interface EventGroup {
  readonly project: number
  readonly events: readonly ModelEvent[]
  /** Members of their data that were given. */
  readonly words: Readonly<Record<string, unknown>>
  /** When they were raised, by the clock of the workspace and by that of the machine (open point clock-and-events). */
  readonly at: Span
  readonly realAt: number
}

interface KnownStream {
  readonly stream: Stream
  readonly auth: NonNullable<StreamRequest['auth']>
  readonly limits: Limits
  /** Events of the project before the first that it shows. */
  readonly from: number
  /** False: it began when it was opened. */
  readonly isResumed: boolean
}

/** The readers of a script's events. */
export class EventReads {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  readonly #groups: readonly EventGroup[]
  /** The events of each project in the order of its list. */
  readonly #orders = new Map<number, ModelEvent[]>()
  readonly #streams: KnownStream[] = []
  /** Shows every event, so that one is known to have been published. */
  readonly #witness: Stream

  constructor(
    sandbox: Sandbox,
    require: Checks,
    { groups, witness }: { readonly groups: readonly EventGroup[]; readonly witness: Stream },
  ) {
    this.#sandbox = sandbox
    this.#require = require
    this.#groups = groups
    this.#witness = witness
    this.#streams.push({ stream: witness, auth: 'header', limits: wholeOrg, from: 0, isResumed: false })
  }

  #apiOf({ project: index, inbox }: Reader): Api {
    const project = this.#sandbox.projects[index] ?? this.#sandbox.project
    return inbox === undefined ? project.api : project.inbox(inbox).api
  }

  /** The events of a project in the order of its list, once the list shows all that were raised. */
  async #order(project: number): Promise<readonly ModelEvent[]> {
    const known = this.#orders.get(project) ?? []
    this.#orders.set(project, known)
    const groups = this.#groups.filter((group) => group.project === project)
    const raised = groups.flatMap(({ events }) => events).slice(known.length)
    if (raised.length === 0) return known
    const after = known.at(-1)?.id
    const expected = raised.map(({ id }) => id)
    const ids = idsOf(await listedEvents(this.#sandbox, this.#apiOf({ project, inbox: undefined }), expected, after))
    const what = `events of project ${project}`
    const foreign = this.#groups.filter((group) => group.project !== project).flatMap(({ events }) => events)
    this.#require.of('SCOPE-007').equal(`${what} that are those of another`, foreignIn(ids, foreign), [])
    this.#require
      .of(after === undefined ? 'EVT-016' : 'POL-003')
      .equal(`${what}, sorted by id`, [...ids].sort(), [...expected].sort())
    const placeOf = new Map(groups.flatMap(({ events }, index) => events.map(({ id }) => [id, index])))
    const places = ids.map((id) => placeOf.get(asText(id)) ?? 0)
    const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0))
    this.#require.of('POL-010').ok(`order of the ${what}`, isInOrder, 'that in which they were raised', places)
    const byId = new Map(raised.map((event) => [event.id, event]))
    for (const id of ids) known.push(byId.get(asText(id)) ?? { id: asText(id), type: 'message.received', inbox: null })
    return known
  }

  /** Reads one page, and compares it with the events that it must contain. A limit above the maximum may be refused. */
  async page(
    reader: Reader,
    { after, limit }: { readonly after: number | undefined; readonly limit: number | undefined },
  ) {
    const order = await this.#order(reader.project)
    const from = after === undefined || order.length === 0 ? 0 : (after % order.length) + 1
    const expected = idsFor(limitsOf(reader), order.slice(from)).slice(0, Math.min(maxLimit, limit ?? defaultLimit))
    const cursor = order[from - 1]?.id
    let ids: readonly unknown[] = []
    let isRefused = false
    await this.#sandbox.until(async () => {
      const answer = await this.#apiOf(reader).pollEvents({ after: cursor, limit })
      isRefused = (answer.status ?? 0) >= 400
      ids = idsOf(itemsOf(answer) ?? [])
      return isRefused || String(ids) === String(expected)
    }, lagMs)
    if (isRefused && (limit ?? 0) > maxLimit) return
    const unexpected = foreignIn(ids, outside(reader, order))
    const what = `page of ${nameOf(reader)} from event ${from + 1} of ${order.length}, limit ${limit ?? 'none'}`
    this.#require.of(from > 0 ? 'SCOPE-010' : 'SCOPE-001').equal(`events of other inboxes on a ${what}`, unexpected, [])
    this.#require.of(requirementOfPage({ reader, from, limit, ids, expected })).equal(what, ids, expected)
  }

  /** Reads all events page by page: those that are raised after the first page are on the last. */
  async walk(reader: Reader, limit: number, raise: () => Promise<void>): Promise<void> {
    const before = idsFor(limitsOf(reader), await this.#order(reader.project))
    const size = Math.min(maxLimit, Math.max(limit, Math.ceil(before.length / maxPages)))
    const api = this.#apiOf(reader)
    const ids: unknown[] = []
    let after: string | undefined
    const next = async () => {
      const answer = await api.pollEvents({ limit: size, after })
      const data = answer.field('data')
      const shown = Array.isArray(data) ? idsOf(data) : []
      for (const id of shown) ids.push(id)
      if (shown.length > 0) after = asText(answer.field('next_after'))
      return shown.length
    }
    await next()
    await raise()
    const expected = idsFor(limitsOf(reader), await this.#order(reader.project))
    await this.#sandbox.until(async () => {
      while ((await next()) > 0 && ids.length <= expected.length) continue
      return ids.length >= expected.length
    }, lagMs)
    this.#require.of('POL-008').equal(`events of ${nameOf(reader)} over pages of ${size}`, ids, expected)
  }

  /** Opens a stream of the first project; where no more are accepted, the script goes on without it. */
  async open({ inbox, after, auth }: Extract<DeliveryStep, { do: 'stream' }>): Promise<void> {
    if (this.#streams.length > maxStreams) return
    const order = await this.#order(0)
    const from = after === undefined || order.length === 0 ? order.length : (after % order.length) + 1
    const cursor = after === undefined ? undefined : order[from - 1]?.id
    // A stream from now on also sends an event that is listed and not published yet.
    await this.#witness.until(() => this.#witness.frames.length >= order.length, this.#sandbox.budgetMs)
    const stream = this.#sandbox.project.stream({
      api: this.#apiOf({ project: 0, inbox }),
      auth,
      ...(cursor !== undefined && { after: cursor }),
    })
    if (isConnectionLimit(await stream.opening)) return
    if (this.#streams.length > 2 && (await stream.isTurnedAway())) return
    this.#streams.push({
      stream: await stream.opened(this.#require.of('STR-001')),
      auth,
      limits: { inbox, types: [] },
      from,
      isResumed: cursor !== undefined,
    })
  }

  /** Breaks a stream off, but not the first, and resumes it after the last frame that it showed. */
  async reconnect(which: number): Promise<void> {
    const index = 1 + (which % Math.max(1, this.#streams.length - 1))
    const known = this.#streams[index]
    const last = known?.stream.ids.at(-1)
    if (known === undefined || last === undefined) return
    known.stream.drop()
    const order = await this.#order(0)
    const seen = known.stream.ids
    this.#compareFrames(known, idsFor(known.limits, order.slice(known.from)).slice(0, seen.length))
    const { auth, limits } = known
    const api = this.#apiOf({ project: 0, inbox: limits.inbox })
    const stream = this.#sandbox.project.stream({ api, auth, after: asText(last) })
    const from = order.findIndex(({ id }) => id === last) + 1
    this.#streams[index] = {
      stream: await stream.opened(this.#require.of('STR-001')),
      auth,
      limits,
      from,
      isResumed: true,
    }
  }

  /** Compares every stream, and what `attempts` of each project carry, with the list. */
  async end(attempts: readonly (readonly Attempt[])[]): Promise<void> {
    for (const [project, sent] of attempts.entries()) {
      const order = await this.#order(project)
      const listed = await eventsAfter(this.#apiOf({ project, inbox: undefined }))
      const ids = order.map(({ id }) => id)
      this.#require.of('POL-002').equal(`all events of project ${project}`, idsOf(listed), ids)
      const byId = new Map(listed.map((event) => [asText(memberOf(event, 'id')), event]))
      this.#expectWords(byId)
      this.#expectTimes(sent, byId)
      this.#expectAlike(sent, byId)
    }
    for (const known of this.#streams) await this.#compareStream(known)
  }

  #expectWords(listed: ReadonlyMap<string, unknown>): void {
    for (const { events, words } of this.#groups)
      for (const { id, type } of events)
        for (const [name, word] of Object.entries(words)) {
          const data = memberOf(listed.get(id), 'data')
          const shown = memberOf(data, name)
          if (listed.has(id) && shown !== undefined)
            this.#require.of('EVT-014').equal(`${name} of a ${type} in the list`, shown, word)
        }
  }

  /** Each event has the time at which it was raised, in the list and at webhooks, however much time has passed since. */
  #expectTimes(attempts: readonly Attempt[], listed: ReadonlyMap<string, unknown>): void {
    const times: [RequirementId, string, unknown, unknown][] = []
    for (const [id, event] of listed) times.push(['POL-009', 'created_at', id, memberOf(event, 'created_at')])
    for (const { event } of attempts)
      times.push(['EVT-002', 'timestamp', memberOf(event, 'id'), memberOf(event, 'timestamp')])
    const groupOf = new Map(this.#groups.flatMap((group) => group.events.map(({ id }) => [id, group])))
    for (const [requirement, name, id, shown] of times) {
      const group = groupOf.get(asText(id))
      if (group === undefined) continue
      const instant = instantOf(shown)
      // A clock that was not moved yet shows real time.
      const real = { earliest: group.realAt, latest: group.realAt }
      const moved = Number.isFinite(group.at.earliest) ? group.at : real
      const isNear = [moved, real].some(
        ({ earliest, latest }) => instant >= earliest - timeSlackMs && instant <= latest + timeSlackMs,
      )
      const expected = `about ${new Date(moved.earliest).toISOString()}, when it was raised`
      this.#require.of(requirement).ok(`${name} of an event`, isNear, expected, shown)
    }
  }

  /** Each attempt carries the event as the list shows it, and each of an event the same time. */
  #expectAlike(attempts: readonly Attempt[], listed: ReadonlyMap<string, unknown>): void {
    const times = new Map<string, unknown>()
    for (const attempt of attempts) {
      const event = attempt.event
      const id = asText(memberOf(event, 'id'))
      if (!listed.has(id)) continue
      for (const name of ['type', 'data'])
        this.#require
          .of('EVT-014')
          .equal(`${name} of an event at a webhook`, memberOf(event, name), memberOf(listed.get(id), name))
      const time = memberOf(event, 'timestamp')
      if (times.has(id)) this.#require.of('RTY-014').equal('timestamp of a later attempt', time, times.get(id))
      times.set(id, time)
    }
  }

  async #compareStream(known: KnownStream): Promise<void> {
    const { stream, limits, from } = known
    const expected = idsFor(limits, (await this.#order(0)).slice(from))
    await stream.until(() => stream.frames.length >= expected.length, this.#sandbox.budgetMs, { mayClose: true })
    this.#compareFrames(known, selectExpected(stream, expected, stream.ids.length))
    stream.close()
  }

  #compareFrames({ stream, limits, from, isResumed }: KnownStream, expected: readonly string[]): void {
    const order = this.#orders.get(0) ?? []
    const reader = { project: 0, inbox: limits.inbox }
    const what = `stream of ${nameOf(reader)} from event ${from + 1} of ${order.length}`
    const unexpected = foreignIn(stream.ids, outside(reader, order))
    this.#require.of('SCOPE-002').equal(`events of other inboxes on a ${what}`, unexpected, [])
    const requirement = isResumed ? 'STR-005' : limits.inbox === undefined ? 'EVT-014' : 'SCOPE-002'
    this.#require.of(requirement).equal(what, stream.ids, expected)
  }
}

function limitsOf({ inbox }: Reader): Limits {
  return { inbox, types: [] }
}

/** The events that a reader must not be shown. */
function outside(reader: Reader, events: readonly ModelEvent[]): readonly ModelEvent[] {
  return events.filter((event) => !admits(limitsOf(reader), event))
}

function foreignIn(ids: readonly unknown[], events: readonly ModelEvent[]): string[] {
  const shown = new Set(ids)
  return events.filter(({ id }) => shown.has(id)).map(({ id }) => id)
}

function nameOf({ project, inbox }: Reader): string {
  return `${inbox === undefined ? 'the org' : `inbox ${inbox}`}${project === 0 ? '' : ' of another project'}`
}

/** What a page contradicts that differs from its events. */
function requirementOfPage({
  reader,
  from,
  limit,
  ids,
  expected,
}: {
  readonly reader: Reader
  readonly from: number
  readonly limit: number | undefined
  readonly ids: readonly unknown[]
  readonly expected: readonly unknown[]
}): RequirementId {
  const isFull = expected.length === Math.min(maxLimit, limit ?? defaultLimit)
  if (ids.length > expected.length || (isFull && ids.length < expected.length))
    return limit === undefined ? 'POL-004' : limit >= maxLimit ? 'POL-006' : 'POL-005'
  if (from > 0) return 'POL-003'
  return reader.inbox === undefined ? 'POL-001' : 'SCOPE-001'
}
