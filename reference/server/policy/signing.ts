import { secretPrefix } from '../../../spec/index.js'
import type { SigningContext } from './records.js'

/** How a delivery is signed. */
export interface SigningPolicy {
  /** Names of the headers; open point `header-case`. Source: DLV-003. */
  readonly headerNames: { readonly id: string; readonly timestamp: string; readonly signature: string }
  /** Content of `webhook-id`. Source: SIG-001, RTY-013, RPL-007. */
  readonly messageId: (eventId: string, context: SigningContext & { readonly deliveryId: string }) => string
  /** Content of `webhook-timestamp`. Source: SIG-002, SIG-005, RPL-007. */
  readonly signedTimestamp: (context: SigningContext) => string
  /** What is signed. Source: SIG-004, SIG-007. */
  readonly signedContent: (id: string, timestamp: string, body: string) => string | Buffer
  /** The key of the MAC from the secret. Source: SIG-004. */
  readonly signatureKey: (secret: string) => Buffer
  /** Hash of the HMAC. Source: SIG-004. */
  readonly signatureHash: 'sha256' | 'sha1' | 'sha512'
  /** One entry from the MAC. Source: SIG-003, SIG-008. */
  readonly encodeSignature: (mac: Buffer) => string
  /** The header from the entry; open point `signature-entries`. Source: SIG-003. */
  readonly signatureHeader: (entry: string) => string
  /** Whose secret signs: the webhook's own, or that of the org's oldest webhook. Source: SIG-006. */
  readonly signingSecret: 'own' | 'oldest-of-org'
  /** The body as it is sent, after signing. Source: SIG-007. */
  readonly sentBody: (body: string) => string
  /** Headers beyond those of the interface; open point `extra-fields`. */
  readonly extraHeaders: Readonly<Record<string, string>>
  /** Which of the three headers are sent. Source: DLV-003. */
  readonly sentHeaders: readonly ('id' | 'timestamp' | 'signature')[]
}

export const signingPolicy: SigningPolicy = {
  headerNames: { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
  messageId: (eventId) => eventId,
  signedTimestamp: ({ attemptAt }) => String(Math.floor(attemptAt / 1000)),
  signedContent: (id, timestamp, body) => `${id}.${timestamp}.${body}`,
  signatureKey: (secret) => Buffer.from(secret.slice(secretPrefix.length), 'base64'),
  signatureHash: 'sha256',
  encodeSignature: (mac) => `v1,${mac.toString('base64')}`,
  signatureHeader: (entry) => entry,
  signingSecret: 'own',
  sentBody: (body) => body,
  extraHeaders: {},
  sentHeaders: ['id', 'timestamp', 'signature'],
}
