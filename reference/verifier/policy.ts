/// <reference lib="es2024.string" />
import { timingSafeEqual } from 'node:crypto'
import { WebhookVerificationError, type RefusalCode } from './errors.js'
import { headerOf, type HeaderSource } from './headers.js'

/** Every decision of the verifier, one entry each. A mutant is {@link verifierPolicy} with one entry replaced. */
export interface VerifierPolicy {
  /** Source: VFY-019. */
  readonly headerOf: (headers: HeaderSource, name: string) => string | undefined
  /** What stands for a header that is missing; undefined refuses the delivery. Source: VFY-008. */
  readonly missingHeader: (name: string) => string | undefined
  /** Unix seconds of `webhook-timestamp`; undefined refuses it. Source: VFY-012. */
  readonly parseTimestamp: (text: string) => number | undefined
  /** Unix seconds of this moment, where no other clock is given. Source: VFY-006. */
  readonly clock: () => number
  /** Whether a delivery so many seconds old is too old. Source: VFY-006. */
  readonly isTooOld: (ageSeconds: number, toleranceSeconds: number) => boolean
  /** Whether a delivery so many seconds ahead is too new. Source: VFY-007. */
  readonly isTooNew: (aheadSeconds: number, toleranceSeconds: number) => boolean
  /** What is signed before the body. Source: VFY-001. */
  readonly signedHead: (id: string, timestamp: string) => string
  /** What is signed of the body: `as-sent`, or other bytes made of it. Source: VFY-005, VFY-011. */
  readonly signedBody: 'as-sent' | ((body: Uint8Array) => Uint8Array)
  /** The key of a secret; undefined refuses the secret. Source: VFY-002, VFY-015. */
  readonly keyOf: (secret: string) => Uint8Array | undefined
  /** Entries of the signature header that are looked at. Source: VFY-004. */
  readonly entriesOf: (header: string) => readonly string[]
  /** The value of an entry; undefined ignores it. Source: VFY-010. */
  readonly macOfEntry: (entry: string) => string | undefined
  /** Whether the value of an entry is the MAC, both in base64. Source: VFY-003, VFY-009. */
  readonly isMac: (value: string, mac: string) => boolean
  /** Whether an id that was verified before is judged as if it were new. Source: VFY-014. */
  readonly repeatedIds: 'judged' | 'refused' | 'accepted'
  /** Whether a refusal has no effect on the next delivery. Source: VFY-014. */
  readonly afterRefusal: 'judged' | 'refused'
  /** What is returned for a verified body. Source: VFY-016. */
  readonly eventOf: (body: string | Uint8Array) => unknown
  /** What is thrown for a delivery that is refused. Source: VFY-017. */
  readonly refusal: (code: RefusalCode, message: string) => WebhookVerificationError
  /** How signing writes its entry. Source: VFY-018. */
  readonly writeEntry: (mac: Buffer) => string
}

/** Entries that are looked at at most: a longer list is no sender's of ours. */
export const mostEntries = 64

/** Decodes what was verified; a byte order mark stays, so that JSON refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a verified body, as its bytes say it: a surrogate that stands alone was signed as the replacement character.
 * Text is not turned into bytes and back for that, which would cost a third of the whole check.
 */
export function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body.toWellFormed() : utf8.decode(body)
}

export const verifierPolicy: VerifierPolicy = {
  headerOf,
  missingHeader: () => undefined,
  parseTimestamp: (text) => (/^(?:0|[1-9]\d{0,11})$/.test(text) ? Number(text) : undefined),
  clock: () => Math.floor(Date.now() / 1000),
  isTooOld: (age, tolerance) => age > tolerance,
  isTooNew: (ahead, tolerance) => ahead > tolerance,
  signedHead: (id, timestamp) => `${id}.${timestamp}.`,
  signedBody: 'as-sent',
  keyOf: (secret) => {
    const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)) return undefined
    const key = Buffer.from(text, 'base64')
    return key.length === 0 ? undefined : key
  },
  entriesOf: (header) => (header.includes(' ') ? header.split(' ', mostEntries) : [header]),
  macOfEntry: (entry) => (entry.startsWith('v1,') ? entry.slice(3) : undefined),
  isMac: (value, mac) => {
    const [left, right] = [Buffer.from(value), Buffer.from(mac)]
    return left.length === right.length && timingSafeEqual(left, right)
  },
  repeatedIds: 'judged',
  afterRefusal: 'judged',
  eventOf: (body) => JSON.parse(textOf(body)) as unknown,
  refusal: (code, message) => new WebhookVerificationError(code, message),
  writeEntry: (mac) => `v1,${mac.toString('base64')}`,
}
