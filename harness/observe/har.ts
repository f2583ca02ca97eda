// HAR 1.2 files, as browsers and proxies write them, WebSocket messages included where they hold them.
import { memberOf } from '../wire/exchange.js'
import { millisecondsFrom, parseInstant, parseNumber } from '../wire/numbers.js'
import { asText, isDeeperThan, parseJson } from '../wire/json.js'
import { parsedUrl } from '../wire/url.js'
import { CaptureProblem } from './capture.js'
import { endOf, headerOf, type HeaderList, type TrafficLine } from './record.js'
import { withoutPlaceholders } from './sanitized.js'
import { isDelivery, type RawAnswer, type RawExchange, type RawMessage, type Recorder } from './recorder.js'

/** Requests of other methods have no body. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/**
 * What stands in no UTF-8 that was read as Latin-1 or Windows-1252: there, letters beyond ASCII are what a character begins with
 * (from \u00C2), and what follows that.
 */
const neverMisread =
  /(?:^|[\0-\x7F])[\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u2122]|[\u00C2-\u00F4](?![\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u2122])|[^\0-\x7F\u00C2-\u00F4\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u2122]/
const apiPath = /^(.*?)\/v1\/(?:webhooks|events|emails)(?:\/|$)/

/** Where the service is; undefined where every host that answers below the paths of the interface is one. */
export interface ServiceAddress {
  readonly host: string
  readonly prefix: string
}

/** What a HAR file holds: exchanges and deliveries as they passed, and connections to the stream. */
export interface HarContent {
  readonly entries: readonly HarEntry[]
}

interface HarEntry {
  readonly raw: RawExchange
  readonly sort: 'exchange' | 'delivery' | 'stream'
  readonly messages: readonly unknown[]
}

/** Reads a HAR document. Throws {@link CaptureProblem}. */
export function readHar(path: string, text: string, address: ServiceAddress | undefined): HarContent {
  const document = documentOf(path, text)
  const log = memberOf(document, 'log')
  const version = memberOf(log, 'version')
  const entries = memberOf(log, 'entries')
  if (!Array.isArray(entries))
    throw new CaptureProblem(`${path}: this is neither a capture nor a HAR file: it has no log.entries`)
  if (version !== undefined && !/^1\.\d+$/.test(asText(version)))
    throw new CaptureProblem(`${path}: this is a HAR file of version ${asText(version)}; this version reads 1.2`)
  const read = entries.flatMap((entry: unknown, index) => entryOf(entry, `${path}: entry ${index + 1}`) ?? [])
  const hosts = address === undefined ? hostsOf(read) : new Set([address.host])
  return { entries: read.flatMap((entry) => sorted(entry, { hosts, address }) ?? []) }
}

/** Levels of nesting of a HAR file; its deepest value has ten. */
const maxLevels = 256

function documentOf(path: string, text: string): unknown {
  if (text.trim() === '') throw new CaptureProblem(`${path}: the file is empty; did what records it end early?`)
  if (isDeeperThan(text, maxLevels))
    throw new CaptureProblem(`${path}: nested deeper than ${maxLevels} levels: not a HAR file`)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const isCut = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text)
    const why = isCut ? 'it is cut off' : error instanceof Error ? error.message : String(error)
    throw new CaptureProblem(`${path}: this is neither a capture nor a HAR file: ${why}`)
  }
}

/** Lines of the file, oldest first, once every secret is known. */
export function harLines({ entries }: HarContent, recorder: Recorder, prefix: string): TrafficLine[] {
  const lines = entries.flatMap((entry, index) => linesOf(entry, recorder, `${prefix}${index}`))
  return lines
    .map((line, index) => ({ line, index, at: endOf(line) }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ line }) => line)
}

/** Learns the secrets of the create answers. */
export function learnFrom({ entries }: HarContent, recorder: Recorder): void {
  for (const { raw, sort } of entries) if (sort === 'exchange') recorder.learn(raw)
}

function linesOf({ raw, sort, messages }: HarEntry, recorder: Recorder, stream: string): TrafficLine[] {
  if (sort === 'exchange') return [recorder.exchange(raw)]
  if (sort === 'delivery') return [recorder.delivery(raw)]
  const opened = recorder.stream(stream, raw)
  const frames = messages
    .filter((message) => memberOf(message, 'type') === 'receive' || memberOf(message, 'type') === 'received')
    .flatMap((message) => {
      const data = memberOf(message, 'data')
      const opcode = parseNumber(memberOf(message, 'opcode') ?? 1)
      if (typeof data !== 'string' || (opcode !== 1 && opcode !== 2)) return []
      const bytes = Buffer.from(data, opcode === 2 ? 'base64' : 'utf8')
      return [recorder.frame(stream, timeOf(memberOf(message, 'time'), raw.startedAt), bytes, opcode === 1)]
    })
  return [opened, ...frames]
}

/** Seconds since the epoch, as browsers write them; milliseconds, or what is no time at all, from others. */
function timeOf(time: unknown, startedAt: number): number {
  const number = parseNumber(time)
  const value = typeof time === 'string' && Number.isNaN(number) ? parseInstant(time) : number
  if (Number.isNaN(value) || value <= 0) return startedAt
  const at = value > millisecondsFrom ? value : value > 1e8 ? value * 1_000 : startedAt + value
  return Math.max(at, startedAt)
}

/** Hosts that answer below the paths of the interface. */
function hostsOf(entries: readonly Omit<HarEntry, 'sort'>[]): ReadonlySet<string> {
  return new Set(
    entries
      .filter(({ raw }) => raw.response !== undefined && apiPath.test(raw.url.pathname) && !hasSignature(raw.request))
      .map(({ raw }) => raw.url.host),
  )
}

function sorted(
  { raw, messages }: Omit<HarEntry, 'sort'>,
  { hosts, address }: { readonly hosts: ReadonlySet<string>; readonly address: ServiceAddress | undefined },
): HarEntry | undefined {
  const isService = hosts.has(raw.url.host)
  if (hasSignature(raw.request) || (!isService && isDelivery(raw.request))) return { raw, messages, sort: 'delivery' }
  const prefix = address === undefined ? (apiPath.exec(raw.url.pathname)?.[1] ?? '') : address.prefix
  if (!isService || !raw.url.pathname.startsWith(`${prefix}/`)) return undefined
  const isStream = raw.url.pathname.replace(/\/$/, '') === `${prefix}/v1/events/ws`
  if (!isStream) return { raw: { ...raw, prefix }, messages, sort: 'exchange' }
  const isOpen = raw.response?.status === 101 || messages.length > 0
  return isOpen ? { raw: { ...raw, prefix }, messages, sort: 'stream' } : undefined
}

/** At least two of the three headers: no request of the API has them. */
function hasSignature({ headers }: RawMessage): boolean {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => names.has(name)).length >= 2
}

function entryOf(entry: unknown, what: string): Omit<HarEntry, 'sort'> | undefined {
  const request = memberOf(entry, 'request')
  const response = memberOf(entry, 'response')
  const url = memberOf(request, 'url')
  const startedAt = parseInstant(asText(memberOf(entry, 'startedDateTime')))
  if (typeof url !== 'string' || parsedUrl(url) === undefined || Number.isNaN(startedAt))
    throw new CaptureProblem(`${what} has no request.url, or no startedDateTime`)
  // What a browser's own cache answered says nothing of the service.
  if (memberOf(entry, '_fromCache') !== undefined && memberOf(entry, '_fromCache') !== null) return undefined
  const time = parseNumber(memberOf(entry, 'time'))
  const messages = memberOf(entry, '_webSocketMessages')
  return {
    raw: withoutPlaceholders({
      startedAt,
      endedAt: startedAt + (time > 0 ? time : 0),
      method: asText(memberOf(request, 'method')).toUpperCase(),
      url: new URL(url),
      prefix: '',
      request: requestOf(request),
      response: answerOf(response, memberOf(entry, '_error')),
    }),
    messages: Array.isArray(messages) ? messages : [],
  }
}

function headersOf(message: unknown): HeaderList {
  const headers = memberOf(message, 'headers')
  if (!Array.isArray(headers)) return []
  return headers.map((each): [string, string] => [asText(memberOf(each, 'name')), asText(memberOf(each, 'value'))])
}

function requestOf(request: unknown): RawMessage {
  const headers = headersOf(request)
  const data = memberOf(request, 'postData')
  const text = memberOf(data, 'text')
  const size = sizeOf(memberOf(request, 'bodySize'), headers)
  if (typeof text !== 'string' || text === '') {
    const isBare = memberOf(data, 'text') === undefined && !methodsWithBody.has(asText(memberOf(request, 'method')))
    const isEmpty = size === 0 || (size === undefined && (text === '' || isBare))
    return isEmpty ? { headers, body: new Uint8Array() } : { headers, missing: 'not recorded' }
  }
  const body = decoded(text, memberOf(data, 'encoding'), size)
  if (body === undefined) return { headers, missing: 'not recorded as it was' }
  return { headers, body, isInexact: size !== undefined && size > 0 && size !== body.length }
}

/** Bytes of a body, as far as a file says; -1 stands for what is not known. */
function sizeOf(bodySize: unknown, headers: HeaderList): number | undefined {
  const told = [bodySize, headerOf({ headers }, 'content-length') ?? undefined]
  return told.map(parseNumber).find((size) => size >= 0)
}

/** The bytes of a text; undefined where it is coded in a way that nobody knows, or was read in another charset than it was written. */
function decoded(text: string, encoding: unknown, size: number | undefined): Buffer | undefined {
  const name = asText(encoding ?? '').toLowerCase()
  if (name === 'base64') return Buffer.from(text, 'base64')
  if (name !== '' && name !== 'utf-8' && name !== 'utf8') return undefined
  const body = Buffer.from(text)
  // Some count letters for bytes: the size alone says nothing against a text.
  const isSpoilt =
    size !== body.length && (text.includes('\uFFFD') || (size === text.length && !neverMisread.test(text)))
  return isSpoilt ? undefined : body
}

/** What browsers say of an answer that broke off, in members of their own. */
function failureOf(response: unknown, ofEntry: unknown): string | undefined {
  const told = [ofEntry, memberOf(response, '_error'), memberOf(response, '_failureText')]
  return told.map((each) => asText(each ?? '')).find((each) => each !== '')
}

function answerOf(response: unknown, ofEntry: unknown): RawAnswer | undefined {
  const status = parseNumber(memberOf(response, 'status'))
  if (!(status >= 100)) return undefined
  const headers = headersOf(response)
  const failure = failureOf(response, ofEntry)
  if (failure !== undefined) return { status, headers, missing: `cut off: ${failure}` }
  const content = memberOf(response, 'content')
  const text = memberOf(content, 'text')
  const size = parseNumber(memberOf(content, 'size'))
  if (typeof text !== 'string') {
    // A file without bodies says 0 of each of them: of the message itself it says what came.
    const isEmpty = status === 204 || (size === 0 && sizeOf(memberOf(response, 'bodySize'), headers) === 0)
    return isEmpty ? { status, headers, body: new Uint8Array() } : { status, headers, missing: 'not recorded' }
  }
  const body = decoded(text, memberOf(content, 'encoding'), size)
  if (body === undefined) return { status, headers, missing: 'not recorded as it was' }
  const isCoded = headers.some(([name]) => name.toLowerCase() === 'content-encoding')
  const length = isCoded ? 0 : parseNumber(headerOf({ headers }, 'content-length') ?? 0)
  const isCut = Math.max(size || 0, length || 0) > body.length && parseJson(body.toString()) === undefined
  return isCut ? { status, headers, missing: 'cut off' } : { status, headers, body }
}
