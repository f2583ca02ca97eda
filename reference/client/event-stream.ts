import { ServiceError, unusable } from './errors.js'
import { queryText } from './request.js'
import { longestTimerMs } from './runtime.js'
import { checkTimeout, type Settings } from './settings.js'
import { backoffMs, failure } from './transport.js'
import type { CallOptions, WebhookEvent } from './types.js'
import type { WebSocketConstructor, WebSocketLike } from './web-socket.js'

const path = '/v1/events/ws'
const request = { title: `WebSocket ${path}` }

type Result = IteratorResult<WebhookEvent, void>
type Waiting = { resolve(result: Result | Promise<Result>): void }

/** How one connection ended. */
type End = { readonly kind: 'closed'; readonly code: number } | { readonly kind: 'timeout' | 'paused' }

/**
 * The WebSocket stream as an async iterator. It connects at once, and again when the connection ends, with `after` set to the last event it
 * received; so none is missed, except that a stream without `after` that breaks before its first event starts from now again. After
 * `maxRetries` connections in a row that did not open it ends with the error. Leaving the loop closes it.
 *
 * Errors, from `next`: `ServiceError` `aborted`, `timeout` (not open within `timeoutMs`), `network_error`, `invalid_response` (a frame
 * other than a JSON object with an id).
 */
export class EventStream implements AsyncIterableIterator<WebhookEvent, void> {
  /** Resolves when the first connection is open: from here on a stream without `after` misses nothing. */
  readonly opened: Promise<void>
  readonly #settings: Settings
  readonly #timeoutMs: number
  /** Aborted when the stream is over, so that no wait outlives it. */
  readonly #over = new AbortController()
  readonly #queue: WebhookEvent[] = []
  readonly #waiting: Waiting[] = []
  #lastId: string | undefined
  #error: unknown
  #isErrorTold = false
  #onDrained: (() => void) | undefined
  #socket: WebSocketLike | undefined

  constructor(options: {
    readonly settings: Settings
    readonly after: string | undefined
    readonly options: CallOptions | undefined
  }) {
    const { settings, after } = options
    const { signal, timeoutMs: ofCall } = options.options ?? {}
    const { policy, timeoutMs: ofClient, webSocket } = settings
    this.#settings = settings
    this.#lastId = after
    this.#timeoutMs = policy.callTimeoutMs({ ofClient, ofCall })
    checkTimeout(this.#timeoutMs)
    if (webSocket === undefined) {
      throw unusable('This runtime has no WebSocket.', 'Pass one as the option webSocket.', 'websocket_unavailable')
    }
    this.opened = new Promise((resolve, reject) => {
      const onAbort = () => this.#finish(this.#failure('aborted', signal?.reason))
      if (signal?.aborted === true) onAbort()
      signal?.addEventListener('abort', onAbort)
      void this.#run(webSocket, resolve)
        .catch((error: unknown) => this.#finish(this.#failure('network_error', error)))
        .finally(() => {
          signal?.removeEventListener('abort', onAbort)
          reject(this.#error ?? this.#failure('aborted'))
        })
    })
    this.opened.catch(() => {})
  }

  next(): Promise<Result> {
    const event = this.#queue.shift()
    if (this.#queue.length === 0) this.#onDrained?.()
    if (event !== undefined) return Promise.resolve({ done: false, value: event })
    if (this.#over.signal.aborted) return this.#ending()
    return new Promise((resolve) => this.#waiting.push({ resolve }))
  }

  return(): Promise<Result> {
    this.close()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Ends the stream. Events that were received and not taken are dropped. */
  close(): void {
    this.#queue.length = 0
    this.#finish(undefined)
  }

  async #run(webSocket: WebSocketConstructor, onOpen: () => void): Promise<void> {
    const { policy, runtime, maxRetries } = this.#settings
    const over = this.#over.signal
    for (let failures = 0; !over.aborted;) {
      const end = await this.#connect(webSocket, () => {
        failures = 0
        onOpen()
      })
      if (over.aborted) return
      if (end.kind === 'paused') {
        await this.#drained()
        continue
      }
      failures++
      const isFinal = end.kind === 'closed' && policy.finalCloseCodes.includes(end.code)
      if (failures > maxRetries || isFinal) {
        const cause = end.kind === 'closed' ? `closed with ${end.code}` : undefined
        return this.#finish(this.#failure(end.kind === 'timeout' ? 'timeout' : 'network_error', cause))
      }
      await runtime.wait(backoffMs(failures, this.#settings), over)
    }
  }

  /** One connection, until it ends. */
  #connect(webSocket: WebSocketConstructor, onOpen: () => void): Promise<End> {
    const { policy, root, apiKey } = this.#settings
    const query = queryText({ ...policy.streamCredentials(apiKey ?? ''), after: this.#lastId })
    return new Promise((resolve) => {
      const socket = new webSocket(`${root.replace(/^http/, 'ws')}${path}${query}`)
      this.#socket = socket
      let hasEnded = false
      const end = (how: End) => {
        if (hasEnded) return
        hasEnded = true
        clearTimeout(timer)
        resolve(how)
        if (how.kind !== 'closed') socket.close()
      }
      const timer = setTimeout(() => end({ kind: 'timeout' }), Math.min(this.#timeoutMs, longestTimerMs))
      socket.addEventListener('open', () => {
        clearTimeout(timer)
        if (!hasEnded) onOpen()
      })
      socket.addEventListener('message', ({ data }) => {
        // Events after a pause was decided are sent again on the next connection.
        if (hasEnded) return
        this.#take(data)
        if (this.#queue.length >= policy.streamQueueLimit) end({ kind: 'paused' })
      })
      // Every error is followed by a close; without a listener some runtimes would throw it.
      socket.addEventListener('error', () => {})
      socket.addEventListener('close', ({ code }) => end({ kind: 'closed', code }))
    })
  }

  #take(frame: unknown): void {
    const event = eventOf(frame)
    if (event === undefined) {
      const code = this.#settings.policy.malformedAnswerCode
      const fix = 'Check that baseUrl leads to the API itself.'
      return this.#finish(
        new ServiceError({ status: 0, code, message: `A frame is not an event: ${request.title}.`, fix }),
      )
    }
    this.#lastId = event.id
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#queue.push(event)
    else waiting.resolve({ done: false, value: event })
  }

  async #drained(): Promise<void> {
    if (this.#queue.length === 0) return
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve
    })
  }

  #finish(error: unknown): void {
    if (this.#over.signal.aborted) return
    this.#error = error
    this.#over.abort()
    this.#socket?.close()
    this.#onDrained?.()
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.#ending())
  }

  /** The error is thrown once; then the iterator is done. */
  async #ending(): Promise<Result> {
    const isTold = this.#isErrorTold
    this.#isErrorTold = true
    if (this.#error !== undefined && !isTold) throw this.#error
    return { done: true, value: undefined }
  }

  #failure(code: 'network_error' | 'timeout' | 'aborted', cause?: unknown): ServiceError {
    return failure(code, { request, policy: this.#settings.policy, timeoutMs: this.#timeoutMs, cause })
  }
}

function eventOf(frame: unknown): WebhookEvent | undefined {
  if (typeof frame !== 'string') return undefined
  try {
    const event = JSON.parse(frame) as { id?: unknown } | null
    return typeof event?.id === 'string' ? (event as WebhookEvent) : undefined
  } catch {
    return undefined
  }
}
