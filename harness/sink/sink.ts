import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import { Attempt } from './attempt.js'
import { sinkCertificate } from './certificate.js'
import { Endpoint } from './endpoint.js'
import { trackSockets } from './sockets.js'

/** Longest body the sink takes, in bytes. */
const mostBytes = 4 * 1024 * 1024
/** Time a request may take to be sent whole, in milliseconds: whoever drips it holds no connection for ever. */
const requestMs = 60_000

export interface SinkOptions {
  readonly host: string
  readonly port: number
  /** What deliveries are addressed to; the sink's own origin where absent. */
  readonly publicUrl?: string
  /** Takes plain HTTP beside TLS: a tunnel or proxy in front of the sink may end TLS, or pass it on. */
  readonly takesPlain?: boolean
  /** Names the certificate holds for, beside the usual ones; such as `*.rebind.example.net`. */
  readonly names?: readonly string[]
}

/** A webhook receiver of our own: one port, one path for each endpoint, each attempt answered by script. */
export class Sink {
  readonly #listener: NetServer
  readonly #destroyConnections: () => void
  readonly #endpoints = new Map<string, Endpoint>()
  /** What webhooks are registered under. */
  readonly publicUrl: string
  readonly host: string
  readonly port: number
  /** Connections that were opened, whatever was sent on them. */
  connections = 0

  private constructor(listener: NetServer, servers: readonly Server[], host: string, publicUrl: string | undefined) {
    this.#listener = listener
    this.#destroyConnections = trackSockets(listener)
    this.host = host
    this.port = (listener.address() as AddressInfo).port
    this.publicUrl = publicUrl ?? `https://${host.includes(':') ? `[${host}]` : host}:${this.port}`
    listener.on('connection', () => this.connections++)
    for (const server of servers) server.on('request', (request, response) => void this.#receive(request, response))
  }

  /** Starts a sink. Rejects with the system's error when the port cannot be had. */
  static async start(options: SinkOptions): Promise<Sink> {
    const secure = createHttpsServer(await sinkCertificate(options.names))
    const plain = options.takesPlain === true ? createHttpServer() : undefined
    const servers: readonly Server[] = plain === undefined ? [secure] : [secure, plain]
    for (const server of servers) {
      server.keepAliveTimeout = 30_000
      server.requestTimeout = requestMs
    }
    const listener = plain === undefined ? secure : createNetServer((socket) => sort(socket, { secure, plain }))
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(options.port, options.host, resolve)
    })
    listener.on('error', () => {})
    return new Sink(listener, servers, options.host, options.publicUrl)
  }

  /** A new endpoint; `path` must be unique to this run. With `hostname` its URL has this name in place of the sink's. */
  endpoint(path: string, hostname?: string): Endpoint {
    const url = new URL(this.publicUrl)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    if (hostname !== undefined) url.hostname = hostname
    const endpoint = new Endpoint(url.href, url.pathname, hostname !== undefined)
    this.#endpoints.set(path, endpoint)
    return endpoint
  }

  /** Forgets an endpoint; what still arrives for it is answered with 410. */
  forget(endpoint: Endpoint): void {
    endpoint.stop()
    for (const [path, each] of this.#endpoints) if (each === endpoint) this.#endpoints.delete(path)
  }

  async close(): Promise<void> {
    for (const endpoint of this.#endpoints.values()) endpoint.stop()
    this.#destroyConnections()
    await new Promise((resolve) => this.#listener.close(resolve))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const body = await readBody(request)
    if (body === undefined) return
    const path = (request.url ?? '').split('?')[0] ?? ''
    const endpoint = path
      .split('/')
      .map((segment) => this.#endpoints.get(segment))
      .find((each) => each !== undefined)
    if (endpoint === undefined) {
      response.writeHead(410, { connection: 'close' }).end()
      return
    }
    endpoint.receive(Attempt.received(request, { response, body, closes: endpoint.closes }))
  }
}

/** First byte of every TLS connection: the type of a handshake record. */
const tlsHandshake = 0x16

/** Hands a connection to the server that speaks what its first byte begins. */
function sort(socket: Socket, { secure, plain }: { readonly secure: Server; readonly plain: Server }): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (first) => {
    socket.pause()
    socket.unshift(first)
    ;(first[0] === tlsHandshake ? secure : plain).emit('connection', socket)
    process.nextTick(() => socket.resume())
  })
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > mostBytes) return void request.destroy()
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks)
}
