import { createHash, createHmac } from 'node:crypto'
import type { Entries } from './entries.js'
import type { Candidate, Fault } from './finding.js'
import type { Matcher } from './search.js'

type Parts = readonly (string | Uint8Array)[]

interface Hash {
  readonly fault: Fault
  /** The result as hexadecimal digits. */
  readonly of: (key: Uint8Array, parts: Parts) => string
}

const algorithms = ['sha256', 'sha512', 'sha1', 'sha384'] as const
type Algorithm = (typeof algorithms)[number]

/** How documents write the name: HMAC-SHA-256. */
function titleOf(algorithm: Algorithm): string {
  return algorithm.replace(/^sha/, 'SHA-')
}

function hmacOf(algorithm: Algorithm, key: Uint8Array, parts: Parts): string {
  const hmac = createHmac(algorithm, key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

function joined(parts: Parts): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}

/** The hashes that a careless program may use instead of the right HMAC. */
function otherHashes(right: Algorithm): Hash[] {
  const title = titleOf(right)
  const fault = (what: string): Fault => ({
    cause: 'hash',
    explanation: `The signature is ${what}, not HMAC-${title}.`,
    remedy: `Use HMAC with ${title}.`,
  })
  return [
    ...algorithms
      .filter((algorithm) => algorithm !== right)
      .map((algorithm): Hash => ({
        fault: fault(`HMAC-${titleOf(algorithm)}`),
        of: (key, parts) => hmacOf(algorithm, key, parts),
      })),
    {
      fault: fault(`a plain ${title} of the key and the text`),
      of: (key, parts) => createHash(right).update(key).update(joined(parts)).digest('hex'),
    },
    {
      fault: fault(`a plain ${title} of the text and the key`),
      of: (key, parts) => createHash(right).update(joined(parts)).update(key).digest('hex'),
    },
    {
      fault: {
        cause: 'hash',
        explanation: 'The key and the text changed places when the HMAC was made.',
        remedy: 'Pass the secret as the key and the signed string as the message: libraries accept either order.',
      },
      of: (key, parts) => createHmac(right, joined(parts)).update(key).digest('hex'),
    },
    {
      fault: {
        cause: 'hash',
        explanation:
          'The signature is the signed text, followed by the HMAC of nothing: Sum of Go appends, it does not hash.',
        remedy: 'Write the signed text first: mac.Write(body), then mac.Sum(nil).',
      },
      of: (key, parts) => joined(parts).toString('hex') + createHmac(right, key).digest('hex'),
    },
  ]
}

/** Matches an HMAC with the entries of a request, the right algorithm first. */
export function matchersOf(entries: Entries, right: Algorithm = 'sha256'): Candidate<Matcher>[] {
  const matcher =
    (hash: Hash['of']): Matcher =>
    (key, parts) => {
      const hex = hash(key, parts)
      return entries.has(hex) ? { fault: entries.get(hex) } : undefined
    }
  return [
    { value: matcher((key, parts) => hmacOf(right, key, parts)) },
    ...otherHashes(right).map(({ of, fault }) => ({ value: matcher(of), fault })),
  ]
}
