import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/** The place of the three digits of the status in `HTTP/1.1 100 Continue`. */
const statusAt = 9
const endOfHead = '\r\n\r\n'

/**
 * Makes undici accept an unexpected 100, as clients must (RFC 9110, 15.2 and 15.2.1); by itself it closes the connection. It accepts any
 * other interim answer, so a 100 reaches it as a 102, which is recorded nowhere.
 */
export function acceptContinue(connect: buildConnector.connector): buildConnector.connector {
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

/** Renames 100 to 102 in the interim answers at the start of a chunk; the answer itself follows them. */
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
