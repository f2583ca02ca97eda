import { closeSync, openSync, readSync } from 'node:fs'

const pieceBytes = 1024 * 1024

/**
 * Reads a file of at most `maxBytes`, whatever its reported size: a device or a pipe has none. Throws the system's error, or one with the
 * code `EFBIG`.
 */
export function readAtMost(path: string, maxBytes: number): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const pieces: Buffer[] = []
    for (let length = 0; length <= maxBytes;) {
      const piece = Buffer.allocUnsafe(pieceBytes)
      const read = readSync(descriptor, piece)
      if (read === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, read))
      length += read
    }
    throw Object.assign(new Error(`${path}: more than ${maxBytes} bytes`), { code: 'EFBIG' })
  } finally {
    closeSync(descriptor)
  }
}
