import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { signatureProblem } from '../diagnose/signature-problem.js'
import { otherSchemeOf } from '../schemes/of-headers.js'
import { sign } from '../wire/signing.js'
import { placeOf } from '../wire/url.js'
import { Confidential, hasHiddenPart } from './confidential.js'
import {
  headerOf,
  markedField,
  type DeliveryLine,
  type ExchangeLine,
  type FrameLine,
  type HeaderList,
  type RecordedAnswer,
  type RecordedMessage,
  type SignatureFinding,
  type StreamLine,
} from './record.js'
import { keepNewest } from './keep-newest.js'

/** A message as it passed, secrets and all. */
export interface RawMessage {
  readonly headers: HeaderList
  /** Decoded from its content coding; undefined where it is not known, for the reason of `missing`. */
  readonly body?: Uint8Array | undefined
  readonly missing?: string | undefined
  /** The bytes may differ from those that passed, so their signature cannot be checked. */
  readonly isInexact?: boolean
}

export interface RawAnswer extends RawMessage {
  readonly status: number
}

/** One request and its answer as they passed. */
export interface RawExchange {
  readonly startedAt: number
  readonly endedAt: number
  readonly method: string
  readonly url: URL
  /** The path of the base URL, without a slash at its end. */
  readonly prefix: string
  readonly request: RawMessage
  readonly response?: RawAnswer | undefined
  readonly note?: string | undefined
}

/** Webhooks whose secret is known, at most; the oldest is forgotten first. */
const maxSecrets = 10_000
const maxStreams = 10_000

/** Secrets to check a signature with; the newest. */
const maxTried = 1_000

interface KnownSecret {
  readonly value: string
  readonly name: string
  /** Where deliveries of its webhook go; undefined for one that was given. */
  readonly place: string | undefined
}

/** Turns what passed into lines without keys and secrets, and holds each delivery against the secrets it knows. */
export class Recorder {
  readonly #confidential = new Confidential()
  readonly #secrets = new Map<string, KnownSecret>()
  /** Functions that hide the key of a stream if it looks like an id. */
  readonly #hiders = new Map<string, (text: string) => string>()

  constructor(secrets: readonly string[] = []) {
    for (const value of secrets) this.#learn(value, undefined)
  }

  /** Learns a key that was taken, and the secret of a create answer; called before anything that may rest on them is recorded. */
  learn(raw: RawExchange): void {
    const { method, url, prefix, response } = raw
    if (response === undefined || response.status < 200 || response.status > 299) return
    this.#keyOf(raw, true)
    if (method !== 'POST' || url.pathname.replace(/\/$/, '') !== `${prefix}/v1/webhooks`) return
    if (response.body === undefined) return
    const answer = parseJson(Buffer.from(response.body).toString())
    const secret = memberOf(answer, 'secret')
    const place = memberOf(answer, 'url')
    if (typeof secret === 'string' && secret !== '' && secret !== markedField)
      this.#learn(secret, typeof place === 'string' ? placeOf(place) : '')
  }

  #learn(value: string, place: string | undefined): void {
    const name = this.#confidential.secret(value)
    this.#secrets.set(name, { value, name, place })
    keepNewest(this.#secrets, maxSecrets)
  }

  exchange(raw: RawExchange): ExchangeLine {
    this.learn(raw)
    const key = this.#keyOf(raw, false)
    const { url, prefix } = raw
    return {
      kind: 'exchange',
      at: new Date(raw.startedAt).toISOString(),
      duration_ms: Math.max(0, Math.round(raw.endedAt - raw.startedAt)),
      service: url.host,
      method: raw.method,
      path: this.#pathOf(url, prefix),
      ...(key === undefined ? {} : { key }),
      request: this.#message(raw.request),
      ...(raw.response === undefined ? {} : { response: this.#answer(raw.response) }),
      ...(raw.note === undefined ? {} : { note: this.#confidential.scrub(raw.note) }),
    }
  }

  stream(stream: string, raw: Omit<RawExchange, 'endedAt' | 'response' | 'method'>): StreamLine {
    // Some services refuse a key after the upgrade alone, by closing the stream: what looks like an id is hidden on it alone.
    const key = this.#keyOf(raw, false)
    const hider = this.#confidential.hider(this.#credentialOf(raw) ?? '')
    if (hider !== undefined) this.#hiders.set(stream, hider)
    keepNewest(this.#hiders, maxStreams)
    return {
      kind: 'stream',
      at: new Date(raw.startedAt).toISOString(),
      stream,
      service: raw.url.host,
      path: this.#pathOf(raw.url, raw.prefix),
      ...(key === undefined ? {} : { key }),
    }
  }

  frame(stream: string, at: number, data: Uint8Array | undefined, isText: boolean): FrameLine {
    const line = { kind: 'frame', at: new Date(at).toISOString(), stream } as const
    if (data === undefined) return { ...line, body_missing: 'too long to be kept' }
    if (!isText) return { ...line, body_base64: this.#scrubBytes(data) }
    const body = this.#confidential.scrub(Buffer.from(data).toString())
    return { ...line, body: this.#hiders.get(stream)?.(body) ?? body }
  }

  delivery(raw: Omit<RawExchange, 'prefix'>): DeliveryLine {
    return {
      kind: 'delivery',
      at: new Date(raw.startedAt).toISOString(),
      duration_ms: Math.max(0, Math.round(raw.endedAt - raw.startedAt)),
      url: this.#confidential.scrub(raw.url.href),
      method: raw.method,
      request: this.#message(raw.request),
      ...(raw.response === undefined ? {} : { response: this.#answer(raw.response) }),
      ...(raw.note === undefined ? {} : { note: this.#confidential.scrub(raw.note) }),
      signature: this.#signature(raw.request, raw.url.href),
    }
  }

  /** Checks a captured delivery whose signature could not be checked then, with the secrets that are known now. */
  again(line: DeliveryLine): DeliveryLine {
    const { body } = line.request
    const isWhole = body !== undefined && !hasHiddenPart(body)
    if (line.signature.verdict !== 'unknown' || !isWhole || this.#secrets.size === 0) return line
    const request = { headers: line.request.headers, body: Buffer.from(body) }
    return { ...line, signature: this.#signature(request, line.url) }
  }

  #signature(request: RawMessage, url: string): SignatureFinding {
    const { body } = request
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headerOf(request, name),
    )
    if (body === undefined || id === undefined || timestamp === undefined || signature === undefined)
      return { verdict: 'unknown' }
    if ([id, timestamp, signature].includes(markedField)) return { verdict: 'unknown' }
    const place = placeOf(url)
    const all = [...this.#secrets.values()].slice(-maxTried)
    const exact = all.filter((secret) => secret.place === place)
    const likely =
      exact.length > 0 ? exact : all.filter(({ place: own }) => own !== undefined && isSamePath(own, place))
    const entries = signature.split(' ')
    const right = [...likely, ...all].find((secret) => entries.includes(sign(secret.value, { id, timestamp, body })))
    const own = likely.map((secret) => secret.name)
    if (right !== undefined && (exact.length === 0 || own.includes(right.name) || right.place === undefined))
      return { verdict: 'right', secret: right.name }
    const given = all.filter((secret) => secret.place === undefined)
    const held = likely.length > 0 ? likely : given
    const [only, another] = held
    if (only === undefined)
      return right === undefined ? { verdict: 'unknown' } : { verdict: 'right', secret: right.name }
    if (request.isInexact === true) return { verdict: 'unknown' }
    const problem =
      right === undefined
        ? (signatureProblem({ id, timestamp, signature }, body, only.value) ??
          'no v1 entry equals the computed signature')
        : 'it is made with the secret of another webhook'
    return {
      verdict: 'wrong',
      problem,
      by: exact.length > 0 ? 'url' : likely.length > 0 ? 'path' : 'given',
      ...(another === undefined ? { secret: only.name } : {}),
    }
  }

  /** Returns the name of the key of a request; `isAccepted` if the service accepted it. */
  #keyOf(raw: Pick<RawExchange, 'request' | 'url'>, isAccepted: boolean): string | undefined {
    const credential = this.#credentialOf(raw)
    return credential === undefined ? undefined : this.#confidential.key(credential, isAccepted)
  }

  #credentialOf({ request, url }: Pick<RawExchange, 'request' | 'url'>): string | undefined {
    const credential = /^bearer\s+(\S.*)$/i.exec(headerOf(request, 'authorization')?.trim() ?? '')?.[1]
    const token = credential ?? url.searchParams.get('token') ?? ''
    return token === '' ? undefined : token
  }

  #pathOf(url: URL, prefix: string): string {
    const clean = new URL(url)
    if (clean.searchParams.has('token')) clean.searchParams.set('token', 'redacted')
    return this.#confidential.scrub(clean.pathname.slice(prefix.length) + clean.search)
  }

  /** A binary body may still contain a secret. */
  #scrubBytes(bytes: Uint8Array): string {
    return Buffer.from(this.#confidential.scrub(Buffer.from(bytes).toString('latin1')), 'latin1').toString('base64')
  }

  #answer(raw: RawAnswer): RecordedAnswer {
    return { status: raw.status, ...this.#message(raw) }
  }

  #message({ headers, body, missing }: RawMessage): RecordedMessage {
    const kept = { headers: this.#confidential.headers(headers) }
    if (body === undefined) return { ...kept, body_missing: missing ?? 'not recorded' }
    if (body.length === 0) return kept
    try {
      return { ...kept, body: this.#confidential.scrub(strict.decode(body)) }
    } catch {
      return { ...kept, body_base64: this.#scrubBytes(body) }
    }
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A tunnel may change the host; the path of a webhook of its own stays. */
function isSamePath(one: string, other: string): boolean {
  const [a, b] = [one.slice(one.indexOf('/')), other.slice(other.indexOf('/'))]
  return a === b && a.length > 1
}

/** Whether a request is a delivery, of the interface or of a built-in scheme: only those carry what a verifier needs. */
export function isDelivery(message: RawMessage): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const present = names.filter((name) => message.headers.some(([header]) => header.toLowerCase() === name))
  if (present.length > 0 || otherSchemeOf(message.headers) !== undefined) return true
  if (message.body === undefined || message.body.length === 0) return false
  const body = parseJson(Buffer.from(message.body).toString())
  const id = memberOf(body, 'id')
  return typeof id === 'string' && id.startsWith('evt_') && memberOf(body, 'data') !== undefined
}
