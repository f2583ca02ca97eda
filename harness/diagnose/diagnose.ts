import { toleranceSeconds } from '../../spec/index.js'
import { parseJson } from '../wire/json.js'
import { parseSeconds, parseWholeNumber } from '../wire/numbers.js'
import { memberOf } from '../wire/exchange.js'
import type { HeaderFamily } from '../wire/header-family.js'
import { ageText } from './age-text.js'
import { bodiesOf, composedBodies, type BodyCandidate } from './bodies.js'
import { layouts } from './signed-contents.js'
import { readEntries } from './entries.js'
import type { Cause, Fault } from './finding.js'
import { matchersOf } from './hashes.js'
import { readSignatureHeaders, type ReadSignatureHeaders } from './headers.js'
import { keysOf, readSecret } from './keys.js'
import { describeOddities } from './oddities.js'
import { rareBodies } from './rare-bodies.js'
import { valuesOf, type RawRequest } from './request.js'
import { bestMatch, type Budget, type Match, type Space } from './search.js'
import { exactMilliseconds, otherTimestamps, timestampCauses } from './timestamps.js'

export interface DiagnoseOptions {
  /** Each may be the right one; as they were given, faults and all. */
  readonly secrets: readonly string[]
  /** Unix seconds; without it a stale timestamp is reported, but is not a cause. */
  readonly now?: number
  readonly names?: HeaderFamily
  /** Bytes that may be hashed for each secret, and how much may be written again: how hard a cause is looked for. */
  readonly budget?: number
  /** Searches longer, at most some ten seconds, also for three mistakes at once. */
  readonly isDeep?: boolean
}

/** Why a signature verifies, or does not. A document of fixtures/schemas/signature-diagnosis.schema.json. */
export interface Diagnosis {
  readonly schema: 'signature-diagnosis/1'
  readonly verifies: boolean
  /** Which of the given secrets made the signature, from 1; null where none is known to have. */
  readonly secret: number | null
  readonly secrets: number
  readonly timestamp: {
    readonly value: string
    readonly age_seconds: number | null
    readonly is_judged: boolean
  } | null
  /** The likeliest first; empty when it verifies. */
  readonly causes: readonly Cause[]
  readonly notes: readonly string[]
}

/** Bytes that may be hashed for each secret: about a second. */
const defaultBudget = 150_000_000
const deepBudget = 10 * defaultBudget

/** The budget of a search, for hashes that take `cost` times as long as an HMAC. */
export function budgetOf({ budget, isDeep = false }: Pick<DiagnoseOptions, 'budget' | 'isDeep'>, cost = 1): Budget {
  return { bytes: (budget ?? (isDeep ? deepBudget : defaultBudget)) / cost, isDeep }
}
/** Bytes of an HMAC-SHA256. */
const macBytes = 32
/** Writing a byte of JSON takes as long as hashing this many. */
const bytesHashedOfWritten = 20

/** Explains why the signature of a request does not verify, or that it does. */
export function diagnose(request: RawRequest, options: DiagnoseOptions): Diagnosis {
  const { secrets, now } = options
  const headers = readSignatureHeaders(request.headers, options.names ?? 'webhook')
  const found = matchOf(request, headers, options)
  const timestamp = headers.values.timestamp[0]?.value
  const stale = staleCause(timestamp, now)
  const ofTimestamp = timestamp === undefined ? [] : timestampCauses(timestamp)
  const certain = [...headers.causes, ...ofTimestamp]
  const isIncomplete = headers.causes.some(({ cause }) => cause === 'header-missing')
  const ofSignature = found?.causes ?? (isIncomplete ? unusableSecrets(secrets) : unexplained(request, options))
  const causes = withoutRepeats([
    ...(found === undefined ? [...certain, ...ofSignature] : [...ofSignature, ...certain]),
    ...(stale === undefined ? [] : [stale]),
  ])
  const seconds = timestamp === undefined ? undefined : parseSeconds(timestamp)
  const reference = now ?? Math.floor(Date.now() / 1000)
  const age = seconds === undefined ? null : reference - seconds
  return {
    schema: 'signature-diagnosis/1',
    verifies: causes.length === 0,
    secret: found === undefined ? null : found.secret + 1,
    secrets: secrets.length,
    timestamp: timestamp === undefined ? null : { value: timestamp, age_seconds: age, is_judged: now !== undefined },
    causes,
    notes: [
      ...request.notes,
      ...describeOddities(request, options.names ?? 'webhook'),
      ...(now === undefined && age !== null ? ageNote(age) : []),
    ],
  }
}

/** The secret that explains the signature with the fewest faults. */
function matchOf(request: RawRequest, headers: ReadSignatureHeaders, options: DiagnoseOptions): Match | undefined {
  const { id, timestamp, signature } = headers.values
  const [given] = timestamp
  if (id.length === 0 || given === undefined || signature.length === 0) return undefined
  const event = parseJson(Buffer.from(request.body).toString())
  const ownId = memberOf(event, 'id')
  const budget = budgetOf(options)
  const shared: Omit<Space, 'keys'> = {
    layouts,
    matchers: matchersOf(readEntries(signature)),
    ids: [...id, ...(typeof ownId === 'string' && ownId !== id[0]?.value ? [{ value: ownId, fault: idOfBody }] : [])],
    timestamps: [...timestamp, ...timestamp.flatMap(({ value }) => otherTimestamps(value, event))],
    rareTimestamps: exactMilliseconds(given.value),
    rareBodies: () => rareBodies(request.body, { id: id[0]?.value ?? '', timestamp: given.value }),
    ...bodySpace(request, budget),
  }
  const spaces = options.secrets.map((text) => {
    const read = readSecret(text)
    return { space: { ...shared, keys: keysOf(read) }, repair: read.repair }
  })
  return bestMatch(spaces, budget)
}

/** What the body may have been, written at the first use: a signature that is right needs none of it. */
export function bodySpace(
  { headers, body }: Pick<RawRequest, 'headers' | 'body'>,
  budget: Budget,
): Pick<Space, 'body' | 'bodies' | 'composed'> {
  const length = parseWholeNumber(valuesOf(headers, 'content-length')[0])
  const limits = {
    contentLength: Number.isNaN(length) ? undefined : length,
    maxWritten: budget.bytes / bytesHashedOfWritten,
  }
  let made: readonly BodyCandidate[] | undefined
  const bodies = () => (made ??= bodiesOf(body, limits))
  return { body, bodies, composed: () => composedBodies(bodies()) }
}

const idOfBody: Fault = {
  cause: 'id-differs',
  explanation: 'The id that was signed is that of the body, not that of the header webhook-id.',
  remedy: 'The header and the signed string hold the same id: that of the event.',
}

function unusableSecrets(secrets: readonly string[]): Cause[] {
  return secrets.flatMap((secret) => readSecret(secret).repair ?? [])
}

/** Returns the next things to check if no attempt explains the signature. */
function unexplained({ headers, body }: RawRequest, { secrets, isDeep = false }: DiagnoseOptions): Cause[] {
  const text = Buffer.from(body).toString()
  const length = valuesOf(headers, 'content-length')[0]
  const asSent = 'Take the bytes of the body before any framework, log or editor has read them.'
  const hints: Cause[] = [
    ...unusableSecrets(secrets),
    ...withoutEntry(valuesOf(headers, 'webhook-signature').join(' ')),
  ]
  const hint = (cause: Cause['cause'], explanation: string, evidence: string) =>
    hints.push({ cause, explanation, evidence, remedy: asSent })
  if (parseWholeNumber(length) > body.length)
    hint('body-cut', `The body was cut off: ${body.length} bytes are here.`, `Content-Length says ${length ?? ''}`)
  else if (/^\s*[[{]/.test(text) && isUnfinished(text))
    hint('body-cut', `The body was cut off: ${body.length} bytes are here.`, 'it begins as JSON, and does not end')
  if (body.length === 0) hint('body-cut', 'The body is empty: something read it before.', 'no byte of it is here')
  if (text.includes('\ufffd'))
    hint(
      'body-charset',
      'The body went through another charset, in which characters were lost.',
      'it contains characters (U+FFFD) or bytes that replace unreadable ones',
    )
  if (/^\[object \w+\]$/.test(text))
    hint('body-rewritten', 'The body was parsed, and an object was written as text.', `the body is ${text}`)
  return [
    ...hints,
    {
      cause: 'unexplained',
      explanation:
        'Another secret was used than those given, or the body, the id or the timestamp is not the one that was signed.',
      evidence: `the usual mistakes were tried, one by one and ${isDeep ? 'up to three' : 'two'} at a time, and none gives this signature`,
      remedy:
        'Compare the secret with the one of this very webhook, then the bytes of the body with those that were signed.',
    },
  ]
}

/** Whether a JSON text ends within a string, a list or an object. */
function isUnfinished(text: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (isString && sign === '\\') index++
    else if (sign === '"') isString = !isString
    else if (!isString && (sign === '{' || sign === '[')) depth++
    else if (!isString && (sign === '}' || sign === ']')) depth--
  }
  return isString || depth > 0
}

/** Explains a header without an entry that could match, whatever the signed text. */
function withoutEntry(signature: string): Cause[] {
  const entries = signature.split(' ').filter((entry) => entry !== '')
  const ofVersion = entries.filter((entry) => entry.startsWith('v1,'))
  const lengths = ofVersion.map((entry) => Buffer.from(entry.slice('v1,'.length), 'base64').length)
  if (entries.length === 0 || lengths.includes(macBytes)) return []
  const explanation =
    ofVersion.length === 0
      ? 'No entry of webhook-signature is of version v1: a verifier looks at no other.'
      : `No v1 entry of webhook-signature contains the base64 of ${macBytes} bytes, which an HMAC-SHA256 has: there are ${lengths.join(' and ')}.`
  return [
    {
      cause: 'signature-format',
      explanation,
      evidence: `the header was read: ${entries.length === 1 ? '1 entry' : `${entries.length} entries`}`,
      remedy: 'Write v1, a comma, and the whole standard base64 of the HMAC-SHA256; other entries may follow.',
    },
  ]
}

function staleCause(text: string | undefined, now: number | undefined): Cause | undefined {
  const seconds = text === undefined ? undefined : parseSeconds(text)
  if (seconds === undefined || now === undefined || Math.abs(now - seconds) <= toleranceSeconds) return undefined
  const age = Math.abs(now - seconds)
  const isPast = now > seconds
  return {
    cause: 'timestamp-stale',
    explanation: isPast
      ? `The delivery is stale: it was signed ${ageText(age)} before now, and ${toleranceSeconds} seconds are allowed.`
      : `The timestamp is ${ageText(age)} ahead of now; ${toleranceSeconds} seconds are allowed.`,
    evidence: `webhook-timestamp was compared with ${now}`,
    remedy: isPast
      ? 'Sign each attempt at its own time, deliver it at once, and set both clocks; a recorded request is verified with --now.'
      : 'Set the clocks of both machines.',
  }
}

function ageNote(age: number): string[] {
  if (Math.abs(age) <= toleranceSeconds) return []
  return [
    `the timestamp is stale by the clock of this machine: ${ageText(Math.abs(age))} ${age > 0 ? 'old' : 'ahead'}, and a verifier allows ${toleranceSeconds} seconds; this changes the verdict only where the age is checked (--now)`,
  ]
}

/** Returns each cause once. Values on several lines are joined by the reader, not by a proxy. */
function withoutRepeats(causes: readonly Cause[]): Cause[] {
  const isRepeated = causes.some(({ cause }) => cause === 'header-repeated')
  return causes.filter(
    ({ cause, explanation }, index) =>
      causes.findIndex((other) => other.explanation === explanation) === index &&
      !(isRepeated && cause === 'headers-joined'),
  )
}
