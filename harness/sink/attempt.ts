import { createHash } from 'node:crypto'
import { Exchange, memberOf } from '../wire/exchange.js'
import { asText, parseJson } from '../wire/json.js'
import { parseWholeNumber } from '../wire/numbers.js'
import type { Answer } from './answer.js'

const exact = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const withoutMark = new TextDecoder('utf-8', { fatal: true })

/** An attempt as it can be written down. */
export interface AttemptRecord {
  readonly method: string
  readonly path: string
  readonly rawHeaders: readonly string[]
  readonly bodyBase64: string
  readonly arrivedAt: number
  /** When its head was here; `arrivedAt` where absent. */
  readonly begunAt?: number
  /** Whether it arrived over TLS. */
  readonly isSecure?: boolean
}

/** An HTTP library that repeats a request by itself does so within this many milliseconds after a status that allows it. */
export const resentWithinMs = 1_500

/**
 * Returns whether a status allows the client to repeat a request at once: it was late, or on the wrong connection (RFC 9110, 15.5.9 and
 * 15.5.20).
 */
export function mayBeSentAgain(status: number): boolean {
  return status === 408 || status === 421
}

/**
 * How long after an attempt its answer lets an HTTP library send it again, in milliseconds; undefined where it does not
 * (open point resends-of-a-delivery).
 */
export function resentAfterMs(answer: Answer): number | undefined {
  if (answer.kind === 'reset') return answer.afterMs ?? 0
  return answer.kind === 'status' && mayBeSentAgain(answer.status) ? 0 : undefined
}

/**
 * The three headers of a delivery and its body, in short: the same where an HTTP library sends it again by itself. An attempt of the
 * schedule is signed at another second.
 */
export function contentKey(header: (name: string) => string | undefined, body: string | Uint8Array): string {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
  return createHash('sha256').update(JSON.stringify(signed)).update(body).digest('hex')
}

/** Answers that end an attempt at once. */
const ending: ReadonlySet<Answer['kind']> = new Set(['status', 'reset', 'garbage'])

/** The controls of an open attempt. */
export interface AttemptLine {
  /** What it is answered with already. */
  readonly answer: Answer | undefined
  readonly send: (answer: Answer) => void
}

/** One delivery attempt as it reached the sink. */
export class Attempt {
  readonly method: string
  readonly path: string
  /** Names and values as sent, in order. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
  /** When the request was complete, in milliseconds since the epoch. */
  readonly arrivedAt: number
  /** When its head was here: a body may take seconds. */
  readonly begunAt: number
  /** Whether it arrived over TLS. */
  readonly isSecure: boolean
  /** Resolves to the time at which the connection was closed. */
  readonly closed: Promise<number>
  readonly #line: AttemptLine | undefined
  #end: (at: number) => void = () => {}
  #answer: Answer | undefined
  #closedAt: number | undefined
  /** Body of an answer that has none of its own: it comes back in the record of the delivery. */
  tag: string | undefined

  /** The sender went away before the answer it was to get was written: this run was late. */
  wasGivenUp = false

  private constructor(record: AttemptRecord, line: AttemptLine | undefined) {
    this.method = record.method
    this.path = record.path
    this.rawHeaders = record.rawHeaders
    this.body = Buffer.from(record.bodyBase64, 'base64')
    this.arrivedAt = record.arrivedAt
    this.begunAt = record.begunAt ?? record.arrivedAt
    this.isSecure = record.isSecure === true
    this.#line = line
    this.#answer = line?.answer
    this.closed = new Promise((resolve) => (this.#end = resolve))
    if (line === undefined) this.ended(record.arrivedAt, false)
  }

  /** An attempt that is open. */
  static received(record: AttemptRecord, line: AttemptLine): Attempt {
    return new Attempt(record, line)
  }

  /** An attempt that was answered before this process began. */
  static restored(record: AttemptRecord): Attempt {
    return new Attempt(record, undefined)
  }

  /** The attempt as it can be restored. */
  get record(): AttemptRecord {
    const { method, path, rawHeaders, arrivedAt } = this
    return { method, path, rawHeaders, bodyBase64: Buffer.from(this.body).toString('base64'), arrivedAt }
  }

  /** When its connection or its answer ended, in milliseconds since the epoch; until then, when it began. */
  get endedAt(): number {
    return this.#closedAt ?? this.begunAt
  }

  /** Called by the sink when its connection or its answer has ended. */
  ended(at: number, wasGivenUp: boolean): void {
    this.#closedAt = at
    this.wasGivenUp = wasGivenUp
    this.#end(at)
  }

  /** Answers an attempt that was left hanging; one that has its answer keeps it, as where a sender made one more than it should. */
  answer(answer: Answer): void {
    if (!this.isUnanswered) return
    const isBare = answer.kind === 'status' && answer.body === undefined
    this.#answer = isBare && this.tag !== undefined ? { ...answer, body: this.tag } : answer
    this.#line?.send(this.#answer)
  }

  /** No byte of an answer was sent yet. */
  get isUnanswered(): boolean {
    if (this.#line === undefined) return false
    return this.#answer === undefined || this.#answer.kind === 'hang'
  }

  /** It was open at `at` or later, and gets no answer that ends it, because the case wants it so. */
  wasHeldAt(at: number): boolean {
    const ends = this.#answer !== undefined && ending.has(this.#answer.kind)
    return !ends && (this.#closedAt ?? Infinity) >= at
  }

  /** Names the event it carries, as steadily as anything does: by its message, else by its id. */
  get eventKey(): string {
    const message = memberOf(this.field('data'), 'message_id')
    const name = typeof message === 'string' ? message : (this.field('id') ?? this.header('webhook-id'))
    return `${asText(this.field('type'))} ${asText(name)}`
  }

  /** The values of a header, whatever its case, one for each line. */
  headerLines(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.rawHeaders.filter((_, index) => index % 2 === 1 && this.rawHeaders[index - 1]?.toLowerCase() === wanted)
  }

  /** Returns the only value of a header; undefined when it is missing or repeated. */
  header(name: string): string | undefined {
    const lines = this.headerLines(name)
    return lines.length === 1 ? lines[0] : undefined
  }

  /** Names and values in pairs, as sent, in order. */
  get headerList(): readonly (readonly [name: string, value: string])[] {
    return this.rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, this.rawHeaders[index + 1] ?? ''] as const] : [],
    )
  }

  /** The headers by lower-case name; of a repeated one the last. */
  get headers(): Record<string, string> {
    return Object.fromEntries(this.headerList.map(([name, value]) => [name.toLowerCase(), value]))
  }

  /** `webhook-timestamp` as a number of seconds; NaN unless it is a whole number. */
  get signedAt(): number {
    return parseWholeNumber(this.header('webhook-timestamp'))
  }

  /**
   * Whether it is a delivery, however badly made. A service may look at a url with requests of its own (open point
   * url-check): they carry neither a header of a delivery nor an event.
   */
  get isDelivery(): boolean {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    if (names.some((name) => this.headerLines(name).length > 0)) return true
    const id = this.field('id')
    return typeof id === 'string' && id.startsWith('evt_')
  }

  get text(): string {
    return new TextDecoder().decode(this.body)
  }

  /** Undefined if the bytes are invalid UTF-8 or begin with a byte order mark: exchanged JSON is UTF-8 without one (RFC 8259, 8.1). */
  get json(): unknown {
    return parsed(exact, this.body)
  }

  /** As `json`, but also after a byte order mark: one case alone reports the mark, and the others still check the event. */
  get event(): unknown {
    return parsed(withoutMark, this.body)
  }

  /** A member of the event. */
  field(name: string): unknown {
    return memberOf(this.event, name)
  }

  /** The attempt as evidence. */
  exchange(origin: string): Exchange {
    const answered = this.#answer
    return new Exchange({
      kind: 'delivery',
      request: {
        method: this.method,
        url: `${new URL(origin).origin}${this.path.startsWith('/') ? '' : '/'}${this.path}`,
        headers: this.headers,
        body: this.body,
      },
      ...(answered?.kind === 'status'
        ? {
            response: {
              status: answered.status,
              headers: answered.headers ?? {},
              body:
                typeof answered.body === 'string' ? Buffer.from(answered.body) : (answered.body ?? new Uint8Array()),
            },
          }
        : { failure: `answered with: ${answered?.kind ?? 'nothing'}` }),
      startedAt: this.arrivedAt,
      durationMs: 0,
    })
  }
}

function parsed(decoder: typeof exact, body: Uint8Array): unknown {
  try {
    return parseJson(decoder.decode(body))
  } catch {
    return undefined
  }
}
