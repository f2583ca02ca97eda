import {
  Agent as HttpAgent,
  request as httpRequest,
  ServerResponse,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HeaderList } from '../../harness/observe/index.js'
import type { ForwardedRequest } from './forwarded.js'

/** Bytes of a body that are judged; a longer body still passes. */
const maxKept = 4 * 1024 * 1024

/** A body as it passes: a copy of the part that is judged. */
class Kept {
  readonly #chunks: Uint8Array[] = []
  #length = 0

  take(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length <= maxKept) this.#chunks.push(chunk)
  }

  /** Undefined for a body that was too long. Bytes of its own: a part of a pool would be handed on with all of the pool. */
  get body(): Uint8Array | undefined {
    if (this.#length > maxKept) return undefined
    const body = new Uint8Array(this.#length)
    let at = 0
    for (const chunk of this.#chunks) {
      body.set(chunk, at)
      at += chunk.length
    }
    return body
  }
}

/** Headers that are about one connection (RFC 9110, 7.6.1); the host is that of the other side. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'host'])

const agents = {
  http: new HttpAgent({ keepAlive: true, maxSockets: Infinity }),
  https: new HttpsAgent({ keepAlive: true, maxSockets: Infinity }),
  fresh: { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) },
}

/** Ends the idle connections. */
export function closeAgents(): void {
  agents.http.destroy()
  agents.https.destroy()
}

/**
 * Passes a request on and its answer back, piece by piece, and reports both at the end. If the other side cannot be reached, the answer
 * is a 502; if it breaks off, so does this.
 */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { url, target, host = url.host, onEnd }: Destination & { readonly onEnd: (passed: ForwardedRequest) => void },
): void {
  const method = request.method ?? 'GET'
  const headers = pairsOf(request.rawHeaders)
  const sent = new Kept()
  const ending = new Ending({ request, url, sent, onEnd })
  request.on('data', (chunk: Buffer) => sent.take(chunk))
  const isBare = !hasBody(request)
  let hasContinued = false
  const send = (isAgain: boolean): void => {
    const kept = framed(headers.filter(([name]) => !isOfConnection(name)))
    // Node would send chunks for a request without a length.
    if (isBare && !isSafe(method) && request.headers['content-length'] === undefined) kept.push(['content-length', '0'])
    const isFresh = isAgain || !isBare || !isSafe(method)
    const upstream = opened(url, { target, method, headers: [['host', host], ...kept], isFresh })
    // Node reads some requests that it does not write.
    if (upstream instanceof Error) return ending.refuse(response, upstream.message)
    const hasReached = reaching(upstream, url)
    const leave = () => {
      if (response.writableFinished) return
      upstream.destroy()
      ending.end({ note: 'the client went away' })
    }
    response.once('close', leave)
    // Ends the connection to the other side as this one has ended its own; it may still answer.
    const endOwn = () => {
      if (upstream.writableFinished) upstream.socket?.end()
      else upstream.once('finish', () => upstream.socket?.end())
    }
    if (request.socket.readableEnded) endOwn()
    else request.socket.once('end', endOwn)
    response.once('close', () => request.socket.off('end', endOwn))
    upstream.on('continue', () => {
      hasContinued = true
      response.writeContinue()
    })
    upstream.on('information', (answer) => passHints(answer, response))
    upstream.once('response', (answer) => {
      // A client that waits with an unrequested body may leave it out: the next bytes on the connection are ambiguous.
      if (request.headers.expect !== undefined && !hasContinued && !request.complete) response.shouldKeepAlive = false
      back(answer, response, ending)
    })
    upstream.once('upgrade', (_answer, socket) => {
      socket.destroy()
      ending.breakOff('it switched to another protocol without a request for it')
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      response.off('close', leave)
      if (ending.isOver) return
      // A connection that was kept may have been closed just then: nothing of the request was read.
      if (!isAgain && upstream.reusedSocket && !response.headersSent) return send(true)
      ending.fail(error, response, hasReached())
    })
    if (isBare) upstream.end()
    else {
      request.on('end', () => upstream.addTrailers(pairsOf(request.rawTrailers) as [string, string][]))
      request.pipe(upstream)
    }
  }
  if (isBare) request.resume()
  send(false)
}

/** A client that switches to another protocol: its request, the connection, and the bytes after the request. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/**
 * Passes the request for another protocol on, and every byte after it in both directions. An answer that refuses the protocol goes back
 * like any answer, and ends the connection: bytes after it would pass unseen.
 */
export function passUpgrade(
  { request, socket, head }: Upgrade,
  { url, target, host = url.host }: Destination,
  reported: {
    readonly onOpen: (answer: IncomingMessage, service: Duplex) => void
    readonly onRefusal: (passed: ForwardedRequest) => void
  },
): void {
  const headers = framed(pairsOf(request.rawHeaders).filter(([name]) => name.toLowerCase() !== 'host'))
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  response.once('finish', () => socket.end())
  const ending = new Ending({ request, url, sent: new Kept(), onEnd: reported.onRefusal })
  const upstream = opened(url, { target, method: 'GET', headers: [['host', host], ...headers], isFresh: true })
  if (upstream instanceof Error) return ending.refuse(response, upstream.message)
  const hasReached = reaching(upstream, url)
  socket.on('error', () => upstream.destroy())
  socket.once('close', () => upstream.destroy())
  upstream.once('response', (answer) => back(answer, response, ending))
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (ending.isOver || socket.destroyed) return
    ending.fail(error, response, hasReached())
  })
  upstream.once('upgrade', (answer, service, first) => {
    response.detachSocket(socket as Socket)
    service.on('error', () => socket.destroy())
    service.once('close', () => socket.destroy())
    socket.on('error', () => service.destroy())
    socket.once('close', () => service.destroy())
    const lines = pairsOf(answer.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 101 ${answer.statusMessage ?? ''}\r\n${lines.join('')}\r\n`, 'latin1')
    if (head.length > 0) socket.unshift(head)
    if (first.length > 0) service.unshift(first)
    reported.onOpen(answer, service)
    service.pipe(socket)
    socket.pipe(service)
  })
  upstream.end()
}

/** How one request ends; called once. */
class Ending {
  readonly #request: IncomingMessage
  readonly #url: URL
  readonly #sent: Kept
  readonly #onEnd: (passed: ForwardedRequest) => void
  readonly #startedAt = Date.now()
  isOver = false

  constructor(of: {
    readonly request: IncomingMessage
    readonly url: URL
    readonly sent: Kept
    readonly onEnd: (passed: ForwardedRequest) => void
  }) {
    this.#request = of.request
    this.#url = of.url
    this.#sent = of.sent
    this.#onEnd = of.onEnd
  }

  end(more: Pick<ForwardedRequest, 'answer' | 'note'>): void {
    if (this.isOver) return
    this.isOver = true
    const { method = 'GET', rawHeaders } = this.#request
    // An answer that did not wait for the body ends it for the other side; what would have followed is not known.
    const isWhole = this.#request.complete || !hasBody(this.#request)
    this.#onEnd({
      startedAt: this.#startedAt,
      endedAt: Date.now(),
      url: this.#url.href,
      method,
      headers: pairsOf(rawHeaders),
      body: isWhole ? this.#sent.body : undefined,
      ...more,
    })
  }

  /** The other side gave no whole answer: neither does this one. */
  breakOff(why: string): void {
    const isLeft = this.#request.socket.readableEnded
    this.end({ note: isLeft ? 'the client went away' : `${this.#url.host} broke off without a whole answer: ${why}` })
    this.#request.socket.destroy()
  }

  /**
   * Ends the exchange when the other side failed. An answer other than HTTP passes unchanged: to a sender it may be another failure than
   * no answer. Of an HTTP answer that cannot be read only the head passes.
   */
  fail(error: NodeJS.ErrnoException, response: ServerResponse, hasReached: boolean): void {
    const code = error.code ?? error.message
    if (isUnread(error) && !response.headersSent) {
      this.end({ note: `${this.#url.host} answered with something other than HTTP: ${code}` })
      this.#request.socket.end(withoutRest(error.rawPacket))
    } else if (hasReached || response.headersSent) this.breakOff(code)
    else this.refuse(response, code)
  }

  /** `502`, in the words of the interface. */
  refuse(response: ServerResponse, code: string): void {
    const reason = `${this.#url.host} cannot be reached: ${code}`
    this.end({ note: reason })
    const fix = 'Start the other side, or correct its address.'
    const body = JSON.stringify({ code: 'bad_gateway', message: `conformance: ${reason}`, fix })
    response.writeHead(502, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  }
}

/** Whether Node could not read an answer; its error has the bytes. */
function isUnread(error: NodeJS.ErrnoException): error is NodeJS.ErrnoException & { readonly rawPacket: Uint8Array } {
  return error.code?.startsWith('HPE_') === true && 'rawPacket' in error && error.rawPacket instanceof Uint8Array
}

/** Returns an unreadable answer without the bytes after its head: a client might read them as the answer to its next request. */
function withoutRest(packet: Uint8Array): Uint8Array {
  const bytes = Buffer.from(packet)
  const end = bytes.indexOf('\r\n\r\n')
  return bytes.toString('latin1', 0, 5) === 'HTTP/' && end !== -1 ? bytes.subarray(0, end + 4) : packet
}

/** Early hints go on; what Node would not write as a hint is left out, as any other informational answer is. */
function passHints(answer: { readonly statusCode: number; readonly headers: object }, response: ServerResponse): void {
  if (answer.statusCode !== 103) return
  try {
    response.writeEarlyHints(answer.headers as Record<string, string | string[]>)
  } catch {
    return
  }
}

/** Returns a check of whether a request had a connection to be sent on. */
function reaching(upstream: ClientRequest, { protocol }: URL): () => boolean {
  let hasReached = false
  upstream.once('socket', (socket) => {
    if (upstream.reusedSocket) hasReached = true
    else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => (hasReached = true))
  })
  return () => hasReached
}

/** Passes an answer back. One that HTTP does not allow, such as a status of 0, breaks off. */
function back(answer: IncomingMessage, response: ServerResponse, ending: Ending): void {
  const status = answer.statusCode ?? 0
  const headers = pairsOf(answer.rawHeaders)
  const body = new Kept()
  response.sendDate = false
  // A client of HTTP/1.0 knows no chunks.
  const isOld = response.req.httpVersion === '1.0'
  const passing = framed(
    headers.filter(([name]) => !isOfConnection(name) && !(isOld && name.toLowerCase() === 'transfer-encoding')),
  )
  try {
    response.writeHead(status, answer.statusMessage ?? '', passing.flat() as unknown as string[])
  } catch (error) {
    answer.destroy()
    ending.breakOff(error instanceof Error ? error.message : String(error))
    return
  }
  // Not by flushHeaders: that writes the bytes of a header as UTF-8.
  response.write('', 'latin1')
  answer.on('data', (chunk: Buffer) => body.take(chunk))
  answer.on('end', () => {
    if (answer.rawTrailers.length > 0) response.addTrailers(pairsOf(answer.rawTrailers) as [string, string][])
  })
  answer.on('error', () => {
    ending.end({ note: 'the answer was cut off' })
    // The part that arrived is passed on first.
    if (response.socket === null) response.destroy()
    else response.socket.destroySoon()
  })
  response.once('finish', () => ending.end({ answer: { status, headers, body: body.body } }))
  answer.pipe(response)
}

/** Where a request goes: the address, and the path byte for byte. */
export interface Destination {
  readonly url: URL
  readonly target: string
  /** The header; that of the address where absent. */
  readonly host?: string | undefined
}

interface Opening {
  readonly target: string
  readonly method: string
  readonly headers: HeaderList
  readonly isFresh: boolean
}

/** The request to the other side, or why Node makes none. */
function opened(url: URL, opening: Opening): ClientRequest | Error {
  try {
    return open(url, opening)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function open(url: URL, { target, method, headers, isFresh }: Opening): ClientRequest {
  const isSecure = url.protocol === 'https:'
  const kind = isSecure ? 'https' : 'http'
  return (isSecure ? httpsRequest : httpRequest)({
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : url.port,
    path: target,
    method,
    headers: headers.flat() as unknown as Record<string, string>,
    agent: isFresh ? agents.fresh[kind] : agents[kind],
    maxHeaderSize: largestHead,
  })
}

/** Bytes of the headers of a message; a service may allow more than is usual. */
export const largestHead = 256 * 1024

function isOfConnection(name: string): boolean {
  return ofConnection.has(name.toLowerCase())
}

/** Returns the headers without `Trailer` if the body has no chunks: no trailer can follow it, and Node throws. */
function framed(headers: HeaderList): [string, string][] {
  const isChunked = headers.some(
    ([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value),
  )
  return headers.filter(([name]) => isChunked || name.toLowerCase() !== 'trailer').map(([name, value]) => [name, value])
}

export function pairsOf(raw: readonly string[]): HeaderList {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
