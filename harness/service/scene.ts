import { retryDelaysMs, type EventType } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import { CaseSkipped, timingMark, type Checks } from '../check.js'
import type { Answer } from '../sink/answer.js'
import { Attempt } from '../sink/attempt.js'
import type { Endpoint } from '../sink/endpoint.js'
import type { Sink } from '../sink/sink.js'
import type { Evidence } from '../wire/evidence.js'
import { signatureProblem } from '../wire/signing.js'
import type { Api } from './api.js'
import type { Control } from './control.js'
import type { CaseMemory, WatchedHook } from './memory.js'
import { isAbout, Ownership } from './ownership.js'
import type { Raiser, RaisedEvent } from './raise.js'
import { ownDeliveries, type ListedDeliveries } from './own-deliveries.js'
import { deliveryOf, itemsOf, type DeliveryItem } from './read.js'
import { Stream, type StreamAuth } from './stream.js'
import type { Watch } from './watch.js'

export interface Inbox {
  readonly id: string
  readonly address: string
  /** The API as the key of this inbox sees it. */
  readonly api: Api
}

/** Budgets of waiting for what must come by itself, in milliseconds; generous, since machines are busy. */
const arrivesWithinMs = { virtual: 10_000, real: 30_000 } as const
/** Pause between two questions to what lags behind, in milliseconds. */
const askAgainMs = 100
/** In virtual time everything due has ended once the scene is settled; so long is waited before that is asked, and after. */
const promptMs = 1_000
/** Times this is asked for one attempt: on a busy machine the first answer may come before what it tells of was heard. */
const settleRounds = 3
/** Longest time a list may lag behind what has ended, in milliseconds. */
const lagMs = 2_000
/** Time before and after an attempt is due in which it may come all the same, in milliseconds. */
const aroundDueMs = 1_000
/** Time given to what must not come, in real time. */
const quietMs = 1_500

const cannotTell =
  'needs a workspace of its own (a control interface with workspaces): nothing in the list of deliveries tells those of this case from others'

export interface SceneParts {
  readonly tools: CaseTools
  readonly evidence: Evidence
  readonly control: Control | undefined
  readonly sink: Sink | undefined
  readonly watch: Watch
  /** Undefined where the run plays in the org of the configuration. */
  readonly workspaceId: string | undefined
  readonly hasClock: boolean
  /** What the case made and saw before the run was stopped; only for cases that wait for long, in the configured org. */
  readonly memory: CaseMemory | undefined
}

/** Where one case plays: a fresh workspace, or the configured org. */
export class Scene {
  readonly projects: readonly Project[]
  /** `virtual`: the workspace's clock is moved; `real`: time is waited for. */
  readonly time: 'virtual' | 'real'
  /** Undefined where nothing happens but what the case does. */
  readonly ownership: Ownership | undefined
  readonly #parts: SceneParts
  #now: number | undefined

  constructor(parts: SceneParts, projects: (scene: Scene) => readonly Project[]) {
    this.#parts = parts
    this.time = parts.hasClock && parts.workspaceId !== undefined ? 'virtual' : 'real'
    this.ownership = parts.workspaceId === undefined ? new Ownership() : undefined
    this.ownership?.restore(parts.memory?.events ?? [])
    this.projects = projects(this)
  }

  /** Nothing but the case itself acts here. */
  get isIsolated(): boolean {
    return this.#parts.workspaceId !== undefined
  }

  get workspaceId(): string {
    return this.#parts.workspaceId ?? 'configured'
  }

  /** The first project, which most cases need alone. */
  get project(): Project {
    const [first] = this.projects
    if (first === undefined) throw new Error('a scene has at least one project')
    return first
  }

  /** Lets `ms` milliseconds pass; in virtual time every attempt due on the way is made and ended. */
  async advance(ms: number): Promise<void> {
    const { control, workspaceId, evidence } = this.#parts
    if (this.time === 'virtual' && control !== undefined && workspaceId !== undefined)
      this.#now = (await control.advance(workspaceId, ms, evidence)) - Date.now()
    else await waitFor(ms, this.#parts.tools.signal)
  }

  /** Waits until nothing is due or in flight; in real time, long enough for what is sent at once. */
  async settle(): Promise<void> {
    await this.advance(this.time === 'virtual' ? 0 : quietMs)
  }

  /** The workspace's time in milliseconds since the epoch, as far as the last advance told it. */
  now(): number {
    return Date.now() + (this.#now ?? 0)
  }

  /** Longest wait for something that must come, in milliseconds. */
  get budgetMs(): number {
    return arrivesWithinMs[this.time]
  }

  /**
   * Resolves to whether `condition` held within `withinMs`, for what can only be learnt by asking again: an answer of
   * the API that lags behind. Asked at once, then every 100 ms.
   */
  async until(condition: () => Promise<boolean>, withinMs: number = this.budgetMs): Promise<boolean> {
    const deadline = performance.now() + withinMs
    for (;;) {
      if (await condition()) return true
      if (performance.now() > deadline || this.#parts.tools.signal.aborted) return false
      await waitFor(askAgainMs, this.#parts.tools.signal)
    }
  }

  /** Pauses or resumes the workspace's sending. */
  async setSending(status: 'paused' | 'active', reason?: string): Promise<void> {
    const { control, workspaceId, evidence } = this.#parts
    if (control !== undefined && workspaceId !== undefined)
      await control.setSending(workspaceId, status, reason, evidence)
  }
}

export interface ProjectParts {
  readonly scene: Scene
  readonly parts: SceneParts
  /** Undefined until it is known: only a fresh workspace tells it. */
  readonly orgId: string | undefined
  readonly domain: string | undefined
  readonly from: string | undefined
  readonly api: Api
  readonly inboxes: readonly Inbox[]
  readonly raiser: Raiser
}

export interface HookOptions {
  /** Answers of the sink, attempt by attempt; the last one stays. Default: 200. */
  readonly answers?: readonly [Answer, ...Answer[]]
  readonly eventTypes?: readonly string[] | null
  readonly inboxId?: string | null
  /** The key that creates it; the project's own by default. */
  readonly api?: Api
  /** A host name that leads to the sink, in place of the sink's own address. */
  readonly hostname?: string
  /** Further path and query behind the url of the endpoint. */
  readonly suffix?: string
  /** A webhook whose very url the new one has too: both lead to one endpoint, whose attempts either may have signed. */
  readonly beside?: Hook
}

/** One project (org) of a scene. */
export class Project {
  readonly orgId: string | undefined
  /** A domain verified for sending; undefined where the run does not know one. */
  readonly domain: string | undefined
  /** An address that may send. */
  readonly from: string | undefined
  readonly api: Api
  readonly inboxes: readonly Inbox[]
  readonly #parts: ProjectParts

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
    if (inbox === undefined) throw new Error(`the scene has no inbox ${index}`)
    return inbox
  }

  /** Causes an event and resolves once it is recorded. `data` needs the control interface's `events`. */
  async raise(
    type: EventType,
    options: { inbox?: Inbox; data?: Readonly<Record<string, unknown>> } = {},
  ): Promise<RaisedEvent> {
    const inbox = options.inbox ?? this.inboxes[0]
    const { raiser, scene, parts } = this.#parts
    const request = {
      type,
      inboxId: inbox?.id ?? 'ibx_none',
      inboxAddress: inbox?.address ?? '',
      workspaceId: scene.workspaceId,
      mark: parts.tools.unique(),
      ...(options.data === undefined ? {} : { data: options.data }),
    }
    const anew = () => raiser.raise(request)
    const raise = () => (parts.memory === undefined ? anew() : parts.memory.event(anew))
    return scene.ownership === undefined ? raise() : scene.ownership.raise(request, raise)
  }

  /** An endpoint of the sink with a webhook that leads to it. Ends the case when the webhook is not created. */
  async hook(options: HookOptions = {}): Promise<Hook> {
    const { parts, scene } = this.#parts
    const { tools, sink, watch, evidence } = parts
    if (sink === undefined) throw new Error('a hook needs the power sink')
    const api = options.api ?? this.api
    const make = () => this.#createHook(tools.unique(), sink, options)
    const kept = await (parts.memory === undefined ? make() : parts.memory.hook(make))
    const { id, secret } = kept
    const endpoint = options.beside?.endpoint ?? sink.endpoint(kept.path, options.hostname)
    endpoint.secrets.push(secret)
    if (options.answers !== undefined) endpoint.script(...options.answers)
    const { ownership } = scene
    if (ownership !== undefined) {
      endpoint.share((attempt) => ownership.isForeign(attempt))
      ownership.onChange(() => endpoint.releaseForeign())
    }
    watch.secret(secret)
    const { memory } = parts
    const hook = new Hook({ id, secret, endpoint, api, scene, require: tools.require, memory })
    if (options.beside !== undefined) return hook
    for (const attempt of kept.attempts) endpoint.restore(Attempt.restored(attempt))
    const hold = (attempt: Attempt) => {
      evidence.add(attempt.exchange(endpoint.url))
      watch.delivery(attempt, signerOf(attempt, endpoint) ?? secret)
    }
    for (const attempt of endpoint.attempts) hold(attempt)
    endpoint.onAttempt((attempt) => {
      hold(attempt)
      memory?.seen(kept, attempt.record)
    })
    tools.cleanup(async () => sink.forget(endpoint))
    return hook
  }

  async #createHook(path: string, sink: Sink, options: HookOptions): Promise<WatchedHook> {
    const { tools } = this.#parts.parts
    const api = options.api ?? this.api
    const created = await api.createWebhook({
      url: (options.beside?.endpoint ?? sink.endpoint(path, options.hostname)).url + (options.suffix ?? ''),
      ...(options.eventTypes === undefined ? {} : { event_types: options.eventTypes }),
      ...(options.inboxId === undefined ? {} : { inbox_id: options.inboxId }),
    })
    const id = created.field('id')
    const secret = created.field('secret')
    tools.require.of('WHK-001').status(created, '2xx')
    if (typeof id === 'string' && typeof secret === 'string') return { path, id, secret, attempts: [] }
    tools.require.of('WHK-002').fail('webhook of the create response', 'id and secret', created.json)
    throw new Error('unreachable')
  }

  /** Opens the event stream. A stranger is owed nothing: its frames are not held against the contract. */
  stream(options: { after?: string; api?: Api; auth?: StreamAuth; isStranger?: boolean } = {}): Stream {
    const { tools, evidence, watch } = this.#parts.parts
    const api = options.api ?? this.api
    const stream = new Stream({
      baseUrl: api.baseUrl,
      after: options.after,
      key: api.key,
      auth: options.auth ?? 'header',
      evidence,
      observe: (frame) => (options.isStranger === true ? undefined : watch.frame(frame)),
    })
    tools.cleanup(async () => stream.close())
    return stream
  }
}

interface HookFields {
  readonly id: string
  readonly secret: string
  readonly endpoint: Endpoint
  readonly api: Api
  readonly scene: Scene
  readonly require: Checks
  readonly memory: CaseMemory | undefined
}

/** A webhook of the target that leads to an endpoint of the sink. */
export class Hook {
  readonly id: string
  readonly secret: string
  readonly endpoint: Endpoint
  readonly #api: Api
  readonly #scene: Scene
  readonly #require: Checks

  readonly #memory: CaseMemory | undefined

  constructor(fields: HookFields) {
    this.id = fields.id
    this.secret = fields.secret
    this.endpoint = fields.endpoint
    this.#api = fields.api
    this.#scene = fields.scene
    this.#require = fields.require
    this.#memory = fields.memory
  }

  /** The attempts that arrived so far, all of them or those of one event. */
  attempts(event?: RaisedEvent): Attempt[] {
    return event === undefined
      ? [...this.endpoint.attempts]
      : this.endpoint.attempts.filter((each) => isAbout(each, event))
  }

  /** The attempt number `number` (from 1) of `event`; ends the case when it does not come. */
  async attempt(number: number, event?: RaisedEvent, requireThat: Checks = this.#require): Promise<Attempt> {
    const hasArrived = () => this.attempts(event).length >= number
    if (!hasArrived()) this.#skipWhatNobodyHeard(number, event)
    if (this.#scene.time === 'real') await this.endpoint.until(hasArrived, this.#scene.budgetMs)
    else
      for (let round = 0; round < settleRounds && !(await this.endpoint.until(hasArrived, promptMs)); round++)
        await this.#scene.settle()
    const attempt = this.attempts(event)[number - 1]
    if (attempt !== undefined) return attempt
    const isMeasured = this.#scene.time === 'real'
    const what = `attempts that reached the endpoint${isMeasured ? ` within ${this.#scene.budgetMs} ms ${timingMark}` : ''}`
    requireThat.fail(what, `at least ${number}`, this.attempts(event).length)
    throw new Error('unreachable')
  }

  /** Ends the case as skipped where the run was stopped when the attempt was due: it may have been made unheard. */
  #skipWhatNobodyHeard(number: number, event: RaisedEvent | undefined): void {
    const previous = this.attempts(event)[number - 2]
    const delayMs = retryDelaysMs[number - 1]
    if (this.#memory === undefined || previous === undefined || delayMs === undefined) return
    const dueAt = previous.arrivedAt + delayMs
    if (!this.#memory.wasAbsent(dueAt - aroundDueMs, dueAt + aroundDueMs + delayMs / 10)) return
    throw new CaseSkipped(
      `needs a run that listens when attempt ${number} is due: it was stopped at ${new Date(dueAt).toISOString()}`,
    )
  }

  /**
   * The first attempt of `event` where the sink holds back its answer: it is waited for without settling the scene,
   * which would wait for the end of the attempt too.
   */
  async heldAttempt(event: RaisedEvent): Promise<Attempt> {
    await this.endpoint.until(() => this.attempts(event).length >= 1, this.#scene.budgetMs)
    return this.attempt(1, event)
  }

  /** The deliveries of the webhook as its list tells them, in a shared org those of the case's own events; ends the case when there is no list. */
  async deliveries(query: { limit?: number } = {}): Promise<DeliveryItem[]> {
    return [...(await this.#list(query)).items]
  }

  /** The only delivery of the webhook; ends the case when there is none or more than one. */
  delivery(): Promise<DeliveryItem> {
    return this.deliveryWhen(() => true)
  }

  /**
   * The only delivery once `condition` holds for it: the list may lag behind what was done. It is asked again until the
   * budget is over; the last answer is returned.
   */
  async deliveryWhen(condition: (delivery: DeliveryItem) => boolean): Promise<DeliveryItem> {
    const deadline = performance.now() + (this.#scene.time === 'virtual' ? lagMs : this.#scene.budgetMs)
    for (;;) {
      const listed = await this.#list({})
      const isLast = performance.now() > deadline
      const isPlain = listed.isSure || listed.items.length === 1
      const hasHeld = listed.items.some(condition)
      if ((isPlain && hasHeld) || (isLast && (isPlain || !hasHeld))) return this.#only(listed, condition)
      if (isLast) throw new CaseSkipped(cannotTell)
      await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    }
  }

  async #list(query: { limit?: number }): Promise<ListedDeliveries> {
    const { ownership } = this.#scene
    const answer = await this.#api.listDeliveries(this.id, ownership === undefined ? query : { limit: 100, ...query })
    this.#require.of('DLV-012').status(answer, [200])
    const items = itemsOf(answer)?.map(deliveryOf)
    if (items === undefined)
      this.#require.of('DLV-012').fail('list of deliveries', 'an array, or an object with one', answer.json)
    if (ownership === undefined) return { items: items ?? [], isSure: true, isFull: false }
    return ownDeliveries(items ?? [], { ownership, attempts: this.endpoint.attempts })
  }

  #only({ items, isSure, isFull }: ListedDeliveries, condition: (delivery: DeliveryItem) => boolean): DeliveryItem {
    if (isSure) this.#require.of('DLV-023').equal('number of deliveries listed', items.length, 1)
    else if (items.length === 0 && isFull) throw new CaseSkipped(cannotTell)
    else this.#require.of('DLV-023').ok('number of deliveries listed', items.length > 0, 'at least 1', 0)
    return items.find(condition) ?? items[0] ?? deliveryOf({})
  }

  /** Whether an attempt is signed with the secret of this webhook. */
  hasSigned(attempt: Attempt): boolean {
    return isSignedWith(attempt, this.secret)
  }

  /** Deletes the webhook. */
  async delete(): Promise<void> {
    this.#require.of('WHK-017').status(await this.#api.deleteWebhook(this.id), '2xx')
  }
}

/** The secret an attempt is signed with, where several webhooks lead to the endpoint. */
function signerOf(attempt: Attempt, { secrets }: Endpoint): string | undefined {
  return secrets.length > 1 ? secrets.find((each) => isSignedWith(attempt, each)) : undefined
}

function isSignedWith(attempt: Attempt, secret: string): boolean {
  const headers = {
    id: attempt.header('webhook-id'),
    timestamp: attempt.header('webhook-timestamp'),
    signature: attempt.header('webhook-signature'),
  }
  return signatureProblem(headers, attempt.body, secret) === undefined
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
