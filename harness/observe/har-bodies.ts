// Bodies of a HAR file: tools write them as text, as base64, compressed, cut off, or not at all.
import { isUtf8 } from 'node:buffer'
import { memberOf } from '../wire/exchange.js'
import { asText, parseJson } from '../wire/json.js'
import { parseNumber } from '../wire/numbers.js'
import { decodeContent } from './content-coding.js'
import { headerOf, type HeaderList } from './record.js'
import type { RawAnswer, RawMessage } from './recorder.js'

/** Requests of other methods have no body. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/**
 * Matches text that cannot be UTF-8 read as Latin-1 or Windows-1252: in such text every character begins with one from \u00C2 to
 * \u00F4, and continues with the others.
 */
const neverMisread =
  /(?:^|[\0-\x7F])[\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u2122]|[\u00C2-\u00F4](?![\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u2122])|[^\0-\x7F\u00C2-\u00F4\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u2122]/
/** First characters of gzip, read as text. */
const gzipAsText = /^\x1f[\x8b\uFFFD\u2039]/

/** Reads the request of a HAR entry. */
export function readRequest(request: unknown): RawMessage {
  const headers = headersOf(request)
  const data = memberOf(request, 'postData')
  const text = memberOf(data, 'text')
  const size = sizeOf(memberOf(request, 'bodySize'), headers)
  if (typeof text !== 'string' || text === '') {
    const isBare = memberOf(data, 'text') === undefined && !methodsWithBody.has(asText(memberOf(request, 'method')))
    const isEmpty = size === 0 || (size === undefined && (text === '' || isBare))
    return isEmpty ? { headers, body: new Uint8Array() } : { headers, missing: 'not recorded' }
  }
  const decoded = decodeText({ text, encoding: memberOf(data, 'encoding'), size, headers })
  if ('missing' in decoded) return { headers, ...decoded }
  const { body } = decoded
  if (isCutOff(body, size)) return { headers, missing: 'cut off' }
  return { headers, body, isInexact: size !== undefined && size > 0 && size !== body.length }
}

/** Reads the answer of a HAR entry; undefined where none arrived. */
export function readAnswer(response: unknown, ofEntry: unknown): RawAnswer | undefined {
  const status = parseNumber(memberOf(response, 'status'))
  if (!(status >= 100)) return undefined
  const headers = headersOf(response)
  const failure = failureOf(response, ofEntry)
  if (failure !== undefined) return { status, headers, missing: `cut off: ${failure}` }
  const content = memberOf(response, 'content')
  const text = memberOf(content, 'text')
  const size = parseNumber(memberOf(content, 'size'))
  if (typeof text !== 'string') {
    // A file without bodies gives 0 for each of them, but keeps the size of the message.
    const isEmpty = status === 204 || (size === 0 && sizeOf(memberOf(response, 'bodySize'), headers) === 0)
    return isEmpty ? { status, headers, body: new Uint8Array() } : { status, headers, missing: 'not recorded' }
  }
  const decoded = decodeText({ text, encoding: memberOf(content, 'encoding'), size, headers })
  if ('missing' in decoded) return { status, headers, ...decoded }
  const isCoded = headerOf({ headers }, 'content-encoding') !== undefined
  const length = isCoded ? 0 : parseNumber(headerOf({ headers }, 'content-length') ?? 0)
  const isCut = isCutOff(decoded.body, Math.max(size || 0, length || 0))
  return isCut ? { status, headers, missing: 'cut off' } : { status, headers, ...decoded }
}

function headersOf(message: unknown): HeaderList {
  const headers = memberOf(message, 'headers')
  if (!Array.isArray(headers)) return []
  return headers.map((header): [string, string] => [
    asText(memberOf(header, 'name')),
    asText(memberOf(header, 'value')),
  ])
}

/** Returns the size of a body, as far as the file has it; -1 means unknown. */
function sizeOf(bodySize: unknown, headers: HeaderList): number | undefined {
  const sizes = [bodySize, headerOf({ headers }, 'content-length') ?? undefined]
  return sizes.map(parseNumber).find((size) => size >= 0)
}

/** A tool that cuts bodies keeps their size; what ends as JSON is whole. */
function isCutOff(body: Uint8Array, size: number | undefined): boolean {
  return (size ?? 0) > body.length && parseJson(Buffer.from(body).toString()) === undefined
}

interface BodyText {
  readonly text: string
  readonly encoding: unknown
  readonly size: number | undefined
  readonly headers: HeaderList
}

/** Returns the bytes of a text without content coding, or why they are not known. */
function decodeText({
  text,
  encoding,
  size,
  headers,
}: BodyText): { readonly body: Uint8Array } | { readonly missing: string } {
  const name = asText(encoding ?? '').toLowerCase()
  if (name === 'base64') return uncompress(Buffer.from(text, 'base64'), headers)
  if (name !== '' && name !== 'utf-8' && name !== 'utf8') return { missing: `in the encoding ${name}` }
  if (gzipAsText.test(text)) return uncompress(Buffer.from(text, 'latin1'), headers)
  const body = Buffer.from(text)
  // Some tools count letters instead of bytes: the size alone proves nothing.
  const isSpoilt =
    size !== body.length && (text.includes('\uFFFD') || (size === text.length && !neverMisread.test(text)))
  return isSpoilt ? { missing: 'not recorded in its charset' } : { body }
}

/** Most tools write bodies decoded, some as they passed: compressed bytes are hardly ever UTF-8. */
function uncompress(bytes: Buffer, headers: HeaderList): { readonly body: Uint8Array } | { readonly missing: string } {
  if (isUtf8(bytes)) return { body: bytes }
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return decodeContent(bytes, headerOf({ headers }, 'content-encoding') ?? (isGzip ? 'gzip' : undefined))
}

/** Returns the words of a browser for an answer that broke off. */
function failureOf(response: unknown, ofEntry: unknown): string | undefined {
  const failures = [ofEntry, memberOf(response, '_error'), memberOf(response, '_failureText')]
  return failures.map((failure) => asText(failure ?? '')).find((failure) => failure !== '')
}
