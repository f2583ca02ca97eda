import { inFamily, type HeaderFamily } from '../wire/header-family.js'
import { macOf, keyOf } from '../wire/signing.js'

export interface DeliveryFields {
  readonly id: string
  /** Unix seconds, or any text for a malformed header. */
  readonly timestamp: number | string
  readonly body: Uint8Array
  readonly secret: string
  /** What is put in place of the signature header; a function is given the good entry. */
  readonly signature?: string | ((entry: string) => string)
  /** What is signed where it differs from what is sent. */
  readonly signed?: { readonly id?: string; readonly timestamp?: number | string; readonly body?: Uint8Array }
  /** Headers that are left out. */
  readonly without?: readonly string[]
  /** Further headers. */
  readonly extra?: Readonly<Record<string, string>>
  /** A second line of a header. */
  readonly repeated?: Readonly<Record<string, string>>
  /** How the names of the headers are written (default: in lower case). */
  readonly names?: (name: string) => string
  /** Default POST. */
  readonly method?: string
  /** Sends the body in chunks of this many bytes. */
  readonly chunkBytes?: number
  /** Sends the body with its length, in pieces that end at these offsets. */
  readonly cuts?: readonly number[]
  /** The connection is ended once so many bytes of the body are on their way. */
  readonly breaksOffAfter?: number
  /** Sent over the connection that the case keeps open, after what was sent over it before. */
  readonly keepsConnection?: boolean
}

/** A webhook delivery as the service would send it, or with one thing changed. Immutable. */
export class Delivery {
  readonly fields: DeliveryFields
  readonly #family: HeaderFamily

  constructor(fields: DeliveryFields, family: HeaderFamily = 'webhook') {
    this.fields = fields
    this.#family = family
  }

  /** The same delivery with some fields replaced; signed again unless `signed` says otherwise. */
  with(changes: Partial<DeliveryFields>): Delivery {
    return new Delivery({ ...this.fields, ...changes }, this.#family)
  }

  /** The same headers and signature over another body, id or timestamp: tampered with after signing. */
  tampered(changes: {
    readonly id?: string
    readonly timestamp?: number | string
    readonly body?: Uint8Array
  }): Delivery {
    const { id, timestamp, body } = this.fields
    return this.with({ ...changes, signed: { id, timestamp, body } })
  }

  /** The like of it for an event of its own; undefined where another id would make it another delivery. */
  asAnotherEvent(id: string, timestamp: number): Delivery | undefined {
    const { id: own, body: bytes, signed } = this.fields
    if (signed !== undefined || own.length !== id.length) return undefined
    const body = Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(own, id), 'latin1')
    return this.with({ id, timestamp, body })
  }

  /** The same delivery, with its three headers under the names of the other family. */
  get inOtherFamily(): Delivery {
    return new Delivery(this.fields, this.#family === 'webhook' ? 'svix' : 'webhook')
  }

  /** The ids whose work this delivery may lead to: the one it carries, and the one it was made from. */
  get ids(): readonly string[] {
    return [...new Set([this.fields.id, this.fields.signed?.id ?? this.fields.id])]
  }

  /** The MAC of what is sent, whatever stands in its signature header: base64. */
  get mac(): string {
    const { secret, id, timestamp, body } = this.fields
    return macOf(keyOf(secret), { id, timestamp, body })
  }

  get headers(): Record<string, string> {
    const { id, timestamp, body, secret, signature, signed, without = [], extra, names } = this.fields
    const entry = `v1,${macOf(keyOf(secret), { id: signed?.id ?? id, timestamp: signed?.timestamp ?? timestamp, body: signed?.body ?? body })}`
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': typeof signature === 'function' ? signature(entry) : (signature ?? entry),
      ...extra,
    }
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !without.includes(name)))
    return this.#named(kept, names)
  }

  /** Second lines of headers, under the same names. */
  get repeatedHeaders(): Record<string, string> {
    return this.#named(this.fields.repeated ?? {}, this.fields.names)
  }

  #named(headers: Readonly<Record<string, string>>, names: (name: string) => string = (name) => name) {
    const named = Object.entries(inFamily(headers, this.#family)).map(([name, value]) => [names(name), value] as const)
    return Object.fromEntries(named)
  }
}
