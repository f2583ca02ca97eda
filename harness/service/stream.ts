import { randomUUID } from 'node:crypto'
import type { RequirementId } from '../../spec/index.js'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { WebSocket, type ClientOptions } from 'ws'
import { AnswerLost, CaseErrored, type Checks } from '../check.js'
import { Waiters } from '../waiters.js'
import type { Evidence } from '../wire/evidence.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson, valuesOf } from '../wire/json.js'
import { pause } from '../wire/pace.js'
import { ownName, tlsOf, type Access } from '../wire/access.js'
import { isLimit } from './limits.js'
import { isEventFrame } from './rules.js'
import { StreamBudget, frameWeight } from './stream-budget.js'
import { limitText, longestWaitMs, maxPatience, patienceMs } from '../wire/retry-after.js'
import { waiting } from '../waits.js'

export interface StreamFrame {
  readonly isText: boolean
  readonly text: string
  /** The frame as JSON; undefined when it is not JSON. */
  readonly event: unknown
  readonly id: unknown
  readonly receivedAt: number
}

/** How the connection began: upgraded, or refused with a status, or broken. */
export type StreamOpening =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly status: number }
  | {
      readonly kind: 'broken'
      readonly reason: string
      /** The connection ended without an answer. */
      readonly wasCut?: boolean
    }

/** The answer to an upgrade, and when to retry. */
type Answer = StreamOpening & { readonly retryAfter?: string | undefined }

/** Returns whether an answer may mean too many streams at once: a gateway with a limit of connections closes the next one. */
export function isConnectionLimit(opening: StreamOpening): boolean {
  return opening.kind === 'refused' ? isLimit(opening.status) : opening.kind === 'broken' && opening.wasCut === true
}

/** The place of the key: header, `token` in the query, both, or none. */
export type StreamAuth = 'header' | 'token' | 'both' | 'none'

export interface StreamOptions {
  readonly baseUrl: string
  /** How the service is reached, besides its address. */
  readonly access?: Access
  readonly after?: string | undefined
  /** More query, as written. */
  readonly query?: string | undefined
  readonly key: string | undefined
  readonly auth: StreamAuth
  readonly evidence: Evidence
  /** What all streams of the run may keep; one of its own where absent. */
  readonly budget?: StreamBudget
  readonly observe: (frame: StreamFrame) => void
  /** Called when a wait for the upgrade begins; returns the function to call at its end. */
  readonly waiting?: () => () => void
  /** Records the requirements of a wait that timed out. */
  readonly missed?: (...requirements: readonly RequirementId[]) => void
  /** Whether one like it, closed a moment ago, may still count against a quota: a service learns late of a broken connection. */
  readonly oneMayStillCount?: () => boolean
  /** Ends the case as skipped where it was refused because there are too many. */
  readonly skipWhereFull?: () => Promise<void>
}

/** Longest accepted frame, in bytes and fragments; an event of the interface has a hundredth of that. */
const maxFrame = { bytes: 256 * 1024, fragments: 4_096 } as const
/** Frames that one connection keeps; a service that never stops is cut off. */
const maxFrames = 20_000
/** Errors of ws for a frame that is longer, or in more fragments, than we accept: the interface has no such limit. */
const ourLimits: readonly unknown[] = ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'WS_ERR_TOO_MANY_BUFFERED_PARTS']
/** Errors of Node for a connection that the other side ended. */
const cutOff: readonly unknown[] = ['ECONNRESET', 'EPIPE']
/** Bytes of answers to pings that a service may leave unread. */
const maxUnreadBytes = 1024 * 1024
/** Code of a connection that ended without a close frame (RFC 6455, 7.4.1). */
const abnormalClosure = 1006
const openingTimeoutMs = 60_000
/** Codes of a close that invite the client to reconnect: going away, service restart, try again later. */
const reconnectCodes: ReadonlySet<number> = new Set([1001, 1012, 1013])
/** Time after the upgrade until a stream without `after` has surely begun, in milliseconds. */
const beginsMs = 100
/** Longest time in which a stream too many is closed again after its upgrade, in milliseconds. */
const turnedAwayMs = 500
/** A frame within this many milliseconds shows that the stream still has more to send. */
const flowingMs = 1_000
/** Longest wait while frames keep arriving, as a multiple of the usual wait. */
const longestFlow = 4
/** How often an upgrade is repeated that a gateway or the network answered. */
const maxTries = 4
/** Pauses, in milliseconds, before an upgrade is repeated that was refused while a closed stream may still count. */
const uncountedAfterMs = [250, 500, 1_000, 2_000] as const

/** One connection to the event stream, with every frame it got. */
export class Stream {
  /** The frames that carry an event, or should. */
  readonly frames: StreamFrame[] = []
  /** Frames that carry none: greetings, heartbeats. */
  #remarks = 0
  readonly opening: Promise<StreamOpening>
  wasUpgraded = false
  /** Set once the connection is closed. */
  closeCode: number | undefined
  #weight = 0
  readonly #budget: StreamBudget
  /** Why this run reads no more, if that is a limit of its own. */
  #limit: string | undefined
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #options: StreamOptions
  #isClosed = false
  /** How often each has refused the upgrade: refusals by one leave the patience with another unchanged. */
  readonly #turnedAway = { byGateway: 0, byRate: 0, byQuota: 0 }
  #socket: WebSocket | undefined
  readonly #waiters = new Waiters()
  #isWaking = false

  constructor(options: StreamOptions) {
    const query = options.query === undefined ? '' : `?${options.query}`
    const url = new URL(`${options.baseUrl.replace(/^http/, 'ws')}/v1/events/ws${query}`)
    if (options.after !== undefined) url.searchParams.set('after', options.after)
    const stands = (place: StreamAuth) => options.auth === place || options.auth === 'both'
    if (stands('token') && options.key !== undefined) url.searchParams.set('token', options.key)
    const key = stands('header') && options.key !== undefined ? { authorization: `Bearer ${options.key}` } : {}
    const headers = { ...ownName, ...options.access?.headers, ...key }
    this.#url = url
    this.#headers = headers
    this.#options = options
    this.#budget = options.budget ?? new StreamBudget()
    const answered = options.waiting?.()
    this.opening = this.#open().then(async (opening) => {
      answered?.()
      if (opening.kind !== 'open') this.#closed(abnormalClosure)
      // Many servers enter a connection among their listeners after they answered its upgrade.
      else if (options.after === undefined) await this.closes(beginsMs)
      return opening
    })
  }

  /** Opens the connection; a 429, a gateway's 5xx and a break before any answer are waited out, a few times. */
  async #open(): Promise<StreamOpening> {
    this.#limit = this.#budget.end
    if (this.#limit !== undefined) return { kind: 'broken', reason: this.#limit }
    for (;;) {
      const opening = await this.#connect()
      if (opening.kind === 'open' || this.#isClosed) return opening
      const waitMs = this.#waitMsAfter(opening)
      if (waitMs === undefined || waitMs > longestWaitMs) return opening
      await pause(waitMs)
    }
  }

  /** Returns the wait before the upgrade is repeated, in milliseconds; undefined if its answer is final. */
  #waitMsAfter(opening: Exclude<Answer, { kind: 'open' }>): number | undefined {
    if (opening.kind === 'broken' || opening.status >= 500) {
      const count = this.#turnedAway.byGateway++
      return count >= maxTries ? undefined : patienceMs(opening.retryAfter, count)
    }
    if (opening.status === 429) {
      const count = this.#turnedAway.byRate++
      return count >= maxPatience ? undefined : patienceMs(opening.retryAfter, count)
    }
    if (isLimit(opening.status) && this.#options.oneMayStillCount?.() === true)
      return uncountedAfterMs[this.#turnedAway.byQuota++]
    return undefined
  }

  #connect(): Promise<Answer> {
    const { evidence, access = {} } = this.#options
    const startedAt = new Date()
    const socketOptions: ClientOptions & { maxPendingAutoPongs: number } = {
      ...tlsOf(access),
      ...(access.proxy === undefined ? {} : { agent: new HttpsProxyAgent(access.proxy) }),
      headers: this.#headers,
      maxPayload: maxFrame.bytes,
      maxFragments: maxFrame.fragments,
      handshakeTimeout: openingTimeoutMs,
      perMessageDeflate: false,
      // A target may ping as often as it likes, with every frame too; ws would hang up at the 60th unanswered one.
      maxPendingAutoPongs: 0,
    }
    const socket = new WebSocket(this.#url, socketOptions)
    this.#socket = socket
    const note = (text: string) =>
      evidence.add({
        direction: 'sent',
        kind: 'stream',
        request: { method: 'GET', url: this.#url.href, headers: this.#headers },
        started_at: startedAt.toISOString(),
        duration_ms: Date.now() - startedAt.getTime(),
        note: text,
      })
    return new Promise((resolve) => {
      socket.once('open', () => {
        note('upgraded')
        this.wasUpgraded = true
        this.#listen(socket, note)
        resolve({ kind: 'open' })
      })
      socket.once('unexpected-response', (request, response) => {
        note(`refused with ${response.statusCode}`)
        const retryAfter = response.headers['retry-after']
        resolve({ kind: 'refused', status: response.statusCode ?? 0, retryAfter })
        response.resume()
        request.destroy()
      })
      socket.on('error', (error) => {
        note(`broken: ${error.message}`)
        if ('code' in error && ourLimits.includes(error.code))
          this.#reachLimit(`a frame beyond reason (${error.message})`)
        const wasCut = 'code' in error && cutOff.includes(error.code)
        resolve({ kind: 'broken', reason: error.message, wasCut })
        // ws would read on, for a closing handshake that a service which breaks the protocol need not know.
        socket.terminate()
      })
    })
  }

  #listen(socket: WebSocket, note: (text: string) => void): void {
    socket.on('ping', () => {
      if (socket.bufferedAmount > maxUnreadBytes) this.#cutOff('more pings without reading the pongs', note)
    })
    socket.on('message', (data: Buffer, isBinary) => {
      // Data after the close is unused, and its memory would never be released.
      if (this.#limit !== undefined || this.#isClosed) return
      const text = data.toString('utf8')
      const event = parseJson(text)
      const isRemark = !isBinary && !isEventFrame(event)
      const weight = isRemark ? 0 : frameWeight(text, valuesOf(text) ?? 0)
      const count = this.frames.length + this.#remarks
      if (count >= maxFrames || !this.#budget.take(weight)) {
        this.#reachLimit(`frames without an end (${count} so far)`)
        return this.#cutOff(`frames without an end (${count} so far)`, note)
      }
      if (isRemark) {
        this.#remarks++
        return
      }
      this.#weight += weight
      const frame = { isText: !isBinary, text, event, id: memberOf(event, 'id'), receivedAt: Date.now() }
      this.frames.push(frame)
      this.#options.observe(frame)
      this.#wake()
    })
    socket.on('close', (code) => this.#closed(code))
  }

  #closed(code: number): void {
    this.closeCode = code
    this.#wake()
  }

  /** Ends the case unless the connection is upgraded. */
  async opened(requireThat: Checks): Promise<this> {
    const opening = await this.opening
    const what = 'opening of GET /v1/events/ws'
    if (opening.kind === 'broken' && this.#limit !== undefined) throw new CaseErrored(`${what}: ${this.#limit}`)
    if (opening.kind === 'refused' && opening.status === 429) throw new CaseErrored(limitText(this.#url.host, 0))
    if (opening.kind === 'broken') throw new AnswerLost(`${what}: ${opening.reason}`)
    if (opening.kind === 'refused' && isLimit(opening.status)) await this.#options.skipWhereFull?.()
    requireThat.equal(what, opening.kind === 'open' ? 'upgraded' : `refused with ${opening.status}`, 'upgraded')
    return this
  }

  /**
   * Resolves to whether `condition` held within `withinMs`; checked as frames arrive, and last at the close. A close with a code that
   * invites the client to reconnect proves nothing, like a 503; `mayClose`: the caller judges a close itself.
   */
  async until(condition: () => boolean, withinMs: number, { mayClose = false } = {}): Promise<boolean> {
    const since = performance.now()
    const hasHeld = await this.#holdsWhileFramesCome(condition, this.#budget.waitMs(withinMs))
    // A wait without a frame proves nothing, and a closed connection is not silent.
    if (hasHeld ? this.frames.length > 0 : this.closeCode === undefined) this.#budget.waited(since, !hasHeld)
    // Unread frames prove nothing against the service.
    if (!hasHeld && this.#limit !== undefined) throw new CaseErrored(`the stream was cut off: ${this.#limit}`)
    if (!hasHeld && !mayClose && this.closeCode !== undefined && reconnectCodes.has(this.closeCode))
      throw new AnswerLost(`the service closed the stream with ${this.closeCode}, which means: connect again`)
    if (!hasHeld) this.#options.missed?.('STR-008')
    return hasHeld
  }

  /** Resolves to whether the service closed the connection within `withinMs`. */
  async closes(withinMs: number): Promise<boolean> {
    await this.#holds(() => false, withinMs)
    return this.closeCode !== undefined
  }

  /** Resolves to whether the service closed the connection before it sent a frame, as it may one stream too many. */
  async isTurnedAway(): Promise<boolean> {
    await this.#holds(() => this.frames.length > 0, turnedAwayMs)
    return this.closeCode !== undefined && this.frames.length === 0
  }

  /** The interface names no rate for events: while frames keep arriving, the wait continues. */
  async #holdsWhileFramesCome(condition: () => boolean, withinMs: number): Promise<boolean> {
    const endsAt = performance.now() + withinMs * longestFlow
    if (await this.#holds(condition, withinMs)) return true
    const lastAt = this.frames.at(-1)?.receivedAt ?? 0
    for (let isFlowing = Date.now() - lastAt < flowingMs; isFlowing && this.closeCode === undefined;) {
      const seen = this.frames.length
      if (await this.#holds(condition, flowingMs)) return true
      isFlowing = this.frames.length > seen && performance.now() < endsAt
    }
    return false
  }

  #holds(condition: () => boolean, withinMs: number): Promise<boolean> {
    return waiting(
      'frames of a stream',
      this.#waiters.until(condition, withinMs, () => this.closeCode !== undefined),
    )
  }

  /** The ids of the frames so far, in order. */
  get ids(): unknown[] {
    return this.frames.map((frame) => frame.id)
  }

  /** Whether this side has ended the connection. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Stops reading from the socket, as a slow reader does. */
  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  /** Sends a frame to the service, which expects none; nothing happens on a connection that is not open. */
  send(data: string | Uint8Array): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(data, () => {})
  }

  /** Sends a ping; resolves to whether its pong arrived within `withinMs`, or the service closed the connection. */
  async isAlive(withinMs: number): Promise<boolean> {
    const data = randomUUID()
    let hasAnswered = false
    this.#socket?.on('pong', (reported: Buffer) => {
      if (reported.toString() !== data) return
      hasAnswered = true
      this.#wake()
    })
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.ping(data, undefined, () => {})
    const holds = await this.#holds(() => hasAnswered || this.closeCode !== undefined, withinMs)
    if (!holds && this.#limit !== undefined) throw new CaseErrored(`the stream was cut off: ${this.#limit}`)
    if (!holds) this.#options.missed?.('STR-001')
    return holds
  }

  /** Breaks the connection without a closing handshake, as a client that loses its network does. */
  drop(): void {
    this.#isClosed = true
    this.#socket?.terminate()
  }

  close(): void {
    this.#isClosed = true
    this.#budget.giveBack(this.#weight)
    this.#weight = 0
    if (this.#socket?.readyState === WebSocket.CONNECTING) this.#socket.terminate()
    else this.#socket?.close()
    setTimeout(() => this.#socket?.terminate(), 500).unref()
  }

  #reachLimit(why: string): void {
    this.#limit ??= why
    this.#budget.cutOff()
  }

  #cutOff(why: string, note: (text: string) => void): void {
    if (this.#socket?.readyState === WebSocket.OPEN) note(`cut off: ${why}`)
    this.#socket?.terminate()
  }

  /** Wakes once for all frames of one turn: checking after each frame would make a flood quadratic. */
  #wake(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    setImmediate(() => {
      this.#isWaking = false
      this.#waiters.wake()
    })
  }
}
