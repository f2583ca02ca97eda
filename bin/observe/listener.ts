import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sinkCertificate, sort, trackSockets, type SinkCertificate } from '../../harness/listening.js'
import { largestHead } from './upstream.js'

export interface ListenerOptions {
  readonly host: string
  readonly port: number
  /** The certificate; one that is made for this process where absent. */
  readonly tls?: Pick<SinkCertificate, 'key' | 'cert'> | undefined
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export interface Listener {
  /** `host:port`, as a URL has it. */
  readonly address: string
  close(): Promise<void>
}

/** Longer than the clients of one that is not here keep a connection. */
const keepAliveMs = 75_000
/** Time that what is under way has to end. */
const lastMs = 300

/** Listens for TLS and plain HTTP on one port. Rejects with the system's error where the port cannot be had. */
export async function listen({ host, port, tls, onRequest, onUpgrade }: ListenerOptions): Promise<Listener> {
  const options = { maxHeaderSize: largestHead, keepAliveTimeout: keepAliveMs, requestTimeout: 0 }
  const secure = createHttpsServer({ ...options, ...(tls ?? (await sinkCertificate())) })
  const plain = createHttpServer(options)
  for (const server of [secure, plain] as readonly Server[]) {
    server.on('request', onRequest)
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (isStream(request)) onUpgrade(request, socket, head)
      else readAgain(server, request, socket, head)
    })
    server.on('clientError', (_error, socket) => socket.destroy())
  }
  const net = createNetServer({ noDelay: true }, (socket: Socket) => sort(socket, { secure, plain }))
  const destroyAll = trackSockets(net)
  await new Promise<void>((resolve, reject) => {
    net.once('error', reject)
    net.listen(port, host, resolve)
  })
  net.on('error', () => {})
  const own = (net.address() as AddressInfo).port
  return {
    address: `${host.includes(':') ? `[${host}]` : host}:${own}`,
    async close() {
      const closed = new Promise((resolve) => net.close(resolve))
      plain.closeIdleConnections()
      secure.closeIdleConnections()
      const timer = setTimeout(destroyAll, lastMs)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Whether a request asks for a WebSocket. Others offer HTTP/2 beside what they ask for, as the client of Java does. */
function isStream({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? '')
}

/** Has a request read once more, without its offer of another protocol, which is about this connection alone. */
function readAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index)
    if (!/^(?:upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  if (/\bclose\b/i.test(request.headers.connection ?? '')) lines.push('connection: close')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit(server instanceof HttpsServer ? 'secureConnection' : 'connection', socket)
}
