import { createHash, randomBytes } from 'node:crypto'

/** A random id: prefix and 24 hexadecimal digits. */
export function randomId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex')
}

/** A new API key or control key. */
export function newKey(prefix: string): string {
  return prefix + randomBytes(24).toString('base64url')
}

/** SHA-256 as text. Keys are stored and compared as digests, so a comparison reveals nothing about the key. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Numbers that grow with every call and over restarts: microseconds of real time, or one more than the last. */
export function growingNumbers(last: number): () => number {
  let current = last
  return () => (current = Math.max(current + 1, Date.now() * 1000))
}
