import { millisecondsFrom, parseInstant, parseSeconds, parseWholeNumber } from '../wire/numbers.js'
import type { Candidate, Cause, Fault } from './finding.js'

/** Most seconds between two readings of the clock for one delivery. */
const clockSeconds = 5

const inMilliseconds: Fault = {
  cause: 'timestamp-milliseconds',
  explanation: 'The timestamp is in milliseconds, not in Unix seconds.',
  remedy: 'Use whole seconds since 1970, in the header and in the signed string: Math.floor(Date.now() / 1000).',
}

/** Returns the faults of the timestamp itself; they do not depend on the signature. */
export function timestampCauses(text: string): Cause[] {
  const value = parseWholeNumber(text)
  if (value < millisecondsFrom) return []
  if (value >= millisecondsFrom)
    return [{ ...inMilliseconds, evidence: `the header has ${text.length} digits; seconds have ten` }]
  return [
    {
      cause: 'timestamp-format',
      explanation: 'The timestamp is not a whole number of Unix seconds.',
      evidence: 'the header was read',
      remedy: inMilliseconds.remedy,
    },
  ]
}

/** Returns each text that may have been signed instead of the header's, without that one. */
export function otherTimestamps(text: string, event: unknown): Candidate<string>[] {
  const seconds = parseSeconds(text)
  if (seconds === undefined) return []
  const found: Candidate<string>[] = []
  const add = (value: string, fault: Fault) => {
    if (value !== text && !found.some((candidate) => candidate.value === value)) found.push({ value, fault })
  }
  const differs = (explanation: string): Fault => ({
    cause: 'timestamp-differs',
    explanation,
    remedy: 'Read the clock once for each attempt: the header and the signed string hold the same text.',
  })
  const signedMs = {
    ...inMilliseconds,
    explanation: 'The timestamp that was signed is in milliseconds; the header contains seconds.',
  }
  const isMs = parseWholeNumber(text) >= millisecondsFrom
  add(
    String(seconds),
    isMs ? inMilliseconds : differs('The signed timestamp is whole Unix seconds; the header contains another text.'),
  )
  add(`${seconds}000`, signedMs)
  const body = typeof event === 'object' && event !== null ? (event as Record<string, unknown>)['timestamp'] : undefined
  const created = typeof body === 'string' || typeof body === 'number' ? String(body) : undefined
  const ofBody = differs("The timestamp that was signed is the event's own, not that of the header.")
  if (created !== undefined) {
    add(created, ofBody)
    const own = parseSeconds(created)
    if (own !== undefined)
      for (const value of [String(own), `${own}000`, String(parseInstant(created))]) add(value, ofBody)
  }
  const asDate = differs('The timestamp that was signed is a date as text; the header contains seconds.')
  const iso = new Date(seconds * 1000)
  if (!Number.isNaN(iso.getTime()))
    for (const value of [iso.toISOString(), iso.toISOString().replace('.000', ''), iso.toUTCString()])
      add(value, asDate)
  for (const value of [`${seconds}.0`, `${seconds}.000`]) add(value, differs('The signed timestamp has a fraction.'))
  for (let off = 1; off <= clockSeconds; off++)
    for (const value of [seconds + off, seconds - off])
      add(
        String(value),
        differs(`The signed timestamp is ${off} s apart from that of the header: the clock was read twice.`),
      )
  return found
}

/** Milliseconds within the second of the header, all of them. */
export function exactMilliseconds(text: string): Candidate<string>[] {
  const seconds = parseSeconds(text)
  if (seconds === undefined) return []
  const fault = {
    ...inMilliseconds,
    explanation: 'The timestamp that was signed is in milliseconds; the header contains seconds.',
  }
  return Array.from({ length: 1000 }, (_, ms) => ({ value: `${seconds}${String(ms).padStart(3, '0')}`, fault }))
}
