import { WebSocket, type ClientOptions } from 'ws'
import { timingMark, type Checks } from '../check.js'
import type { Evidence } from '../wire/evidence.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'

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
  | { readonly kind: 'broken'; readonly reason: string }

/** Where the key stands: header, `token` in the query, both, or nowhere. */
export type StreamAuth = 'header' | 'token' | 'both' | 'none'

export interface StreamOptions {
  readonly baseUrl: string
  readonly after?: string | undefined
  readonly key: string | undefined
  readonly auth: StreamAuth
  readonly evidence: Evidence
  readonly observe: (frame: StreamFrame) => void
}

/** Longest frame that is read, in bytes. */
const mostFrameBytes = 4 * 1024 * 1024
/** Bytes of frames, and frames, that one connection keeps; a service that never stops is cut off. */
const most = { bytes: 32 * 1024 * 1024, frames: 20_000 } as const
/** Bytes of answers to pings that a service may leave unread. */
const mostUnreadBytes = 1024 * 1024
const openingTimeoutMs = 30_000

/** One connection to the event stream, with every frame it got. */
export class Stream {
  readonly frames: StreamFrame[] = []
  readonly opening: Promise<StreamOpening>
  /** Set once the connection is closed. */
  closeCode: number | undefined
  #bytes = 0
  readonly #socket: WebSocket
  readonly #waiting = new Set<() => void>()
  #isWaking = false

  constructor(options: StreamOptions) {
    const url = new URL(`${options.baseUrl.replace(/^http/, 'ws')}/v1/events/ws`)
    if (options.after !== undefined) url.searchParams.set('after', options.after)
    const stands = (place: StreamAuth) => options.auth === place || options.auth === 'both'
    if (stands('token') && options.key !== undefined) url.searchParams.set('token', options.key)
    const headers = stands('header') && options.key !== undefined ? { authorization: `Bearer ${options.key}` } : {}
    const startedAt = new Date()
    const socketOptions: ClientOptions & { maxPendingAutoPongs: number } = {
      headers,
      maxPayload: mostFrameBytes,
      handshakeTimeout: openingTimeoutMs,
      perMessageDeflate: false,
      // A target may ping as often as it likes, with every frame too; ws would hang up at the 60th unanswered one.
      maxPendingAutoPongs: 0,
    }
    this.#socket = new WebSocket(url, socketOptions)
    const note = (text: string) =>
      options.evidence.add({
        direction: 'sent',
        kind: 'stream',
        request: { method: 'GET', url: url.href, headers },
        started_at: startedAt.toISOString(),
        duration_ms: Date.now() - startedAt.getTime(),
        note: text,
      })
    this.opening = new Promise((resolve) => {
      this.#socket.once('open', () => {
        note('upgraded')
        resolve({ kind: 'open' })
      })
      this.#socket.once('unexpected-response', (request, response) => {
        note(`refused with ${response.statusCode}`)
        resolve({ kind: 'refused', status: response.statusCode ?? 0 })
        response.resume()
        request.destroy()
      })
      this.#socket.on('error', (error) => {
        note(`broken: ${error.message}`)
        resolve({ kind: 'broken', reason: error.message })
        // ws would read on, for a closing handshake that a service which breaks the protocol need not know.
        this.#socket.terminate()
      })
    })
    this.#socket.on('ping', () => {
      if (this.#socket.bufferedAmount > mostUnreadBytes) this.#cutOff('more pings than it reads the answers of', note)
    })
    this.#socket.on('message', (data: Buffer, isBinary) => {
      this.#bytes += data.length
      if (this.#bytes > most.bytes || this.frames.length >= most.frames)
        return this.#cutOff(`frames without an end (${this.frames.length} so far)`, note)
      const text = data.toString('utf8')
      const event = parseJson(text)
      const frame = { isText: !isBinary, text, event, id: memberOf(event, 'id'), receivedAt: Date.now() }
      this.frames.push(frame)
      options.observe(frame)
      this.#wake()
    })
    this.#socket.on('close', (code) => {
      this.closeCode = code
      this.#wake()
    })
  }

  /** Ends the case unless the connection is upgraded. */
  async opened(requireThat: Checks): Promise<this> {
    const opening = await this.opening
    // No answer may be this process's own lateness.
    const what = `opening of GET /v1/events/ws${opening.kind === 'broken' ? ` ${timingMark}` : ''}`
    requireThat.equal(what, opening.kind === 'open' ? 'upgraded' : opening, 'upgraded')
    return this
  }

  /** Resolves to whether `condition` held within `withinMs`; looked at as frames come, and last at the close. */
  async until(condition: () => boolean, withinMs: number): Promise<boolean> {
    if (condition()) return true
    if (this.closeCode !== undefined) return false
    return new Promise((resolve) => {
      const end = (held: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve(held)
      }
      const wake = () => {
        if (condition()) end(true)
        else if (this.closeCode !== undefined) end(false)
      }
      const timer = setTimeout(() => end(condition()), withinMs)
      this.#waiting.add(wake)
    })
  }

  /** The ids of the frames so far, in order. */
  get ids(): unknown[] {
    return this.frames.map((frame) => frame.id)
  }

  /** Stops reading from the socket, as a slow reader does. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Sends a frame to the service, which expects none; nothing happens on a connection that is not open. */
  send(data: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data, () => {})
  }

  /** Breaks the connection without a closing handshake, as a client that loses its network does. */
  drop(): void {
    this.#socket.terminate()
  }

  close(): void {
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate()
    else this.#socket.close()
    setTimeout(() => this.#socket.terminate(), 500).unref()
  }

  #cutOff(why: string, note: (text: string) => void): void {
    if (this.#socket.readyState === WebSocket.OPEN) note(`cut off: ${why}`)
    this.#socket.terminate()
  }

  /** Once for all that came in one turn: a flood of frames would else be looked through again with each of them. */
  #wake(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    setImmediate(() => {
      this.#isWaking = false
      for (const wake of this.#waiting) wake()
    })
  }
}
