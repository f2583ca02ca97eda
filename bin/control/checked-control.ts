import type { Capability } from '../../harness/planning.js'
import type { DeliveryPlace } from './delivery-place.js'
import { cut, type Exchange, type HttpClient } from '../../harness/service-calls.js'
import { memberOf } from '../../harness/parsing.js'

/** What a call should have done, and what it did. */
export class ControlFault extends Error {
  override readonly name = 'Wrong'
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** A question that cannot be put, since what it builds on was wrong or is not there. */
export class PreconditionMissing extends Error {
  override readonly name = 'NotAsked'
}

export interface Inbox {
  readonly id: string
  readonly api_key: string
}

export interface Project {
  readonly org_id: string
  readonly api_key: string
  readonly domain: string
  readonly inboxes: readonly Inbox[]
}

export interface Workspace {
  readonly workspace_id: string
  readonly projects: readonly Project[]
}

interface Asked {
  /** The bearer token; the control key where absent, none where null. */
  readonly key?: string | null
  readonly body?: unknown
}

/** Longest time one call may take, in milliseconds: an advance makes every attempt that falls due. */
const callMs = 45_000
/** Characters of an answer that are shown. */
const statedLength = 160

/** The control interface under test, its service, and the things that the checks have made. */
export class CheckedControl {
  readonly #http: HttpClient
  readonly #url: string
  readonly #key: string
  readonly #baseUrl: string | undefined
  readonly #signal: AbortSignal | undefined
  readonly #onSecrets: (secrets: readonly string[]) => void
  readonly #made: string[] = []
  /** The capabilities that the interface offers. */
  offered: ReadonlySet<Capability> = new Set()
  /** How the service calls itself. */
  name = ''
  /** Where deliveries can reach this program; undefined where they cannot. */
  place: DeliveryPlace | undefined

  constructor(options: {
    readonly http: HttpClient
    readonly url: string
    readonly key: string
    readonly baseUrl: string | undefined
    /** Ends the requests; one that makes a workspace is awaited, and one that drops one is still sent. */
    readonly signal?: AbortSignal
    /** Receives each returned key and secret: none may be shown. */
    readonly onSecrets: (secrets: readonly string[]) => void
  }) {
    this.#http = options.http
    this.#url = options.url.replace(/\/+$/, '')
    this.#key = options.key
    this.#baseUrl = options.baseUrl
    this.#signal = options.signal
    this.#onSecrets = options.onSecrets
  }

  get hasService(): boolean {
    return this.#baseUrl !== undefined
  }

  /** One call of the control interface. */
  call(method: string, path: string, { key = this.#key, body }: Asked = {}): Promise<Exchange> {
    return this.#send(method, `${this.#url}${path}`, key, body)
  }

  /** Sends one request to the API of the service. Throws {@link PreconditionMissing} if its address is unknown. */
  api(method: string, path: string, { key = null, body }: Asked): Promise<Exchange> {
    if (this.#baseUrl === undefined) throw new PreconditionMissing('needs --base-url')
    return this.#send(method, `${this.#baseUrl}${path}`, key, body)
  }

  async #send(method: string, url: string, key: string | null, body: unknown): Promise<Exchange> {
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await this.#http.send({
      method,
      url,
      headers,
      ...text,
      kind: 'control',
      timeoutMs: callMs,
      ...(this.#signal === undefined || method === 'DELETE' ? {} : { signal: this.#signal }),
      isCarriedThrough: method === 'POST' && url === `${this.#url}/workspaces`,
    })
    this.#onSecrets(
      [...answer.text.matchAll(/"(?:api_key|secret|key)"\s*:\s*"([^"]+)"/g)].map(([, secret]) => secret ?? ''),
    )
    return answer
  }

  /** A fresh workspace, which {@link clear} drops. Throws {@link PreconditionMissing} where none can be had. */
  async workspace(projects = 1, inboxes = 2): Promise<Workspace> {
    const answer = await this.call('POST', '/workspaces', { body: { projects, inboxes } })
    const id = memberOf(answer.json, 'workspace_id')
    if (answer.status !== 201 || typeof id !== 'string')
      throw new PreconditionMissing('needs a workspace, and none can be had')
    this.#made.push(id)
    return answer.json as Workspace
  }

  /** A fresh workspace with one project. */
  async project(): Promise<{ readonly workspaceId: string; readonly project: Project }> {
    const made = await this.workspace()
    const [project] = Array.isArray(made.projects) ? made.projects : []
    const [inbox] = Array.isArray(project?.inboxes) ? project.inboxes : []
    if (typeof project?.org_id !== 'string' || typeof inbox?.id !== 'string')
      throw new PreconditionMissing('needs a workspace with a project and an inbox')
    return { workspaceId: made.workspace_id, project }
  }

  /** Raises an event; resolves to its id. Throws {@link PreconditionMissing} where that cannot be done. */
  async raise({ org_id, inboxes }: Project, data: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const body = { org_id, type: 'message.queued', data: { ...sampleData(inboxes[0]), ...data } }
    const answer = await this.call('POST', '/events', { body })
    const id = answer.field('id')
    if (answer.status !== 201 || typeof id !== 'string')
      throw new PreconditionMissing('needs an event, and none can be raised')
    return id
  }

  /** Returns the events of a key, by polling. */
  async events(key: string): Promise<readonly unknown[]> {
    const answer = await this.api('GET', '/v1/events?limit=100', { key })
    const data = answer.field('data')
    if (answer.status !== 200 || !Array.isArray(data))
      throw new ControlFault('GET /v1/events: 200 with a list "data"', describeAnswer(answer))
    return data
  }

  /** Drops the workspaces that were made. */
  async clear(): Promise<void> {
    for (const id of this.#made.splice(0)) await this.call('DELETE', `/workspaces/${encodeURIComponent(id)}`)
  }
}

/** Data of an event `message.queued`. */
export function sampleData(inbox: Inbox | undefined): Readonly<Record<string, unknown>> {
  const text = { to: ['someone@example.com'], cc: [], subject: 'Conformance: a check of the control interface' }
  return { message_id: 'msg_check', inbox_id: inbox?.id ?? null, thread_id: 'thr_check', ...text }
}

/** An answer in a few words. */
export function describeAnswer(answer: Exchange): string {
  if (answer.status === undefined) return answer.failure ?? 'no answer'
  return cut(`${answer.status} ${answer.excerpt}`.trim(), statedLength)
}

/** Throws {@link ControlFault} unless the answer has this status. */
export function expectStatus(answer: Exchange, status: number): void {
  if (answer.status !== status) throw new ControlFault(String(status), describeAnswer(answer))
}

/** Throws {@link ControlFault} unless it is true. */
export function expect(isRight: boolean, expected: string, got: string): void {
  if (!isRight) throw new ControlFault(expected, got)
}

/** Throws {@link ControlFault} unless the answer has this status, and `code`, `message` and `fix` at the top or under `error`. */
export function expectError(answer: Exchange, status: number): void {
  expectStatus(answer, status)
  const fields = answer.field('code') === undefined ? answer.field('error') : answer.json
  const missing = ['code', 'message', 'fix'].filter((name) => typeof memberOf(fields, name) !== 'string')
  if (missing.length > 0) throw new ControlFault(`${status} with "code", "message" and "fix"`, describeAnswer(answer))
}

/** Throws {@link ControlFault} unless the JSON has members of these types; names may have dots. */
export function expectText(value: unknown, ...names: readonly string[]): void {
  const missing = names.filter((name) => {
    const text = memberOf(value, name)
    return typeof text !== 'string' || text === ''
  })
  if (missing.length > 0)
    throw new ControlFault(
      `a string ${missing.map((name) => `"${name}"`).join(', ')}`,
      cut(JSON.stringify(value) ?? 'nothing', statedLength),
    )
}
