import type { IncomingMessage } from 'node:http'

/**
 * The raw body of a request, never decoded. A body of more than `maxBytes` is not kept: what follows is read and thrown
 * away up to as much again, so that the sender gets to read its answer.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too large' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve('too large')
        if (length > 2 * maxBytes) request.pause()
      }
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', () => resolve('gone'))
    request.once('close', () => resolve('gone'))
  })
}
