import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createListener, type AddressInfo, type Server as Listener } from 'node:net'
import { Waiters } from '../waiters.js'
import { trackSockets } from '../sink/sockets.js'
import type { Evidence } from '../wire/evidence.js'
import { bodyOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { readRequestBody } from '../wire/request-body.js'
import { json, writeReply, type Reply } from './reply.js'

/** One request of the client, as the server received it. */
export interface ReceivedRequest {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** By lower-case name; the values of several lines are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The body as JSON; undefined when it is invalid. */
  readonly json: unknown
  /** When it was complete, in milliseconds of a monotonic clock. */
  readonly arrivedAt: number
  /** When its answer was handed to the system, in the same clock; undefined when it was not answered. */
  answeredAt: number | undefined
}

/** What a call is known by, when several are under way at once: the first reply of its script goes to its first request. */
export type Script = (request: ReceivedRequest, number: number) => Reply

/** Longest body that is read, in bytes, and requests one case takes: no client sends as much. */
const maxBytes = 4 * 1024 * 1024
const maxRequests = 10_000
/** Requests of one call: far beyond any number of retries. */
const maxOfCall = 200
const endless = json(400, {
  code: 'endless_call',
  message: `The call was ended by the conformance kit: it made more than ${maxOfCall} requests, and went on.`,
  fix: 'Make one request for a call, and the retries that the options allow.',
})
const allowed = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*, authorization',
} as const

/** An API that answers by script: no rule of its own, so that only the client is judged. */
export class ScriptedServer {
  readonly requests: ReceivedRequest[] = []
  readonly #server: Server
  #url: string
  readonly #destroyConnections: () => void
  readonly #evidence: Evidence
  #script: Script = () => json(200, { id: 'em_1' })
  #keepsConnections = false
  readonly #waiters = new Waiters()
  #callsUnderWay = 0
  /** After this many requests each later one is refused. */
  #refusesFrom = maxRequests

  private constructor(server: Server, evidence: Evidence) {
    this.#server = server
    this.#url = urlOfServer(server)
    this.#destroyConnections = trackSockets(server)
    this.#evidence = evidence
    server.on('request', (request, response) => void this.#receive(request, response))
  }

  static async start(evidence: Evidence): Promise<ScriptedServer> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    await listening(server)
    return new ScriptedServer(server, evidence)
  }

  /** Moves to a port that ends in `digit`, where one is found; no request may be under way. */
  async movedToPortEndingIn(digit: number): Promise<string> {
    for (let tries = 0; tries < 100 && portOf(this.#server) % 10 !== digit; tries++) {
      this.#destroyConnections()
      await new Promise((resolve) => this.#server.close(resolve))
      await listening(this.#server)
    }
    this.#url = urlOfServer(this.#server)
    return this.#url
  }

  /** Where it listens, or listened until it was closed. */
  get url(): string {
    return this.#url
  }

  /** The first request from now on gets the first reply, and so on; the last reply stays. */
  replies(...replies: readonly [Reply, ...Reply[]]): void {
    const base = this.requests.length
    this.#script = (_request, number) => replies[Math.min(number - base, replies.length) - 1] ?? json(200, {})
  }

  /** Sets the answers to requests; `number` counts from 1. */
  script(script: Script): void {
    this.#script = script
  }

  /**
   * Lets connections stay open after an answer. By default each answer ends its connection: on a kept one, many HTTP libraries repeat a
   * reset request silently on another connection (RFC 9112, 9.3.1).
   */
  keepsConnections(): void {
    this.#keepsConnections = true
  }

  /**
   * Begins a call; the returned function ends it. A call that makes request upon request, for example for endless pages, is refused in the
   * end: it would last for ever. `mayPoll`: it waits for something, and may poll without limit.
   */
  callBegins(mayPoll: boolean): () => void {
    if (this.#callsUnderWay === 0) this.#refusesFrom = this.requests.length
    this.#callsUnderWay++
    this.#refusesFrom += mayPoll ? maxRequests : maxOfCall
    return () => void this.#callsUnderWay--
  }

  /** Runs `use` with the address of a listener that accepts connections and sends nothing, not even the answer to a TLS handshake. */
  async whereNobodySpeaks<T>(use: (address: string) => Promise<T>): Promise<T> {
    const listener = createListener()
    const destroyConnections = trackSockets(listener)
    await listening(listener)
    try {
      return await use(urlOfServer(listener))
    } finally {
      destroyConnections()
      listener.close()
    }
  }

  /** Resolves to whether this many requests arrived within `withinMs`. */
  request(count: number, withinMs: number): Promise<boolean> {
    return this.#waiters.until(() => this.requests.length >= count, withinMs)
  }

  async close(): Promise<void> {
    this.#destroyConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** What a script cannot read is not worth the run: a request it fails on is left without an answer. */
  #replyTo(request: ReceivedRequest): Reply {
    if (this.requests.length > this.#refusesFrom) return endless
    try {
      return this.#script(request, this.requests.length)
    } catch {
      return { kind: 'reset' }
    }
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const body = await readRequestBody(request, maxBytes)
    if (body === undefined) return
    if (this.requests.length >= maxRequests) return void request.destroy()
    // The interface has no such method: a health check, or a preflight of a runtime. Neither is an attempt.
    if (request.method === 'HEAD' || request.method === 'OPTIONS') return void response.writeHead(204, allowed).end()
    const url = urlOf(request.url ?? '/', this.url)
    const heard: ReceivedRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: joined(request.headersDistinct),
      body: body.toString('utf8'),
      json: parseJson(body.toString('utf8')),
      arrivedAt: performance.now(),
      answeredAt: undefined,
    }
    this.requests.push(heard)
    const reply = this.#replyTo(heard)
    response.shouldKeepAlive &&= this.#keepsConnections
    this.#evidence.add({
      direction: 'received',
      kind: 'api',
      request: {
        method: heard.method,
        url: url.href,
        headers: heard.headers as Record<string, string>,
        ...bodyOf(body),
      },
      ...('status' in reply
        ? {
            response: {
              status: reply.status,
              headers: {},
              ...('body' in reply ? { body: JSON.stringify(reply.body) } : {}),
            },
          }
        : {}),
      started_at: new Date().toISOString(),
      duration_ms: 0,
      note: reply.kind,
    })
    heard.answeredAt = reply.kind === 'hang' ? undefined : performance.now()
    writeReply(response, reply)
    this.#waiters.wake()
  }
}

/** Joins the lines of each header: Node keeps only the first of some headers. */
function joined(lines: NodeJS.Dict<string[]>): ReceivedRequest['headers'] {
  return Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values?.join(', ')]))
}

/** The URL of a request line; a path that starts with two slashes is a path, not another host. */
function urlOf(target: string, origin: string): URL {
  const text = target.startsWith('/') ? `${origin}${target}` : target
  return URL.canParse(text) ? new URL(text) : new URL('/unreadable', origin)
}

async function listening(server: Listener): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function portOf(server: Listener): number {
  return (server.address() as AddressInfo).port
}

function urlOfServer(server: Listener): string {
  return `http://127.0.0.1:${portOf(server)}`
}
