// Counts what a server of this process exchanges, by the channels that node:http and undici speak on.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** What went over the line: requests that were answered and the bytes of both ways, deliveries that were posted and the connections they took. */
export interface Exchanges {
  readonly requests: number
  readonly requestBytes: number
  readonly answerBytes: number
  readonly deliveries: number
  readonly deliveryBytes: number
  readonly deliveryConnections: number
}

/** Begins to count; the returned function returns the counts so far. */
export function countExchanges(): () => Exchanges {
  const sockets = new Set<Socket>()
  let [requests, deliveries, deliveryBytes, deliveryConnections] = [0, 0, 0, 0]
  let [requestBytes, answerBytes] = [0, 0]
  subscribe('http.server.request.start', () => void requests++)
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { readonly socket: Socket }
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      requestBytes += socket.bytesRead
      answerBytes += socket.bytesWritten
    })
  })
  subscribe('undici:request:create', (message) => {
    const { request } = message as {
      readonly request: { readonly contentLength?: number | null; readonly body?: unknown }
    }
    deliveries++
    deliveryBytes += request.contentLength ?? lengthOf(request.body)
  })
  subscribe('undici:client:connected', () => void deliveryConnections++)
  return () => {
    const open = [...sockets]
    return {
      requests,
      requestBytes: open.reduce((sum, socket) => sum + socket.bytesRead, requestBytes),
      answerBytes: open.reduce((sum, socket) => sum + socket.bytesWritten, answerBytes),
      deliveries,
      deliveryBytes,
      deliveryConnections,
    }
  }
}

function lengthOf(body: unknown): number {
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0
}
