import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { HeaderList } from '../../harness/observe/record.js'
import type { Passed } from './passed.js'

/** Bytes of a body that are judged; what is longer passes all the same. */
const mostKept = 4 * 1024 * 1024

/** A body as it passes: a copy of what is judged of it. */
class Kept {
  readonly #chunks: Uint8Array[] = []
  #length = 0

  take(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length <= mostKept) this.#chunks.push(chunk)
  }

  /** Undefined for a body that was too long. Bytes of its own: a part of a pool would be handed on with all of the pool. */
  get body(): Uint8Array | undefined {
    if (this.#length > mostKept) return undefined
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

/** Ends the connections that wait for further requests. */
export function closeAgents(): void {
  agents.http.destroy()
  agents.https.destroy()
}

/**
 * Passes a request on and its answer back, as they come; tells what passed when it is over. Where the other side cannot
 * be reached the answer is a 502; where it breaks off, so does this.
 */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { url, target, host = url.host, onEnd }: Destination & { readonly onEnd: (passed: Passed) => void },
): void {
  const startedAt = Date.now()
  const method = request.method ?? 'GET'
  const headers = pairsOf(request.rawHeaders)
  const sent = new Kept()
  let isOver = false
  const end = (more: Pick<Passed, 'answer' | 'note'>) => {
    if (isOver) return
    isOver = true
    onEnd({ startedAt, endedAt: Date.now(), url: url.href, method, headers, body: sent.body, ...more })
  }
  request.on('data', (chunk: Buffer) => sent.take(chunk))
  const isBare = !hasBody(request)
  const ask = (isAgain: boolean): void => {
    const upstream = open(url, { target, host, method, headers, isFresh: isAgain || !isBare || !isSafe(method) })
    const hasReached = reaching(upstream, url)
    const leave = () => {
      if (response.writableFinished) return
      upstream.destroy()
      end({ note: 'the client went away' })
    }
    response.once('close', leave)
    upstream.on('information', ({ statusCode, headers: hints }) => {
      if (statusCode === 103) response.writeEarlyHints(hints as Record<string, string | string[]>)
    })
    upstream.once('response', (answer) => back(answer, response, end))
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      response.off('close', leave)
      if (isOver) return
      // A connection that was kept may have been closed just then: nothing of the request was read.
      if (!isAgain && upstream.reusedSocket && !response.headersSent) return ask(true)
      const code = error.code ?? error.message
      if (hasReached() || response.headersSent) {
        end({ note: `${url.host} broke off without a whole answer: ${code}` })
        request.socket.destroy()
        return
      }
      const reason = `${url.host} cannot be reached: ${code}`
      end({ note: reason })
      refuse(response, reason)
    })
    if (isBare) upstream.end()
    else request.pipe(upstream)
  }
  if (isBare) request.resume()
  ask(false)
}

/** Tells whether a request had a connection to be sent on. */
function reaching(upstream: ClientRequest, { protocol }: URL): () => boolean {
  let hasReached = false
  upstream.once('socket', (socket) => {
    if (upstream.reusedSocket) hasReached = true
    else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => (hasReached = true))
  })
  return () => hasReached
}

/** Passes an answer back. */
function back(
  answer: IncomingMessage,
  response: ServerResponse,
  end: (more: Pick<Passed, 'answer' | 'note'>) => void,
): void {
  const status = answer.statusCode ?? 0
  const headers = pairsOf(answer.rawHeaders)
  const body = new Kept()
  response.sendDate = false
  const passing = headers.filter(([name]) => !isOfConnection(name))
  response.writeHead(status, answer.statusMessage ?? '', passing.flat() as unknown as string[])
  response.flushHeaders()
  answer.on('data', (chunk: Buffer) => body.take(chunk))
  answer.on('end', () => {
    if (answer.rawTrailers.length > 0) response.addTrailers(pairsOf(answer.rawTrailers) as [string, string][])
  })
  answer.on('error', () => {
    end({ note: 'the answer was cut off' })
    response.destroy()
  })
  response.once('finish', () => end({ answer: { status, headers, body: body.body } }))
  answer.pipe(response)
}

/** Where a request goes: the address, and the path exactly as it came. */
export interface Destination {
  readonly url: URL
  readonly target: string
  /** The header; that of the address where absent. */
  readonly host?: string | undefined
}

/** `502`, in the words of the interface. */
function refuse(response: ServerResponse, reason: string): void {
  const fix = 'Start the other side, or correct its address.'
  const body = JSON.stringify({ code: 'bad_gateway', message: `conformance observe: ${reason}`, fix })
  response.writeHead(502, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function open(
  url: URL,
  {
    target,
    host,
    method,
    headers,
    isFresh,
  }: {
    readonly target: string
    readonly host: string
    readonly method: string
    readonly headers: HeaderList
    readonly isFresh: boolean
  },
): ClientRequest {
  const isSecure = url.protocol === 'https:'
  const kept = headers.filter(([name]) => !isOfConnection(name))
  const kind = isSecure ? 'https' : 'http'
  return (isSecure ? httpsRequest : httpRequest)({
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : url.port,
    path: target,
    method,
    headers: [['host', host], ...kept].flat() as unknown as Record<string, string>,
    agent: isFresh ? agents.fresh[kind] : agents[kind],
    maxHeaderSize: largestHead,
  })
}

/** Bytes of the headers of a message; a service may allow more than is usual. */
export const largestHead = 256 * 1024

function isOfConnection(name: string): boolean {
  return ofConnection.has(name.toLowerCase())
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
