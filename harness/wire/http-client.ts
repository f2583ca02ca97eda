import { Readable } from 'node:stream'
import { Agent, errors, type Dispatcher } from 'undici'
import { CaseErrored } from '../check.js'
import { collect, TimeoutReached } from './collect.js'
import type { Evidence } from './evidence.js'
import { Exchange, type WireRequest } from './exchange.js'
import type { Pace } from './pace.js'

/** Longest time one request of ours may take, in milliseconds, body included. */
const defaultTimeoutMs = 15_000
/** How often a 429 is obeyed and asked again. */
const mostPatience = 5

export interface RequestOptions {
  readonly method: string
  /** Absolute URL. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sends the body in chunks of this many bytes, without a length. */
  readonly chunkBytes?: number
  readonly timeoutMs?: number
  readonly kind?: Exchange['kind']
  readonly signal?: AbortSignal
}

export interface HttpClientOptions {
  readonly insecure?: boolean
  /** Connections side by side to one origin. */
  readonly connections?: number
  readonly pace?: Pace
  /** A connection for each request: no answer depends on what went over the connection before. Default false. */
  readonly freshConnections?: boolean
}

/**
 * Sends requests as told, follows no redirect, and turns whatever comes back, or does not, into an {@link Exchange}.
 * Throws {@link CaseErrored} only when no connection to the target can be had at all.
 */
export class HttpClient {
  readonly #agent: Agent
  /** Connects anew for each request; undefined where the first agent does so anyhow. */
  readonly #anew: Agent | undefined
  readonly #pace: Pace | undefined

  constructor(options: HttpClientOptions = {}) {
    const isFresh = options.freshConnections === true
    const common: Agent.Options = {
      connections: options.connections ?? 64,
      connect: { rejectUnauthorized: options.insecure !== true, timeout: 10_000 },
      maxResponseSize: -1,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    this.#agent = new Agent({ ...common, ...(isFresh ? { pipelining: 0 } : {}) })
    this.#anew = isFresh ? undefined : new Agent({ ...common, pipelining: 0 })
    this.#pace = options.pace
  }

  /** Sends one request and adds the exchange to the evidence. A 429 with `Retry-After` is obeyed and asked again. */
  async send(request: RequestOptions, evidence?: Evidence): Promise<Exchange> {
    for (let patience = mostPatience; ; patience--) {
      await this.#pace?.turn()
      const exchange = await this.#attempt(request)
      evidence?.add(exchange)
      const waitMs = exchange.status === 429 && patience > 0 ? retryAfterMs(exchange.header('retry-after')) : undefined
      if (waitMs === undefined) return exchange
      this.#pace?.holdFor(waitMs)
      if (this.#pace === undefined) await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#anew?.destroy()])
  }

  async #attempt(options: RequestOptions): Promise<Exchange> {
    const url = new URL(options.url)
    const body = typeof options.body === 'string' ? Buffer.from(options.body) : options.body
    const headers = options.headers ?? {}
    const request: WireRequest = {
      method: options.method,
      url: options.url,
      headers,
      ...(body === undefined ? {} : { body }),
    }
    const startedAt = Date.now()
    const began = performance.now()
    const base = { kind: options.kind ?? ('api' as const), request, startedAt }
    const asked = () => ({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: options.method as Dispatcher.HttpMethod,
      headers,
      body: payloadOf(body, options.chunkBytes),
    })
    try {
      const response = await collect(this.#agent, asked, {
        timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...(this.#anew === undefined ? {} : { again: { agent: this.#anew, after: mayHaveBeenStale } }),
      })
      return new Exchange({ ...base, response, durationMs: performance.now() - began })
    } catch (error) {
      if (options.signal?.aborted === true) throw new CaseErrored('the case was ended')
      return new Exchange({ ...base, failure: failureOf(error, url), durationMs: performance.now() - began })
    }
  }
}

function payloadOf(body: Uint8Array | undefined, chunkBytes: number | undefined): Uint8Array | Readable | null {
  if (body === undefined) return null
  return chunkBytes === undefined ? body : Readable.from(chunksOf(body, chunkBytes), { objectMode: false })
}

function* chunksOf(body: Uint8Array, chunkBytes: number): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += chunkBytes) yield body.subarray(start, start + chunkBytes)
}

/**
 * Whether a connection kept from an earlier request may have been closed by the target while this request was on its
 * way, which a target is free to do at any time (RFC 9112, 9.3.1). What fails on a connection of its own fails for good.
 */
function mayHaveBeenStale(error: unknown): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 1) > 0
  return brokenConnection.has(codeOf(error) ?? '')
}

const brokenConnection = new Set(['ECONNRESET', 'EPIPE'])

/** Errors that mean: nobody is there. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function failureOf(error: unknown, url: URL): string {
  const code = codeOf(error)
  if (code !== undefined && unreachable.has(code)) throw new CaseErrored(`no connection to ${url.host} (${code})`)
  if (error instanceof TimeoutReached) return error.message
  if (error instanceof errors.SocketError || brokenConnection.has(code ?? ''))
    return 'the connection was closed before a complete answer'
  return error instanceof Error ? `${code ?? error.name}: ${error.message}` : String(error)
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, cause, errors: inner } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  if (Array.isArray(inner) && inner.length > 0) return codeOf(inner[0])
  return cause === undefined ? undefined : codeOf(cause)
}

/** Longest `Retry-After` that is obeyed, in milliseconds. */
const longestWaitMs = 120_000

function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(seconds) || seconds > longestWaitMs ? undefined : Math.max(0, seconds)
}
