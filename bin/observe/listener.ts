import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sinkCertificate, sort, trackSockets, type SinkCertificate } from '../../harness/webhook-sink.js'
import { onStreamUpgrade } from '../../reference/server/stream-upgrades.js'
import { addressText } from '../cli/listening.js'
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
/** Time that requests under way have to end. */
const lastMs = 300

/** Listens for TLS and plain HTTP on one port. Rejects with the system's error where the port cannot be had. */
export async function listen({ host, port, tls, onRequest, onUpgrade }: ListenerOptions): Promise<Listener> {
  const options = { maxHeaderSize: largestHead, keepAliveTimeout: keepAliveMs, requestTimeout: 0 }
  const secure = createHttpsServer({ ...options, ...(tls ?? (await sinkCertificate())) })
  const plain = createHttpServer(options)
  for (const server of [secure, plain] as readonly Server[]) {
    // A client that has ended its side may still wait for an answer: the other side decides whether it gets one.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('request', onRequest)
    // The other side decides whether it wants the body of a request.
    server.on('checkContinue', onRequest)
    onStreamUpgrade(server, onUpgrade)
    server.on('clientError', (_error, socket) => {
      if (socket.writable && (socket as Socket).bytesWritten === 0)
        socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', () => socket.destroy())
      else socket.destroy()
    })
  }
  const net = createNetServer({ noDelay: true, allowHalfOpen: true }, (socket: Socket) => {
    socket.once('end', () => {
      if (socket.bytesRead === 0) socket.end()
    })
    sort(socket, { secure, plain })
  })
  const destroyAll = trackSockets(net)
  await new Promise<void>((resolve, reject) => {
    net.once('error', reject)
    net.listen(port, host, resolve)
  })
  net.on('error', () => {})
  const own = (net.address() as AddressInfo).port
  return {
    address: addressText({ host, port: own }),
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
