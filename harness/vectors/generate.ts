import type { Writable } from 'node:stream'
import { ownScheme } from '../schemes/scheme.js'
import { collidingWith } from '../wire/colliding.js'
import { inFamily, type HeaderFamily } from '../wire/header-family.js'
import { macOf } from '../wire/signing.js'
import { curatedVectors } from './curated/index.js'
import { vectorFlags, type VectorFlagName } from './flags.js'
import { Random } from './random.js'
import { vectorSchema, type Vector, type VectorResult } from './vector.js'
import { writeAll } from './write.js'

export interface GenerateOptions {
  /** Vectors, at least 1. */
  readonly count: number
  /** Any 32-bit number; the same seed gives the same bytes. */
  readonly seed: number
  /** The names of the three headers (default `webhook`). */
  readonly headerNames?: HeaderFamily
}

/** Vectors that share one secret. */
const groupSize = 50
/** The clock of the first vector, Unix seconds. */
const baseTime = 1_700_000_000

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const words = ['Hello', 'Grüße', '你好', 'order 42', 'a/b', '"quoted"', 'tab\t', '👋', 'naïve', '<html>'] as const

interface Draft {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: Buffer
  readonly now: number
  readonly flag: VectorFlagName
  readonly comment: string
  readonly result: VectorResult
}

interface Signed {
  readonly random: Random
  readonly key: Buffer
  readonly id: string
  readonly timestamp: number
  readonly body: Buffer
  readonly entry: string
  readonly now: number
}

type Maker = (signed: Signed) => Draft

function draft(
  signed: Signed,
  flag: VectorFlagName,
  comment: string,
  result: VectorResult,
  changes: Partial<Draft> = {},
): Draft {
  const { id, timestamp, entry: signature, body, now } = signed
  return { id, timestamp: String(timestamp), signature, body, now, flag, comment, result, ...changes }
}

function wrongEntry(random: Random): string {
  return `v1,${random.bytes(32).toString('base64')}`
}

/** One maker for each kind of vector; each is as likely as any other. */
const makers: readonly Maker[] = [
  (signed) => draft(signed, 'Plain', 'a valid delivery', 'valid'),
  (signed) =>
    draft(signed, 'SeveralEntries', 'the matching entry last', 'valid', {
      signature: `${wrongEntry(signed.random)} ${signed.entry}`,
    }),
  (signed) =>
    draft(signed, 'SeveralEntries', 'the matching entry first', 'valid', {
      signature: `${signed.entry} ${wrongEntry(signed.random)}`,
    }),
  (signed) =>
    draft(signed, 'UnknownVersion', 'an entry of another version next to a matching one', 'valid', {
      signature: `v2,${signed.random.bytes(32).toString('base64')} ${signed.entry}`,
    }),
  (signed) =>
    draft(signed, 'UnknownVersion', 'the right value under another version', 'invalid', {
      signature: `v2,${signed.entry.slice(3)}`,
    }),
  (signed) => draft(signed, 'BoundaryTimestamp', 'exactly 300 seconds old', 'valid', { now: signed.timestamp + 300 }),
  (signed) => draft(signed, 'BoundaryTimestamp', '301 seconds old', 'invalid', { now: signed.timestamp + 301 }),
  (signed) =>
    draft(signed, 'BoundaryFutureTimestamp', 'exactly 300 seconds ahead', 'valid', { now: signed.timestamp - 300 }),
  (signed) => draft(signed, 'BoundaryFutureTimestamp', '301 seconds ahead', 'invalid', { now: signed.timestamp - 301 }),
  (signed) =>
    draft(signed, 'StaleTimestamp', 'long ago', 'invalid', {
      now: signed.timestamp + 302 + signed.random.below(1_000_000),
    }),
  (signed) =>
    draft(signed, 'FutureTimestamp', 'far ahead', 'invalid', {
      now: signed.timestamp - 302 - signed.random.below(1_000_000),
    }),
  (signed) => {
    const body = Buffer.from(signed.body)
    const at = signed.random.below(body.length)
    body[at] = (body[at] ?? 0) ^ (1 << signed.random.below(8))
    return draft(signed, 'TamperedBody', 'one bit of the body changed', 'invalid', { body })
  },
  (signed) => draft(signed, 'TamperedId', 'a letter of the id added', 'invalid', { id: `${signed.id}x` }),
  (signed) =>
    draft(signed, 'TamperedTimestamp', 'a later timestamp than the one signed', 'invalid', {
      timestamp: String(signed.timestamp + 1),
    }),
  (signed) => {
    const mac = Buffer.from(signed.entry.slice(3), 'base64')
    const at = signed.random.below(32)
    mac[at] = (mac[at] ?? 0) ^ (1 << signed.random.below(8))
    return draft(signed, 'ModifiedMac', 'one bit of the MAC changed', 'invalid', {
      signature: `v1,${mac.toString('base64')}`,
    })
  },
  (signed) =>
    draft(signed, 'TruncatedMac', 'the MAC cut short', 'invalid', {
      signature: signed.entry.slice(0, 3 + signed.random.below(43)),
    }),
  (signed) =>
    draft(signed, 'SeveralEntries', 'the matching entry in the middle', 'valid', {
      signature: `${wrongEntry(signed.random)} ${signed.entry} ${wrongEntry(signed.random)}`,
    }),
  (signed) =>
    draft(signed, 'NoMatchingEntry', 'two entries, none of which matches', 'invalid', {
      signature: `${wrongEntry(signed.random)} ${wrongEntry(signed.random)}`,
    }),
  (signed) =>
    draft(signed, 'UnknownVersion', 'the right value without a version', 'invalid', {
      signature: signed.entry.slice(3),
    }),
  (signed) => {
    const body = Buffer.concat([signed.body, Buffer.from('\n')])
    return draft(signed, 'RawBody', 'a line feed at the end of the body, signed as sent', 'valid', {
      body,
      signature: entryOf(signed.key, { ...signed, body }),
    })
  },
  (signed) =>
    draft(signed, 'Reserialized', 'a line feed at the end of the body that was not signed', 'invalid', {
      body: Buffer.concat([signed.body, Buffer.from('\n')]),
    }),
  (signed) =>
    draft(signed, 'Utf8Collision', 'a byte that is not UTF-8 instead of the replacement character', 'invalid', {
      body: Buffer.from([0x22, 0xff, 0x22]),
      signature: entryOf(signed.key, { ...signed, body: Buffer.from('"\ufffd"') }),
    }),
  (signed) =>
    draft(signed, 'Utf8Collision', 'a byte that is not UTF-8 put into a text', 'invalid', {
      body: Buffer.from([0x22, 0x61, 0xff, 0x22]),
      signature: entryOf(signed.key, { ...signed, body: Buffer.from('"a"') }),
    }),
  (signed) =>
    draft(signed, 'WrongSignedString', 'the id is not signed', 'invalid', {
      signature: entryOfText(signed.key, `${signed.timestamp}.`, signed.body),
    }),
  (signed) =>
    draft(signed, 'WrongSignedString', 'the body alone is signed', 'invalid', {
      signature: entryOfText(signed.key, '', signed.body),
    }),
  (signed) =>
    draft(signed, 'EncodedMac', 'the MAC in hexadecimal', 'invalid', {
      signature: `v1,${Buffer.from(signed.entry.slice(3), 'base64').toString('hex')}`,
    }),
  (signed) =>
    draft(signed, 'TimestampSpelling', 'letters after the signed number', 'invalid', {
      timestamp: `${signed.timestamp}abc`,
    }),
  (signed) =>
    draft(signed, 'TimestampSpelling', 'a leading zero before the signed number', 'acceptable', {
      timestamp: `0${signed.timestamp}`,
    }),
  (signed) =>
    draft(signed, 'WrongSecret', 'signed with another key', 'invalid', {
      signature: entryOf(signed.random.bytes(24), signed),
    }),
  (signed) =>
    draft(signed, 'ModifiedMac', 'two neighbouring characters changed: a hash of the text is the same', 'invalid', {
      signature: `v1,${collidingWith(signed.entry.slice(3), 31) ?? signed.random.bytes(32).toString('base64')}`,
    }),
]

function entryOf(key: Buffer, message: Pick<Signed, 'id' | 'timestamp' | 'body'>): string {
  return ownScheme.entryOf(macOf(key, message))
}

function entryOfText(key: Buffer, head: string, body: Buffer): string {
  return ownScheme.entryOf(ownScheme.macOf(key, head, body))
}

function secretOf(random: Random): { secret: string; key: Buffer } {
  const key = random.bytes(24 + random.below(41))
  return { secret: `whsec_${key.toString('base64')}`, key }
}

function signedDelivery(random: Random, key: Buffer, number: number): Signed {
  let name = ''
  for (let index = 0; index < 10; index++) name += letters[random.below(letters.length)] ?? 'a'
  const id = `evt_${name}`
  const timestamp = baseTime + number
  const subject = words[random.below(words.length)] ?? ''
  const space = random.below(4) === 0 ? ' ' : ''
  const body = Buffer.from(
    `{"id":${space}"${id}","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":{"message_id":"msg_${name}","subject":${JSON.stringify(subject)}}}`,
  )
  const now = timestamp + random.below(599) - 299
  return { random, key, id, timestamp, body, now, entry: entryOf(key, { id, timestamp, body }) }
}

/** The JSON text of a vector; its members in the order of the format. */
function draftText(number: number, { flag, comment, now, id, timestamp, signature, body, result }: Draft): string {
  return `"id":${number},"comment":"${comment}","flags":["${flag}"],"now":${now},"headers":{"webhook-id":"${id}","webhook-timestamp":"${timestamp}","webhook-signature":"${signature}"},"payload_base64":"${body.toString('base64')}","result":"${result}"`
}

function curatedText(number: number, vector: Vector): string {
  const { comment, flags, now, headers, payload_base64, result } = vector
  return JSON.stringify({ id: number, comment, flags, now, headers, payload_base64, result }).slice(1, -1)
}

/** The curated vectors in runs that keep their order, since some of them speak of the one before; the runs are shuffled. */
function curatedRuns(random: Random): (Vector & { readonly secret: string })[] {
  const runs = curatedVectors().groups.flatMap(({ secret, tests }) => {
    const size = tests.length > longestRun ? shortRun : longestRun
    return Array.from({ length: Math.ceil(tests.length / size) }, (_, index) =>
      tests.slice(index * size, (index + 1) * size).map((test) => ({ ...test, secret })),
    )
  })
  for (let last = runs.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const [one, two] = [runs[last] ?? [], runs[other] ?? []]
    runs[last] = two
    runs[other] = one
  }
  return runs.flat()
}

/** Tests of one secret that stay together, and parts of a group that holds more. */
const longestRun = 100
const shortRun = 20
/** Of so many vectors one is made, and the others are curated ones, until all of these were written. */
const madeOneOf = 3

/** The texts of `count` vectors, one by one, with the secret of their group. */
function* texts({
  count,
  seed,
  headerNames = 'webhook',
}: GenerateOptions): Generator<{ secret: string; text: string }> {
  const random = new Random(seed)
  const curated = curatedRuns(random)
  let next = 0
  let made = 0
  let group = secretOf(random)
  for (let number = 1; number <= count; number++) {
    const vector = number % madeOneOf === 0 ? undefined : curated[next]
    if (vector !== undefined) {
      next++
      const headers = inFamily(vector.headers, headerNames)
      yield { secret: vector.secret, text: curatedText(number, { ...vector, headers }) }
      continue
    }
    if (made++ % groupSize === 0) group = secretOf(random)
    const maker = makers[random.below(makers.length)]
    const signed = signedDelivery(random, group.key, number)
    if (maker === undefined) continue
    const text = draftText(number, maker(signed))
    yield { secret: group.secret, text: headerNames === 'svix' ? text.replaceAll('"webhook-', '"svix-') : text }
  }
}

/** Vectors one by one, as values. */
export function* generateVectors(options: GenerateOptions): Generator<Vector & { readonly secret: string }> {
  for (const { secret, text } of texts(options)) yield { ...(JSON.parse(`{${text}}`) as Vector), secret }
}

/** Writes one self-contained test a line. Holds constant memory at any count. */
export function writeNdjson(options: GenerateOptions, output: Writable): Promise<void> {
  return writeAll(output, ndjsonLines(options))
}

function* ndjsonLines(options: GenerateOptions): Generator<string> {
  for (const { secret, text } of texts(options)) yield `{"secret":${JSON.stringify(secret)},${text}}\n`
}

/** Writes one JSON document. Holds constant memory at any count. */
export function writeJson(options: GenerateOptions, output: Writable): Promise<void> {
  return writeAll(output, jsonParts(options))
}

function* jsonParts(options: GenerateOptions): Generator<string> {
  yield `{"schema":"${vectorSchema}","seed":${options.seed},"count":${options.count},"flags":${JSON.stringify(vectorFlags)},"groups":[`
  let last: string | undefined
  for (const { secret, text } of texts(options)) {
    if (secret !== last)
      yield `${last === undefined ? '' : ']},'}\n{"secret":${JSON.stringify(secret)},"tests":[\n{${text}}`
    else yield `,\n{${text}}`
    last = secret
  }
  yield ']}\n]}\n'
}
