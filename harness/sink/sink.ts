import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Attempt } from './attempt.js'
import { sinkCertificate } from './certificate.js'
import { Endpoint } from './endpoint.js'

/** Longest body the sink takes, in bytes. */
const mostBytes = 16 * 1024 * 1024

export interface SinkOptions {
  readonly host: string
  readonly port: number
  /** What deliveries are addressed to; the sink's own origin where absent. */
  readonly publicUrl?: string
  /** Plain HTTP: something in front of the sink ends TLS. */
  readonly plain?: boolean
}

/** A webhook receiver of our own: one port, one path for each endpoint, each attempt answered by script. */
export class Sink {
  readonly #server: Server
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #publicUrl: string
  readonly host: string
  readonly port: number
  /** Connections that were opened, whatever was sent on them. */
  connections = 0

  private constructor(server: Server, host: string, port: number, publicUrl: string) {
    this.#server = server
    this.host = host
    this.port = port
    this.#publicUrl = publicUrl
    server.on('connection', () => this.connections++)
    server.on('request', (request, response) => void this.#receive(request, response))
  }

  /** Starts a sink. Rejects with the system's error when the port cannot be had. */
  static async start(options: SinkOptions): Promise<Sink> {
    const server = options.plain === true ? createHttpServer() : createHttpsServer(await sinkCertificate())
    server.keepAliveTimeout = 30_000
    server.requestTimeout = 0
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port, options.host, resolve)
    })
    server.on('error', () => {})
    const { port } = server.address() as AddressInfo
    const scheme = options.plain === true ? 'http' : 'https'
    const host = options.host.includes(':') ? `[${options.host}]` : options.host
    return new Sink(server, options.host, port, options.publicUrl ?? `${scheme}://${host}:${port}`)
  }

  /** A new endpoint; `path` must be unique to this run. With `hostname` its URL has this name in place of the sink's. */
  endpoint(path: string, hostname?: string): Endpoint {
    const url = new URL(this.#publicUrl)
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
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const body = await readBody(request)
    if (body === undefined) return
    const path = (request.url ?? '').split('?')[0] ?? ''
    const endpoint = this.#endpoints.get(path.slice(path.lastIndexOf('/') + 1))
    if (endpoint === undefined) {
      response.writeHead(410, { connection: 'close' }).end()
      return
    }
    endpoint.receive(new Attempt(request, response, body, endpoint.closes))
  }
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
