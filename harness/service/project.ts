import type { EventType } from '../../spec/index.js'
import { CaseSkipped, type Checks } from '../check.js'
import type { Api } from './api.js'
import { createWebhook, createWebhooks, type WebhookOptions, type WebhookParts } from './create-webhook.js'
import { EventMissing, type Raiser, type RaisedEvent } from './raise.js'
import { requirementOfType } from './rules.js'
import { isConnectionLimit, Stream, type StreamAuth, type StreamOptions } from './stream.js'
import type { StreamBudget } from './stream-budget.js'
import type { Webhook } from './webhook.js'

export interface Inbox {
  readonly id: string
  readonly address: string
  /** The API as the key of this inbox sees it. */
  readonly api: Api
}

export interface ProjectParts extends WebhookParts {
  readonly workspaceId: string
  /** What the streams of the run may keep, all together. */
  readonly streams: StreamBudget
  /** Undefined until it is known: only a fresh workspace has it from the start. */
  readonly orgId: string | undefined
  readonly domain: string | undefined
  readonly from: string | undefined
  readonly inboxes: readonly Inbox[]
  readonly raiser: Raiser
  /** What raises events of a type by what makes them fire, not by the control interface; undefined where nothing known does. */
  readonly causer?: (type: EventType) => Raiser | undefined
  /** Where the org's list ends by now; undefined in an org made for the case. */
  readonly listEnd?: () => Promise<string | undefined>
  /** The newest events of the org; undefined in an org made for the case. */
  readonly recent?: () => Promise<readonly unknown[]>
  /** A webhook of the org with more deliveries than the largest page. */
  readonly busyWebhook?: string | undefined
  /** Whether the case can cause events of its own. */
  readonly canRaise: boolean
}

export interface StreamRequest {
  readonly after?: string
  /** The key that opens it; the project's own by default. */
  readonly api?: Api
  readonly auth?: StreamAuth
  /** More query, as written, that the interface does not know: `inbox_id=ibx_2`. */
  readonly query?: string
  readonly isUnrelated?: boolean
}

interface StreamsOptions {
  readonly atLeast?: number
  /** Streams that are open already. */
  readonly otherStreams?: number
  readonly meanwhile?: () => Promise<unknown>
}

/** Connections that are left to requests where streams have taken all there are. */
const leftToRequests = 3

interface EventOptions {
  readonly inbox?: Inbox
  /** Text before the mark in the subject, where the type has one. */
  readonly subject?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** One project (org) of a workspace, or the configured org. */
export class Project {
  readonly orgId: string | undefined
  /** A domain verified for sending; undefined where the run does not know one. */
  readonly domain: string | undefined
  /** An address that may send. */
  readonly from: string | undefined
  readonly api: Api
  readonly inboxes: readonly Inbox[]
  readonly #parts: ProjectParts
  /** Each stream with its request. */
  readonly #streams = new Map<Stream, StreamRequest>()

  constructor(parts: ProjectParts) {
    this.#parts = parts
    this.orgId = parts.orgId
    this.domain = parts.domain
    this.from = parts.from
    this.api = parts.api
    this.inboxes = parts.inboxes
  }

  /** The inbox at `index`, 0 by default. */
  inbox(index = 0): Inbox {
    const inbox = this.inboxes[index]
    if (inbox === undefined) throw new Error(`the project has no inbox ${index}`)
    return inbox
  }

  /** Returns a cursor before the next event, so that a long list need not be read from its start; undefined if none is needed. */
  async listEnd(): Promise<string | undefined> {
    return this.#parts.listEnd?.()
  }

  /** Whether {@link raise} can cause a `message.received`. */
  get canRaise(): boolean {
    return this.#parts.canRaise
  }

  /** The id of a webhook, not the case's own, with more deliveries than the largest page; undefined where none is known. */
  get busyWebhook(): string | undefined {
    return this.#parts.busyWebhook
  }

  /** The newest events of before, in the order of the list; none in an org made for the case. */
  async recent(): Promise<readonly unknown[]> {
    return (await this.#parts.recent?.()) ?? []
  }

  /** Causes an event and resolves once it is recorded. `data` needs the control interface's `events`. */
  async raise(type: EventType, options: EventOptions = {}): Promise<RaisedEvent> {
    return this.#raise(type, options, this.#parts.raiser)
  }

  /**
   * Causes an event by its real cause: an email, or a change of the sending status; through the control interface only if no such cause is
   * known. Ends the case on `requireThat` if the cause happened and the event did not arrive.
   */
  async cause(type: EventType, requireThat: Checks): Promise<RaisedEvent> {
    const { causer, tools } = this.#parts
    const raiser = causer?.(type)
    tools.measure(`${type} was caused by`, raiser === undefined ? 'the control interface or a trigger' : 'its cause')
    try {
      return await this.#raise(type, {}, raiser ?? this.#parts.raiser)
    } catch (error) {
      if (raiser === undefined || !(error instanceof EventMissing)) throw error
      tools.missed(requirementOfType[type], 'POL-002', 'POL-003') // That it fires, and where lists are read from.
      requireThat.fail(`${type} in GET /v1/events`, `listed within ${error.withinMs} ms of its cause`, error.got)
      throw error
    }
  }

  async #raise(type: EventType, options: EventOptions, raiser: Raiser): Promise<RaisedEvent> {
    const inbox = options.inbox ?? this.inboxes[0]
    const { workspaceId, tools, shared } = this.#parts
    const request = {
      type,
      inboxId: inbox?.id ?? 'ibx_none',
      inboxAddress: inbox?.address ?? '',
      workspaceId,
      mark: tools.unique(),
      ...(options.subject === undefined ? {} : { subject: options.subject }),
      ...(options.data === undefined ? {} : { data: options.data }),
    }
    const raise = () => raiser.raise(request)
    return shared === undefined ? raise() : shared.raise(request, raise)
  }

  /** An endpoint of the sink with a webhook that leads to it. Ends the case when the webhook is not created. */
  createWebhook(options: WebhookOptions = {}): Promise<Webhook> {
    return createWebhook(this.#parts, options)
  }

  /**
   * A webhook for each of `list`, as far as the service takes so many at once: quotas are not shown, so where one after
   * the first is refused its place is undefined; with `atLeast` 0 the first too. With fewer than `atLeast` the case is skipped.
   */
  createWebhooks(list: readonly WebhookOptions[], { atLeast = list.length } = {}): Promise<(Webhook | undefined)[]> {
    return createWebhooks(this.#parts, list, atLeast)
  }

  /** Opens the event stream. For a stranger nothing is expected: its frames are not checked. */
  stream(options: StreamRequest = {}): Stream {
    const stream = this.#connect(options, {
      skipWhereFull: () => this.#skipWhereFull(stream),
      oneMayStillCount: () => options.isUnrelated !== true && this.#hasClosedOneOf(options.api ?? this.api),
    })
    this.#streams.set(stream, options)
    return stream
  }

  #hasClosedOneOf(api: Api): boolean {
    return [...this.#streams].some(
      ([stream, options]) => stream.wasUpgraded && stream.isClosed && (options.api ?? this.api) === api,
    )
  }

  /**
   * The interface names no quotas: if one more stream like an accepted one is refused too, there are too many, whatever the request. A
   * stream that was closed a moment ago may still count.
   */
  async #skipWhereFull(refused: Stream): Promise<void> {
    const taken = [...this.#streams].filter(([stream]) => stream !== refused && stream.wasUpgraded)
    const [, like] = taken[0] ?? []
    if (like === undefined) return
    const { api = this.api, auth = 'header' } = like
    const more = this.#connect({ api, auth })
    const opening = await more.opening
    more.close()
    if (opening.kind !== 'refused' || !isConnectionLimit(opening)) return
    const next = `answered one more with ${opening.status}`
    throw new CaseSkipped(`needs one more stream at once: the service accepted ${taken.length}, and ${next}`)
  }

  #connect(options: StreamRequest, more: Pick<StreamOptions, 'skipWhereFull' | 'oneMayStillCount'> = {}): Stream {
    const { tools, evidence, watch, streams } = this.#parts
    const api = options.api ?? this.api
    const stream = new Stream({
      baseUrl: api.baseUrl,
      access: api.access,
      after: options.after,
      query: options.query,
      key: api.key,
      auth: options.auth ?? 'header',
      evidence,
      budget: streams,
      waiting: tools.waiting,
      missed: tools.missed,
      observe: (frame) => (options.isUnrelated === true ? undefined : watch.frame(frame)),
      ...more,
    })
    tools.cleanup(async () => stream.close())
    return stream
  }

  /**
   * Opens streams for each of `list`, one after the other, until the service accepts no more: the interface names no quotas. A stream that
   * is refused, or closed again at once, ends the list, unless it is the only one. With fewer than `atLeast` the case is skipped.
   * `meanwhile` runs while each is opened.
   */
  async streams(
    list: readonly StreamRequest[],
    requireThat: Checks,
    { atLeast = 1, otherStreams = 0, meanwhile }: StreamsOptions = {},
  ): Promise<Stream[]> {
    const opened: Stream[] = []
    const unlessFewer = (taken: readonly Stream[], next: string) => {
      if (taken.length + otherStreams >= atLeast) return [...taken]
      throw new CaseSkipped(`needs ${atLeast} streams at once: the service accepted ${taken.length} and ${next}`)
    }
    for (const options of list) {
      const stream = this.stream(options)
      await meanwhile?.()
      const opening = await stream.opening
      if (opened.length + otherStreams > 0 && isConnectionLimit(opening)) {
        if (opening.kind === 'refused') return unlessFewer(opened, `answered the next with ${opening.status}`)
        // A service without room for a stream has none for a request either.
        for (const extra of opened.splice(Math.max(1, opened.length - leftToRequests))) extra.close()
        return unlessFewer(opened, 'closed the connection of the next')
      }
      opened.push(await stream.opened(requireThat))
    }
    if (opened.length + otherStreams < 2) return opened
    const turnedAway = await Promise.all(opened.map((stream) => stream.isTurnedAway()))
    // Only the latest are too many: an earlier one was taken, and cut off for a later one.
    const first = turnedAway.indexOf(true)
    if (first + otherStreams < 1 || turnedAway.includes(false, first)) return opened
    return unlessFewer(opened.slice(0, first), 'closed the next at once')
  }
}
