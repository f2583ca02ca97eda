// A request as a sniffer, a log or a person wrote it down.

export interface RawRequest {
  /** Names as written, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** The decodings that led to the body. */
  readonly notes: readonly string[]
}

/** An invalid request, or invalid headers; the message contains the place. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Reads a request line and header lines, an empty line, and the body unchanged, except that chunked framing is removed. */
export function readRequest(bytes: Uint8Array): RawRequest {
  const buffer = Buffer.from(bytes)
  const start = buffer.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  const end = /\r?\n\r?\n/.exec(buffer.toString('latin1', start))
  const head = buffer.toString('latin1', start, end === null ? buffer.length : start + end.index)
  const rest = end === null ? Buffer.alloc(0) : buffer.subarray(start + end.index + end[0].length)
  if (head.trim() === '') throw new UnreadableRequest('is empty: a request line, header lines, an empty line, a body')
  if (/^HTTP\//.test(head)) throw new UnreadableRequest('is an answer, not a request')
  const headers = readHeaderLines(head)
  const coding = valuesOf(headers, 'transfer-encoding').join(',').toLowerCase()
  if (!/(?:^|[\s,])chunked\s*$/.test(coding)) return { headers, body: rest, notes: [] }
  const whole = unchunked(rest)
  if (whole !== undefined) return { headers, body: whole, notes: ['the chunked framing of the body was undone'] }
  const note = 'Transfer-Encoding is chunked, but the body has no such framing, or was cut off: it is used unchanged'
  return { headers, body: rest, notes: [note] }
}

/** Raw header lines, or one JSON object of names and values. */
export function readHeaders(text: string): RawRequest['headers'] {
  const plain = text.replace(/^\ufeff/, '')
  if (plain.trim() === '') throw new UnreadableRequest('is empty: expected header lines or a JSON object')
  return /^\s*[{[]/.test(plain) ? readHeaderObject(plain) : readHeaderLines(plain)
}

function readHeaderObject(text: string): RawRequest['headers'] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UnreadableRequest(`is not JSON (${error instanceof Error ? error.message.replace(/,? ?".*/s, '') : ''})`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableRequest('contains no JSON object of header names and values')
  return Object.entries(value).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((text) => {
      if (typeof text !== 'string' && typeof text !== 'number')
        throw new UnreadableRequest(`the value of ${JSON.stringify(name)} is not a string`)
      return [name, String(text).trim()] as const
    }),
  )
}

/** Reads header lines; skips a request line before them, and joins folded lines. */
function readHeaderLines(text: string): RawRequest['headers'] {
  const headers: [string, string][] = []
  // `curl -v` marks what it sends.
  const lines = text.split(/\r?\n/)
  const isMarked = lines.every((line) => line.startsWith('> ') || line.trim() === '' || line === '>')
  for (const [index, marked] of lines.entries()) {
    const line = isMarked ? marked.slice(2) : marked
    const last = headers.at(-1)
    if (line.trim() === '') {
      if (headers.length > 0) break
      continue
    }
    if (/^[A-Za-z]+ \S+( HTTP\/[\d.]+)?$/.test(line) && last === undefined) continue
    if (/^[ \t]/.test(line) && last !== undefined) {
      last[1] = `${last[1]} ${line.trim()}`
      continue
    }
    const colon = line.indexOf(':', line.startsWith(':') ? 1 : 0)
    const name = line.slice(0, Math.max(colon, 0)).trim()
    // Pseudo headers of HTTP/2, as a sniffer shows them.
    if (/^:[a-z]+$/.test(name)) continue
    if (!token.test(name)) throw new UnreadableRequest(`line ${index + 1} is neither a request line nor a header`)
    headers.push([name, line.slice(colon + 1).trim()])
  }
  if (headers.length === 0) throw new UnreadableRequest('contains no header')
  return headers
}

/** The values of a header, whatever its case, one for each line. */
export function valuesOf(headers: RawRequest['headers'], name: string): string[] {
  return headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value)
}

/** The bytes that a chunked body carries (RFC 9112, 7.1); undefined where it is not framed so. */
export function unchunked(bytes: Uint8Array): Uint8Array | undefined {
  const buffer = Buffer.from(bytes)
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const end = buffer.indexOf('\n', at)
    const line = end === -1 ? '' : buffer.toString('latin1', at, end)
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?$/i.exec(line)?.[1]
    if (size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(chunks)
    const chunk = buffer.subarray(end + 1, end + 1 + length)
    if (chunk.length < length) return undefined
    chunks.push(chunk)
    at = end + 1 + length
    if (buffer[at] === 0x0d) at++
    if (buffer[at] !== 0x0a) return undefined
    at++
  }
}
