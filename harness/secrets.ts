import { hideCredentials, isCredentialHeader, looksRandom } from './credentials.js'
import type { CaseResult, ExchangeRecord } from './result.js'
import { decodedView, squeezedView, type View } from './secret-views.js'
import { isTooPlain, redactPlain, redactPlainHeaders } from './plain-secrets.js'

/** The replacement for a secret. */
const mark = '[redacted]'
/** Characters by which a value is looked up. */
const windowLength = 6
/** A part of a secret that our own shortening left is found from this length on; one of an encoded secret reveals less. */
const shortestPart = { plain: 4, encoded: 8 } as const
/** How deep an encoding inside an encoding is looked through: JSON in a JSON text in a URL. */
const maxLayers = 3

/** Knows every secret of a run, and removes them from everything before it is kept or printed. */
export class Secrets {
  readonly #values = new Set<string>()
  /** Every form a value is looked for in, by a number made of its last characters: those differ where the first do not. */
  readonly #forms = new Map<number, string[]>()
  /** Values that are common words, or so short that they are part of other words. */
  readonly #plain = new Set<string>()
  /** The same forms by their first, and by their last characters: what a cut leaves of them is found by those. */
  readonly #starts = new Map<string, string[]>()
  readonly #ends = new Map<string, string[]>()
  #longest = 0

  /** Registers a secret value, and what it looks like in base64 and hexadecimal; undefined and empty ones are ignored. */
  add(value: string | undefined): void {
    if (value === undefined || value === '' || this.#values.has(value.toLowerCase())) return
    if (isTooPlain(value)) {
      this.#plain.add(value)
      return
    }
    this.#values.add(value.toLowerCase())
    const bare = value.startsWith('whsec_') ? value.slice('whsec_'.length) : ''
    const encoded = encodings(Buffer.from(value))
    const twice = encodings(Buffer.from(Buffer.from(value).toString('base64')))
    for (const form of [value, ...encoded, ...twice]) this.#index(form)
    if (bare.length < windowLength) return
    for (const form of [bare, ...encodings(Buffer.from(bare)), ...encodings(Buffer.from(bare, 'base64'))])
      this.#index(form)
  }

  /** The number of secrets that are hidden only in a header or after the name of a secret. */
  get tooPlain(): number {
    return this.#plain.size
  }

  /** Registers a credential in a header's value: the value, what follows its scheme, and the two parts of basic auth. */
  addHeader(value: string): void {
    this.add(value)
    const [, scheme = '', credential] = /^(\S+)\s+(\S.*)$/.exec(value) ?? []
    this.add(credential)
    if (scheme.toLowerCase() !== 'basic' || credential === undefined) return
    const pair = Buffer.from(credential, 'base64').toString()
    this.add(pair)
    this.add(pair.slice(pair.indexOf(':') + 1))
  }

  /** Registers the values of variables whose names are those of secrets, except paths, addresses and short values. */
  addEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value = ''] of Object.entries(environment))
      if (
        /(?:KEY|SECRET|TOKEN|PASS|PASSWORD|CREDENTIAL|DSN)\w*$/i.test(name) &&
        !isTooPlain(value) &&
        !/^(?:\.?\/|https?:)/.test(value)
      )
        this.add(value)
  }

  /** `text` with every known secret, and anything that looks like a secret or is named as one, replaced. */
  redact(text: string): string {
    const known = redactPlain(this.#redactKnown(text), this.#plain)
    return hideCredentials(known, { key: () => mark, value: () => mark })
      .replace(
        /whsec_(?!\[)(?:[A-Za-z0-9+/=_-]|\\{1,15}\/|\\{1,15}u00(?:2[bBfF]|3[dD])|%(?:25)*(?:2[bBfF]|3[dD]))+/g,
        `whsec_${mark}`,
      )
      .replace(/(bearer(?:\s|%20|\+)+)(?=[^\s"'\\,;<&]*[\d_]|[^\s"'\\,;<&]{20})[^\s"'\\,;<&]+/gi, `$1${mark}`)
      .replace(/(authorization["']?:\s*["']?bearer\s+)(?!\[redacted\])[^\s"'\\,;<&]+/gi, `$1${mark}`)
      .replace(/([?&]token=)(?!\[redacted\])[^&\s"'\\#<]+/g, `$1${mark}`)
  }

  /** The same error with its message redacted. */
  redactError(error: unknown): unknown {
    if (error instanceof Error) error.message = this.redact(error.message)
    return error
  }

  /** The same value with every string in it redacted. */
  redactDeep<T>(value: T): T {
    return this.#walk(value, new WeakSet()) as T
  }

  /** A result with every text in it redacted that the target or the user may have written. */
  redactResult(result: CaseResult): CaseResult {
    const { message, reason, reproduce, checks, counterexample, measurements, exchanges } = result
    const clean = (text: string) => this.redact(text)
    return {
      ...result,
      ...(message === undefined ? {} : { message: clean(message) }),
      ...(reason === undefined ? {} : { reason: clean(reason) }),
      ...(reproduce === undefined ? {} : { reproduce: clean(reproduce) }),
      ...(checks === undefined
        ? {}
        : {
            checks: checks.map((mismatch) => ({
              ...mismatch,
              what: clean(mismatch.what),
              expected: clean(mismatch.expected),
              got: clean(mismatch.got),
            })),
          }),
      ...(counterexample === undefined ? {} : { counterexample: this.redactDeep(counterexample) }),
      ...(measurements === undefined ? {} : { measurements: this.redactDeep(measurements) }),
      ...(exchanges === undefined ? {} : { exchanges: this.redactExchanges(exchanges) }),
    }
  }

  /** The same exchanges with every text in them redacted. */
  redactExchanges(exchanges: readonly ExchangeRecord[]): ExchangeRecord[] {
    return exchanges.map((exchange) => this.#redactExchange(exchange))
  }

  #redactExchange(exchange: ExchangeRecord): ExchangeRecord {
    const { request, response, note } = exchange
    return {
      ...exchange,
      request: this.#redactMessage(request),
      ...(response === undefined ? {} : { response: { ...this.#redactMessage(response), status: response.status } }),
      ...(note === undefined ? {} : { note: this.redact(note) }),
    }
  }

  /** A body in base64 is redacted as the text it is, so that no escape hides a secret in it, and stays base64. */
  #redactMessage<T extends { readonly body_base64?: string; readonly headers: Readonly<Record<string, string>> }>(
    given: T,
  ): T {
    const headers = Object.entries(redactPlainHeaders(given.headers, this.#plain)).map(([name, value]) => [
      name,
      isCredentialHeader(name) && looksRandom(value) ? hiddenCredential(value) : value,
    ])
    const message = { ...given, headers: Object.fromEntries(headers) as Readonly<Record<string, string>> }
    const { body_base64: base64, ...rest } = message
    if (base64 === undefined) return this.redactDeep(message)
    const clean = this.redact(Buffer.from(base64, 'base64').toString('latin1'))
    return { ...this.redactDeep(rest), body_base64: this.redact(Buffer.from(clean, 'latin1').toString('base64')) } as T
  }

  #index(spelling: string): void {
    if (spelling.length < windowLength) return
    const form = lowered(spelling)
    const key = windowKey(form, form.length)
    if (this.#forms.get(key)?.includes(form) === true) return
    put(this.#forms, key, form)
    this.#indexParts(form)
  }

  #indexParts(form: string): void {
    if (form.length <= shortestPart.plain) return
    put(this.#starts, form.slice(0, shortestPart.plain), form)
    put(this.#ends, form.slice(-shortestPart.plain), form)
    this.#longest = Math.max(this.#longest, form.length)
  }

  #redactKnown(text: string): string {
    if (this.#forms.size === 0 && this.#starts.size === 0) return text
    const found: [number, number][] = []
    let view: View | undefined = { text: lowered(text), starts: undefined }
    for (let layer = 0; layer <= maxLayers && view !== undefined; layer++) {
      this.#findIn(view, found)
      const squeezed = squeezedView(view)
      if (squeezed !== undefined) this.#findIn(squeezed, found)
      const next = decodedView(view)
      view = next && { text: lowered(next.text), starts: next.starts }
    }
    return found.length === 0 ? text : withMarks(text, found)
  }

  /** Adds the places of secrets, as positions of the original text. */
  #findIn({ text, starts, ends }: View, found: [number, number][]): void {
    for (const [start, end] of this.#find(text))
      found.push([starts?.[start] ?? start, ends?.[end - 1] ?? starts?.[end] ?? end])
  }

  /** Finds the secrets in `text`: start and end of each. */
  #find(text: string): [number, number][] {
    const found: [number, number][] = []
    for (let end = windowLength; end <= text.length; end++) {
      const candidates = this.#forms.get(windowKey(text, end))
      if (candidates === undefined) continue
      const lengths = candidates.filter((form) => text.endsWith(form, end)).map((form) => form.length)
      if (lengths.length > 0) found.push([end - Math.max(...lengths), end])
    }
    return [...found, ...this.#findCut(text)]
  }

  /** Finds a secret of which our own shortening left only the start, before `…`, or only the end, after it. */
  #findCut(text: string): [number, number][] {
    const found: [number, number][] = []
    let [before, at] = [0, text.indexOf('…')]
    while (at !== -1) {
      const next = text.indexOf('…', at + 1)
      const start = this.#startOfPart(text, Math.max(before, at - this.#longest), at)
      if (start !== undefined) found.push([start, at])
      const end = this.#endOfPart(text, at + 1, Math.min(next === -1 ? text.length : next, at + 1 + this.#longest))
      if (end !== undefined) found.push([at + 1, end])
      ;[before, at] = [at + 1, next]
    }
    return found
  }

  /** Where the longest start of a secret begins that ends at `end`; not in front of `from`. */
  #startOfPart(text: string, from: number, end: number): number | undefined {
    for (let start = from; start <= end - shortestPart.plain; start++) {
      const forms = this.#starts.get(text.slice(start, start + shortestPart.plain)) ?? []
      if (forms.some((form) => this.#isPart(form, end - start) && text.startsWith(form.slice(0, end - start), start)))
        return start
    }
    return undefined
  }

  /** Returns the end of the longest part of a secret that begins at `start`; at most `to`. */
  #endOfPart(text: string, start: number, to: number): number | undefined {
    for (let end = to; end >= start + shortestPart.plain; end--) {
      const forms = this.#ends.get(text.slice(end - shortestPart.plain, end)) ?? []
      if (forms.some((form) => this.#isPart(form, end - start) && text.startsWith(form.slice(start - end), start)))
        return end
    }
    return undefined
  }

  #isPart(form: string, length: number): boolean {
    const least = this.#values.has(form) ? shortestPart.plain : shortestPart.encoded
    return length >= least && length < form.length
  }

  #walk(value: unknown, above: WeakSet<object>): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (typeof value !== 'object' || value === null) return value
    if (above.has(value)) return '[circular]'
    if (value instanceof Uint8Array) return `${value.length} bytes`
    above.add(value)
    const clean = Array.isArray(value)
      ? value.map((element) => this.#walk(element, above))
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [this.redact(key), this.#walk(member, above)]))
    // The same value twice among siblings is not a cycle.
    above.delete(value)
    return clean
  }
}

/** The value of a header without its credential: the scheme, the name of a cookie and plain values stay. */
function hiddenCredential(value: string): string {
  return value.replace(/[^\s;,=:]{8,}={0,2}/g, (part) => (looksRandom(part) ? mark : part))
}

/** Adds to the list of a key. */
function put<K>(lists: Map<K, string[]>, key: K, form: string): void {
  const others = lists.get(key)
  if (others === undefined) lists.set(key, [form])
  else others.push(form)
}

/** A number made of the last characters in front of `end`; equal texts have equal numbers. */
function windowKey(text: string, end: number): number {
  let key = 0
  for (let index = end - windowLength; index < end; index++) key = (Math.imul(key, 31) + text.charCodeAt(index)) | 0
  return key
}

/** Returns the bytes in hexadecimal, and in base64 at each of the three offsets. */
function encodings(bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const start = Math.ceil((before * 8) / 6)
    // The last character may contain bits of the following text.
    return [text.slice(start, Math.floor(((before + bytes.length) * 8) / 6)), text.slice(start)]
  })
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [hex, hex.toUpperCase(), ...base64, ...urlSafe]
}

/** `text` with the places `found` replaced; places that touch or overlap are one. */
function withMarks(text: string, found: readonly (readonly [number, number])[]): string {
  let clean = ''
  let end = 0
  for (const [start, stop] of found.toSorted(([a], [b]) => a - b)) {
    if (start >= end && (start > end || clean === '')) clean += text.slice(end, start) + mark
    end = Math.max(end, stop)
  }
  return clean + text.slice(end)
}

/** Lowers the ASCII letters only: a target may echo a secret in another case, and every position must stay the same. */
function lowered(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text
}
