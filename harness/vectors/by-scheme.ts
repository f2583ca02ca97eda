// Vectors of any signature scheme: valid deliveries of its samples, and each with one difference of the catalogue of forgeries.

import type { Writable } from 'node:stream'
import { Delivery } from '../receiver/delivery.js'
import type { SignatureScheme } from '../schemes/scheme.js'
import { Random } from './random.js'
import { vectorSchema, type Vector, type VectorFlag, type VectorResult } from './vector.js'
import { writeAll } from './write.js'

/** One way in which a vector differs from a valid delivery. */
export interface DeliveryVariation {
  readonly comment: string
  readonly flag: string
  readonly result: VectorResult
  readonly make: (good: Delivery) => Delivery | undefined
}

export interface SchemeVectors {
  readonly scheme: SignatureScheme
  readonly variations: readonly DeliveryVariation[]
  readonly flags: Readonly<Record<string, VectorFlag>>
  /** Vectors, at least 1. */
  readonly count: number
  /** Any 32-bit number; the same seed gives the same bytes. */
  readonly seed: number
}

/** Vectors that share one secret. */
const groupSize = 50
/** The clock of the first vector, Unix seconds. */
const baseTime = 1_700_000_000
/** One of this many vectors is an unchanged valid delivery. */
const plainOneOf = 4

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The vectors one by one, with the secret that a verifier is given. */
export function* schemeVectors({
  scheme,
  variations,
  count,
  seed,
}: SchemeVectors): Generator<Vector & { readonly secret: string }> {
  const random = new Random(seed)
  // Each flag is as likely as any other, however many variations it has.
  const flagNames = [...new Set(variations.map(({ flag }) => flag))]
  const byFlag = flagNames.map((name) => variations.filter(({ flag }) => flag === name))
  let secret = ''
  for (let number = 1; number <= count; number++) {
    if ((number - 1) % groupSize === 0) secret = secretOf(scheme, random)
    const good = deliveryOf(scheme, { random, secret, number })
    const now = Number(good.fields.timestamp)
    const equal = number % plainOneOf === 0 ? [] : (byFlag[random.below(byFlag.length)] ?? [])
    const variation = equal.length === 0 ? undefined : equal[random.below(equal.length)]
    const bad = variation?.make(good)
    const plain = { comment: 'a valid delivery', flag: 'Plain', result: 'valid' } as const
    const { comment, flag, result } = bad === undefined || variation === undefined ? plain : variation
    const { headers, fields } = bad ?? good
    yield {
      id: number,
      comment,
      flags: [flag],
      now,
      headers,
      payload_base64: Buffer.from(fields.body).toString('base64'),
      result,
      secret: scheme.receiverSecret(secret),
    }
  }
}

function secretOf(scheme: SignatureScheme, random: Random): string {
  const { form, prefix = '' } = scheme.data.key
  return prefix + random.bytes(scheme.isAsymmetric ? 32 : 24).toString(form === 'base64' ? 'base64' : 'hex')
}

function deliveryOf(
  scheme: SignatureScheme,
  { random, secret, number }: { readonly random: Random; readonly secret: string; readonly number: number },
): Delivery {
  const { samples = [] } = scheme.data
  const sample = samples[random.below(Math.max(1, samples.length))]
  let name = ''
  for (let index = 0; index < 10; index++) name += letters[random.below(letters.length)] ?? 'a'
  const indent = random.below(4) === 0 ? 1 : undefined
  return new Delivery(
    {
      id: `evt_${name}`,
      timestamp: baseTime + number,
      secret,
      body: Buffer.from(JSON.stringify(sample?.body ?? { id: `evt_${name}` }, undefined, indent)),
      ...(sample?.headers === undefined ? {} : { eventHeaders: sample.headers }),
    },
    { scheme, url: 'https://hooks.example/webhooks' },
  )
}

/** Writes one self-contained test a line. Holds constant memory at any count. */
export function writeSchemeNdjson(options: SchemeVectors, output: Writable): Promise<void> {
  return writeAll(output, lines(options))
}

function* lines(options: SchemeVectors): Generator<string> {
  for (const { secret, ...vector } of schemeVectors(options)) yield `${JSON.stringify({ secret, ...vector })}\n`
}

/** Writes one JSON document. */
export function writeSchemeJson(options: SchemeVectors, output: Writable): Promise<void> {
  return writeAll(output, document(options))
}

function* document(options: SchemeVectors): Generator<string> {
  const { seed, count, flags } = options
  yield `{"schema":"${vectorSchema}","seed":${seed},"count":${count},"flags":${JSON.stringify(flags)},"groups":[`
  let last: string | undefined
  for (const { secret, ...vector } of schemeVectors(options)) {
    const text = JSON.stringify(vector)
    if (secret !== last)
      yield `${last === undefined ? '' : ']},'}\n{"secret":${JSON.stringify(secret)},"tests":[\n${text}`
    else yield `,\n${text}`
    last = secret
  }
  yield ']}\n]}\n'
}
