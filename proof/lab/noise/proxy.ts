import {
  Agent,
  createServer,
  request as httpRequest,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isApi, type NoisyRequest, type Noise, type Reply, type Upstream } from './noise.js'

export interface Proxy {
  readonly url: string
  close(): Promise<void>
}

/** Headers that belong to one connection, or that are written again. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade'])

/** Proxies a service on loopback and disturbs its API with `noise`; its control interface passes unchanged. */
export async function startProxy(upstream: Upstream, noise: Noise): Promise<Proxy> {
  const { hostname, port } = new URL(upstream.url)
  const agent = new Agent({ keepAlive: true })
  const sockets = new Map<Duplex, number>()
  let connections = 0
  const server = createServer({ keepAliveTimeout: 30_000 })
  if (noise.maxRequests !== undefined) server.maxRequestsPerSocket = noise.maxRequests

  const noisyRequest = (request: IncomingMessage, body: Buffer, isUpgrade: boolean): NoisyRequest => ({
    method: request.method ?? '',
    path: request.url ?? '/',
    headers: request.headers,
    body,
    isUpgrade,
    connection: sockets.get(request.socket) ?? 0,
  })

  async function pass(about: NoisyRequest): Promise<Reply> {
    const headers = Object.fromEntries(Object.entries(about.headers).filter(([name]) => !ofConnection.has(name)))
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host: hostname,
          port,
          agent,
          method: about.method,
          path: about.path,
          headers: { ...headers, 'content-length': about.body.length },
        },
        (response) => {
          const answered = Object.entries(response.headers).filter(([name]) => !ofConnection.has(name))
          const single = answered.map(([name, value]) => [name, String(value)] as const)
          readAll(response).then(
            (body) => resolve({ status: response.statusCode ?? 502, headers: Object.fromEntries(single), body }),
            reject,
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(about.body)
    })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const about = noisyRequest(request, await readAll(request), false)
    const instead = isApi(about) ? noise.instead?.(about) : undefined
    if (instead === 'reset') {
      request.socket.resetAndDestroy()
      return
    }
    const waits = isApi(about) && instead === undefined ? (noise.delayMs?.(about) ?? 0) : 0
    const passed = instead ?? (await pass(about))
    const reply = instead === undefined ? ((await noise.after?.(about, passed)) ?? passed) : passed
    if (waits > 0) await pause(waits)
    if (noise.isOld === true) writeOld(request.socket, reply)
    else if (!response.destroyed) {
      const hasBody = reply.status !== 204 && reply.status !== 304
      response.writeHead(reply.status, {
        ...reply.headers,
        ...(hasBody ? { 'content-length': reply.body.length } : {}),
      })
      response.end(reply.body)
    }
  }

  server.on('connection', (socket: Socket) => {
    const connection = connections++
    sockets.set(socket, connection)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      noise.connectionClosed?.(connection)
    })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void openStream({ about: noisyRequest(request, Buffer.alloc(0), true), request, socket, head }, noise, {
      host: hostname,
      port: Number(port),
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      noise.close?.()
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets.keys()) socket.destroy()
      agent.destroy()
      await closed
    },
  }
}

interface Upgrade {
  readonly about: NoisyRequest
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
}

/** Passes an upgrade on as it is, and every byte after it. */
async function openStream(
  { about, request, socket, head }: Upgrade,
  noise: Noise,
  to: { readonly host: string; readonly port: number },
): Promise<void> {
  const instead = noise.instead?.(about)
  if (instead === 'reset') {
    socket.resetAndDestroy()
    return
  }
  if (instead !== undefined) {
    writeOld(socket, instead)
    return
  }
  const waits = noise.delayMs?.(about) ?? 0
  if (waits > 0) await pause(waits)
  const ended = noise.streamOpened?.(about)
  const service = connect(to)
  service.on('error', () => socket.destroy())
  service.on('close', () => socket.destroy())
  socket.on('close', () => {
    service.destroy()
    ended?.()
  })
  const lines = request.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ''}`] : [],
  )
  service.write(`${[`GET ${about.path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  service.write(head)
  service.pipe(socket)
  socket.pipe(service)
}

/** An answer by hand, after which the connection ends. */
function writeOld(socket: Socket, { status, headers, body }: Reply): void {
  const lines = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' })
  const head = [
    `HTTP/1.0 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.end(body)
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
