import { setMaxListeners } from 'node:events'
import type { CaseTools } from '../case.js'
import { CaseErrored } from '../check.js'
import type { NameServer } from '../dns/name-server.js'
import type { CaseResult } from '../result.js'
import { Secrets } from '../secrets.js'
import { Canary } from '../sink/canary.js'
import { sinkCertificate } from '../sink/certificate.js'
import { Sink } from '../sink/sink.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { HttpClient } from '../wire/http-client.js'
import { Pace } from '../wire/pace.js'
import { alwaysOn } from './always-on.js'
import { Api } from './api.js'
import { Belongings, type Journal } from './belongings.js'
import type { SceneRequest, ServiceContext } from './context.js'
import { contractViolations, eventComponent } from './contract-check.js'
import { Control, type WorkspaceGrant } from './control.js'
import type { Memory } from './memory.js'
import type { ServiceNeed } from './needs.js'
import type { ControlledName } from './names.js'
import { refuseRefusedKey } from './key-check.js'
import { lackOf } from './powers.js'
import { OrgCursor } from './org-cursor.js'
import { learnOrg, type OrgFacts } from './org-facts.js'
import { controlRaiser, defaultTrigger, triggerRaiser, type Raiser } from './raise.js'
import { addressOfUrl, isThisMachine, pairsOfUrl } from './reach.js'
import { Project, Scene, type SceneParts } from './scene.js'
import type { ServiceTarget } from './target.js'
import { Observations } from './watch.js'

/** Names under which the sink's certificate holds. */
const testZone = 'conformance.test'

/** A loopback address at which nothing listens; deliveries to it are allowed, so that it is good but dead. */
const deadAddress = '127.0.0.77'

/** Cases side by side: in workspaces of their own, there in real time, where most of them wait, and in one shared org. */
const concurrency = { isolated: 24, waiting: 48, shared: 8 }

/** A service at a base URL, ready to be asked. Throws {@link CaseErrored} when it, or its control interface, cannot be reached. */
export async function connectService(
  target: ServiceTarget,
  options: { readonly memory?: Memory; readonly journal?: Journal } = {},
): Promise<Subject<ServiceContext>> {
  const run = new ServiceRun(target, options)
  try {
    await run.start()
  } catch (error) {
    await run.close()
    throw run.secrets.redactError(error)
  }
  return run
}

class ServiceRun implements Subject<ServiceContext> {
  readonly kind = 'service'
  readonly secrets = new Secrets()
  readonly #target: ServiceTarget
  readonly #http: HttpClient
  readonly #controlHttp = new HttpClient()
  readonly #observations = new Observations()
  readonly #cursor: OrgCursor
  readonly #orgApi: Api
  readonly #memory: Memory | undefined
  readonly #journal: Journal | undefined
  #control: Control | undefined
  #sink: Sink | undefined
  #canary: Canary | undefined
  #nameServer: NameServer | undefined
  #org: OrgFacts | undefined
  #sinkAddress = ''
  #hasNamedSink = false

  constructor(target: ServiceTarget, { memory, journal }: { readonly memory?: Memory; readonly journal?: Journal }) {
    this.#target = target
    this.#memory = memory
    this.#journal = journal
    if (memory !== undefined) this.#observations.restore(memory.record.observations)
    this.#http = new HttpClient({ pace: new Pace(target.maxRps) })
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    this.#orgApi = new Api({
      http: this.#http,
      baseUrl: target.baseUrl,
      key: target.apiKey,
      evidence: new Evidence(),
      signal,
      observe: () => {},
    })
    this.#cursor = new OrgCursor(this.#orgApi)
    this.secrets.addEnvironment(process.env)
    for (const secret of [target.apiKey, target.control?.key, ...target.inboxes.map((each) => each.apiKey)])
      this.secrets.add(secret)
  }

  get name(): string {
    return this.#target.name ?? this.#target.baseUrl
  }

  get concurrency(): number {
    const offered = this.#control?.offered
    if (offered?.has('workspaces') !== true) return concurrency.shared
    return offered.has('clock') ? concurrency.isolated : concurrency.waiting
  }

  get lost(): string | undefined {
    return this.#http.lost ?? this.#controlHttp.lost
  }

  absence(since: number, signal: AbortSignal): Promise<string | undefined> {
    return this.#http.absence(`${this.#target.baseUrl}/v1/events?limit=1`, since, signal)
  }

  async start(): Promise<void> {
    const { target } = { target: this.#target }
    const probe = await this.#http.send({ method: 'GET', url: `${target.baseUrl}/v1/events?limit=1` })
    if (probe.status === undefined)
      throw new CaseErrored(`no answer from ${target.baseUrl} (${probe.failure ?? 'unknown'})`)
    if (target.control !== undefined) this.#control = await Control.connect(this.#controlHttp, target.control)
    const isShared = this.#control?.offered.has('workspaces') !== true && target.apiKey !== undefined
    if (isShared) await refuseRefusedKey(this.#orgApi)
    await this.#startSink()
    if (target.dns !== undefined) {
      const { NameServer: Server } = await import('../dns/name-server.js')
      this.#nameServer = await Server.start(target.dns)
    }
    if (isShared && this.#control?.offered.has('events') === true) this.#org = await this.#learnOrg()
  }

  /** The sink where the configuration says; else on loopback, where the service can reach that and lets itself be told so. */
  async #startSink(): Promise<void> {
    const { receiver, dns, baseUrl } = this.#target
    const hasEgress = this.#control?.offered.has('egress') === true
    const kept = this.#memory?.record.sinkPort ?? 0
    const names = dns === undefined ? [] : [`*.${dns.zone}`]
    if (receiver !== undefined) {
      const { host, port, publicUrl } = receiver
      this.#sink = await Sink.start({ host, port: port || kept, publicUrl, takesPlain: true, names })
      this.#sinkAddress = (await addressOfUrl(publicUrl)) ?? host
    } else if (hasEgress && (await isThisMachine(baseUrl))) {
      this.#sink = await Sink.start({ host: '127.0.0.1', port: kept, names })
      this.#sinkAddress = this.#sink.host
    }
    if (this.#sink === undefined) return
    if (this.#memory !== undefined) this.#memory.record.sinkPort = this.#sink.port
    const isInZone = dns !== undefined && new URL(this.#sink.publicUrl).hostname.endsWith(`.${dns.zone}`)
    this.#hasNamedSink = hasEgress || isInZone
    if (!hasEgress || this.#control === undefined) return
    if (this.#sinkAddress === '127.0.0.1') this.#canary = await Canary.start(this.#sink.port)
    const dead = this.#canary === undefined ? [] : [`${deadAddress}:${this.#sink.port}`]
    const pairs = [...(await pairsOfUrl(this.#sink.publicUrl)), ...dead]
    await this.#control.allowEgress(pairs, (await sinkCertificate(names)).ca)
  }

  async #learnOrg(): Promise<OrgFacts> {
    const { from, inboxes, triggers } = this.#target
    const [inbox] = inboxes
    const trigger = triggers['message.queued'] ?? defaultTrigger('message.queued')
    if (from === undefined || inbox === undefined || trigger === undefined) return learnOrg(this.#orgApi, undefined)
    const raiser = triggerRaiser({ api: this.#orgApi, from, triggers, cursor: this.#cursor })
    return learnOrg(this.#orgApi, { raiser, inboxAddress: inbox.address })
  }

  lacks(need: string): string | undefined {
    return lackOf(need as ServiceNeed, {
      target: this.#target,
      control: this.#control,
      hasCanary: this.#canary !== undefined,
      hasNameServer: this.#nameServer !== undefined,
      hasSink: this.#sink !== undefined,
      hasNamedSink: this.#hasNamedSink,
      org: this.#org,
    })
  }

  finished(caseId: string): CaseResult | undefined {
    return this.#memory?.finished(caseId)
  }

  keep(result: CaseResult): void {
    if (this.#memory === undefined) return
    this.#memory.record.observations = this.#observations.record
    this.#memory.keep(result)
  }

  async open(tools: CaseTools, caseId: string): Promise<OpenedContext<ServiceContext>> {
    const evidence = new Evidence()
    const watch = alwaysOn({ observations: this.#observations, secrets: this.secrets, caseId })
    const workspaces: string[] = []
    const granting: Promise<unknown>[] = []
    const isShared = this.#control?.offered.has('workspaces') !== true
    const belongings = isShared ? new Belongings(this.#journal) : undefined
    belongings?.restore(this.#memory?.hooksOf(caseId) ?? [])
    const api = (key: string | undefined) =>
      new Api({
        http: this.#http,
        baseUrl: this.#target.baseUrl,
        key,
        evidence,
        signal: tools.signal,
        observe: (exchange, operation) => {
          belongings?.saw(exchange, operation)
          watch.exchange(exchange, operation)
        },
        making: (request, ended) => belongings?.making(request, ended),
      })
    const memory = isShared ? this.#memory?.watch(caseId) : undefined
    const parts = { tools, evidence, control: this.#control, sink: this.#sink, watch, memory }
    const context: ServiceContext = {
      ...tools,
      baseUrl: this.#target.baseUrl,
      contract: { violations: contractViolations, eventComponent },
      anonymous: () => api(undefined),
      observed: (requirement) => this.#observations.of(requirement),
      name: async () => this.#name(tools, evidence),
      canary: {
        address: this.#canary?.host ?? '',
        connections: async (name) => (await this.#canary?.connections(name)) ?? 0,
      },
      sinkAddress: this.#sinkAddress,
      deadAddress,
      scene: async (request = {}) => {
        if (this.#control?.offered.has('workspaces') !== true) return this.#configuredScene(parts, api, evidence)
        const granted = this.#grant(this.#control, request, evidence).then((each) => {
          workspaces.push(each.workspaceId)
          this.#journal?.made({ kind: 'workspace', id: each.workspaceId })
          return each
        })
        granting.push(granted)
        const grant = await granted
        return this.#freshScene(parts, api, evidence, grant)
      },
    }
    return {
      context,
      exchanges: () => evidence.records(),
      close: async () => {
        await belongings?.remove(this.#orgApi, (id) => this.#memory?.isKept(id) === true)
        // What is asked for when a case is cut off comes all the same.
        await Promise.allSettled(granting)
        for (const id of workspaces) {
          await this.#control?.deleteWorkspace(id)
          this.#journal?.removed({ kind: 'workspace', id })
        }
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#sink?.close(), this.#canary?.close(), this.#nameServer?.close()])
    await Promise.all([this.#http.close(), this.#controlHttp.close()])
  }

  async #grant(
    control: Control,
    { projects = 1, inboxes = 2 }: SceneRequest,
    evidence: Evidence,
  ): Promise<WorkspaceGrant> {
    const grant = await control.createWorkspace({ projects, inboxes }, evidence)
    for (const project of grant.projects) {
      this.secrets.add(project.apiKey)
      for (const inbox of project.inboxes) this.secrets.add(inbox.apiKey)
    }
    return grant
  }

  #freshScene(
    parts: Omit<SceneParts, 'workspaceId' | 'hasClock'>,
    api: (key: string | undefined) => Api,
    evidence: Evidence,
    grant: WorkspaceGrant,
  ): Scene {
    const control = this.#control
    const sceneParts = { ...parts, workspaceId: grant.workspaceId, hasClock: control?.offered.has('clock') === true }
    return new Scene(sceneParts, (scene) =>
      grant.projects.map((project) => {
        const projectApi = api(project.apiKey)
        const from = `Conformance Probe <probe@${project.domain}>`
        return new Project({
          scene,
          parts: sceneParts,
          orgId: project.orgId,
          domain: project.domain,
          from,
          api: projectApi,
          inboxes: project.inboxes.map((inbox) => ({ id: inbox.id, address: inbox.address, api: api(inbox.apiKey) })),
          raiser:
            control?.offered.has('events') === true
              ? controlRaiser({ control, orgId: project.orgId, evidence })
              : triggerRaiser({
                  api: projectApi,
                  from,
                  triggers: this.#target.triggers,
                  cursor: new OrgCursor(projectApi),
                }),
        })
      }),
    )
  }

  #configuredScene(
    parts: Omit<SceneParts, 'workspaceId' | 'hasClock'>,
    api: (key: string | undefined) => Api,
    evidence: Evidence,
  ): Scene {
    const { apiKey, from, inboxes } = this.#target
    const sceneParts = { ...parts, workspaceId: undefined, hasClock: false }
    const projectApi = api(apiKey)
    const learnt = (this.#org?.inboxIds ?? []).map((id) => ({ id, address: '', apiKey: undefined }))
    const known = inboxes.length > 0 ? inboxes : learnt
    return new Scene(sceneParts, (scene) => [
      new Project({
        scene,
        parts: sceneParts,
        orgId: undefined,
        domain: from === undefined ? undefined : /@([^>\s]+)/.exec(from)?.[1],
        from,
        api: projectApi,
        inboxes: known.map((inbox) => ({ id: inbox.id, address: inbox.address, api: api(inbox.apiKey) })),
        raiser: this.#configuredRaiser(projectApi, evidence),
      }),
    ])
  }

  #configuredRaiser(api: Api, evidence: Evidence): Raiser {
    const { from, triggers } = this.#target
    const [control, orgId] = [this.#control, this.#org?.orgId]
    if (control === undefined || orgId === undefined)
      return triggerRaiser({ api, from, triggers, cursor: this.#cursor })
    return controlRaiser({ control, orgId, evidence, listedAfter: () => this.#cursor.end() })
  }

  #name(tools: CaseTools, evidence: Evidence): ControlledName {
    const label = `h${tools.unique()}`
    const control = this.#control
    if (control?.offered.has('dns') === true) {
      const host = `${label}.${testZone}`
      return { host, answer: (...lists) => control.setAnswers(host, lists, evidence) }
    }
    const server = this.#nameServer
    if (server === undefined) throw new CaseErrored('a name needs the power dns')
    return server.name(label)
  }
}
