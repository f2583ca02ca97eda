import type { CaseTools } from '../case.js'
import { CaseErrored } from '../check.js'
import type { NameServer } from '../dns/name-server.js'
import { Secrets } from '../secrets.js'
import { Canary } from '../sink/canary.js'
import { sinkCertificate } from '../sink/certificate.js'
import { Sink } from '../sink/sink.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { memberOf } from '../wire/exchange.js'
import { HttpClient } from '../wire/http-client.js'
import { Pace } from '../wire/pace.js'
import { alwaysOn } from './always-on.js'
import { Api } from './api.js'
import type { SceneRequest, ServiceContext } from './context.js'
import { contractChecker } from './contract-check.js'
import { Control, type WorkspaceGrant } from './control.js'
import type { ServiceNeed } from './needs.js'
import type { ControlledName } from './names.js'
import { lackOf } from './powers.js'
import { controlRaiser, OrgCursor, triggerRaiser } from './raise.js'
import { itemsOf } from './read.js'
import { Project, Scene, type SceneParts } from './scene.js'
import type { ServiceTarget } from './target.js'
import { Observations } from './watch.js'

/** Names under which the sink's certificate holds. */
const testZone = 'conformance.test'

/** Cases side by side: in workspaces of their own, and in one shared org. */
const concurrency = { isolated: 12, shared: 8 }

/** A service at a base URL, ready to be asked. Throws {@link CaseErrored} when it, or its control interface, cannot be reached. */
export async function connectService(target: ServiceTarget): Promise<Subject<ServiceContext>> {
  const run = new ServiceRun(target)
  try {
    await run.start()
  } catch (error) {
    await run.close()
    throw error
  }
  return run
}

class ServiceRun implements Subject<ServiceContext> {
  readonly kind = 'service'
  readonly secrets = new Secrets()
  readonly #target: ServiceTarget
  readonly #http: HttpClient
  readonly #controlHttp = new HttpClient()
  readonly #checker = contractChecker()
  readonly #observations = new Observations()
  readonly #cursor = new OrgCursor()
  #control: Control | undefined
  #sink: Sink | undefined
  #canary: Canary | undefined
  #nameServer: NameServer | undefined
  #orgId: Promise<string> | undefined

  constructor(target: ServiceTarget) {
    this.#target = target
    this.#http = new HttpClient({ pace: new Pace(target.maxRps) })
    for (const secret of [target.apiKey, target.control?.key, ...target.inboxes.map((each) => each.apiKey)])
      this.secrets.add(secret)
  }

  get name(): string {
    return this.#target.name ?? this.#target.baseUrl
  }

  get concurrency(): number {
    return this.#control?.offered.has('workspaces') === true ? concurrency.isolated : concurrency.shared
  }

  async start(): Promise<void> {
    const { target } = { target: this.#target }
    const probe = await this.#http.send({ method: 'GET', url: `${target.baseUrl}/v1/events?limit=1` })
    if (probe.status === undefined)
      throw new CaseErrored(`no answer from ${target.baseUrl} (${probe.failure ?? 'unknown'})`)
    if (target.control !== undefined) this.#control = await Control.connect(this.#controlHttp, target.control)
    if (target.receiver !== undefined) {
      const { host, port, publicUrl } = target.receiver
      this.#sink = await Sink.start({ host, port, publicUrl })
    } else if (this.#control?.offered.has('egress') === true) {
      this.#sink = await Sink.start({ host: '127.0.0.1', port: 0 })
      this.#canary = await Canary.start(this.#sink.port)
      await this.#control.allowEgress([`127.0.0.1:${this.#sink.port}`], (await sinkCertificate()).ca)
    }
    if (target.dns !== undefined) {
      const { NameServer: Server } = await import('../dns/name-server.js')
      this.#nameServer = await Server.start(target.dns)
    }
  }

  lacks(need: string): string | undefined {
    return lackOf(need as ServiceNeed, {
      target: this.#target,
      control: this.#control,
      hasCanary: this.#canary !== undefined,
      hasNameServer: this.#nameServer !== undefined,
    })
  }

  async open(tools: CaseTools, caseId: string): Promise<OpenedContext<ServiceContext>> {
    const evidence = new Evidence()
    const watch = alwaysOn({ checker: this.#checker, observations: this.#observations, secrets: this.secrets, caseId })
    const workspaces: string[] = []
    const api = (key: string | undefined) =>
      new Api({
        http: this.#http,
        baseUrl: this.#target.baseUrl,
        key,
        evidence,
        signal: tools.signal,
        observe: (exchange, operation) => watch.exchange(exchange, operation),
      })
    const parts = { tools, evidence, control: this.#control, sink: this.#sink, watch }
    const context: ServiceContext = {
      ...tools,
      baseUrl: this.#target.baseUrl,
      contract: this.#checker,
      anonymous: () => api(undefined),
      observed: (requirement) => this.#observations.of(requirement),
      name: async () => this.#name(tools, evidence),
      canary: { address: this.#canary?.host ?? '', connections: (name) => this.#canary?.connections(name) ?? 0 },
      sinkAddress: this.#sink?.host ?? '',
      scene: async (request = {}) => {
        if (this.#control?.offered.has('workspaces') !== true) return this.#configuredScene(parts, api, evidence)
        const grant = await this.#grant(this.#control, request, evidence)
        workspaces.push(grant.workspaceId)
        return this.#freshScene(parts, api, evidence, grant)
      },
    }
    return {
      context,
      exchanges: () => evidence.records(),
      close: async () => {
        for (const each of workspaces) await this.#control?.deleteWorkspace(each)
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
              ? controlRaiser({ control, orgId: async () => project.orgId, evidence })
              : triggerRaiser({ api: projectApi, from, triggers: this.#target.triggers, cursor: new OrgCursor() }),
        })
      }),
    )
  }

  #configuredScene(
    parts: Omit<SceneParts, 'workspaceId' | 'hasClock'>,
    api: (key: string | undefined) => Api,
    evidence: Evidence,
  ): Scene {
    const { apiKey, from, inboxes, triggers } = this.#target
    const control = this.#control
    const sceneParts = { ...parts, workspaceId: undefined, hasClock: false }
    const projectApi = api(apiKey)
    return new Scene(sceneParts, (scene) => [
      new Project({
        scene,
        parts: sceneParts,
        orgId: undefined,
        domain: from === undefined ? undefined : /@([^>\s]+)/.exec(from)?.[1],
        from,
        api: projectApi,
        inboxes: inboxes.map((inbox) => ({ id: inbox.id, address: inbox.address, api: api(inbox.apiKey) })),
        raiser:
          control?.offered.has('events') === true
            ? controlRaiser({
                control,
                orgId: () => this.#learnOrgId(projectApi),
                evidence,
                listedAfter: () => this.#cursor.end(projectApi),
              })
            : triggerRaiser({ api: projectApi, from, triggers, cursor: this.#cursor }),
      }),
    ])
  }

  /** The org of the configured key: every polled event tells it. */
  async #learnOrgId(api: Api): Promise<string> {
    this.#orgId ??= (async () => {
      const [event] = itemsOf(await api.pollEvents({ limit: 1 })) ?? []
      const orgId = memberOf(event, 'org_id')
      if (typeof orgId === 'string') return orgId
      this.#orgId = undefined
      throw new CaseErrored(
        'the org of the API key is not known: it has no event yet, and the control interface makes no workspaces',
      )
    })()
    return this.#orgId
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
