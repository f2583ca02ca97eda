// Places of the reference verifier that its mutants and variants replace.
import type { Patch } from './patch.js'

/** Code of `verifier/verifier.ts`, each in it once. */
const places = {
  /** The past side of the tolerance. */
  past: 'if (age > toleranceSeconds)',
  /** The future side of the tolerance. */
  future: 'if (-age > toleranceSeconds)',
  /** How a timestamp is read. */
  seconds: `if (/^(?:0|[1-9]\\d{0,11})$/.test(timestamp)) return Number(timestamp)`,
  /** The signed text before the body. */
  signed: '`${id}.${timestamp}.`',
  /** The signed and parsed form of a body. */
  body: `if (typeof payload === 'string' || payload instanceof Uint8Array) return payload`,
  /** The key of a secret. */
  key: `if (typeof secret === 'string' && text !== '' && isBase64) return Buffer.from(text, 'base64')`,
  /** The entries that are looked at. */
  entries: `signature.split(' ')`,
  /** The values of the entries of version v1. */
  values: `entries.filter((entry) => entry.startsWith('v1,')).map((entry) => entry.slice(3))`,
  /** Whether a value is the MAC. */
  equality: 'return left.length === right.length && timingSafeEqual(left, right)',
  /** How a header is looked up. */
  header: 'const value = headerOf(headers, name)',
  /** What a missing header leads to. */
  missing: `if (value === undefined || value === '')`,
  /** This moment, where no other clock is given. */
  clock: 'if (now === undefined) return Math.floor(Date.now() / 1000)',
  /** The return value for a verified body. */
  event: 'return JSON.parse(textOf(bodyOf(options.payload)))',
  /** The result for a verified body with invalid JSON. */
  noEvent: `throw new WebhookVerificationError('malformed_payload', 'the body is signed but is not JSON')`,
  /** How signing writes its entry. */
  written: '`v1,${macOf(keyOf(secret), id, seconds, bodyOf(payload))}`',
  /** The MAC. */
  hash: `createHmac('sha256', key)`,
  /** Before anything is compared. */
  start: 'const values = valuesOf(signature)',
  /** When a signature matches. */
  match: 'if (values.some((value) => isEqual(value, mac))) return',
  /** What the verifier keeps. */
  keys: 'const keys = new Map()',
} as const

/** Replaces one place of the verifier. */
export function verifierPatch(place: keyof typeof places, replace: string): Patch {
  return { file: 'verifier/verifier.ts', find: places[place], replace }
}
