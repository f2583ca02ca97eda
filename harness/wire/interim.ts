import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/** Where the three digits of the status stand in `HTTP/1.1 100 Continue`. */
const statusAt = 9
const endOfHead = '\r\n\r\n'

/**
 * A server may send a 100 that nobody asked for, and who gets it goes on (RFC 9110, 15.2 and 15.2.1); undici closes the
 * connection. It goes on after any other interim answer, so that a 100 reaches it as a 102, which is kept nowhere.
 */
export function hearingContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      return callback(null, renamingContinue(socket))
    })
}

function renamingContinue<Connection extends Socket>(socket: Connection): Connection {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (chunk instanceof Buffer) renameContinue(chunk)
    return chunk
  }
  return socket
}

/** Looks at the interim answers that a chunk begins with: what stands behind them is the answer. */
function renameContinue(chunk: Buffer): void {
  for (let start = 0; isInterim(chunk, start); start = chunk.indexOf(endOfHead, start) + endOfHead.length) {
    const isContinue = chunk.toString('latin1', start + statusAt, start + statusAt + 3) === '100'
    if (isContinue) chunk[start + statusAt + 2] = 0x32
    if (!chunk.includes(endOfHead, start)) return
  }
}

function isInterim(chunk: Buffer, start: number): boolean {
  return chunk[start + statusAt] === 0x31 && chunk.toString('latin1', start, start + 7) === 'HTTP/1.'
}
