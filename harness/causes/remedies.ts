import type { RequirementId } from '../../spec/index.js'
import type { CaseResult } from '../result.js'
import { listed } from '../reporters/text.js'
import { ownWords, type SchemeWords } from '../schemes/words.js'
import { rawBodyRemedy } from './frameworks.js'

/** A remedy, or how it reads under a scheme. */
type InWords = (words: SchemeWords) => string
type Remedy = string | InWords

const separators: Readonly<Record<string, string>> = { ' ': 'spaces', ',': 'commas', ';': 'semicolons' }

const everyEntry: InWords = ({ separator, signature, label, entry }) =>
  separator === undefined
    ? `Accept ${entry} in ${signature}, and nothing else.`
    : `Split ${signature} at ${separators[separator] ?? `"${separator}"`}, compare only the entries that start with "${label}", and accept if any of them matches.`
const wholeValue: InWords = ({ separator, signature, entry, algorithm }) =>
  algorithm === 'Ed25519'
    ? `Decode all of ${entry} in ${signature}, and let a library verify it with the public key.`
    : `Compute ${entry} and compare it in full, in constant time, with ${separator === undefined ? signature : 'each entry'}; a different length does not match.`
const tolerance: InWords = ({ timestamp = 'the timestamp', past, future }) => {
  const most = past ?? future
  const side = past === undefined ? 'ahead of the clock' : 'old'
  const off = past === future ? 'from the clock, on either side' : side
  return `Refuse when ${timestamp} is more than ${most} seconds ${off}, and synchronize the clock by NTP.`
}
const signedString: InWords = ({ signed }) => `Compute the signature over ${signed}, each part as received.`
const key: InWords = ({ key: instruction }) => instruction
const integerSeconds: InWords = ({ timestamp = 'the timestamp' }) =>
  `Accept ${timestamp} only if it consists of digits; parseInt and float() accept more.`
const allHeaders: InWords = ({ required }) =>
  `First refuse a delivery in which ${listed(required, 'or')} is missing or empty.`
const nothingLeaks = 'Refuse with a fixed text; never include the expected signature, not even in the log.'
const caught = 'Catch errors of the verification, and answer 400: a header may contain anything.'

/** What to do about the mistake that most often breaks a requirement. */
const remedies: Partial<Record<RequirementId, Remedy>> = {
  'RCV-001': 'Check the log of the endpoint for this delivery, and compare it with an accepted one.',
  'RCV-002': 'Store the event, answer, and process it later from a queue.',
  'RCV-003': 'Register the address that answers without a redirect: https, with or without the trailing slash.',
  'RCV-004': allHeaders,
  'RCV-005': wholeValue,
  'RCV-006': tolerance,
  'RCV-007': tolerance,
  'RCV-008': signedString,
  'RCV-010': everyEntry,
  'RCV-011': everyEntry,
  'RCV-012': 'Answer an event that was already handled with a 2xx, and do nothing else.',
  'RCV-013': 'Answer every type with a 2xx, also a type that you do not use.',
  'RCV-014': 'Ignore unknown types and fields, and answer with a 2xx; a strict schema breaks on the next new field.',
  'RCV-015': caught,
  'RCV-017': 'Handle deliveries concurrently; a lock or a pool of one makes the others wait.',
  'RCV-018': 'Raise the body limit to 1 MB, in the framework and in the proxy in front of it.',
  'RCV-019': ({ id = 'hash of the body' }) =>
    `Store each ${id} under a unique key, in the same transaction as the work.`,
  'RCV-020': key,
  'RCV-021': 'Answer 400 or 401 if the verification fails.',
  'RCV-022': 'Read the body to its end, also without a Content-Length.',
  'RCV-023': integerSeconds,
  'RCV-024': 'Verify first, and return at once if that fails.',
  'RCV-025':
    'Answer a 2xx only after the event is stored or its work is done. If a queue lags by more than 5 s, use --concurrency 1.',
  'RCV-026': nothingLeaks,
  'RCV-027': wholeValue,
  'RCV-032': ({ handshakes = 'the request' }) =>
    `After verifying the signature, check the kind of the request: ${handshakes}.`,
  'VFY-001': signedString,
  'VFY-002': key,
  'VFY-003': wholeValue,
  'VFY-004': everyEntry,
  'VFY-005': 'Use the body as bytes or as the received text, never as an object that is serialized again.',
  'VFY-006': tolerance,
  'VFY-007': tolerance,
  'VFY-008': allHeaders,
  'VFY-009': wholeValue,
  'VFY-010': everyEntry,
  'VFY-011': 'Hash the raw bytes of the body. Parse them only after the signature matches.',
  'VFY-012': integerSeconds,
  'VFY-013': 'Catch errors of decoding and parsing, and refuse.',
  'VFY-014': 'Keep no state between two verifications; a regular expression with the flag g has state.',
  'VFY-015': 'Refuse an empty secret, and one without base64 after whsec_.',
  'VFY-019': 'Look headers up without regard to case.',
  'VFY-021': wholeValue,
  'VFY-022': nothingLeaks,
  'SDR-003': ({ timestamp = 'the timestamp', unit = 'seconds' }) =>
    `Read the clock for each attempt, write it to ${timestamp} as whole Unix ${unit}, and synchronize the clock by NTP.`,
  'SDR-004': ({ signature, form }) => `Write ${signature} as ${form}.`,
  'SDR-005': ({ signed, key: instruction, algorithm }) =>
    `Make the bytes of the body once, sign ${signed}, and send the same bytes. ${algorithm === 'Ed25519' ? 'Sign with the private key of the public key that receivers have.' : instruction}`,
  'SDR-029': ({ id = 'the id' }) => `Make ${id} once for each event, store it, and send it with every attempt.`,
  'SDR-030': ({ timestamp = 'the timestamp' }) =>
    `Sign each attempt when it is sent, with ${timestamp} of that moment.`,
  'SIG-002': 'Read the clock for each attempt, in whole Unix seconds, and synchronize it by NTP.',
  'SIG-004': (words) => `${signedString(words)} ${key(words)}`,
  'SIG-007': 'Make the bytes of the body once, sign them, and send the same bytes.',
  'ERR-003': 'Check the contents of a request before using them, and answer 400 with code, message and fix.',
}

/** What to do about a failure, where its mistake is known: lines of text. Undefined where nothing is. */
export function remedyOf(result: CaseResult, words: SchemeWords = ownWords): string | undefined {
  if (result.status !== 'failed') return undefined
  const broken = result.violates ?? result.requirements
  if (broken.includes('RCV-009')) return rawBodyOf([result])
  return broken.map((id) => remedyFor(id, words)).find((remedy) => remedy !== '')
}

/** What to do about a broken requirement; empty where its mistake is not known. */
export function remedyFor(id: RequirementId, words: SchemeWords = ownWords): string {
  const remedy = remedies[id] ?? ''
  return typeof remedy === 'string' ? remedy : remedy(words)
}

/** How to get at the raw bytes, by what answered in these cases. */
export function rawBodyOf(results: readonly CaseResult[]): string {
  const exchanges = results.flatMap((result) => result.exchanges ?? [])
  return rawBodyRemedy(exchanges.flatMap(({ response }) => (response === undefined ? [] : [response.headers])))
}
