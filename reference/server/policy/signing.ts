import { secretPrefix } from '../../../spec/index.js'

/** How a delivery is signed. */
export interface SigningPolicy {
  /** Names of the headers; open point `header-case`. Source: DLV-003. */
  readonly headerNames: { readonly id: string; readonly timestamp: string; readonly signature: string }
  /** Content of `webhook-timestamp`. Source: SIG-002, SIG-005, RPL-007. */
  readonly signedTimestamp: (attemptAt: number) => string
  /** The signed string. Source: SIG-004, SIG-007. */
  readonly signedContent: (id: string, timestamp: string, body: string) => string | Buffer
  /** The key of the MAC from the secret. Source: SIG-004. */
  readonly signatureKey: (secret: string) => Buffer
  /** Hash of the HMAC. Source: SIG-004. */
  readonly signatureHash: string
  /** One entry from the MAC. Source: SIG-003, SIG-008. */
  readonly encodeSignature: (mac: Buffer) => string
  /** The header from the entry; open point `signature-entries`. Source: SIG-003. */
  readonly signatureHeader: (entry: string) => string
  /** Headers beyond those of the interface; open point `extra-fields`. */
  readonly extraHeaders: Readonly<Record<string, string>>
}

export const signingPolicy: SigningPolicy = {
  headerNames: { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
  signedTimestamp: (attemptAt) => String(Math.floor(attemptAt / 1000)),
  signedContent: (id, timestamp, body) => `${id}.${timestamp}.${body}`,
  signatureKey: (secret) => Buffer.from(secret.slice(secretPrefix.length), 'base64'),
  signatureHash: 'sha256',
  encodeSignature: (mac) => `v1,${mac.toString('base64')}`,
  signatureHeader: (entry) => entry,
  extraHeaders: {},
}
