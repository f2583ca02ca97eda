import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { LoopWatch } from '../loop-watch.js'
import { status, writeAnswer, type Answer } from './answer.js'
import { silentKind } from './certificate.js'
import { Attempt, resentAfterMs, resentWithinMs, contentKey } from './attempt.js'
import type { FromThread, ListenOptions, Script, ToThread } from './protocol.js'
import { trackSockets } from './sockets.js'
import { readRequestBody } from '../wire/request-body.js'

/** Longest body the sink takes, in bytes. */
const maxBytes = 4 * 1024 * 1024
/** Attempts and bytes that one endpoint keeps; a sender that never stops is answered with 503 from then on. */
const most = { attempts: 5_000, bytes: 32 * 1024 * 1024 } as const
/** Longest time for a whole request, in milliseconds: a slow sender must not hold a connection for ever. */
const requestMs = 60_000
/** Longest time a connection counts as being made, in milliseconds. */
const greetingMs = 5_000
/** An answer that leaves later is reported as late, in milliseconds: a sender may wait no longer than half a second. */
const lateMs = 400
/** A body that is incomplete after this many milliseconds is slow. */
const slowMs = 250
/** A half-close within this many milliseconds of the request still expects a response (RFC 9112, 9.6); later it counts as an abort. */
const halfCloseMs = 250
/** A connection that waits longer for its first request was made ahead, in milliseconds: senders keep some in store. */
const aheadMs = 250

/** Listens, and answers as `line` commands. */
export function listen(line: MessagePort, options: ListenOptions): void {
  const notify = (message: FromThread) => line.postMessage(message)
  const refuse = ({ message, code }: NodeJS.ErrnoException): void => {
    notify({ kind: 'refused', message, code })
    line.close()
  }
  const unfit = new Map(Object.entries(options.unfit).map(([kind, own]) => [kind, createSecureContext(own)]))
  const { key, cert } = options
  let secure: Server
  try {
    // A client without such a name gets the usual certificate.
    secure = createHttpsServer({
      key,
      cert,
      SNICallback(this: Socket, name, choose) {
        if (kindIn(name) === silentKind) thread.saysNothing(this)
        else choose(null, unfit.get(kindIn(name)))
      },
    })
  } catch (error) {
    refuse(error as NodeJS.ErrnoException)
    return
  }
  const plain = options.takesPlain ? createHttpServer() : undefined
  const servers: readonly Server[] = plain === undefined ? [secure] : [secure, plain]
  for (const server of servers) Object.assign(server, { httpAllowHalfOpen: true })
  const listener =
    plain === undefined ? secure : createNetServer({ allowHalfOpen: true }, (socket) => sort(socket, { secure, plain }))
  const thread = new Listener(listener, line, options)
  secure.on('secureConnection', (socket) => thread.shakeHands(socket))
  // Other ends of a handshake (a reset, a time-out) are not reported: a sender that was ended causes them too.
  secure.on('tlsClientError', ({ reason = '' }: Error & { reason?: string }, { servername }) => {
    if (reason.includes('alert') && !unfit.has(kindIn(servername))) notify({ kind: 'handshake-refused', reason })
  })
  for (const server of servers) {
    server.keepAliveTimeout = 30_000
    server.requestTimeout = requestMs
    server.on('request', (request, response) => void thread.receive(request, response))
  }
  listener.once('error', refuse)
  listener.listen(options.port, options.host, () => {
    listener.removeAllListeners('error').on('error', () => {})
    notify({ kind: 'listening', port: (listener.address() as AddressInfo).port })
  })
}

/** Returns the label that names the fault of the certificate for a name, if any: `h1.expired.conformance.test`. */
function kindIn(name: string | false | null | undefined): string {
  return (name || '').split('.')[1] ?? ''
}

/** One path, with what it answers. */
interface Path {
  readonly closes: boolean
  script: Script
  answered: number
  attempts: number
  bytes: number
  readonly open: Set<number>
  /** Requests that may be repeated without being another attempt: until when, of `Date.now()`, and their answer. */
  readonly resends: Map<string, { readonly until: number; readonly answer: Answer }>
}

function newPath(closes: boolean): Path {
  return { closes, script: [status(200)], answered: 0, attempts: 0, bytes: 0, open: new Set(), resends: new Map() }
}

interface Open {
  readonly path: Path
  readonly received: Attempt
  readonly response: ServerResponse
  answer: Answer | undefined
  stop: () => void
}

/** Facts about a connection; times of `performance.now()`. */
interface Greeted {
  readonly at: number
  /** When a request could be sent on it. */
  readyAt: number
  /** Ends its being counted as one that is being made. */
  readonly end: () => void
  hasAsked: boolean
  /** When its latest request was whole. */
  wholeAt?: number
}

class Listener {
  readonly #server: NetServer
  readonly #line: MessagePort
  readonly #greeting: Int32Array<SharedArrayBuffer>
  /** Connections that are being made, in the order of their arrival. */
  readonly #beingMade = new Set<number>()
  readonly #destroyConnections: () => void
  readonly #paths = new Map<string, Path>()
  readonly #open = new Map<number, Open>()
  /** Connections by the sender's port. */
  readonly #greeted = new Map<number, Greeted>()
  readonly #strays: Path | undefined
  readonly #loopWatch = new LoopWatch()
  #attempts = 0

  constructor(server: NetServer, line: MessagePort, { greeting, takesStrays }: ListenOptions) {
    this.#server = server
    this.#line = line
    this.#greeting = greeting
    this.#strays = takesStrays ? { ...newPath(false), script: 'asked' } : undefined
    this.#destroyConnections = trackSockets(server)
    server.on('connection', (socket: Socket) => this.#greet(socket))
    line.on('message', (message: ToThread) => this.#obey(message))
  }

  #notify(message: FromThread): void {
    this.#line.postMessage(message)
  }

  /** Tracks a connection as being made until its first request is here, it is closed, or it stays silent. */
  #greet(socket: Socket): void {
    const port = socket.remotePort ?? 0
    const connection = Atomics.add(this.#greeting, 0, 1)
    this.#beingMade.add(connection)
    const end = () => {
      if (!this.#beingMade.delete(connection)) return
      const [oldest = Atomics.load(this.#greeting, 0)] = this.#beingMade
      Atomics.store(this.#greeting, 1, oldest)
    }
    const at = performance.now()
    this.#greeted.set(port, { at, readyAt: at, end, hasAsked: false })
    socket.once('close', () => {
      end()
      this.#greeted.delete(port)
    })
    setTimeout(end, greetingMs).unref()
    this.#minds(socket)
  }

  /**
   * Keeps the other half open after the TLS close of a sender's half (RFC 8446, 6.1). Not before the handshake: a sender that ends there
   * has left, and would be awaited as one about to send a request.
   */
  shakeHands(socket: Socket): void {
    socket.allowHalfOpen = true
    const greeted = this.#greeted.get(socket.remotePort ?? 0)
    if (greeted !== undefined) greeted.readyAt = performance.now()
    this.#minds(socket)
  }

  /** Stops tracking a connection on which nothing is sent. */
  saysNothing(socket: Socket): void {
    this.#greeted.get(socket.remotePort ?? 0)?.end()
  }

  /** Ends a connection whose sender has given up. */
  #minds(socket: Socket): void {
    const port = socket.remotePort ?? 0
    socket.once('end', () => {
      const greeted = this.#greeted.get(port)
      const wholeAt = greeted?.wholeAt ?? (greeted?.hasAsked === true ? performance.now() : -Infinity)
      if (performance.now() - wholeAt > halfCloseMs) socket.destroy()
    })
  }

  /** When a request began for its sender, of `performance.now()`: with its connection, unless that was made ahead and we were on time since. */
  #beganAt(greeted: Greeted | undefined): number {
    const now = performance.now()
    if (greeted === undefined || greeted.hasAsked) return now
    const isAhead = now - greeted.readyAt > aheadMs && this.#loopWatch.longestSince(greeted.readyAt) === 0
    return isAhead ? now : greeted.at
  }

  #obey(message: ToThread): void {
    switch (message.kind) {
      case 'endpoint':
        this.#paths.set(message.path, newPath(message.closes))
        return
      case 'script': {
        const path = this.#paths.get(message.path)
        if (path !== undefined) Object.assign(path, { script: message.script, answered: 0 })
        return
      }
      case 'answer': {
        const open = this.#open.get(message.attempt)
        if (open !== undefined) this.#answer(open, message.answer)
        return
      }
      case 'settled':
        this.#paths.get(message.path)?.resends.clear()
        return
      case 'forget':
        for (const attempt of this.#paths.get(message.path)?.open ?? []) this.#stop(attempt)
        this.#paths.delete(message.path)
        return
      case 'catch-up':
        // What the system holds for us is read between two of these.
        setImmediate(() => setImmediate(() => this.#notify({ kind: 'caught-up', round: message.round })))
        return
      case 'close':
        this.#loopWatch.end()
        this.#destroyConnections()
        this.#server.close(() => {
          this.#notify({ kind: 'ended' })
          this.#line.close()
        })
    }
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const greeted = this.#greeted.get(request.socket.remotePort ?? 0)
    const beganAt = this.#beganAt(greeted)
    if (greeted !== undefined) greeted.hasAsked = true
    const begunAt = Date.now()
    try {
      response.on('error', () => {})
      const body = await this.#bodyOf(request)
      if (body === undefined) return
      if (greeted !== undefined) greeted.wholeAt = performance.now()
      // Messages from before this request are on the line at the latest by now.
      for (let next = receiveMessageOnPort(this.#line); next !== undefined; next = receiveMessageOnPort(this.#line))
        this.#obey(next.message as ToThread)
      this.#take({ request, response, body, beganAt, begunAt })
    } finally {
      greeted?.end()
    }
  }

  /** Resolves to the whole body; to undefined if it breaks off, which is reported. */
  async #bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
    const path = this.#nameIn(request.url)
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      this.#notify({ kind: 'slow', path, more: 1 })
    }, slowMs)
    let length = 0
    const body = await readRequestBody(request, maxBytes, (bytes) => (length = bytes))
    clearTimeout(timer)
    if (body === undefined)
      this.#notify({ kind: 'broken-off', how: brokenOff(length, request.headers['content-length']) })
    // Sent after the attempt or the fault, for which a wait for the body checks then.
    if (isSlow) setImmediate(() => this.#notify({ kind: 'slow', path, more: -1 }))
    return body
  }

  /** The endpoint that a url leads to. */
  #nameIn(url = ''): string | undefined {
    return (url.split('?')[0] ?? '').split('/').find((segment) => this.#paths.has(segment))
  }

  #take(parts: {
    request: IncomingMessage
    response: ServerResponse
    body: Uint8Array
    beganAt: number
    begunAt: number
  }): void {
    const { request, response, body, beganAt, begunAt } = parts
    const { method = '', url = '', rawHeaders } = request
    const name = this.#nameIn(url)
    const path = name === undefined ? this.#strays : this.#paths.get(name)
    if (path === undefined) {
      response.writeHead(410, { connection: 'close' }).end()
      return
    }
    if (path.closes) response.shouldKeepAlive = false
    path.bytes += body.length
    if (path !== this.#strays && (++path.attempts > most.attempts || path.bytes > most.bytes)) {
      response.writeHead(503).end()
      return
    }
    const bodyBase64 = Buffer.from(body).toString('base64')
    const isSecure = 'encrypted' in request.socket
    const record = { method, path: url, rawHeaders, bodyBase64, arrivedAt: Date.now(), begunAt, isSecure }
    const received = Attempt.restored(record)
    const again = resentAnswer(path, received)
    if (again !== undefined) {
      writeAnswer(response, again)
      return
    }
    const answer = path === this.#strays ? undefined : answerOf(path, received.isDelivery)
    const attempt = this.#attempts++
    const open: Open = { path, received, response, answer, stop: () => {} }
    this.#open.set(attempt, open)
    path.open.add(attempt)
    const isPrompt = answer?.kind === 'status' && answer.firstBytes === undefined
    const judgeTime = (): void => {
      const ms = Math.round(performance.now() - beganAt)
      if (isPrompt && ms > lateMs && name !== undefined) this.#notify({ kind: 'late', path: name, ms })
    }
    response.once('finish', judgeTime)
    response.once('close', () => {
      const wasGivenUp = open.answer?.kind === 'status' && !response.writableFinished
      if (wasGivenUp) judgeTime()
      this.#open.delete(attempt)
      path.open.delete(attempt)
      this.#notify({ kind: 'closed', attempt, at: Date.now(), wasGivenUp })
    })
    this.#notify({ kind: 'attempt', path: name, attempt, record, ...(answer === undefined ? {} : { answer }) })
    if (answer !== undefined) this.#answer(open, answer)
  }

  #answer(open: Open, answer: Answer): void {
    open.answer = answer
    const afterMs = open.path === this.#strays ? undefined : resentAfterMs(answer)
    if (afterMs !== undefined) {
      const again: Answer = answer.kind === 'reset' ? { kind: 'reset' } : answer
      open.path.resends.set(contentsOf(open.received), { until: Date.now() + afterMs + resentWithinMs, answer: again })
    }
    if (!open.response.destroyed) open.stop = writeAnswer(open.response, answer)
  }

  /** Ends an answer that is still being sent. */
  #stop(attempt: number): void {
    const open = this.#open.get(attempt)
    open?.stop()
    if (open?.response.writableEnded === false) open.response.destroy()
  }
}

/** Describes why the body of a request is incomplete. */
function brokenOff(length: number, announced: string | undefined): string {
  if (length > maxBytes) return `has a body of more than ${maxBytes} bytes`
  const expected = announced === undefined ? 'without the end of its last chunk' : `of the ${announced} it announced`
  return `broke off after ${length} bytes of its body, ${expected}`
}

/** Returns the answer if the script has one; requests other than deliveries do not use the script. */
function answerOf(path: Path, isDelivery: boolean): Answer | undefined {
  if (!isDelivery) return status(200)
  if (path.script === 'asked') return undefined
  return path.script[Math.min(path.answered++, path.script.length - 1)]
}

function contentsOf({ headers, body }: Attempt): string {
  return contentKey((name) => headers[name], body)
}

/** How a request is answered that an HTTP library sends again by itself, at once and once (open point resends-of-a-delivery); undefined for any other. */
function resentAnswer({ resends }: Path, received: Attempt): Answer | undefined {
  if (resends.size === 0) return undefined
  const sameness = contentsOf(received)
  const allowed = resends.get(sameness)
  resends.delete(sameness)
  return allowed !== undefined && received.begunAt < allowed.until ? allowed.answer : undefined
}

/** First byte of every TLS connection: the type of a handshake record. */
const tlsHandshake = 0x16

/** Hands a connection to the server that speaks what its first byte begins. */
export function sort(socket: Socket, { secure, plain }: { readonly secure: Server; readonly plain: Server }): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (first) => {
    socket.pause()
    socket.unshift(first)
    const isSecure = first[0] === tlsHandshake
    // A TLS connection is given this of the socket below it; it comes with the handshake.
    if (isSecure) socket.allowHalfOpen = false
    ;(isSecure ? secure : plain).emit('connection', socket)
    process.nextTick(() => socket.resume())
  })
}
