import { setMaxListeners } from 'node:events'
import type { CaseTools } from '../case.js'
import type { NameServer } from '../dns/name-server.js'
import type { CaseResult } from '../result.js'
import { Secrets } from '../secrets.js'
import { missingCapability, type MissingCapability } from '../missing-capability.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import type { UnfitKind } from '../sink/certificate.js'
import { ListenRefused, listeningAs } from '../sink/listen-refused.js'
import { HttpClient } from '../wire/http-client.js'
import { Pace } from '../wire/pace.js'
import { alwaysOn } from './always-on.js'
import { Api } from './api.js'
import { EarlyReads } from './early-reads.js'
import { Slowness } from './slowness.js'
import type { NewResources } from './new-resources.js'
import { noCanaries } from './canaries.js'
import type { ServiceContext } from './context.js'
import { contractViolations, eventComponent } from './contract-check.js'
import { Control } from './control.js'
import { mayDeliverTo, startDeliverySink, type DeliverySink } from './delivery-sink.js'
import { checkService } from './check-service.js'
import { refuseRefusedKey, secondKeyProblem } from './key-check.js'
import { removeLeftovers } from './leftovers.js'
import { ListReads, ShownItems } from './list-reads.js'
import { controlledName, type ControlledName } from './names.js'
import type { ServiceNeed } from './needs.js'
import { findSinkProblem } from './sink-welcome.js'
import { OrgCursor } from './org-cursor.js'
import type { CoverageForecast } from '../forecast.js'
import { PageOrder, pagesDependOn } from './page-order.js'
import { forecastService } from './forecast.js'
import { findMissing, type CapabilitySources } from './capability-sources.js'
import { defaultTrigger, triggerRaiser } from './raise.js'
import { isOneOf } from './service-address.js'
import { configuredSandbox, workspaceSandbox } from './sandboxes.js'
import { CreatedResources, type Journal } from './shared-org/created-resources.js'
import { learnOrg, readPast, type OrgFacts, type OrgPast } from './shared-org/facts.js'
import { givePublicHostAnAddress } from './public-host.js'
import type { Checkpoint } from './shared-org/resume.js'
import { accessOfControl, defaultPublicHost, defaultRecipient, type ServiceTarget } from './target.js'
import { AttemptNumbers } from './attempt-numbers.js'
import { StreamBudget } from './stream-budget.js'
import { Observations } from './watch.js'
import { inWorkspace, Workspaces } from './workspaces.js'

/** Cases side by side: in workspaces of their own, where most of them wait, in real time or for a target far away, and in one shared org. */
export const concurrency = { isolated: 24, waiting: 48, shared: 8, calm: 4 } as const

/** A target whose fastest answer took longer, in milliseconds, is far away: its cases wait for answers and take little time of this machine. */
const farMs = 150

export interface ConnectOptions {
  /** Aborts the requests before anything is made on the target; things made before are removed anyway. */
  readonly signal?: AbortSignal | undefined
  readonly checkpoint?: Checkpoint
  readonly journal?: Journal
  /** The same for things that are made with the second key. */
  readonly secondJournal?: Journal
  /** Longest time an answer of the API is waited for, in milliseconds (default 60 s). */
  readonly answerMs?: number | undefined
}

/** Connects to a service at a base URL. Throws `CaseErrored` when the service or its control interface cannot be reached. */
export async function connectService(
  target: ServiceTarget,
  options: ConnectOptions = {},
): Promise<Subject<ServiceContext>> {
  const run = new ServiceRun(target, options)
  try {
    await run.start()
  } catch (error) {
    await run.close()
    throw error instanceof ListenRefused ? error : run.secrets.redactError(error)
  }
  return run
}

/** Where all cases of a run play: each in workspaces of its own, or together in the org of the configuration. */
type Arena =
  | { readonly kind: 'workspaces'; readonly control: Control }
  | { readonly kind: 'shared-org'; readonly facts: OrgFacts | undefined }

class ServiceRun implements Subject<ServiceContext> {
  readonly kind = 'service'
  readonly secrets = new Secrets()
  readonly #target: ServiceTarget
  readonly #http: HttpClient
  readonly #controlHttp: HttpClient
  readonly #observations = new Observations()
  readonly #streams = new StreamBudget()
  readonly #attemptNumbers = new AttemptNumbers()
  readonly outside = new Evidence()
  readonly #shown = new ShownItems()
  readonly #cursor: OrgCursor
  readonly #orgApi: Api
  readonly #secondApi: Api
  /** The same two, for requests before the first case: they heed the signal. */
  readonly #starting: { readonly first: Api; readonly second: Api; readonly signal: AbortSignal }
  readonly #checkpoint: Checkpoint | undefined
  readonly #journal: Journal | undefined
  readonly #secondJournal: Journal | undefined
  #control: Control | undefined
  #arena: Arena = { kind: 'shared-org', facts: undefined }
  #sink: DeliverySink | undefined
  #sinkRefusal: string | undefined
  #secondKeyProblem: string | undefined
  #nameServer: NameServer | undefined
  /** Workspaces of cases that are over. */
  readonly #dropping = new Set<Promise<void>>()
  #past: OrgPast | undefined

  constructor(target: ServiceTarget, { checkpoint, journal, secondJournal, answerMs, signal: given }: ConnectOptions) {
    this.#target = target
    this.#checkpoint = checkpoint
    this.#journal = journal
    this.#secondJournal = secondJournal
    if (checkpoint !== undefined) this.#observations.restore(checkpoint.record.observations)
    const access = target.access ?? {}
    this.#controlHttp = new HttpClient({ access: accessOfControl(target) })
    this.#http = new HttpClient({
      access,
      pace: new Pace(target.maxRps),
      ...(answerMs === undefined ? {} : { timeoutMs: answerMs }),
    })
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    this.#orgApi = this.#seenBy(target.apiKey, signal)
    this.#secondApi = this.#seenBy(target.secondApiKey, signal)
    const until = given ?? signal
    this.#starting = {
      first: this.#seenBy(target.apiKey, until),
      second: this.#seenBy(target.secondApiKey, until),
      signal: until,
    }
    this.#cursor = new OrgCursor(this.#orgApi)
    this.secrets.addEnvironment(process.env)
    for (const value of Object.values(access.headers ?? {})) this.secrets.addHeader(value)
    const { apiKey, secondApiKey, control, inboxes } = target
    const keys = [apiKey, secondApiKey, control?.key, ...inboxes.map((inbox) => inbox.apiKey)]
    for (const secret of [...keys, ...(target.secrets ?? [])]) this.secrets.add(secret)
  }

  /** Returns the API for requests outside any case, with this key. */
  #seenBy(key: string | undefined, signal: AbortSignal): Api {
    const { baseUrl } = this.#target
    return new Api({ http: this.#http, baseUrl, key, evidence: this.outside, signal, observe: () => {} })
  }

  get name(): string {
    return this.#target.name ?? this.#target.baseUrl
  }

  get concurrency(): number {
    if (this.#arena.kind === 'shared-org') return concurrency.shared
    const mostlyWait = !this.#arena.control.offered.has('clock') || this.#http.fastestMs > farMs
    return mostlyWait ? concurrency.waiting : concurrency.isolated
  }

  /** Where a clock is moved, its answer settles what must have arrived, however many cases run. */
  get calmWidth(): number {
    const isVirtual = this.#arena.kind === 'workspaces' && this.#arena.control.offered.has('clock')
    return isVirtual ? Infinity : concurrency.calm
  }

  get lost(): string | undefined {
    return this.#http.lost ?? this.#controlHttp.lost ?? this.#control?.lost
  }

  get lastRequests(): string | undefined {
    return this.#http.lastRequests
  }

  absence(since: number, signal: AbortSignal): Promise<string | undefined> {
    return this.#http.absence(`${this.#target.baseUrl}/v1/events?limit=1`, since, signal)
  }

  async start(): Promise<void> {
    const target = this.#target
    const { first, second, signal } = this.#starting
    await checkService(first)
    const control = target.control && (await Control.connect(this.#controlHttp, target.control, signal))
    this.#control = control
    const isShared = control?.offered.has('workspaces') !== true
    if (isShared && target.apiKey !== undefined) await refuseRefusedKey(first)
    this.#sink = await startDeliverySink(target, control, this.#checkpoint?.record.sinkPort ?? 0)
    await this.#leaveUselessSink(control)
    await givePublicHostAnAddress(target, control)
    if (this.#checkpoint !== undefined && this.#sink !== undefined)
      this.#checkpoint.record.sinkPort = this.#sink.sink.port
    if (target.dns !== undefined) {
      const { NameServer: Server } = await import('../dns/name-server.js')
      const { dns } = target
      this.#nameServer = await listeningAs('dns.listen', dns, () => Server.start(dns))
    }
    if (isShared && target.apiKey !== undefined) this.#past = await readPast(first)
    if (isShared && target.secondApiKey !== undefined) this.#secondKeyProblem = await secondKeyProblem(first, second)
    const isLearnt = target.apiKey !== undefined && control?.offered.has('events') === true
    this.#arena =
      control === undefined || isShared
        ? { kind: 'shared-org', facts: isLearnt ? await this.#learnOrg() : undefined }
        : { kind: 'workspaces', control }
  }

  /** Drops a sink for which the service refuses webhooks. */
  async #leaveUselessSink(control: Control | undefined): Promise<void> {
    const { receiver } = this.#target
    if (this.#sink === undefined || receiver === undefined) return
    const place = { ...this.#sink, publicUrl: receiver.publicUrl }
    const isExempted = control?.offered.has('egress') === true
    this.#sinkRefusal = await findSinkProblem(place, isExempted, (question) => this.#inSomeOrg(control, question))
    if (this.#sinkRefusal === undefined) return
    await this.#sink.sink.close()
    this.#sink = undefined
  }

  /** Runs `ask` in the configured org, or in a workspace that is dropped again; undefined without either. */
  async #inSomeOrg<Got>(control: Control | undefined, send: (api: Api) => Promise<Got>): Promise<Got | undefined> {
    if (control?.offered.has('workspaces') !== true)
      return this.#target.apiKey === undefined ? undefined : send(this.#orgApi)
    const parts = { control, journal: this.#journal, secrets: this.secrets, evidence: this.outside }
    return inWorkspace(parts, (key) => send(this.#seenBy(key, this.#starting.signal)))
  }

  async #learnOrg(): Promise<OrgFacts> {
    const { from, inboxes, triggers } = this.#target
    const [inbox] = inboxes
    const trigger = triggers['message.queued'] ?? defaultTrigger('message.queued')
    if (from === undefined || inbox === undefined || trigger === undefined) return learnOrg(this.#orgApi, undefined)
    const raiser = triggerRaiser({ api: this.#orgApi, from, triggers, cursor: this.#cursor })
    return learnOrg(this.#orgApi, { raiser, inboxAddress: inbox.address })
  }

  findMissing(need: string): MissingCapability | undefined {
    return missingCapability(findMissing(need as ServiceNeed, this.#sources))
  }

  forecast(): CoverageForecast {
    return forecastService(this.#sources)
  }

  get #sources(): CapabilitySources {
    return {
      target: this.#target,
      control: this.#control,
      hasCanary: this.#sink?.canaries !== undefined,
      hasNameServer: this.#nameServer !== undefined,
      hasSink: this.#sink !== undefined,
      hasDirectSink: this.#sink?.sink.isBehindGateway === false,
      sinkRefusal: this.#sinkRefusal,
      secondKeyProblem: this.#secondKeyProblem,
      hasNamedSink: this.#sink?.isNamed === true,
      org: this.#arena.kind === 'shared-org' ? this.#arena.facts : undefined,
      past: this.#past,
    }
  }

  /** A trigger that pauses sending does so for the whole configured org. */
  isAlone({ needs }: { readonly needs: readonly string[] }): boolean {
    const isOfOrg = this.#arena.kind === 'shared-org'
    return isOfOrg && needs.some((need) => need === 'event:sending.paused' || need === 'event:sending.resumed')
  }

  finished(caseId: string): CaseResult | undefined {
    return this.#checkpoint?.finished(caseId)
  }

  keep(result: CaseResult): void {
    if (this.#checkpoint === undefined) return
    this.#checkpoint.record.observations = this.#observations.record
    this.#checkpoint.keep(result)
  }

  async open(tools: CaseTools, caseId: string): Promise<OpenedContext<ServiceContext>> {
    const { secrets } = this
    const reads = new EarlyReads()
    const slowness = new Slowness()
    const lists = new ListReads(this.#shown)
    const evidence = new Evidence({ caseId, watchers: [reads, slowness], keepsAll: tools.keepsEveryExchange })
    const watch = alwaysOn({ observations: this.#observations, secrets, caseId })
    const [arena, journal, target] = [this.#arena, this.#journal, this.#target]
    const isShared = arena.kind === 'shared-org'
    const workspaces = isShared ? undefined : new Workspaces({ control: arena.control, journal, secrets, evidence })
    const created = isShared ? new CreatedResources({ journal, secrets }) : undefined
    const createdInSecond = isShared ? new CreatedResources({ journal: this.#secondJournal, secrets }) : undefined
    const createdBy = (key: string | undefined) =>
      key !== undefined && key === target.secondApiKey ? createdInSecond : created
    created?.restore(this.#checkpoint?.webhooksOf(caseId) ?? [])
    const checkpoint = isShared ? this.#checkpoint?.watch(caseId) : undefined
    const pages = new PageOrder()
    const api = (key: string | undefined, fresh?: NewResources) =>
      new Api(
        {
          http: this.#http,
          baseUrl: target.baseUrl,
          key,
          evidence,
          lists,
          signal: tools.signal,
          waiting: tools.waiting,
          ...(tools.readsLate ? { settled: () => reads.settle(tools.signal) } : {}),
          observe: (exchange, operation) => {
            createdBy(key)?.saw(exchange, operation)
            watch.exchange(exchange, operation)
            if (operation === 'pollEvents' && pages.goesBack(exchange, key)) tools.missed(...pagesDependOn)
          },
          making: (request, body) => createdBy(key)?.making(request, body) ?? (() => {}),
        },
        fresh,
      )
    const parts = {
      target,
      control: this.#control,
      sink: this.#sink?.sink,
      tools,
      evidence,
      lists,
      changedAt: () => reads.changedAt,
      watch,
      streams: this.#streams,
      attemptNumbers: this.#attemptNumbers,
      api,
      canRaise: this.findMissing('event:message.received') === undefined,
    }
    const canary = this.#sink?.canaries?.view ?? noCanaries
    const context: ServiceContext = {
      ...tools,
      baseUrl: target.baseUrl,
      recipient: target.recipient ?? defaultRecipient,
      publicUrl: (path = '') => `https://${target.publicHost ?? defaultPublicHost}/${path}${tools.unique()}`,
      contract: { violations: contractViolations, eventComponent },
      anonymous: () => api(undefined),
      observed: (requirement) => this.#observations.of(requirement),
      name: async (kind) => this.#name(tools, evidence, kind),
      canary,
      isSinkDirect: this.#sink?.sink.isBehindGateway === false,
      sinkAddress: this.#sink?.address ?? '',
      isExempted: (url) => isOneOf(this.#sink?.places ?? [], url),
      leadsToSink: (address) => this.#sink !== undefined && mayDeliverTo(this.#sink, address),
      deadAddress: canary.deadAddresses[0] ?? '',
      openSandbox: async (request = {}) =>
        workspaces === undefined
          ? configuredSandbox(
              parts,
              {
                cursor: this.#cursor,
                facts: isShared ? arena.facts : undefined,
                busyWebhook: this.#past?.busyWebhook,
                checkpoint,
              },
              request,
            )
          : workspaceSandbox(parts, await workspaces.make(request)),
    }
    return {
      context,
      evidence,
      heldBackMs: () => evidence.heldBackMs,
      slowestMs: () => slowness.slowestMs,
      wasTurnedAway: () => evidence.wasTurnedAway,
      wasStale: (signal) =>
        // A question that cannot be put settles nothing.
        reads
          .wereStale(({ method, url, headers }) => this.#http.send({ method, url, headers, signal }), signal)
          .catch(() => false),
      close: async () => {
        await created?.remove(this.#orgApi, (id) => this.#checkpoint?.isKept(id) === true)
        await createdInSecond?.remove(this.#secondApi, () => false)
        // Nothing waits for that but the end of the run.
        if (workspaces !== undefined) this.#dropLater(workspaces)
      },
    }
  }

  #dropLater(workspaces: Workspaces): void {
    const dropped = workspaces.drop().catch(() => {})
    this.#dropping.add(dropped)
    void dropped.then(() => this.#dropping.delete(dropped))
  }

  async close(): Promise<void> {
    await Promise.all(this.#dropping)
    if (this.lost === undefined) {
      await removeLeftovers(this.#orgApi, this.#journal, (id) => this.#checkpoint?.isKept(id) === true)
      await removeLeftovers(this.#secondApi, this.#secondJournal, () => false)
    }
    await Promise.all([this.#sink?.sink.close(), this.#sink?.canaries?.close(), this.#nameServer?.close()])
    await Promise.all([this.#http.close(), this.#controlHttp.close()])
  }

  #name(tools: CaseTools, evidence: Evidence, kind?: 'uncertified' | 'silent' | UnfitKind): ControlledName {
    // A certificate for every name of the zone is valid for one label; for names with more labels the sink shows others.
    const label = `h${tools.unique()}${kind === undefined ? '' : `.${kind}`}`
    return controlledName(label, { control: this.#control, nameServer: this.#nameServer, evidence })
  }
}
