import type { IncomingMessage } from 'node:http'

/**
 * Reads the body of an incoming request; undefined if it breaks off, or is longer than `maxBytes`, which ends its connection. `onLength`
 * receives the number of bytes so far.
 */
export async function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  onLength: (length: number) => void = () => {},
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      length += chunk.length
      onLength(length)
      if (length > maxBytes) return void request.destroy()
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks)
}
