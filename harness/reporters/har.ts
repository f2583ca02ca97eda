import { STATUS_CODES } from 'node:http'
import type { CaseResult, ExchangeRecord, Report } from '../result.js'
import { parsedUrl } from '../wire/url.js'
import { cutBody } from './cut-body.js'
import type { CreateReporter, Output } from './reporter.js'
import { visible } from './text.js'

/**
 * The exchanges of a run as HAR 1.2: each run of a case is a page, entries are in the order in which the cases ended. A case that ran again
 * has an entry for each time. Exchanges without a URL (a driver's, of a name server) have no place in HAR and are counted in the comment.
 * Of a report that was read from a file only the exchanges that it contains are there.
 */
export const har: CreateReporter = (output) => {
  const log = new HarLog(output)
  let hasListened = false
  return {
    onExchanges(exchanges, ofCase) {
      hasListened = true
      log.add(exchanges, ofCase)
    },
    onRunEnd(report) {
      if (!hasListened) for (const result of report.cases) log.add(result.exchanges ?? [], result)
      log.end(report, hasListened)
    },
  }
}

/** Writes entries as they arrive; the rest of the file is kept until the end. */
class HarLog {
  readonly #write: (text: string) => void
  readonly #pages: object[] = []
  #entries = 0
  #left = 0

  constructor({ write }: Output) {
    // Characters that a terminal or a build log would obey are written as JSON escapes.
    this.#write = (text) => write(visible(text))
  }

  add(exchanges: readonly ExchangeRecord[], ofCase: Pick<CaseResult, 'id' | 'title'> | undefined): void {
    const shown = exchanges
      .filter(({ request }) => /^(?:http|ws)s?:$/.test(parsedUrl(request.url)?.protocol ?? ''))
      .toSorted((one, other) => Date.parse(one.started_at) - Date.parse(other.started_at))
    this.#left += exchanges.length - shown.length
    const [first] = shown
    if (first === undefined) return
    const page = `page_${this.#pages.length + 1}`
    this.#pages.push({
      startedDateTime: first.started_at,
      id: page,
      title: ofCase === undefined ? 'outside the cases' : `${ofCase.id}: ${ofCase.title}`,
      pageTimings: { onContentLoad: -1, onLoad: -1 },
    })
    for (const exchange of shown) {
      this.#write(this.#entries++ === 0 ? '{"log":{"version":"1.2","entries":[\n' : ',\n')
      this.#write(JSON.stringify({ pageref: page, ...entryOf(exchange) }))
    }
  }

  end({ tool, subject, verdict, seed }: Report, hasListened: boolean): void {
    const notes = [
      `verdict ${verdict} for the ${subject.kind} ${subject.name}, seed ${seed}`,
      ...(hasListened ? [] : ['of a report: it keeps the exchanges of cases that failed or errored, and no others']),
      ...(this.#left === 0 ? [] : [`${this.#left} exchanges without a URL are not shown`]),
    ]
    const rest = { pages: this.#pages, creator: { name: tool.name, version: tool.version }, comment: notes.join('; ') }
    this.#write(this.#entries === 0 ? '{"log":{"version":"1.2","entries":[' : '\n')
    this.#write(`],${JSON.stringify(rest).slice(1)}}\n`)
  }
}

/** Returns the entry of one exchange; `_kind` and `_direction` are those of the report. */
function entryOf({ direction, kind, request, response, started_at, duration_ms, note }: ExchangeRecord): object {
  return {
    startedDateTime: started_at,
    time: duration_ms,
    request: {
      ...messageOf(request),
      method: request.method,
      url: request.url,
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
      ...postDataOf(request),
    },
    response: response === undefined ? answerOfNote(note) : answerOf(response),
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
    ...(note === undefined ? {} : { comment: note }),
    ...(response === undefined && note !== undefined && statusOf(note) === 0 ? { _error: note } : {}),
    _kind: kind,
    _direction: direction,
  }
}

type Message = ExchangeRecord['request'] | NonNullable<ExchangeRecord['response']>

function messageOf({ headers, ...message }: Pick<Message, 'headers' | 'body' | 'body_base64'>) {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: sizeOf(message),
  }
}

function postDataOf(request: ExchangeRecord['request']): { readonly postData?: object } {
  const { body, body_base64: base64 } = request
  if (body === undefined && base64 === undefined) return {}
  return { postData: { mimeType: typeOf(request), ...contentOf(request) } }
}

function answerOf(response: NonNullable<ExchangeRecord['response']>): object {
  return {
    ...messageOf(response),
    status: response.status,
    statusText: STATUS_CODES[response.status] ?? '',
    content: { size: sizeOf(response), mimeType: typeOf(response), ...contentOf(response) },
    redirectURL: response.headers['location'] ?? '',
  }
}

/** An answer of which there is only a note: the opening of a stream, or none at all, which browsers write as status 0. */
function answerOfNote(note = ''): object {
  const status = statusOf(note)
  const base = answerOf({ status, headers: {} })
  return { ...base, statusText: STATUS_CODES[status] ?? '' }
}

function statusOf(note: string): number {
  if (note === 'upgraded') return 101
  return Number(/^refused with (\d{3})$/.exec(note)?.[1] ?? 0)
}

function typeOf({ headers }: Pick<Message, 'headers'>): string {
  return headers['content-type'] ?? ''
}

/** Returns the text as HAR has it, with a comment if it was cut. */
function contentOf({ body, body_base64: base64 }: Pick<Message, 'body' | 'body_base64'>): object {
  if (base64 !== undefined) return { text: base64, encoding: 'base64' }
  if (body === undefined) return {}
  const cut = cutBody(body)
  return cut === undefined ? { text: body } : { text: cut.beginning, comment: `the beginning of ${cut.bytes} bytes` }
}

function sizeOf({ body = '', body_base64: base64 }: Pick<Message, 'body' | 'body_base64'>): number {
  if (base64 !== undefined) return Buffer.byteLength(base64, 'base64')
  return cutBody(body)?.bytes ?? Buffer.byteLength(body)
}
