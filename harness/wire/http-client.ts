import { connect } from 'node:net'
import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { CaseErrored } from '../check.js'
import { waiting, type WaitCause } from '../waits.js'
import { agentFor, ownName, type Access } from './access.js'
import { collect } from './collect.js'
import type { Evidence } from './evidence.js'
import { InFlight } from './in-flight.js'
import { LastRequests } from './last-requests.js'
import { Exchange, type WireRequest } from './exchange.js'
import { codeOf, isNoAnswer, mayHaveBeenStale, outcomeOf, type Outcome } from './outcome.js'
import { pause, type Pace } from './pace.js'
import { TargetHealth } from './target-health.js'
import { limitText, longestWaitMs, maxPatience, patienceMs } from './retry-after.js'
import { connectionWords } from './connection-words.js'
import { bareHost } from './url.js'

/**
 * Longest time of one request of ours, in milliseconds, body included. The interface sets no answer time for the API, so this is not a
 * requirement: it ends a wait without end.
 */
const defaultTimeoutMs = 60_000
/** Longest time a connection may take to be had, in milliseconds. */
const connectMs = 10_000
const ofLimits = '--max-rps and limits of the target'

/** Pause before another try with a target that refused the connection, in milliseconds. */
const reconnectMs = 200
/** Longest time a target may take to show that it is there, in milliseconds. */
const requestMs = 2_000

export interface RequestOptions {
  readonly method: string
  /** Absolute URL. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** A repeated line of a header that `headers` contains already. */
  readonly repeatedHeaders?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sends the body in chunks of this many bytes, without a length. */
  readonly chunkBytes?: number
  /** Sends the body with its length, in pieces that end at these offsets, each in a packet of its own. */
  readonly cuts?: readonly number[]
  /** Ends the connection once this many bytes of the body are sent; an answer by then is the only one. */
  readonly breaksOffAfter?: number
  readonly timeoutMs?: number
  readonly kind?: Exchange['kind']
  readonly signal?: AbortSignal
  /** The signal keeps the request from being sent; once it is on its way, its answer is waited for. */
  readonly isCarriedThrough?: boolean
  /** Only the status matters: the body is kept undecoded, and only in part if it is long. */
  readonly statusOnly?: boolean
  /** A target that cut this connection and is gone counts as an answer: the exchange records that, and nothing is thrown. */
  readonly mayEndTarget?: boolean
  /** Makes the line for a report that sends it again. */
  readonly resend?: WireRequest['resend']
}

export interface HttpClientOptions {
  /** How the target is reached, besides its address. */
  readonly access?: Access
  /** Connections side by side to one origin. */
  readonly connections?: number
  readonly pace?: Pace
  /** Longest time of a request without a limit of its own, in milliseconds (default 60 s). */
  readonly timeoutMs?: number
  /** A connection for each request: no answer depends on what went over the connection before. Default false. */
  readonly freshConnections?: boolean
}

/**
 * Sends requests unchanged, follows no redirect, and turns every answer, or its absence, into an {@link Exchange}. Throws {@link
 * CaseErrored} only when no connection to the target can be made, when the case has ended, for an answer too long for the checks, and when
 * the target demands too long a wait.
 */
export class HttpClient {
  readonly #agent: Dispatcher
  /** Makes a connection for each request; undefined where the first agent does so anyhow. */
  readonly #fresh: Dispatcher | undefined
  /** How the target is reached, besides its address. */
  readonly access: Access
  readonly #pace: Pace | undefined
  readonly #health = new TargetHealth()
  readonly #inFlight = new InFlight()
  readonly #lastRequests = new LastRequests()
  readonly #timeoutMs: number
  readonly #options: HttpClientOptions
  /** ` through the proxy 127.0.0.1:3128`, where there is one. */
  readonly #way: string
  #fastestMs = Infinity

  constructor(options: HttpClientOptions = {}) {
    this.#options = options
    const proxy = options.access?.proxy
    this.#way = proxy === undefined ? '' : ` through the proxy ${new URL(proxy).host}`
    const isFresh = options.freshConnections === true
    const common: Agent.Options = {
      connections: options.connections ?? 64,
      // Shorter than servers keep an idle connection; never longer, even for a server that keeps it long: it may allow few.
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 1_000,
      maxResponseSize: -1,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    this.access = options.access ?? {}
    this.#agent = agentFor(this.access, { ...common, ...(isFresh ? { pipelining: 0 } : {}) }, connectMs)
    this.#fresh = isFresh ? undefined : agentFor(this.access, { ...common, pipelining: 0 }, connectMs)
    this.#pace = options.pace
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  }

  /** How long the fastest answer so far took, in milliseconds: how far the target is at most. Infinity before the first. */
  get fastestMs(): number {
    return this.#fastestMs
  }

  /** Why there is no point in asking on: the target went away, or answers nothing any more. */
  get lost(): string | undefined {
    return this.#health.lost
  }

  /** What the target had not answered when it went away, in words; undefined where it never did. */
  get lastRequests(): string | undefined {
    return this.#lastRequests.text
  }

  /** The target takes connections, and answers nothing any more. */
  get isSilent(): boolean {
    return this.#health.isSilent
  }

  /** Sends one request and adds the exchange to the evidence. After a 429 it waits and sends the request again, a few times. */
  async send(request: RequestOptions, evidence?: Evidence): Promise<Exchange> {
    for (let count = 0; ; count++) {
      if (this.#pace !== undefined) await waiting(ofLimits, this.#pace.turn(request.signal))
      const attempt = () => waiting(causeOf(request), this.#attempt(request, evidence?.caseId))
      // A request to a control interface may last until the API has answered another one.
      const exchange = await ((request.kind ?? 'api') === 'api' ? this.#inFlight.send(attempt) : attempt())
      evidence?.add(exchange)
      if (exchange.status !== undefined && exchange.status !== 429) this.#health.recordAnswer()
      if (exchange.status !== 429) return exchange
      const header = exchange.header('retry-after')
      const waitMs = patienceMs(header, count)
      const { host, pathname } = new URL(request.url)
      const [resource] = /^.*?\/v1\/[^/]+|/.exec(pathname) ?? ['']
      const isObeyed = waitMs <= longestWaitMs
      this.#health.limited(host, { resource, isObeyed })
      if (!isObeyed || count === maxPatience || this.lost !== undefined) throw new CaseErrored(limitText(host, waitMs))
      if (header !== undefined) this.#pace?.checkFor(waitMs)
      await waiting(ofLimits, pause(waitMs, request.signal))
      if (evidence !== undefined) evidence.heldBackMs += waitMs
    }
  }

  /**
   * Returns why nothing observed since then proves anything: the target at `url` refused connections for a while, or refuses them now,
   * which is checked by a request. Undefined when it was there. `since` is of `performance.now()`.
   */
  async absence(url: string, since: number, signal?: AbortSignal): Promise<string | undefined> {
    while (this.lost === undefined && signal?.aborted !== true) {
      const outcome = await this.#outcome(
        { method: 'GET', url, timeoutMs: requestMs, ...signalOf(signal) },
        new URL(url),
      )
      if (outcome.kind !== 'unreachable' && outcome.kind !== 'gone') break
      if (!this.#health.refused(new URL(url).host, outcome.code)) break
      await pause(reconnectMs, signal)
    }
    if (this.lost !== undefined) return this.lost
    return this.#health.wasAway(since) ? `${new URL(url).host} accepted no connection for a while` : undefined
  }

  /** Returns a client with one new connection of its own; the caller closes it. */
  withOneConnection(): HttpClient {
    return new HttpClient({ ...this.#options, connections: 1 })
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#fresh?.destroy()])
  }

  async #attempt(options: RequestOptions, caseId: string | undefined): Promise<Exchange> {
    const url = new URL(options.url)
    const body = typeof options.body === 'string' ? Buffer.from(options.body) : options.body
    const headers = { ...ownName, ...this.access.headers, ...options.headers }
    const request: WireRequest = {
      method: options.method,
      url: url.href,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(options.resend === undefined ? {} : { resend: options.resend }),
    }
    const base = { kind: options.kind ?? ('api' as const), request }
    for (;;) {
      refuseAfterEnd(options)
      const startedAt = Date.now()
      const began = performance.now()
      const ended = this.#lastRequests.send({ method: options.method, url: url.href, body }, caseId)
      const outcome = await this.#outcome({ ...options, headers }, url, body)
      ended(outcome.kind === 'answer')
      const durationMs = performance.now() - began
      if (outcome.kind === 'silent') this.#health.recordSilence(url.host, durationMs)
      else if (outcome.kind !== 'unreachable' && outcome.kind !== 'gone') this.#health.answered()
      if (outcome.kind === 'answer') this.#health.answeredInWhole()
      // The endpoint of a consumer is judged by what it answers, also where that is nothing.
      else if (isNoAnswer(outcome) && base.kind !== 'receiver' && this.#health.cut()) await this.#sendPlainly(url)
      if (options.isCarriedThrough !== true) refuseAfterEnd(options)
      switch (outcome.kind) {
        case 'answer':
          this.#fastestMs = Math.min(this.#fastestMs, durationMs)
          return new Exchange({ ...base, response: outcome.response, startedAt, durationMs })
        case 'too-long':
          throw new CaseErrored(`${options.method} ${url.pathname}: ${outcome.why}`)
        case 'unreachable':
        case 'gone': {
          if (this.#health.isThere) this.#lastRequests.targetGone()
          const mayReturn = this.#health.refused(url.host, outcome.code)
          if (outcome.kind === 'gone' && options.mayEndTarget === true)
            return new Exchange({ ...base, failure: connectionGone, startedAt, durationMs })
          if (outcome.kind === 'gone')
            throw new CaseErrored(`${options.method} ${url.pathname}: ${url.host} cut the connection and was gone`)
          if (!mayReturn)
            throw new CaseErrored(`no connection to ${url.host}${this.#way} (${connectionWords(outcome.code)})`)
          await pause(reconnectMs, options.signal)
          break
        }
        default:
          return new Exchange({
            ...base,
            failure: outcome.failure,
            isLate: outcome.kind === 'silent',
            wasCut: outcome.kind === 'cut',
            startedAt,
            durationMs,
          })
      }
    }
  }

  /** Sends a plain request: a target that cuts off malformed requests may answer that one. */
  async #sendPlainly(url: URL): Promise<void> {
    const outcome = await this.#outcome({ method: 'GET', url: url.href, timeoutMs: requestMs }, new URL('/', url))
    if (outcome.kind === 'cut') this.#health.cutsEverything(url.host)
    else if (outcome.kind === 'broken') this.#health.cutsEverything(url.host, outcome.failure)
    else if (outcome.kind === 'answer') this.#health.answeredInWhole()
  }

  async #outcome(options: RequestOptions, url: URL, body?: Uint8Array): Promise<Outcome> {
    const requested = () => ({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: options.method as Dispatcher.HttpMethod,
      headers: headersOf(options, body),
      body: payloadOf(body, options),
    })
    try {
      const response = await collect(this.#agent, requested, {
        timeoutMs: options.timeoutMs ?? this.#timeoutMs,
        ...(options.isCarriedThrough === true ? {} : signalOf(options.signal)),
        statusOnly: options.statusOnly === true,
        ...(this.#fresh === undefined ? {} : { again: { agent: this.#fresh, after: mayHaveBeenStale } }),
      })
      return { kind: 'answer', response }
    } catch (error) {
      if (options.signal?.aborted === true && options.isCarriedThrough !== true)
        return { kind: 'silent', failure: 'the case was ended' }
      const outcome = outcomeOf(error)
      const isOurs = options.breaksOffAfter !== undefined
      if (isOurs) await pause(afterBreakMs)
      // Who listens behind a proxy is not seen.
      const isSeen = (outcome.kind === 'cut' || isOurs) && this.access.proxy === undefined
      const isGone = isSeen && !(await takesConnections(url))
      return isGone ? { kind: 'gone', code: 'ECONNREFUSED' } : outcome
    }
  }
}

/** Returns the cause of the wait for an answer. */
function causeOf({ kind = 'api', url }: RequestOptions): WaitCause {
  if (kind === 'receiver') return 'answers of the endpoint'
  if (kind !== 'control') return 'answers of the API'
  if (url.endsWith('/clock')) return 'the clock (control)'
  return /\/workspaces(?:\/[^/]*)?$/.test(url) ? 'workspaces (control)' : 'other answers (control)'
}

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function refuseAfterEnd({ signal }: RequestOptions): void {
  if (signal?.aborted === true) throw new CaseErrored('the case was ended')
}

/** What became of a connection whose target ended with it. */
export const connectionGone = 'the connection was cut, and new ones are refused'

function headersOf(
  { headers = {}, repeatedHeaders = {}, cuts, breaksOffAfter }: RequestOptions,
  body: Uint8Array | undefined,
): Record<string, string | string[]> {
  const doubled = Object.entries(repeatedHeaders).map(([name, value]) => [name, [headers[name] ?? '', value]] as const)
  const hasNoLength = (cuts ?? breaksOffAfter) === undefined || body === undefined
  const length = hasNoLength ? {} : { 'content-length': String(body.length) }
  return { ...headers, ...Object.fromEntries(doubled), ...length }
}

function payloadOf(
  body: Uint8Array | undefined,
  { chunkBytes, cuts, breaksOffAfter }: RequestOptions,
): Uint8Array | Readable | null {
  if (body === undefined) return null
  if (breaksOffAfter !== undefined) return Readable.from(brokenOff(body, breaksOffAfter), { objectMode: false })
  if (cuts !== undefined) return Readable.from(piecesOf(body, cuts), { objectMode: false, highWaterMark: 1 })
  return chunkBytes === undefined ? body : Readable.from(chunksOf(body, chunkBytes), { objectMode: false })
}

/** Pause between two pieces, in milliseconds: pieces written at once may arrive at once. */
const betweenPiecesMs = 15

async function* piecesOf(body: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [index, start] of [0, ...cuts].entries()) {
    if (index > 0) await pause(betweenPiecesMs)
    yield body.subarray(start, cuts[index] ?? body.length)
  }
}

/** Time in which a part of a body arrives before its connection is ended, and in which a target is gone that dies of that; in milliseconds. */
const beforeBreakMs = 60
const afterBreakMs = 200

async function* brokenOff(body: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, length)
  await pause(beforeBreakMs)
  throw new Error('the run ended the connection in the middle of the body')
}

function* chunksOf(body: Uint8Array, chunkBytes: number): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += chunkBytes) yield body.subarray(start, start + chunkBytes)
}

/** Resolves to whether a process listens at `url`; called after a connection was cut, which the end of a process does too. */
function takesConnections(url: URL): Promise<boolean> {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return new Promise((resolve) => {
    const socket = connect({ host: bareHost(url.hostname), port, timeout: connectMs })
    const end = (isTaken: boolean) => {
      socket.destroy()
      resolve(isTaken)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(true))
    socket.once('error', (error) => end(codeOf(error) !== 'ECONNREFUSED'))
  })
}
