import { AnswerLost, CaseErrored } from '../check.js'
import type { Evidence } from '../wire/evidence.js'
import { memberOf, type Exchange } from '../wire/exchange.js'
import { parseInstant } from '../wire/numbers.js'
import type { HttpClient } from '../wire/http-client.js'
import { pause } from '../wire/pace.js'
import { mayBeOfGateway } from './persistence.js'

/** What a control interface may offer. */
export const capabilities = ['workspaces', 'events', 'sending', 'clock', 'dns', 'egress'] as const
export type Capability = (typeof capabilities)[number]

export interface WorkspaceGrant {
  readonly workspaceId: string
  readonly projects: readonly {
    readonly orgId: string
    readonly apiKey: string
    readonly domain: string
    readonly inboxes: readonly { readonly id: string; readonly address: string; readonly apiKey: string }[]
  }[]
}

/**
 * Longest time an advance may take, in milliseconds: every attempt that falls due is made while it runs, about a hundred at most
 * in one case, and each has up to half a second of real time.
 */
const advanceTimeoutMs = 60_000

/**
 * Failed requests in a row, and the time they take, after which the control interface counts as lost; from then on each waits before it
 * fails, so that the cases do not flood an interface that is starting again.
 */
const failing = { requests: 20, ms: 10_000, waitMs: 2_000 } as const

/** What messages begin with. */
const prefix = 'control interface: '

/** The control interface did not answer as it should. */
class ControlBroken extends CaseErrored {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** No answer arrived from the control interface, or a gateway's: the case starts again in another sandbox. */
class ControlSilent extends AnswerLost {}

const isOfControl = (error: unknown): error is Error => error instanceof ControlBroken || error instanceof ControlSilent

/** Returns whether an error means that a request was refused, so that it had no effect. */
export function isRefusalOfControl(error: unknown): boolean {
  return error instanceof ControlBroken && error.status >= 400 && error.status < 500
}

/** The control interface of docs/contract.md, section 3. Whatever it does wrong is an error of the set-up, never a failure of the target. */
export class Control {
  readonly #http: HttpClient
  readonly #url: string
  readonly #key: string
  readonly offered: ReadonlySet<Capability>
  readonly name: string
  #failed = 0
  #failedSince = 0
  #lost: string | undefined

  private constructor(http: HttpClient, url: string, key: string, offered: ReadonlySet<Capability>, name: string) {
    this.#http = http
    this.#url = url
    this.#key = key
    this.offered = offered
    this.name = name
  }

  /** Requests the offered capabilities. Throws {@link CaseErrored} when the interface does not answer as version 1. */
  static async connect(
    http: HttpClient,
    target: { readonly url: string; readonly key: string },
    signal?: AbortSignal,
  ): Promise<Control> {
    const url = target.url.replace(/\/+$/, '')
    const headers = { authorization: `Bearer ${target.key}` }
    const exchange = await http.send({
      method: 'GET',
      url: `${url}/`,
      headers,
      kind: 'control',
      ...(signal === undefined ? {} : { signal }),
    })
    if (exchange.status !== 200 || exchange.field('control') !== 1)
      throw new CaseErrored(
        `the control interface at ${url} answered ${exchange.status ?? exchange.failure}: expected 200 with "control": 1 (check --control-url and --control-key)`,
      )
    const listed = exchange.field('capabilities')
    const offered = new Set(capabilities.filter((capability) => Array.isArray(listed) && listed.includes(capability)))
    const name = [exchange.field('name'), exchange.field('version')]
      .filter((word) => typeof word === 'string')
      .join(' ')
    return new Control(http, url, target.key, offered, name)
  }

  /** Why there is no point in asking on; undefined as long as there is. */
  get lost(): string | undefined {
    return this.#lost
  }

  createWorkspace(shape: { projects: number; inboxes: number }, evidence?: Evidence): Promise<WorkspaceGrant> {
    return this.#counted(() => this.#createWorkspace(shape, evidence))
  }

  async #createWorkspace(shape: { projects: number; inboxes: number }, evidence?: Evidence): Promise<WorkspaceGrant> {
    const answer = await this.#send('POST', '/workspaces', [201], shape, evidence)
    const projects = answer.field('projects')
    if (!Array.isArray(projects) || projects.length !== shape.projects)
      throw this.#broken(answer, `${shape.projects} projects`)
    return {
      workspaceId: this.#text(answer, answer.json, 'workspace_id'),
      projects: projects.map((project: unknown) => {
        const inboxes = memberOf(project, 'inboxes')
        if (!Array.isArray(inboxes) || inboxes.length !== shape.inboxes)
          throw this.#broken(answer, `${shape.inboxes} inboxes`)
        return {
          orgId: this.#text(answer, project, 'org_id'),
          apiKey: this.#text(answer, project, 'api_key'),
          domain: this.#text(answer, project, 'domain'),
          inboxes: inboxes.map((inbox: unknown) => ({
            id: this.#text(answer, inbox, 'id'),
            address: this.#text(answer, inbox, 'address'),
            apiKey: this.#text(answer, inbox, 'api_key'),
          })),
        }
      }),
    }
  }

  /** Resolves to whether it was there. */
  async deleteWorkspace(workspaceId: string): Promise<boolean> {
    const answer = await this.#send('DELETE', `/workspaces/${encodeURIComponent(workspaceId)}`, [204, 404])
    return answer.status === 204
  }

  /** Raises an event; resolves to its id. */
  raise(event: { org_id: string; type: string; data: unknown }, evidence?: Evidence): Promise<string> {
    return this.#counted(async () => {
      const answer = await this.#send('POST', '/events', [201], event, evidence)
      return this.#text(answer, answer.json, 'id')
    })
  }

  async setSending(
    workspaceId: string,
    status: 'paused' | 'active',
    reason?: string,
    evidence?: Evidence,
  ): Promise<void> {
    const body = reason === undefined ? { status } : { status, reason }
    await this.#send('POST', `/workspaces/${encodeURIComponent(workspaceId)}/sending`, [200], body, evidence)
  }

  /** Moves the workspace's clock; resolves to its new time in milliseconds since the epoch. */
  advance(workspaceId: string, advanceMs: number, evidence?: Evidence): Promise<number> {
    const [path, body] = [`/workspaces/${encodeURIComponent(workspaceId)}/clock`, { advance_ms: advanceMs }]
    return this.#counted(async () => {
      const answer = await this.#send('POST', path, [200], body, evidence)
      const now = parseInstant(this.#text(answer, answer.json, 'now'))
      if (Number.isNaN(now)) throw this.#broken(answer, 'now as ISO 8601')
      return now
    })
  }

  async setAnswers(host: string, answers: readonly (readonly string[])[], evidence?: Evidence): Promise<void> {
    await this.#send('POST', '/dns', [204], { host, answers }, evidence)
  }

  async allowEgress(allow: readonly string[], ca: string | undefined): Promise<void> {
    await this.#send('POST', '/egress', [204], ca === undefined ? { allow } : { allow, ca })
  }

  async #send(
    method: string,
    path: string,
    allowed: readonly number[],
    body?: unknown,
    evidence?: Evidence,
  ): Promise<Exchange> {
    const exchange = await this.#http.send(
      {
        method,
        url: `${this.#url}${path}`,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        kind: 'control',
        timeoutMs: advanceTimeoutMs,
      },
      evidence,
    )
    if (exchange.status === undefined || !allowed.includes(exchange.status))
      throw this.#broken(exchange, allowed.join(' or '))
    return exchange
  }

  /** Carries an operation out, and notes whether it failed. */
  async #counted<T>(operation: () => Promise<T>): Promise<T> {
    try {
      const result = await operation()
      this.#failed = 0
      return result
    } catch (error) {
      if (!isOfControl(error)) throw error
      if (this.#failed++ === 0) this.#failedSince = performance.now()
      if (this.#failed < failing.requests) throw error
      if (performance.now() - this.#failedSince < failing.ms) await pause(failing.waitMs)
      else
        this.#lost ??= `the control interface failed ${this.#failed} times in a row, the last time so: ${error.message.replace(prefix, '')}`
      throw error
    }
  }

  #text(answer: Exchange, value: unknown, name: string): string {
    const text = memberOf(value, name)
    if (typeof text !== 'string') throw this.#broken(answer, `a string "${name}"`)
    return text
  }

  #broken({ label, status, excerpt, failure, isLate }: Exchange, expected: string): CaseErrored {
    const reported = `${prefix}${label}: expected ${expected}, got ${status === undefined ? failure : `${status} ${excerpt}`}`
    const isSilent = status === undefined || mayBeOfGateway(status)
    return isSilent ? new ControlSilent(reported, { wasLate: isLate }) : new ControlBroken(reported, status)
  }
}
