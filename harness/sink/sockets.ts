import type { Server, Socket } from 'node:net'

/**
 * Remembers every connection of a server, those in the middle of a TLS handshake too, and returns what destroys them: a
 * stranger who keeps one open must not keep the server from closing.
 */
export function trackSockets(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) socket.destroy()
  }
}
