import type { Writable } from 'node:stream'

/** Bytes written at a time. */
const chunkBytes = 64 * 1024

/** Writes texts one after the other, as fast as the output accepts them. */
export async function writeAll(output: Writable, parts: Iterable<string>): Promise<void> {
  let pending = ''
  for (const part of parts) {
    pending += part
    if (pending.length < chunkBytes) continue
    if (!output.write(pending)) await drained(output)
    pending = ''
  }
  if (pending !== '' && !output.write(pending)) await drained(output)
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(error)
    output.once('error', onError)
    output.once('drain', () => {
      output.off('error', onError)
      resolve()
    })
  })
}
