// Why a signature does not match, for every scheme but that of the interface, of which `diagnose.ts` knows more mistakes.

import { createPublicKey, verify as verifyAsymmetrically } from 'node:crypto'
import type { SignatureScheme } from '../schemes/scheme.js'
import { aroundPart } from '../schemes/template.js'
import { parseJson } from '../wire/json.js'
import { memberOf } from '../wire/exchange.js'
import { bodiesOf } from './bodies.js'
import { withFrameworks, type Diagnosis } from './diagnose.js'
import type { Candidate, Cause, Fault } from './finding.js'
import { valuesOf, type RawRequest } from './request.js'

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
  /** Where the delivery was sent, for schemes that sign that. */
  readonly url?: string
}

/** Explains why the signature of a request does not verify under a scheme, or that it does. */
export function diagnoseByScheme(
  scheme: SignatureScheme,
  request: RawRequest,
  { secrets, now, url = '' }: SchemeDiagnoseOptions,
): Diagnosis {
  const delivery = readDelivery(scheme, request)
  const missing = missingCauses(scheme, request, delivery)
  const found = missing.length > 0 ? undefined : bestMatch(scheme, { request, delivery, secrets, url })
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
      remedy: `Send digits alone, the ${timestamp.unit} since 1970, and sign the same text.`,
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
      explanation: `The delivery is ${Math.abs(age)} seconds ${how}, and ${title} allows ${limit}.`,
      evidence: 'the timestamp was compared with the clock',
      remedy: 'Deliver at once, keep both clocks by NTP, and sign a recorded delivery again before you replay it.',
    },
  ]
}

interface Search {
  readonly request: RawRequest
  readonly delivery: ReadDelivery
  readonly secrets: readonly string[]
  readonly url: string
}

/** The secret that explains a signature with the fewest faults. */
function bestMatch(
  scheme: SignatureScheme,
  { request, delivery, secrets, url }: Search,
): { readonly secret: number; readonly causes: readonly Cause[] } | undefined {
  const { id = '', timestamp = '', entries } = delivery
  const found: { readonly secret: number; readonly faults: readonly Fault[] }[] = []
  for (const [index, secret] of secrets.entries())
    for (const { key, body, content } of combinations(keysOf(scheme, secret), bodiesOf(request.body))) {
      const contents = contentsOf(scheme, { id, timestamp, body: body.value, url })
      for (const { value: parts, fault } of content === 'right' ? contents.slice(0, 1) : contents.slice(1)) {
        const written = entries.map((entry) => matchOf(scheme, entry, { key: key.value, parts, secret }))
        const match = written.find((each) => each !== undefined)
        if (match === undefined) continue
        const faults = [key.fault, body.fault, fault, match.fault].filter((each) => each !== undefined)
        if (faults.length === 0) return { secret: index, causes: [] }
        found.push({ secret: index, faults })
      }
    }
  const [best] = found.toSorted((one, other) => one.faults.length - other.faults.length)
  if (best === undefined) return undefined
  const evidence = 'tried: with this undone, the computed signature is the one that was sent'
  return { secret: best.secret, causes: best.faults.map((fault): Cause => ({ ...withFrameworks(fault), evidence })) }
}

interface Combination {
  readonly key: Candidate<Buffer>
  readonly body: Candidate<Uint8Array>
  readonly content: 'right' | 'other'
}

/** Yields the correct combination first, then one mistake at a time, then a wrong key with other contents. */
function* combinations(
  keys: readonly Candidate<Buffer>[],
  bodies: readonly Candidate<Uint8Array>[],
): Generator<Combination> {
  const [key] = keys
  const [body] = bodies
  if (key === undefined || body === undefined) return
  for (const other of keys) yield { key: other, body, content: 'right' }
  for (const other of keys) yield { key: other, body, content: 'other' }
  for (const other of bodies.slice(1)) yield { key, body: other, content: 'right' }
}

/** How an entry matches these bytes; undefined where it does not. */
function matchOf(
  scheme: SignatureScheme,
  entry: string,
  {
    key,
    parts,
    secret,
  }: { readonly key: Buffer; readonly parts: readonly (string | Uint8Array)[]; readonly secret: string },
): { readonly fault?: Fault } | undefined {
  if (scheme.isAsymmetric) {
    const mac = scheme.macIn(entry)
    const isRight =
      mac !== undefined &&
      isSignedBy(scheme, secret, { mac, message: Buffer.concat(parts.map((part) => Buffer.from(part as string))) })
    return isRight ? {} : undefined
  }
  const right = scheme.macBytes(key, ...parts)
  if (scheme.macIn(entry) === right.toString(scheme.data.encoding)) return {}
  const forms = [
    right.toString('hex'),
    right.toString('hex').toUpperCase(),
    right.toString('base64'),
    right.toString('base64url'),
  ]
  const isOtherForm = forms.some((form) => entry.endsWith(form))
  if (!isOtherForm) return undefined
  return {
    fault: {
      cause: 'signature-format',
      explanation: `The signature is right, and written in another form than ${scheme.data.signature.entry} in ${scheme.data.encoding}.`,
      remedy: `Write it as ${scheme.entryOf(`<${scheme.data.encoding}>`)} in the header ${scheme.data.signature.header}.`,
    },
  }
}

/** Whether the public key, or that of the seed, made a signature. */
function isSignedBy(
  scheme: SignatureScheme,
  secret: string,
  { mac, message }: { readonly mac: string; readonly message: Buffer },
): boolean {
  const { form, prefix, public_prefix: publicPrefix } = scheme.data.key
  const encoding = form === 'hex' ? 'hex' : 'base64'
  const bare = [publicPrefix, prefix].reduce<string>(
    (text, each) => (each !== undefined && text.startsWith(each) ? text.slice(each.length) : text),
    secret,
  )
  const bytes = Buffer.from(bare, encoding)
  if (bytes.length !== 32) return false
  const ofSeed = scheme.receiverSecret((prefix ?? '') + bare)
  const derived = Buffer.from(ofSeed.slice((publicPrefix ?? '').length), encoding)
  return [bytes, derived].some((raw) => {
    try {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
      return verifyAsymmetrically(null, message, key, Buffer.from(mac, scheme.data.encoding))
    } catch {
      return false
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
function contentsOf(
  scheme: SignatureScheme,
  message: { readonly id: string; readonly timestamp: string; readonly body: Uint8Array; readonly url: string },
): Candidate<readonly (string | Uint8Array)[]>[] {
  const { id, timestamp, body } = message
  const fault = (explanation: string): Fault => ({
    cause: 'signed-content',
    explanation,
    remedy: `Sign ${scheme.data.signed}, each part as it was sent.`,
  })
  const others: Candidate<readonly (string | Uint8Array)[]>[] = [
    { value: [body], fault: fault('Only the body is signed.') },
    ...['.', ':', ''].flatMap((mark) => [
      {
        value: [`${timestamp}${mark}`, body],
        fault: fault(`Only the timestamp and the body are signed, with "${mark}" between.`),
      },
      {
        value: [`${id}${mark}${timestamp}${mark}`, body],
        fault: fault(`The id, the timestamp and the body are signed, with "${mark}" between.`),
      },
    ]),
  ]
  return [{ value: scheme.signedOf(message) }, ...others]
}

function unexplained(scheme: SignatureScheme): Cause {
  return {
    cause: 'unexplained',
    explanation: 'Another secret was used than those given, or the body is not the one that was signed.',
    evidence: 'the usual mistakes were tried, alone and together, and none gives this signature',
    remedy: `Compare the secret with the one that ${scheme.data.title} shows for this endpoint, then the bytes of the body.`,
  }
}
