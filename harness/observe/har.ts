// HAR 1.2 files, as browsers and proxies write them, WebSocket messages included where they hold them.
import { memberOf } from '../wire/exchange.js'
import { millisecondsFrom, parseInstant, parseNumber } from '../wire/numbers.js'
import { asText, isDeeperThan } from '../wire/json.js'
import { parsedUrl } from '../wire/url.js'
import { CaptureProblem } from './capture.js'
import { readAnswer, readRequest } from './har-bodies.js'
import { endOf, type TrafficLine } from './record.js'
import { withoutPlaceholders } from './sanitized.js'
import { isDelivery, type RawExchange, type RawMessage, type Recorder } from './recorder.js'

const apiPath = /^(.*?)\/v1\/(?:webhooks|events|emails)(?:\/|$)/

/** Where the service is; undefined where every host that answers below the paths of the interface is one. */
export interface ServiceAddress {
  readonly host: string
  readonly prefix: string
}

/** What a HAR file holds: exchanges and deliveries as they passed, and connections to the stream. */
export interface HarContent {
  readonly entries: readonly HarEntry[]
  /** What the user should know of the file, if anything. */
  readonly note?: string
}

interface HarEntry {
  readonly raw: RawExchange
  readonly sort: 'exchange' | 'delivery' | 'stream'
  readonly messages: readonly unknown[]
}

/** Reads a HAR document. Throws {@link CaptureProblem}. */
export function readHar(path: string, text: string, address: ServiceAddress | undefined): HarContent {
  const { entries: read, note } = readEntries(path, text)
  const hosts = address === undefined ? hostsOf(read) : new Set([address.host])
  const entries = read.flatMap((entry) => sorted(entry, { hosts, address }) ?? [])
  return { entries, ...(note === undefined ? {} : { note }) }
}

/** Reads the exchanges of a HAR document as they passed, in the order of the file. Throws {@link CaptureProblem}. */
export function readExchanges(
  path: string,
  text: string,
): { readonly exchanges: RawExchange[]; readonly note?: string } {
  const { entries, note } = readEntries(path, text)
  return { exchanges: entries.map(({ raw }) => raw), ...(note === undefined ? {} : { note }) }
}

interface ReadEntries {
  readonly entries: readonly Omit<HarEntry, 'sort'>[]
  readonly note?: string
}

function readEntries(path: string, text: string): ReadEntries {
  const document = documentOf(path, text)
  const log = memberOf(document, 'log')
  const version = memberOf(log, 'version')
  const entries = memberOf(log, 'entries')
  if (!Array.isArray(entries))
    throw new CaptureProblem(`${path}: this is neither a capture nor a HAR file: it has no log.entries`)
  if (version !== undefined && !/^1\.\d+$/.test(asText(version)))
    throw new CaptureProblem(`${path}: this is a HAR file of version ${asText(version)}; this version reads 1.2`)
  const unreadable = entries.flatMap((entry: unknown, index) => (isReadable(entry) ? [] : [index + 1]))
  const [firstUnreadable] = unreadable
  if (firstUnreadable !== undefined && unreadable.length === entries.length)
    throw new CaptureProblem(`${path}: entry ${firstUnreadable} has no request.url, or no startedDateTime`)
  const read = entries.flatMap((entry: unknown) => (isReadable(entry) ? (entryOf(entry) ?? []) : []))
  if (firstUnreadable === undefined) return { entries: read }
  const count = `${unreadable.length} of ${entries.length} entries of ${path} were not read`
  return {
    entries: read,
    note: `${count}: without request.url or startedDateTime (the first is entry ${firstUnreadable})`,
  }
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

/** Reads seconds since the epoch, as browsers write them, or milliseconds; other programs may write an invalid time. */
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

function startOf(entry: unknown): number {
  return parseInstant(asText(memberOf(entry, 'startedDateTime')))
}

/** Whether an entry has a url and a time. */
function isReadable(entry: unknown): boolean {
  const url = memberOf(memberOf(entry, 'request'), 'url')
  return typeof url === 'string' && parsedUrl(url) !== undefined && !Number.isNaN(startOf(entry))
}

function entryOf(entry: unknown): Omit<HarEntry, 'sort'> | undefined {
  const request = memberOf(entry, 'request')
  const response = memberOf(entry, 'response')
  const startedAt = startOf(entry)
  // An answer from the browser's own cache proves nothing about the service.
  if (memberOf(entry, '_fromCache') !== undefined && memberOf(entry, '_fromCache') !== null) return undefined
  const time = parseNumber(memberOf(entry, 'time'))
  const messages = memberOf(entry, '_webSocketMessages')
  return {
    raw: withoutPlaceholders({
      startedAt,
      endedAt: startedAt + (time > 0 ? time : 0),
      method: asText(memberOf(request, 'method')).toUpperCase(),
      url: new URL(asText(memberOf(request, 'url'))),
      prefix: '',
      request: readRequest(request),
      response: readAnswer(response, memberOf(entry, '_error')),
    }),
    messages: Array.isArray(messages) ? messages : [],
  }
}
