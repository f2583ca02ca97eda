import { StringDecoder } from 'node:string_decoder'
import { memberOf } from '../wire/exchange.js'
import { asText, parseJson } from '../wire/json.js'
import { captureFormat, endOf, type RecordedMessage, type TrafficLine } from './record.js'

/** A file that is not a capture, or not one this version reads; one line with the reason. */
export class CaptureProblem extends Error {
  override readonly name = 'FileProblem'
}

const kinds: ReadonlySet<unknown> = new Set(['exchange', 'stream', 'frame', 'stream-end', 'delivery'])

/** Longest line that is read, in characters: a recorded body has at most four megabytes, and base64 and escapes make it longer. */
const maxLineLength = 32 * 1024 * 1024

async function* textLines(
  chunks: AsyncIterable<Buffer>,
  onTooLong: () => never,
): AsyncGenerator<{ readonly lines: string[]; readonly isCut: boolean }> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineLength) onTooLong()
    if (lines.length > 0) yield { lines, isCut: false }
  }
  rest += decoder.end()
  if (rest.trim() !== '') yield { lines: [rest], isCut: true }
}

export interface CaptureReading {
  /** How it is called in a message. */
  readonly path: string
  readonly chunks: AsyncIterable<Buffer>
  /** Called when the last line was cut off, as a kill leaves it. */
  readonly onCut: (path: string) => void
  /** Distinguishes the streams of this file from those of another. */
  readonly prefix: string
}

/** The lines of a capture, some at a time, in the order in which they were written. Throws {@link CaptureProblem}. */
export async function* captureLines({ path, chunks, onCut, prefix }: CaptureReading): AsyncGenerator<TrafficLine[]> {
  let number = 0
  const limited = textLines(chunks, () => {
    throw new CaptureProblem(`${path}: line ${number + 1} has more than ${maxLineLength} characters`)
  })
  for await (const { lines, isCut } of limited) {
    const read: TrafficLine[] = []
    for (const text of lines) {
      number++
      if (text.trim() === '') continue
      const value = parseJson(number === 1 ? withoutMark(text) : text)
      if (value === undefined && isCut) {
        onCut(path)
        continue
      }
      if (number === 1 || memberOf(value, 'capture') !== undefined) {
        checkFormat(path, memberOf(value, 'capture'))
        continue
      }
      if (memberOf(value, 'end') !== undefined) continue
      if (!isLine(value)) throw new CaptureProblem(`${path}: line ${number} is not a line of a capture`)
      read.push('stream' in value ? { ...value, stream: `${prefix}${value.stream}` } : plain(value))
    }
    if (read.length > 0) yield read
  }
}

/** PowerShell writes a byte order mark in front of a file. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '')
}

function checkFormat(path: string, format: unknown): void {
  if (format !== captureFormat)
    throw new CaptureProblem(
      `${path}: this is a capture of the format ${asText(format)}; this version reads ${captureFormat}`,
    )
}

function isLine(value: unknown): value is TrafficLine {
  const line = value as Partial<TrafficLine> | undefined
  if (typeof line !== 'object' || line === null || !kinds.has(line.kind)) return false
  if (typeof line.at !== 'string' || Number.isNaN(Date.parse(line.at))) return false
  if (line.kind === 'exchange' || line.kind === 'delivery')
    return (
      typeof line.duration_ms === 'number' &&
      typeof line.method === 'string' &&
      isMessage(line.request) &&
      (line.response === undefined || (isMessage(line.response) && typeof line.response.status === 'number')) &&
      (line.kind === 'exchange'
        ? isText(line, 'path') && isText(line, 'service')
        : isText(line, 'url') && isText(memberOf(line, 'signature'), 'verdict'))
    )
  return isText(line, 'stream') && (line.kind !== 'stream' || (isText(line, 'path') && isText(line, 'service')))
}

/** As our own recorder writes it: another program may write any body as base64, and the name of a secret alone in its place. */
function plain<Line extends TrafficLine>(line: Line): Line {
  if (line.kind !== 'exchange' && line.kind !== 'delivery') return line
  const { request, response } = line
  return {
    ...line,
    request: plainMessage(request),
    ...(response === undefined ? {} : { response: plainMessage(response) }),
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** The name of a secret in the place of one, in a JSON text. */
const bareName = /"(secret_[0-9a-f]{12})"/g

function plainMessage<Message extends RecordedMessage>(message: Message): Message {
  const { body_base64: coded, ...rest } = message
  const text = coded === undefined || message.body !== undefined ? message.body : decodedText(coded)
  if (text === undefined) return message
  return { ...(rest as Message), body: text.includes('"secret_') ? text.replace(bareName, '"[secret:$1]"') : text }
}

function decodedText(coded: string): string | undefined {
  try {
    return strict.decode(Buffer.from(coded, 'base64'))
  } catch {
    return undefined
  }
}

function isText(value: unknown, name: string): boolean {
  return typeof memberOf(value, name) === 'string'
}

function isMessage(message: unknown): boolean {
  return Array.isArray(memberOf(message, 'headers'))
}

/** The lines of several captures as one, in the order of time. */
export async function* inOrder(sources: readonly AsyncGenerator<TrafficLine[]>[]): AsyncGenerator<TrafficLine[]> {
  const [only, another] = sources
  if (only !== undefined && another === undefined) {
    yield* only
    return
  }
  const heads = sources.map((source) => ({ source, lines: [] as TrafficLine[], next: 0 }))
  let merged: TrafficLine[] = []
  for (;;) {
    let first: { head: (typeof heads)[number]; at: number } | undefined
    for (const head of heads) {
      if (head.next >= head.lines.length) {
        const more = await head.source.next()
        head.lines = more.done === true ? [] : more.value
        head.next = 0
      }
      const line = head.lines[head.next]
      if (line === undefined) continue
      const at = endOf(line)
      if (first === undefined || at < first.at) first = { head, at }
    }
    const line = first?.head.lines[first.head.next]
    if (first === undefined || line === undefined) break
    first.head.next++
    merged.push(line)
    if (merged.length >= mergedLines) {
      yield merged
      merged = []
    }
  }
  if (merged.length > 0) yield merged
}

/** Lines handed on at once. */
const mergedLines = 1_000
