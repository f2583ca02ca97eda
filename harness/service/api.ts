import { randomUUID } from 'node:crypto'
import type { Evidence } from '../wire/evidence.js'
import type { Exchange } from '../wire/exchange.js'
import { withIdsAsText } from './answer-readers.js'
import type { Access } from '../wire/access.js'
import type { HttpClient, RequestOptions } from '../wire/http-client.js'
import { NewResources } from './new-resources.js'
import { ListReads, ShownItems } from './list-reads.js'
import { requestPersistently, mayBeOfGateway } from './persistence.js'
import { refuseLongNames } from './long-names.js'

/** The operations of the OpenAPI document. */
export type OperationId =
  | 'createWebhook'
  | 'listWebhooks'
  | 'deleteWebhook'
  | 'listDeliveries'
  | 'replayDelivery'
  | 'pollEvents'
  | 'sendEmail'
  | 'sendBatch'
  | 'getEmail'
  | 'listEmails'
  | 'updateEmail'
  | 'cancelEmail'

/** Requests that create something: if they were cut off, its id would be unknown. */
const creating = ['POST /v1/webhooks', 'POST /v1/emails', 'POST /v1/emails/batch'] as const
export type Creating = (typeof creating)[number]

/** Requests that go with the header `Idempotency-Key`, so that a service may insist on it. */
const sends: readonly string[] = ['POST /v1/emails', 'POST /v1/emails/batch'] satisfies Creating[]

export interface ApiOptions {
  readonly http: HttpClient
  readonly baseUrl: string
  readonly key: string | undefined
  readonly evidence: Evidence
  readonly signal: AbortSignal
  /** What the case reads, with all its keys. */
  readonly lists?: ListReads
  /** Called when a wait for an answer begins; returns the function to call at its end. */
  readonly waiting?: () => () => void
  /** Called before something is read; resolves once it may be. */
  readonly settled?: () => Promise<void>
  /** See {@link Api.once}. */
  readonly isOnce?: boolean
  /** See {@link Api.repeatable}. */
  readonly mayBeTwice?: boolean
  /** Called with each exchange of a named operation, for the checks that are always on. */
  readonly observe: (exchange: Exchange, operation: OperationId) => void
  /**
   * Called before each request that may make something on the target, named or not; what it returns is called with the
   * promise of the answer.
   */
  readonly making?: (request: Creating, body: string) => (ended: Promise<Exchange>) => void
}

export interface RawRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent unchanged, instead of `json`. */
  readonly body?: string | Uint8Array
  readonly timeoutMs?: number
  readonly operation?: OperationId
  /** How the body is cut on its way. */
  readonly wire?: Pick<RequestOptions, 'chunkBytes' | 'cuts'>
  /** How the names of the headers are written (default: in lower case). */
  readonly names?: (name: string) => string
  /** A send goes with an `Idempotency-Key` of its own, unless it brings one or this is true. */
  readonly isWithoutIdempotencyKey?: boolean
}

/**
 * The API as one key sees it. No method throws because of an answer: the returned exchange always has a status. A missing answer ends the
 * case with `AnswerLost`, since nothing can be learnt from it.
 */
export class Api {
  readonly #options: ApiOptions
  readonly #fresh: NewResources
  readonly lists: ListReads

  constructor(options: ApiOptions, fresh = new NewResources()) {
    this.#options = options
    this.lists = options.lists ?? new ListReads(new ShownItems())
    this.#fresh = fresh
  }

  /** The same API with another key; undefined sends no `Authorization`. */
  as(key: string | undefined): Api {
    return new Api({ ...this.#options, key }, this.#fresh)
  }

  /** Runs `use` with one connection of its own, request after request, so that the order of requests on it is known. */
  async onOneConnection<T>(use: (api: Api) => Promise<T>): Promise<T> {
    const http = this.#options.http.withOneConnection()
    try {
      return await use(new Api({ ...this.#options, http }, this.#fresh))
    } finally {
      await http.close()
    }
  }

  /** The same API for requests that should be refused: a new thing that is not found is not requested again. */
  get once(): Api {
    return new Api({ ...this.#options, isOnce: true }, this.#fresh)
  }

  /** The same API for requests that may be carried out twice without harm: a request without an answer is repeated. */
  get repeatable(): Api {
    return new Api({ ...this.#options, mayBeTwice: true }, this.#fresh)
  }

  /** How the service is reached, for a stream. */
  get access(): Access {
    return this.#options.http.access
  }

  /** The key, for a stream's `token`. */
  get key(): string | undefined {
    return this.#options.key
  }

  get baseUrl(): string {
    return this.#options.baseUrl
  }

  /** Any request below the base URL; `path` starts with `/`. */
  request(method: string, path: string, raw: RawRequest = {}): Promise<Exchange> {
    const made = creating.find((operation) => operation === `${method} ${path}`)
    const body = made === undefined ? '' : (raw.body ?? JSON.stringify(raw.json) ?? '')
    const learn = made && this.#options.making?.(made, typeof body === 'string' ? body : Buffer.from(body).toString())
    const exchange = this.#request(method, path, raw, made !== undefined)
    learn?.(exchange)
    return exchange
  }

  async #request(method: string, path: string, raw: RawRequest, isCarriedThrough: boolean): Promise<Exchange> {
    const { http, baseUrl, key, evidence, signal, observe, waiting, isOnce = false, mayBeTwice = false } = this.#options
    const body = raw.body ?? (raw.json === undefined ? undefined : JSON.stringify(raw.json))
    const isKeyed = sends.includes(`${method} ${path}`) && raw.isWithoutIdempotencyKey !== true
    const fields = {
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isKeyed ? { 'idempotency-key': randomUUID() } : {}),
      ...raw.headers,
    }
    const { names } = raw
    const headers =
      names === undefined
        ? fields
        : Object.fromEntries(Object.entries(fields).map(([name, value]) => [names(name), value]))
    const request: RequestOptions = {
      method,
      url: withQuery(`${baseUrl}${path}`, raw.query),
      headers,
      signal,
      isCarriedThrough,
      ...(body === undefined ? {} : { body }),
      ...raw.wire,
      ...(raw.timeoutMs === undefined ? {} : { timeoutMs: raw.timeoutMs }),
    }
    if (method === 'GET') await this.#options.settled?.()
    const answered = waiting?.()
    const send = async () => {
      const exchange = await http.send(request, evidence)
      if (path.startsWith('/v1/emails')) exchange.readAs(withIdsAsText)
      return exchange
    }
    const ask = () => requestPersistently(send, { signal, mayBeTwice, ownErrors: evidence.ownErrors })
    const exchange = await this.#fresh.send(ask, { method, path, key, signal, isOnce }).finally(answered)
    if (mayBeOfGateway(exchange.status ?? 0)) evidence.wasTurnedAway = true
    if (raw.operation !== undefined) {
      observe(exchange, raw.operation)
      this.lists.saw(raw.operation, path, exchange)
    }
    refuseLongNames(`${method} ${path}`, exchange.json)
    return exchange
  }

  createWebhook(fields: Readonly<Record<string, unknown>>): Promise<Exchange> {
    return this.request('POST', '/v1/webhooks', { json: fields, operation: 'createWebhook' })
  }

  listWebhooks(query: RawRequest['query'] = {}): Promise<Exchange> {
    return this.request('GET', '/v1/webhooks', { query, operation: 'listWebhooks' })
  }

  deleteWebhook(id: string): Promise<Exchange> {
    return this.request('DELETE', `/v1/webhooks/${encodeURIComponent(id)}`, { operation: 'deleteWebhook' })
  }

  listDeliveries(webhookId: string, query: { limit?: number | string } = {}): Promise<Exchange> {
    const path = `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries`
    return this.request('GET', path, { query, operation: 'listDeliveries' })
  }

  replayDelivery(webhookId: string, deliveryId: string): Promise<Exchange> {
    const path = `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/replay`
    return this.request('POST', path, { operation: 'replayDelivery' })
  }

  pollEvents(query: { after?: string | undefined; limit?: number | string | undefined } = {}): Promise<Exchange> {
    return this.request('GET', '/v1/events', { query, operation: 'pollEvents' })
  }

  sendEmail(email: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.request('POST', '/v1/emails', { json: email, headers, operation: 'sendEmail' })
  }

  sendWithoutIdempotencyKey(email: unknown): Promise<Exchange> {
    const request = { json: email, isWithoutIdempotencyKey: true, operation: 'sendEmail' } as const
    return this.request('POST', '/v1/emails', request)
  }

  sendBatch(emails: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.request('POST', '/v1/emails/batch', { json: emails, headers, operation: 'sendBatch' })
  }

  getEmail(id: string): Promise<Exchange> {
    return this.request('GET', `/v1/emails/${encodeURIComponent(id)}`, { operation: 'getEmail' })
  }

  listEmails(query: { limit?: number; cursor?: string } = {}): Promise<Exchange> {
    return this.request('GET', '/v1/emails', { query, operation: 'listEmails' })
  }

  updateEmail(id: string, changes: unknown): Promise<Exchange> {
    return this.request('PATCH', `/v1/emails/${encodeURIComponent(id)}`, { json: changes, operation: 'updateEmail' })
  }

  cancelEmail(id: string): Promise<Exchange> {
    return this.request('POST', `/v1/emails/${encodeURIComponent(id)}/cancel`, { operation: 'cancelEmail' })
  }
}

function withQuery(address: string, query: RawRequest['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return address
  const url = new URL(address)
  for (const [name, value] of given) url.searchParams.set(name, String(value))
  return url.href
}
