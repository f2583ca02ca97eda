// The one engine that signs: everything it knows of a scheme is data of fixtures/schemes. The reference has a signer of its own.

import { createHmac, sign as signAsymmetrically, type KeyObject } from 'node:crypto'
import { loadScheme, type SchemeData, type SchemePlace } from '../../fixtures/index.js'
import { privateKey, publicBytes, secretBytes } from './key.js'
import { aroundPart, parseTemplate, type TemplatePiece } from './template.js'

/** The signed values of one delivery. */
export interface SignedMessage {
  readonly id: string
  /** In the unit of the scheme, or the text as it is to be signed. */
  readonly timestamp: number | string
  readonly body: Uint8Array | string
  /** Only for schemes that sign it. */
  readonly url?: string
}

export const signedParts = ['id', 'timestamp', 'body', 'url'] as const
type SignedPart = (typeof signedParts)[number]

/** The parts of a delivery that a scheme has a place for. */
export const schemeParts = ['id', 'timestamp', 'signature'] as const
export type SchemePart = (typeof schemeParts)[number]

/** What a scheme has room for. */
export type SchemeFeature =
  | 'id'
  | 'signed-id'
  | 'id-header'
  | 'timestamp'
  | 'timestamp-header'
  | 'timestamp-entry'
  | 'past'
  | 'future'
  | 'several'
  | 'entry-prefix'
  | 'other-entries'
  | 'hmac'
  | 'ed25519'
  | 'hex'
  | 'base64'
  | 'decoded-secret'
  | 'signed-prefix'

/** What a scheme lacks where it has no room for something, in words. */
const featureNames: Readonly<Record<SchemeFeature, string>> = {
  id: 'id',
  'signed-id': 'signed id',
  'id-header': 'header with the id',
  timestamp: 'timestamp',
  'timestamp-header': 'header of its own for the timestamp',
  'timestamp-entry': 'timestamp in the signature header',
  past: 'limit of age',
  future: 'limit of times ahead',
  several: 'room for several signatures',
  'entry-prefix': 'label before a signature',
  'other-entries': 'entries of other versions',
  hmac: 'HMAC',
  ed25519: 'Ed25519 signature',
  hex: 'hexadecimal signature',
  base64: 'signature in base64',
  'decoded-secret': 'encoded secret',
  'signed-prefix': 'signed text before the body',
}

/** A signature scheme: signs a delivery, and knows the place of each part. */
export class SignatureScheme {
  readonly data: SchemeData
  readonly #signed: readonly TemplatePiece<SignedPart>[]
  readonly #entry: readonly [before: string, after: string]
  readonly #keys = new Map<string, Buffer>()
  #private: { readonly seed: string; readonly key: KeyObject } | undefined

  /** Expects data that {@link readScheme} accepts. */
  constructor(data: SchemeData) {
    this.data = data
    this.#signed = parseTemplate(data.signed, signedParts)
    this.#entry = aroundPart(data.signature.entry, 'signature')
  }

  get name(): string {
    return this.data.name
  }

  /** Whether messages are signed with a private key, whose public key the receiver has. */
  get isAsymmetric(): boolean {
    return this.data.algorithm === 'ed25519'
  }

  /** Number of bytes of a signature. */
  get signatureBytes(): number {
    return { 'hmac-sha1': 20, 'hmac-sha256': 32, 'hmac-sha512': 64, ed25519: 64 }[this.data.algorithm]
  }

  /** Whether a delivery of the scheme can have what `feature` names. */
  has(feature: SchemeFeature): boolean {
    const { id, timestamp, signature, signed, encoding, key } = this.data
    switch (feature) {
      case 'id':
        return id !== undefined
      case 'signed-id':
        return signed.includes('{id}')
      case 'id-header':
        return id?.header !== undefined
      case 'timestamp':
        return timestamp !== undefined
      case 'timestamp-header':
        return timestamp?.header !== undefined && timestamp.entry === undefined
      case 'timestamp-entry':
        return timestamp?.entry !== undefined
      case 'past':
        return timestamp?.past !== undefined
      case 'future':
        return timestamp?.future !== undefined
      case 'several':
        return signature.several === true
      case 'entry-prefix':
        return this.#entry[0] !== ''
      case 'other-entries':
        return (signature.others ?? []).length > 0
      case 'hmac':
        return !this.isAsymmetric
      case 'ed25519':
        return this.isAsymmetric
      case 'hex':
        return encoding === 'hex'
      case 'base64':
        return encoding === 'base64'
      case 'decoded-secret':
        return key.form !== 'text'
      case 'signed-prefix':
        return signed !== '{body}'
      default:
        return feature satisfies never
    }
  }

  /** Why a case that needs `feature` is not for this scheme; undefined when it is. */
  findMissing(feature: SchemeFeature): string | undefined {
    return this.has(feature) ? undefined : `the scheme ${this.name} has no ${featureNames[feature]}`
  }

  /** The key that a secret stands for; of Ed25519 its private seed. */
  keyOf(secret: string): Buffer {
    let key = this.#keys.get(secret)
    if (key === undefined) {
      key = secretBytes(this.data, secret)
      if (this.#keys.size > 100) this.#keys.clear()
      this.#keys.set(secret, key)
    }
    return key
  }

  /** The media types that bodies may have. */
  get contentTypes(): readonly string[] {
    return this.data.content_types ?? ['application/json']
  }

  /** What a receiver is given: the secret itself, or the public key of its seed. */
  receiverSecret(secret: string): string {
    if (!this.isAsymmetric) return secret
    const { form, public_prefix: prefix = '' } = this.data.key
    return prefix + publicBytes(this.keyOf(secret)).toString(form === 'hex' ? 'hex' : 'base64')
  }

  /** The bytes that are signed, piece by piece. */
  signedOf(message: SignedMessage): readonly (string | Uint8Array)[] {
    return this.#signed.map((piece) => {
      if ('text' in piece) return piece.text
      const value = message[piece.part] ?? ''
      return typeof value === 'number' ? String(value) : value
    })
  }

  /** The signature of these bytes, one after the other, as the scheme writes it. */
  macOf(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): string {
    return this.macBytes(key, ...parts).toString(this.data.encoding)
  }

  /** The same as bytes. */
  macBytes(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
    const { algorithm } = this.data
    if (algorithm === 'ed25519') {
      const seed = Buffer.from(key).toString('hex')
      if (this.#private?.seed !== seed) this.#private = { seed, key: privateKey(key) }
      return signAsymmetrically(
        null,
        Buffer.concat(parts.map((part) => Buffer.from(part as string))),
        this.#private.key,
      )
    }
    const mac = createHmac(algorithm.slice('hmac-'.length), key)
    for (const part of parts) mac.update(part)
    return mac.digest()
  }

  /** One entry of the signature header. */
  entryOf(mac: string): string {
    return this.#entry[0] + mac + this.#entry[1]
  }

  /** The signature in an entry; undefined in one of another version. */
  macIn(entry: string): string | undefined {
    const [before, after] = this.#entry
    const isOwn = entry.startsWith(before) && entry.endsWith(after) && entry.length >= before.length + after.length
    return isOwn ? entry.slice(before.length, entry.length - after.length) : undefined
  }

  /** The entry that is right for a message. */
  sign(secret: string, message: SignedMessage): string {
    return this.entryOf(this.macOf(this.keyOf(secret), ...this.signedOf(message)))
  }

  /** The text of the signature header: its entries, after the one of the timestamp where the scheme has one. */
  signatureText(entries: string, timestamp: number | string): string {
    const { timestamp: place, signature } = this.data
    if (place?.entry === undefined) return entries
    return [place.entry.replace('{timestamp}', () => String(timestamp)), ...(entries === '' ? [] : [entries])].join(
      signature.separator ?? ' ',
    )
  }

  /** The headers of a delivery: those of the scheme, and the id, the timestamp and the signature where they are headers. */
  headersOf({ id, timestamp }: Pick<SignedMessage, 'id' | 'timestamp'>, entries: string): Record<string, string> {
    const { headers = {}, id: idPlace, timestamp: timePlace, signature } = this.data
    const fill = (text: string) =>
      text.replace(/\{(id|timestamp)\}/g, (_, part: string) => (part === 'id' ? id : String(timestamp)))
    return {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      ...(idPlace?.header === undefined ? {} : { [idPlace.header]: id }),
      ...(timePlace?.header === undefined || timePlace.entry !== undefined
        ? {}
        : { [timePlace.header]: String(timestamp) }),
      [signature.header]: this.signatureText(entries, timestamp),
    }
  }

  /** Unix seconds in the unit of the scheme. */
  timestampAt(seconds: number): number {
    return this.data.timestamp?.unit === 'milliseconds' ? seconds * 1000 : seconds
  }

  /** How messages name the place of a part: `stripe-signature`, `t= of stripe-signature`, `id of the body`; undefined if the scheme has none. */
  placeName(part: SchemePart): string | undefined {
    const { header, field }: SchemePlace = this.data[part] ?? {}
    if (field !== undefined) return `${field} of the body`
    const { entry } = this.data.timestamp ?? {}
    return part === 'timestamp' && entry !== undefined
      ? `${aroundPart(entry, 'timestamp')[0]} of ${header ?? ''}`
      : header
  }

  /** Whether the text of a signature header has the form of the scheme, with an entry of its version. */
  isSignatureText(text: string): boolean {
    const { separator } = this.data.signature
    const entries = separator === undefined ? [text] : text.split(separator)
    return entries.every((entry) => this.#anyEntry.test(entry)) && entries.some((entry) => this.#isOwnEntry(entry))
  }

  /** The form of a signature header, for messages: `t=<timestamp>,v1=<hex>`. */
  get signatureForm(): string {
    const { signature, timestamp, encoding } = this.data
    const between = signature.several === true && timestamp?.entry === undefined
    const form = this.signatureText(this.entryOf(`<${encoding}>`), '<timestamp>')
    return between ? `${form}, with "${signature.separator ?? ''}" between entries` : form
  }

  #isOwnEntry(entry: string): boolean {
    const mac = this.macIn(entry) ?? ''
    const isHex = this.data.encoding === 'hex'
    const length = isHex ? 2 * this.signatureBytes : 4 * Math.ceil(this.signatureBytes / 3)
    return mac.length === length && (isHex ? /^[0-9a-f]+$/ : /^[A-Za-z0-9+/]+={0,2}$/).test(mac)
  }

  /** An entry with any label: `v1,…`, `v1a,…`, or `t=…` with `v1=…`. */
  get #anyEntry(): RegExp {
    const [, mark = ''] = /^\w+(\W+)$/.exec(this.#entry[0]) ?? []
    const label = mark === '' ? '' : `[^\\s${escaped(mark)}]+${escaped(mark)}`
    return new RegExp(`^${label}[A-Za-z0-9+/_-]+={0,2}$`)
  }

  /** The names of the headers without which a delivery cannot be verified. */
  get headerNames(): readonly string[] {
    const { id, timestamp, signature, signed } = this.data
    const names = [signed.includes('{id}') ? id?.header : undefined, timestamp?.header, signature.header]
    return [...new Set(names.filter((name) => name !== undefined))]
  }

  /** Returns the body with the id and the timestamp in it, if the scheme has them there; else the bytes unchanged. */
  bodyWith(body: Uint8Array, { id, timestamp }: Pick<SignedMessage, 'id' | 'timestamp'>): Uint8Array {
    const { id: idPlace, timestamp: timePlace } = this.data
    let placed = body
    if (idPlace?.field !== undefined) placed = withField(placed, idPlace.field, JSON.stringify(id))
    if (timePlace?.field !== undefined) {
      const text = String(timestamp)
      placed = withField(placed, timePlace.field, /^-?\d{1,20}$/.test(text) ? text : JSON.stringify(text))
    }
    return placed
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
}

/** The bytes of a JSON object with the first value of a key replaced, and nothing else. */
function withField(body: Uint8Array, field: string, value: string): Uint8Array {
  const text = Buffer.from(body).toString('latin1')
  const key = escaped(JSON.stringify(field))
  const pattern = new RegExp(`(${key}\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|-?[0-9.eE+-]+|null|true|false)`)
  const replaced = text.replace(pattern, (_, head: string) => head + Buffer.from(value).toString('latin1'))
  return replaced === text ? body : Buffer.from(replaced, 'latin1')
}

/** Why a case with the need `scheme:<feature>` is not for this scheme; undefined when it is. */
export function findMissingFeature(need: `scheme:${SchemeFeature}`, scheme: SignatureScheme): string | undefined {
  return scheme.findMissing(need.slice('scheme:'.length) as SchemeFeature)
}

export function isSchemeNeed(need: string): need is `scheme:${SchemeFeature}` {
  return need.startsWith('scheme:')
}

/** The scheme of the interface: the signature of Standard Webhooks, without what its libraries accept beyond the interface. */
export const ownScheme = new SignatureScheme({ ...loadScheme('standard-webhooks'), leniences: {} })

/** The scheme of the interface with the header names of one of the two families. */
export function ownSchemeWith(family: 'webhook' | 'svix'): SignatureScheme {
  return family === 'webhook' ? ownScheme : new SignatureScheme({ ...loadScheme('svix'), leniences: {} })
}
