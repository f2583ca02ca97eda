import type { IncomingMessage, Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Duplex } from 'node:stream'

/**
 * Has `onUpgrade` answer requests for a WebSocket. A client that only offers HTTP/2, as that of Java does, is answered as if it did not
 * (RFC 9110, section 7.8).
 */
export function onStreamUpgrade(
  server: Server,
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isStream(request)) onUpgrade(request, socket, head)
    else readAgain(server, request, socket, head)
  })
}

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
