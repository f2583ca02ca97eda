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
  /** Sends the body in chunks of this many bytes. */
  readonly chunkBytes?: number
}

/** A webhook delivery as the service would send it, or with one thing changed. Immutable. */
export class Delivery {
  readonly fields: DeliveryFields

  constructor(fields: DeliveryFields) {
    this.fields = fields
  }

  /** The same delivery with some fields replaced; signed again unless `signed` says otherwise. */
  with(changes: Partial<DeliveryFields>): Delivery {
    return new Delivery({ ...this.fields, ...changes })
  }

  /** The same headers and signature over another body, id or timestamp: tampered with after signing. */
  tampered(changes: { readonly id?: string; readonly timestamp?: number; readonly body?: Uint8Array }): Delivery {
    const { id, timestamp, body } = this.fields
    return this.with({ ...changes, signed: { id, timestamp, body } })
  }

  get headers(): Record<string, string> {
    const { id, timestamp, body, secret, signature, signed, without = [], extra } = this.fields
    const entry = `v1,${macOf(keyOf(secret), { id: signed?.id ?? id, timestamp: signed?.timestamp ?? timestamp, body: signed?.body ?? body })}`
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'webhook-conformance',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': typeof signature === 'function' ? signature(entry) : (signature ?? entry),
      ...extra,
    }
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !without.includes(name)))
  }
}
