import { createReadStream } from 'node:fs'

/** Bytes read at once. */
const chunkBytes = 128 * 1024

/** A file that is gone through once, and whose start is looked at before: what a pipe has given it does not give again. */
export interface FileReadOnce {
  /** So many bytes or more; all of a shorter file. */
  readonly start: Buffer
  /** The whole file, its start too. */
  readonly chunks: AsyncIterable<Buffer>
}

/** Opens a file and reads its first `startBytes` bytes. Rejects with the system's error. */
export async function readOnce(path: string, startBytes: number): Promise<FileReadOnce> {
  const stream = createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>
  const rest = stream[Symbol.asyncIterator]()
  const first: Buffer[] = []
  for (let length = 0; length < startBytes;) {
    const { done, value } = await rest.next()
    if (done === true) break
    first.push(value)
    length += value.length
  }
  async function* chunks(): AsyncGenerator<Buffer> {
    yield* first
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { start: Buffer.concat(first), chunks: chunks() }
}

/** Returns all bytes; undefined if there are more than `maxBytes`, whatever size the system reports. */
export async function wholeOf(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> {
  const read: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    length += chunk.length
    if (length > maxBytes) return undefined
  }
  return Buffer.concat(read)
}
