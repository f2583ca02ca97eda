/** Bytes of a line at most: the longest curated vector has less than half of that. */
const longestLine = 2 * 1024 * 1024
const newline = 0x0a

/** A line that no vector has. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'

  constructor() {
    super(`the line has more than ${longestLine} bytes: not a file of signature vectors`)
  }
}

/** The lines of a file, one by one, in bounded memory. Throws {@link LineTooLong}. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8')
      parts = []
      length = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > longestLine) throw new LineTooLong()
  }
  if (length > 0) yield Buffer.concat(parts).toString('utf8')
}
