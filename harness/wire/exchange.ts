import type { Answered } from '../check.js'
import type { ExchangeRecord, MismatchKind } from '../result.js'
import { parseJson } from './json.js'

export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Makes the line for a report that sends it again. */
  readonly resend?: () => ExchangeRecord['resend']
}

export interface WireResponse {
  readonly status: number
  /** Names in lower case; repeated headers joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Bytes of a body of which an excerpt is taken. */
const excerptBytes = 1_024
/** Characters of it at most. */
const excerptLength = 160

const utf8 = new TextDecoder()

/** Longest body whose JSON is kept with its exchange, in bytes: as values it may take thirty times as much. */
const keptJsonBytes = 16 * 1024
/** The JSON of the longer body that was read last: a case looks at one answer after the other. */
let lastRead: { readonly of: WeakRef<object>; readonly value: unknown } | undefined

/** One request and its answer, or the reason why none arrived. */
export class Exchange implements Answered {
  readonly kind: ExchangeRecord['kind']
  readonly request: WireRequest
  readonly response: WireResponse | undefined
  readonly failure: string | undefined
  /** No complete answer arrived in the allowed time. */
  readonly isLate: boolean
  /** The connection was closed before a complete answer. */
  readonly wasCut: boolean
  readonly startedAt: number
  readonly durationMs: number
  #json: { readonly value: unknown } | undefined
  #reading: (json: unknown) => unknown = (json) => json

  constructor(fields: {
    kind: ExchangeRecord['kind']
    request: WireRequest
    response?: WireResponse
    failure?: string
    isLate?: boolean
    wasCut?: boolean
    startedAt: number
    durationMs: number
  }) {
    this.kind = fields.kind
    this.request = fields.request
    this.response = fields.response
    this.failure = fields.failure
    this.isLate = fields.isLate === true
    this.wasCut = fields.wasCut === true
    this.startedAt = fields.startedAt
    this.durationMs = fields.durationMs
  }

  get status(): number | undefined {
    return this.response?.status
  }

  /** A receiver must answer each delivery within 10 seconds; the API has no time limit. */
  get silence(): MismatchKind {
    if (this.kind !== 'receiver') return 'no-answer'
    return this.isLate ? 'measured' : 'compared'
  }

  /** `POST /v1/webhooks`. */
  get label(): string {
    const { pathname } = new URL(this.request.url)
    return `${this.request.method} ${pathname}`
  }

  /** Bytes of both bodies. */
  get bytes(): number {
    return (this.request.body?.length ?? 0) + (this.response?.body.length ?? 0)
  }

  get text(): string {
    return this.response === undefined ? '' : utf8.decode(this.response.body)
  }

  get excerpt(): string {
    const body = this.response?.body
    const text = utf8.decode(body?.subarray(0, excerptBytes)).trim()
    const isCut = text.length > excerptLength || (body?.length ?? 0) > excerptBytes
    return isCut ? `${text.slice(0, excerptLength)}…` : text
  }

  /** The body parsed as JSON; undefined when there is none, it is not JSON, or JSON beyond reason. */
  get json(): unknown {
    if (this.#json !== undefined) return this.#json.value
    const isKept = (this.response?.body.length ?? 0) <= keptJsonBytes
    if (!isKept && lastRead?.of.deref() === this) return lastRead.value
    const value = this.#reading(parseJson(this.text))
    if (isKept) this.#json = { value }
    else lastRead = { of: new WeakRef(this), value }
    return value
  }

  /** What `json` gives from now on is what `reading` makes of it, where the interface leaves open how a value is written; a report shows the bytes. */
  readAs(reading: (json: unknown) => unknown): void {
    this.#reading = reading
    this.#json = undefined
    if (lastRead?.of.deref() === this) lastRead = undefined
  }

  /** A member of the JSON body, undefined when the body is not an object. */
  field(name: string): unknown {
    return memberOf(this.json, name)
  }

  header(name: string): string | undefined {
    return this.response?.headers[name.toLowerCase()]
  }
}

/** A member of a JSON value; undefined when the value is not an object or has no such member of its own. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** Bytes of a body that are kept in a report. */
const keptBytes = 4_096

/** Returns the record of an exchange for a report, not yet redacted, with the first `maxBytes` of each body. */
export function recordOf(exchange: Exchange, maxBytes = keptBytes): ExchangeRecord {
  const { request, response } = exchange
  const resend = request.resend?.()
  return {
    direction: exchange.kind === 'delivery' ? 'received' : 'sent',
    kind: exchange.kind,
    request: { method: request.method, url: request.url, headers: request.headers, ...bodyOf(request.body, maxBytes) },
    ...(response === undefined
      ? {}
      : { response: { status: response.status, headers: response.headers, ...bodyOf(response.body, maxBytes) } }),
    started_at: new Date(exchange.startedAt).toISOString(),
    duration_ms: Math.round(exchange.durationMs),
    ...(exchange.failure === undefined ? {} : { note: exchange.failure }),
    ...(resend === undefined ? {} : { resend }),
  }
}

/** A body as text where it is UTF-8, else as base64; cut after `maxBytes`. */
export function bodyOf(bytes: Uint8Array | undefined, maxBytes = keptBytes): { body?: string; body_base64?: string } {
  if (bytes === undefined || bytes.length === 0) return {}
  const kept = bytes.subarray(0, maxBytes)
  const cut = bytes.length > maxBytes ? `… (${bytes.length} bytes)` : ''
  try {
    return { body: new TextDecoder('utf-8', { fatal: cut === '' }).decode(kept) + cut }
  } catch {
    return { body_base64: Buffer.from(kept).toString('base64') }
  }
}
