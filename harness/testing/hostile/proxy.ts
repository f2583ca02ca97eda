import { EventEmitter } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Behaviour } from './behaviours.js'
import { upgradeAnswer } from './stream-behaviours.js'

export interface HostileOptions {
  /** Answers the requests that `isVictim` names. */
  readonly behaviour?: Behaviour
  readonly isVictim?: (request: { readonly method: string; readonly path: string }) => boolean
  /** Answers before the body has arrived, and never reads it. */
  readonly isEarly?: boolean
  /** Takes every WebSocket upgrade and misuses it. */
  readonly stream?: (socket: Socket) => void
  /** Origin all else goes to; without one all else is a 404. */
  readonly upstream?: string
}

export interface Hostile {
  readonly url: string
  /** Resolves once `count` requests have arrived, upgrades included. */
  asked(count: number): Promise<void>
  /** Resolves once an upgrade was requested, before it is answered. */
  streamRequested(): Promise<void>
  /** Bytes it sent so far. */
  bytes(): number
  close(): Promise<void>
}

/** A service that answers some requests badly and hands the others to a good one. */
export async function startHostile(options: HostileOptions): Promise<Hostile> {
  const { behaviour, isVictim = () => true, stream, upstream } = options
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const upgrades = new EventEmitter()
  let count = 0
  let sentBefore = 0
  const server = createServer({ keepAliveTimeout: 30_000 })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      sentBefore += socket.bytesWritten
    })
  })
  const counted = () => {
    count++
    for (const wake of waiting) wake()
  }
  server.on('request', (request, response) => {
    counted()
    response.on('error', () => {})
    const { method = '', url: path = '' } = request
    if (behaviour !== undefined && isVictim({ method, path })) {
      if (options.isEarly === true) {
        request.pause()
        request.socket.pause()
        behaviour({ socket: request.socket, method, path, rawHeaders: request.rawHeaders, body: '' })
        return
      }
      void bodyOf(request).then((body) =>
        behaviour({ socket: request.socket, method, path, rawHeaders: request.rawHeaders, body }),
      )
      return
    }
    if (upstream === undefined) return void response.writeHead(404).end()
    const forward = httpRequest(new URL(path, upstream), { method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    forward.on('error', () => response.destroy())
    request.pipe(forward)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    counted()
    upgrades.emit('asked')
    if (stream !== undefined) {
      socket.write(upgradeAnswer(request.headers['sec-websocket-key']))
      stream(socket)
      return
    }
    if (upstream === undefined) return void socket.destroy()
    const { hostname, port } = new URL(upstream)
    const forward = connect(Number(port), hostname, () => {
      const headers = request.rawHeaders.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('')
      forward.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers}\r\n`)
      forward.write(head)
      forward.pipe(socket).pipe(forward)
    })
    sockets.add(forward)
    forward.on('error', () => socket.destroy())
    forward.once('close', () => socket.destroy())
    socket.once('close', () => forward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sentBefore),
    asked: (wanted) =>
      new Promise((resolve) => {
        const wake = () => {
          if (count < wanted) return
          waiting.delete(wake)
          resolve()
        }
        waiting.add(wake)
        wake()
      }),
    streamRequested: () => new Promise((resolve) => upgrades.once('asked', resolve)),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
  } catch {
    // The received part is enough.
  }
  return Buffer.concat(chunks).toString('utf8')
}
