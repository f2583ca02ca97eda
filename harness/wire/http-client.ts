import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { Agent, errors, type Dispatcher } from 'undici'
import { CaseErrored } from '../check.js'
import { BodyTooLong, UnusableBody } from './body.js'
import { collect, TimeoutReached } from './collect.js'
import type { Evidence } from './evidence.js'
import { Exchange, type WireRequest, type WireResponse } from './exchange.js'
import { pause, type Pace } from './pace.js'
import { Presence } from './presence.js'
import { tlsFault } from './tls-fault.js'

/** Longest time one request of ours may take, in milliseconds, body included. */
const defaultTimeoutMs = 15_000
/** How often a 429 is obeyed and asked again. */
const mostPatience = 5
/** Longest time a connection may take to be had, in milliseconds. */
const connectMs = 10_000
/** Pause before a target that took no connection is tried again, in milliseconds. */
const reconnectMs = 200
/** Longest time a target may take to show that it is there, in milliseconds. */
const askMs = 2_000

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
  /** The signal keeps the request from being sent; once it is on its way, its answer is waited for. */
  readonly isCarriedThrough?: boolean
  /** Nothing hangs on the body of the answer: it is kept as it comes, and only in part where it is long. */
  readonly statusOnly?: boolean
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
 * Throws {@link CaseErrored} only when no connection to the target can be had at all, when the case has ended, for an
 * answer that is too long to be judged, and when the target asks for a longer wait than can be had.
 */
export class HttpClient {
  readonly #agent: Agent
  /** Connects anew for each request; undefined where the first agent does so anyhow. */
  readonly #anew: Agent | undefined
  readonly #pace: Pace | undefined
  readonly #presence = new Presence()

  constructor(options: HttpClientOptions = {}) {
    const isFresh = options.freshConnections === true
    const common: Agent.Options = {
      connections: options.connections ?? 64,
      connect: { rejectUnauthorized: options.insecure !== true, timeout: connectMs },
      // Shorter than servers keep an idle connection.
      keepAliveTimeout: 1_000,
      maxResponseSize: -1,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    this.#agent = new Agent({ ...common, ...(isFresh ? { pipelining: 0 } : {}) })
    this.#anew = isFresh ? undefined : new Agent({ ...common, pipelining: 0 })
    this.#pace = options.pace
  }

  /** Why there is no point in asking on: the target went away, or answers nothing any more. */
  get lost(): string | undefined {
    return this.#presence.lost
  }

  /** Sends one request and adds the exchange to the evidence. A 429 with `Retry-After` is obeyed and asked again. */
  async send(request: RequestOptions, evidence?: Evidence): Promise<Exchange> {
    for (let patience = mostPatience; ; patience--) {
      await this.#pace?.turn(request.signal)
      const exchange = await this.#attempt(request)
      evidence?.add(exchange)
      const waitMs = exchange.status === 429 ? retryAfterMs(exchange.header('retry-after')) : undefined
      if (exchange.status !== undefined && exchange.status !== 429) this.#presence.tookOn()
      if (waitMs === undefined) return exchange
      const { host, pathname } = new URL(request.url)
      const [resource] = /^.*?\/v1\/[^/]+|/.exec(pathname) ?? ['']
      const isObeyed = waitMs <= longestWaitMs
      this.#presence.limited(host, { resource, isObeyed })
      if (!isObeyed || patience === 0 || this.lost !== undefined) throw new CaseErrored(limitText(host, waitMs))
      this.#pace?.holdFor(waitMs)
      if (this.#pace === undefined) await pause(waitMs, request.signal)
    }
  }

  /**
   * Why what was missed since then proves nothing: the target at `url` took no connection for a while, or takes none now,
   * which a process that has just ended is found out by. Undefined when it was there. `since` is of `performance.now()`.
   */
  async absence(url: string, since: number, signal?: AbortSignal): Promise<string | undefined> {
    while (this.lost === undefined && signal?.aborted !== true) {
      const outcome = await this.#outcome({ method: 'GET', url, timeoutMs: askMs, ...signalOf(signal) }, new URL(url))
      if (outcome.kind !== 'unreachable' && outcome.kind !== 'gone') break
      if (!this.#presence.refused(new URL(url).host, outcome.code)) break
      await pause(reconnectMs, signal)
    }
    if (this.lost !== undefined) return this.lost
    return this.#presence.wasAway(since) ? `${new URL(url).host} took no connection for a while` : undefined
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
      url: url.href,
      headers,
      ...(body === undefined ? {} : { body }),
    }
    const base = { kind: options.kind ?? ('api' as const), request }
    for (;;) {
      refuseAfterEnd(options)
      const startedAt = Date.now()
      const began = performance.now()
      const outcome = await this.#outcome(options, url, body)
      const durationMs = performance.now() - began
      if (outcome.kind === 'silent') this.#presence.stayedSilent(url.host, durationMs)
      else if (outcome.kind !== 'unreachable' && outcome.kind !== 'gone') this.#presence.answered()
      if (options.isCarriedThrough !== true) refuseAfterEnd(options)
      switch (outcome.kind) {
        case 'answer':
          return new Exchange({ ...base, response: outcome.response, startedAt, durationMs })
        case 'too-long':
          throw new CaseErrored(`${options.method} ${url.pathname}: ${outcome.why}`)
        case 'unreachable':
        case 'gone': {
          const mayReturn = this.#presence.refused(url.host, outcome.code)
          if (outcome.kind === 'gone') throw new CaseErrored(`${url.host} cut the connection and was gone`)
          if (!mayReturn) throw new CaseErrored(`no connection to ${url.host} (${outcome.code})`)
          await pause(reconnectMs, options.signal)
          break
        }
        default:
          return new Exchange({ ...base, failure: outcome.failure, startedAt, durationMs })
      }
    }
  }

  async #outcome(options: RequestOptions, url: URL, body?: Uint8Array): Promise<Outcome> {
    const asked = () => ({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: options.method as Dispatcher.HttpMethod,
      headers: options.headers ?? {},
      body: payloadOf(body, options.chunkBytes),
    })
    try {
      const response = await collect(this.#agent, asked, {
        timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
        ...(options.isCarriedThrough === true ? {} : signalOf(options.signal)),
        statusOnly: options.statusOnly === true,
        ...(this.#anew === undefined ? {} : { again: { agent: this.#anew, after: mayHaveBeenStale } }),
      })
      return { kind: 'answer', response }
    } catch (error) {
      if (options.signal?.aborted === true && options.isCarriedThrough !== true)
        return { kind: 'silent', failure: 'the case was ended' }
      const outcome = outcomeOf(error)
      const isGone = outcome.kind === 'cut' && !(await takesConnections(url))
      return isGone ? { kind: 'gone', code: 'ECONNREFUSED' } : outcome
    }
  }
}

/**
 * What became of one request. `silent`: our time was over; `cut`: the connection ended before a complete answer; `gone`:
 * it did, and nobody listens any more: no answer to this request, but the end of the target.
 */
type Outcome =
  | { readonly kind: 'answer'; readonly response: WireResponse }
  | { readonly kind: 'silent' | 'cut' | 'broken'; readonly failure: string }
  | { readonly kind: 'too-long'; readonly why: string }
  | { readonly kind: 'unreachable' | 'gone'; readonly code: string }

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function refuseAfterEnd({ signal }: RequestOptions): void {
  if (signal?.aborted === true) throw new CaseErrored('the case was ended')
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

function outcomeOf(error: unknown): Outcome {
  const code = codeOf(error)
  if (code !== undefined && unreachable.has(code)) return { kind: 'unreachable', code }
  if (error instanceof TimeoutReached) return { kind: 'silent', failure: error.message }
  if (error instanceof errors.SocketError || brokenConnection.has(code ?? ''))
    return { kind: 'cut', failure: 'the connection was closed before a complete answer' }
  if (error instanceof BodyTooLong) return { kind: 'too-long', why: error.message }
  if (error instanceof UnusableBody) return { kind: 'broken', failure: error.message }
  return { kind: 'broken', failure: tlsFault(code ?? '') ?? failureOf(error, code) }
}

/** The first line says it; what libraries add is about themselves. */
function failureOf(error: unknown, code: string | undefined): string {
  const text = error instanceof Error ? `${code ?? error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0] ?? ''
}

/** Whether anybody listens at `url`; asked after a connection was cut, which a process that ends does too. */
function takesConnections(url: URL): Promise<boolean> {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: connectMs })
    const end = (isTaken: boolean) => {
      socket.destroy()
      resolve(isTaken)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(true))
    socket.once('error', (error) => end(codeOf(error) !== 'ECONNREFUSED'))
  })
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, cause, errors: inner } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  if (Array.isArray(inner) && inner.length > 0) return codeOf(inner[0])
  return cause === undefined ? undefined : codeOf(cause)
}

/** Longest `Retry-After` that is obeyed, in milliseconds: a case has no more time where nothing else is said. */
const longestWaitMs = 60_000

function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

function limitText(host: string, waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000)
  const wait =
    waitMs <= longestWaitMs ? 'goes on so' : `asks for a wait of ${shownSeconds(seconds)}, which is not obeyed`
  return `${host} limits the rate (429) and ${wait}: wait, or run with a lower --max-rps or --concurrency`
}

/** No wait is so long that its figure is worth a line. */
function shownSeconds(seconds: number): string {
  return seconds < 1e9 ? `${seconds} s` : 'more than 30 years'
}
