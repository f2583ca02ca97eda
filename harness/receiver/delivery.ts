import { ownScheme, type SignatureScheme, type SignedMessage } from '../schemes/scheme.js'
import { inFamily, type HeaderFamily } from '../wire/header-family.js'

/** How a delivery is written: by the scheme of the interface unless another is given. */
export interface DeliveryForm {
  readonly scheme?: SignatureScheme
  /** The names of the headers of the interface (default `webhook`). */
  readonly family?: HeaderFamily
  /** Where it goes, for schemes that sign that. */
  readonly url?: string
}

export interface DeliveryFields {
  readonly id: string
  /** Unix seconds, whatever the unit of the scheme; or any text for a malformed header. */
  readonly timestamp: number | string
  readonly body: Uint8Array
  readonly secret: string
  /** The entries of the signature header instead of the good one; a function gets that, and the signature in it. */
  readonly signature?: string | ((entry: string, mac: string) => string)
  /** Headers of the event that the scheme does not have for each. */
  readonly eventHeaders?: Readonly<Record<string, string>>
  /** The key that signs, where it is not that of the secret. */
  readonly key?: Uint8Array
  /** The signed values that differ from the sent ones. */
  readonly signed?: { readonly id?: string; readonly timestamp?: number | string; readonly body?: Uint8Array }
  /** Headers that are left out. */
  readonly without?: readonly string[]
  /** More headers. */
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
  /** The connection ends once this many bytes of the body are sent. */
  readonly breaksOffAfter?: number
  /** Sent over the case's open connection, after its earlier deliveries. */
  readonly keepsConnection?: boolean
}

/** The roles of headers, by the names that the interface has for them; a scheme may have other names for them. */
type Role = 'webhook-id' | 'webhook-timestamp' | 'webhook-signature'

/** A webhook delivery as the service would send it, or with one thing changed. Immutable. */
export class Delivery {
  readonly fields: DeliveryFields
  readonly form: DeliveryForm
  readonly scheme: SignatureScheme

  constructor(fields: DeliveryFields, form: DeliveryForm = {}) {
    this.scheme = form.scheme ?? ownScheme
    this.form = form
    // Of a body that is not the signed one no byte is changed.
    const placed = fields.signed === undefined ? this.#placed(fields) : fields.body
    this.fields = placed === fields.body ? fields : { ...fields, body: placed }
  }

  /** Returns the same delivery with some fields replaced, and signed again except for `signed`. */
  with(changes: Partial<DeliveryFields>): Delivery {
    return new Delivery({ ...this.fields, ...changes }, this.form)
  }

  /** The same headers and signature over another body, id or timestamp: tampered with after signing. */
  tampered(changes: {
    readonly id?: string
    readonly timestamp?: number | string
    readonly body?: Uint8Array
  }): Delivery {
    const { id, timestamp, body } = this.fields
    const placed = changes.body ?? this.#placed({ ...this.fields, ...changes })
    return this.with({ ...changes, body: placed, signed: { id, timestamp, body } })
  }

  /** The valid delivery that a forgery was made from, signed at this time with this secret. */
  validAt(timestamp: number, secret: string): Delivery {
    const { id, body, signed, eventHeaders } = this.fields
    const own = {
      id: signed?.id ?? id,
      body: signed?.body ?? body,
      ...(eventHeaders === undefined ? {} : { eventHeaders }),
    }
    return new Delivery({ ...own, timestamp, secret }, this.form)
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
    return new Delivery(this.fields, { ...this.form, family: this.form.family === 'svix' ? 'webhook' : 'svix' })
  }

  /** The same delivery with this signature in a good entry's place. */
  signedWith(mac: string): Delivery {
    return this.with({ signature: this.scheme.entryOf(mac) })
  }

  /** The same delivery with the signature of other bytes, by the right key. */
  signedOver(...parts: readonly (string | Uint8Array)[]): Delivery {
    return this.signedWith(this.scheme.macOf(this.#key, ...parts))
  }

  /** The ids whose work this delivery may lead to: the one it carries, and the one it was made from. */
  get ids(): readonly string[] {
    return [...new Set([this.fields.id, this.fields.signed?.id ?? this.fields.id])]
  }

  /** The message to sign, from the sent values. */
  get message(): SignedMessage {
    const { id, timestamp, body } = this.fields
    return { id, timestamp: this.#written(timestamp), body, ...this.#address }
  }

  /** The signature of the sent values, whatever the signature header contains. */
  get mac(): string {
    return this.scheme.macOf(this.#key, ...this.scheme.signedOf(this.message))
  }

  /** The bytes of {@link mac}. */
  get macBytes(): Buffer {
    return Buffer.from(this.mac, this.scheme.data.encoding)
  }

  get headers(): Record<string, string> {
    const { id, timestamp, body, signature, signed, without = [], extra, names, eventHeaders } = this.fields
    const time = this.#written(timestamp)
    const signedMessage: SignedMessage = {
      id: signed?.id ?? id,
      timestamp: this.#written(signed?.timestamp ?? timestamp),
      body: signed?.body ?? body,
      ...this.#address,
    }
    const mac = this.scheme.macOf(this.fields.key ?? this.#key, ...this.scheme.signedOf(signedMessage))
    const good = this.scheme.entryOf(mac)
    const entries = typeof signature === 'function' ? signature(good, mac) : (signature ?? good)
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...this.scheme.headersOf({ id, timestamp: time }, entries),
      ...eventHeaders,
      ...this.#inScheme(extra ?? {}),
    }
    const left = new Set(without.map((name) => this.#nameOf(name)))
    return this.#named(Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name))), names)
  }

  /** Second lines of headers, under the same names. */
  get repeatedHeaders(): Record<string, string> {
    return this.#named(this.#inScheme(this.fields.repeated ?? {}), this.fields.names)
  }

  get #key(): Uint8Array {
    return this.scheme.keyOf(this.fields.secret)
  }

  get #address(): { readonly url?: string } {
    return this.form.url === undefined ? {} : { url: this.form.url }
  }

  /** The body with the id and the timestamp in it, where the scheme has them there. */
  #placed({ id, timestamp, body }: Pick<DeliveryFields, 'id' | 'timestamp' | 'body'>): Uint8Array {
    return this.scheme.bodyWith(body, { id, timestamp: this.#written(timestamp) })
  }

  #written(timestamp: number | string): number | string {
    return typeof timestamp === 'number' ? this.scheme.timestampAt(timestamp) : timestamp
  }

  /** The scheme's name of a header that the interface has under this one. */
  #nameOf(name: string): string {
    const { id, timestamp, signature } = this.scheme.data
    const names: Readonly<Record<Role, string | undefined>> = {
      'webhook-id': id?.header,
      'webhook-timestamp': timestamp?.entry === undefined ? timestamp?.header : undefined,
      'webhook-signature': signature.header,
    }
    return names[name as Role] ?? name
  }

  #inScheme(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [this.#nameOf(name), value]))
  }

  #named(headers: Readonly<Record<string, string>>, names: (name: string) => string = (name) => name) {
    const family = inFamily(headers, this.form.family ?? 'webhook')
    return Object.fromEntries(Object.entries(family).map(([name, value]) => [names(name), value] as const))
  }
}
