// Why a signature does not match, for every scheme but the interface's own: `diagnose.ts` knows more mistakes of that one.

import { createPublicKey, verify as verifyAsymmetrically, type KeyObject } from 'node:crypto'
import type { SignatureScheme } from '../schemes/scheme.js'
import { aroundPart } from '../schemes/template.js'
import { parseJson } from '../wire/json.js'
import { memberOf } from '../wire/exchange.js'
import { ageText } from './age-text.js'
import { bodySpace, budgetOf, type Diagnosis } from './diagnose.js'
import type { Entries } from './entries.js'
import type { Candidate, Cause, Fault } from './finding.js'
import { matchersOf } from './hashes.js'
import { valuesOf, type RawRequest } from './request.js'
import { bestMatch, type Layout, type Match, type Matcher } from './search.js'
import { otherTimestamps } from './timestamps.js'

/** What a delivery holds in the places of a scheme. */
export interface ReadDelivery {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  /** Entries of the signature header, without the one of the timestamp. */
  readonly entries: readonly string[]
}

/** Reads a delivery by the places of its scheme. */
export function readDelivery(
  scheme: SignatureScheme,
  { headers, body }: Pick<RawRequest, 'headers' | 'body'>,
): ReadDelivery {
  const { id, timestamp, signature } = scheme.data
  const event = parseJson(Buffer.from(body).toString())
  const header = (name: string) => valuesOf(headers, name)[0]?.trim()
  const text = header(signature.header) ?? ''
  const parts = signature.separator === undefined ? [text] : text.split(signature.separator)
  const entries = parts.map((part) => part.trim()).filter((part) => part !== '')
  const [before, after] = aroundPart(timestamp?.entry ?? '{timestamp}', 'timestamp')
  const ofTime = timestamp?.entry === undefined ? undefined : entries.find((part) => part.startsWith(before))
  const field = (name: string) => {
    const value = memberOf(event, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const at = (place: typeof id) =>
    place?.field !== undefined ? field(place.field) : place?.header === undefined ? undefined : header(place.header)
  return {
    id: at(id),
    timestamp:
      timestamp?.entry === undefined ? at(timestamp) : ofTime?.slice(before.length, ofTime.length - after.length),
    entries: entries.filter((part) => part !== ofTime),
  }
}

export interface SchemeDiagnoseOptions {
  readonly secrets: readonly string[]
  /** Unix seconds; without it a stale timestamp is not a cause. */
  readonly now?: number
  /** Bytes that may be hashed for each secret. */
  readonly budget?: number
  /** Searches longer, at most some ten seconds, also for three mistakes at once. */
  readonly isDeep?: boolean
  /** Where the delivery was sent, for schemes that sign that. */
  readonly url?: string
}

/** Explains why the signature of a request does not verify under a scheme, or that it does. */
export function diagnoseByScheme(
  scheme: SignatureScheme,
  request: RawRequest,
  { secrets, now, url = '', ...effort }: SchemeDiagnoseOptions,
): Diagnosis {
  const delivery = readDelivery(scheme, request)
  const missing = missingCauses(scheme, request, delivery)
  const found = missing.length > 0 ? undefined : matchOf(scheme, request, { delivery, secrets, url, ...effort })
  const seconds = secondsOf(scheme, delivery.timestamp)
  const stale = [
    ...formatCauses(scheme, delivery.timestamp),
    ...(seconds === undefined || now === undefined ? [] : staleCauses(scheme, now - seconds)),
  ]
  const causes = [...missing, ...(found?.causes ?? (missing.length > 0 ? [] : [unexplained(scheme)])), ...stale]
  const age = seconds === undefined ? null : (now ?? Math.floor(Date.now() / 1000)) - seconds
  return {
    schema: 'signature-diagnosis/1',
    verifies: causes.length === 0,
    secret: found === undefined ? null : found.secret + 1,
    secrets: secrets.length,
    timestamp:
      delivery.timestamp === undefined
        ? null
        : { value: delivery.timestamp, age_seconds: age, is_judged: now !== undefined },
    causes,
    notes: request.notes,
  }
}

function missingCauses(scheme: SignatureScheme, { headers }: RawRequest, { timestamp }: ReadDelivery): Cause[] {
  const evidence = `${headers.length} headers were read`
  const remedy = (what: string) => `Send ${what}; if it was sent, look for a proxy or a framework that drops it.`
  const names = scheme.headerNames.filter((name) => valuesOf(headers, name).every((value) => value === ''))
  const causes = names.map((name): Cause => ({
    cause: 'header-missing',
    explanation: `The header ${name} is missing or empty.`,
    evidence,
    remedy: remedy(name),
  }))
  const { timestamp: place } = scheme.data
  if (causes.length > 0 || place === undefined || timestamp !== undefined) return causes
  const where = place.entry ?? place.field ?? ''
  return [
    { cause: 'header-missing', explanation: `The timestamp ${where} is missing.`, evidence, remedy: remedy(where) },
  ]
}

/** Unix seconds of the text of a timestamp. */
function secondsOf({ data: { timestamp } }: SignatureScheme, text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  return timestamp?.unit === 'milliseconds' ? Math.floor(Number(text) / 1000) : Number(text)
}

function formatCauses({ data: { timestamp } }: SignatureScheme, text: string | undefined): Cause[] {
  if (timestamp === undefined || text === undefined || /^(?:0|[1-9]\d{0,15})$/.test(text)) return []
  return [
    {
      cause: 'timestamp-format',
      explanation: `The timestamp is not a whole number of Unix ${timestamp.unit}.`,
      evidence: 'the timestamp was read',
      remedy: `Send only digits, the ${timestamp.unit} since 1970, and sign the same text.`,
    },
  ]
}

function staleCauses({ data: { timestamp, title } }: SignatureScheme, age: number): Cause[] {
  const { past = Infinity, future = Infinity } = timestamp ?? {}
  if (age <= past && -age <= future) return []
  const [limit, how] = age > 0 ? [past, 'old'] : [future, 'ahead']
  return [
    {
      cause: 'timestamp-stale',
      explanation: `The delivery is ${ageText(Math.abs(age))} ${how}, and ${title} allows ${limit} seconds.`,
      evidence: 'the timestamp was compared with the clock',
      remedy: 'Deliver at once, keep both clocks by NTP, and sign a recorded delivery again before you replay it.',
    },
  ]
}

/** The secret that explains the signature with the fewest faults. */
function matchOf(
  scheme: SignatureScheme,
  request: RawRequest,
  { delivery, secrets, url = '', ...effort }: Omit<SchemeDiagnoseOptions, 'now'> & { readonly delivery: ReadDelivery },
): Match | undefined {
  const { id = '', timestamp = '', entries } = delivery
  const budget = budgetOf(effort, scheme.isAsymmetric ? hashesOfVerification : 1)
  const read = readSchemeEntries(scheme, entries)
  const shared = {
    layouts: layoutsOf(scheme, url),
    ids: [{ value: id }],
    timestamps: [{ value: timestamp }, ...otherTimestampsOf(scheme, timestamp, request.body)],
    rareTimestamps: [],
    rareBodies: () => [],
    ...bodySpace(request, budget),
  }
  const { algorithm } = scheme.data
  const spaces = secrets.map((secret) => ({
    space: {
      ...shared,
      keys: keysOf(scheme, secret),
      matchers:
        algorithm === 'ed25519'
          ? [{ value: ed25519Matcher(scheme, secret, entries) }]
          : matchersOf(read, algorithms[algorithm]),
    },
  }))
  return bestMatch(spaces, budget)
}

const algorithms = { 'hmac-sha1': 'sha1', 'hmac-sha256': 'sha256', 'hmac-sha512': 'sha512' } as const

/** Verifying an Ed25519 signature takes as long as this many hashes. */
const hashesOfVerification = 20

/** Texts that a program may have signed instead of the timestamp, if the scheme sends it in seconds outside the body. */
function otherTimestampsOf({ data: { timestamp: place } }: SignatureScheme, text: string, body: Uint8Array) {
  if (place === undefined || place.field !== undefined || place.unit === 'milliseconds') return []
  return otherTimestamps(text, parseJson(Buffer.from(body).toString()))
}

/** Reads each entry in every way: as the scheme writes it, and the signature at its end in other encodings. */
function readSchemeEntries(scheme: SignatureScheme, given: readonly string[]): Entries {
  const { encoding, signature } = scheme.data
  const entries = new Map<string, Fault | undefined>()
  for (const entry of given) {
    const mac = scheme.macIn(entry)
    if (mac === undefined) continue
    const bytes = Buffer.from(mac, encoding)
    if (bytes.length > 0 && bytes.toString(encoding) === mac) entries.set(bytes.toString('hex'), undefined)
  }
  const fault: Fault = {
    cause: 'signature-format',
    explanation: `The signature is right, and written in another form than ${signature.entry} in ${encoding}.`,
    remedy: `Write it as ${scheme.entryOf(`<${encoding}>`)} in the header ${signature.header}.`,
  }
  const add = (mac: Buffer) => {
    if (mac.length > 0 && !entries.has(mac.toString('hex'))) entries.set(mac.toString('hex'), fault)
  }
  for (const end of given.flatMap(endsOf)) {
    if (/^(?:[0-9a-f]{2})+$/i.test(end)) add(Buffer.from(end, 'hex'))
    for (const form of ['base64', 'base64url'] as const)
      if (Buffer.from(end, form).toString(form) === end) add(Buffer.from(end, form))
  }
  return entries
}

/** Longer entries hold no signature, in any writing; what follows each label of an entry may be one. */
const maxEntryLength = 1_000

function endsOf(entry: string): readonly string[] {
  if (entry.length > maxEntryLength) return []
  const starts = [...entry.matchAll(/[,=: ](?=[^,=: ])/g)].map(({ index }) => index + 1)
  return [0, ...starts].map((start) => entry.slice(start))
}

function ed25519Matcher(scheme: SignatureScheme, secret: string, entries: readonly string[]): Matcher {
  const macs = entries.map((entry) => scheme.macIn(entry)).filter((mac) => mac !== undefined)
  const signatures = macs.map((mac) => Buffer.from(mac, scheme.data.encoding))
  const keys = publicKeysOf(scheme, secret)
  return (_, parts) => {
    const message = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    const isSigned = keys.some((key) => signatures.some((mac) => verifyAsymmetrically(null, message, key, mac)))
    return isSigned ? {} : undefined
  }
}

/** The public key that a text holds, and that of the seed that it may be. */
function publicKeysOf(scheme: SignatureScheme, secret: string): KeyObject[] {
  const { form, prefix, public_prefix: publicPrefix } = scheme.data.key
  const encoding = form === 'hex' ? 'hex' : 'base64'
  const bare = [publicPrefix, prefix].reduce<string>(
    (text, start) => (start !== undefined && text.startsWith(start) ? text.slice(start.length) : text),
    secret,
  )
  const bytes = Buffer.from(bare, encoding)
  if (bytes.length !== 32) return []
  const ofSeed = scheme.receiverSecret((prefix ?? '') + bare)
  const derived = Buffer.from(ofSeed.slice((publicPrefix ?? '').length), encoding)
  return [bytes, derived].flatMap((raw) => {
    try {
      return [createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })]
    } catch {
      return []
    }
  })
}

/** The keys that a careless program makes of a secret, the right one first. */
function keysOf(scheme: SignatureScheme, secret: string): Candidate<Buffer>[] {
  const right = scheme.keyOf(secret)
  const fault = (explanation: string): Fault => ({
    cause: scheme.data.key.form === 'text' ? 'secret-decoded-otherwise' : 'secret-undecoded',
    explanation,
    remedy:
      scheme.data.key.form === 'text'
        ? `Use the text of the secret as the key, as ${scheme.data.title} gives it out.`
        : `Decode the secret from ${scheme.data.key.form}, and use the bytes as the key.`,
  })
  const bare = secret.replace(/^[a-z]+_/, '')
  const others: Candidate<Buffer>[] = [
    {
      value: scheme.keyOf(secret.trim()),
      fault: {
        cause: 'secret-repaired',
        explanation: 'The secret has blanks around it.',
        remedy: 'Store the secret without blanks.',
      },
    },
    { value: Buffer.from(secret), fault: fault("The key is the secret's text, undecoded.") },
    { value: Buffer.from(bare), fault: fault('The key is the text of the secret without its prefix.') },
    { value: Buffer.from(bare, 'base64'), fault: fault('The key is the secret decoded from base64.') },
    { value: Buffer.from(secret, 'hex'), fault: fault('The key is the secret decoded from hexadecimal digits.') },
  ]
  if (scheme.isAsymmetric) return [{ value: right }]
  return [{ value: right }, ...others.filter(({ value }) => !value.equals(right))]
}

/** What a careless program signs, the right content first. */
function layoutsOf(scheme: SignatureScheme, url: string): Candidate<Layout>[] {
  const fault = (explanation: string): Fault => ({
    cause: 'signed-content',
    explanation,
    remedy: `Sign ${scheme.data.signed}, each part as it was sent.`,
  })
  const others: Candidate<Layout>[] = [
    { value: ({ body }) => [body], fault: fault('Only the body is signed.') },
    ...['.', ':', ''].flatMap((mark): Candidate<Layout>[] => [
      {
        value: ({ timestamp, body }) => [`${timestamp}${mark}`, body],
        fault: fault(`Only the timestamp and the body are signed, with "${mark}" between.`),
      },
      {
        value: ({ id, timestamp, body }) => [`${id}${mark}${timestamp}${mark}`, body],
        fault: fault(`The id, the timestamp and the body are signed, with "${mark}" between.`),
      },
    ]),
  ]
  return [{ value: (message) => scheme.signedOf({ ...message, url }) }, ...others]
}

function unexplained(scheme: SignatureScheme): Cause {
  return {
    cause: 'unexplained',
    explanation: 'Another secret was used than those given, or the body is not the one that was signed.',
    evidence: 'the usual mistakes were tried, one by one and together, and none gives this signature',
    remedy: `Compare the secret with the one that ${scheme.data.title} shows for this endpoint, then the bytes of the body.`,
  }
}
