import { parseJson } from './json.js'

/** A request that was sent and has no answer. */
interface Sent {
  readonly method: string
  readonly url: string
  readonly body: Uint8Array | undefined
  readonly caseId: string | undefined
  /** Of `performance.now()`: when it ended without an answer. */
  endedAt: number | undefined
}

/** Requests without an answer that are remembered. */
const maxKept = 200
/** An unanswered request that ended longer than this before the target was gone is unrelated to it, in milliseconds. */
const recentMs = 3_000
/** Requests that are named. */
const maxNamed = 3
/** Characters of a body that are shown. */
const maxBody = 160

/**
 * Remembers which requests had no answer yet, so that a target that dies names what it had last: odd bodies first, requests of a kind
 * that it answered before last.
 */
export class LastRequests {
  readonly #sent = new Set<Sent>()
  readonly #answered = new Set<string>()
  #suspects: readonly Sent[] = []

  /** Records a request; call the returned function with whether an answer arrived. */
  send({ method, url, body }: Pick<Sent, 'method' | 'url' | 'body'>, caseId?: string): (isAnswered: boolean) => void {
    const sent: Sent = { method, url, body, caseId, endedAt: undefined }
    this.#sent.add(sent)
    return (isAnswered) => {
      sent.endedAt = performance.now()
      if (isAnswered) {
        this.#answered.add(kindOf(sent))
        this.#sent.delete(sent)
      }
      const [oldest] = this.#sent
      if (this.#sent.size > maxKept && oldest !== undefined) this.#sent.delete(oldest)
    }
  }

  /** Keeps the requests without an answer by now: one of them may be why the target accepts no connection any more. */
  targetGone(): void {
    const since = performance.now() - recentMs
    const open = [...this.#sent].filter(({ endedAt }) => endedAt === undefined || endedAt >= since)
    if (open.length === 0) return
    const rank = (sent: Sent) => (isOdd(sent) ? 0 : this.#answered.has(kindOf(sent)) ? 2 : 1)
    this.#suspects = open.toSorted((a, b) => rank(a) - rank(b))
    this.#sent.clear()
  }

  /** The requests that the target had when it went away, in words; undefined where it never did. */
  get text(): string | undefined {
    const [first] = this.#suspects
    if (first === undefined) return undefined
    const named = this.#suspects.slice(0, maxNamed).map(describe)
    const more = this.#suspects.length - named.length
    return `the requests it had not answered when it went away: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}. Try: ${curlOf(first)}`
  }
}

/** Whether a body is not a plain object: invalid JSON, another value, or one that is long or deep. */
function isOdd({ body }: Sent): boolean {
  return body !== undefined && !shapeOf(Buffer.from(body).toString('latin1')).startsWith('{')
}

/** Requests of one kind differ in ids and values alone. */
function kindOf({ method, url, body }: Sent): string {
  const { pathname } = new URL(url)
  const path = pathname.replaceAll(/\/[a-z]+_[^/]+/g, '/:id')
  return `${method} ${path} ${body === undefined ? 'no body' : shapeOf(Buffer.from(body).toString('latin1'))}`
}

/** What a body is, but for its values. */
function shapeOf(text: string): string {
  if (text.length > 4_000) return 'long'
  const value = parseJson(text)
  if (Array.isArray(value)) return 'list'
  if (value === null || typeof value !== 'object') return `${typeof value} ${value === null}`
  const members = Object.entries(value).map(([name, member]) => `${name}:${member === null ? 'null' : typeof member}`)
  return `{${members.sort().join(',')}}`
}

function describe({ method, url, body, caseId }: Sent): string {
  const { pathname, search } = new URL(url)
  const what = body === undefined ? '' : ` with the body ${shownBody(body)}`
  return `${method} ${pathname}${search}${what}${caseId === undefined ? '' : ` (${caseId})`}`
}

function shownBody(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8')
  return text.length > maxBody ? `${text.slice(0, maxBody)}… (${body.length} bytes)` : text
}

/** Formats the request for a shell; the key is in a variable. A long body is left to its case. */
function curlOf({ method, url, body }: Sent): string {
  const text = body === undefined ? undefined : Buffer.from(body).toString('utf8')
  const data =
    text === undefined
      ? ''
      : ` -H 'content-type: application/json' --data-binary ${text.length > maxBody ? '@body.json' : `'${text.replaceAll("'", `'\\''`)}'`}`
  return `curl -X ${method} '${url}' --oauth2-bearer "$API_KEY"${data}`
}
