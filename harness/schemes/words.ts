import type { RequirementId } from '../../spec/index.js'
import { listed } from '../reporters/text.js'
import { ownScheme, schemeParts, type SignatureScheme } from './scheme.js'

const encodings = { text: 'text', base64: 'base64', hex: 'hexadecimal digits' } as const

/** How messages name what a scheme has; part of a report, so that a stored one gives the same advice. */
export interface SchemeWords {
  readonly name: string
  /** The places of the parts: `stripe-signature`, `t= of stripe-signature`, `id of the body`. */
  readonly id?: string
  readonly timestamp?: string
  readonly signature: string
  /** The headers without which nothing can be verified. */
  readonly required: readonly string[]
  /** The signed bytes: `{webhook-id}.{webhook-timestamp}.{raw body}`. */
  readonly signed: string
  /** One entry: `v1,<base64>`. */
  readonly entry: string
  /** Its beginning: `v1,`. */
  readonly label: string
  /** The whole signature header. */
  readonly form: string
  /** The text between entries, if there may be several. */
  readonly separator?: string
  readonly unit?: 'seconds' | 'milliseconds'
  readonly past?: number
  readonly future?: number
  readonly algorithm: string
  /** How the key is made of the secret, as an instruction. */
  readonly key: string
  /** The media types of its bodies: `application/json or application/x-www-form-urlencoded`; absent for JSON alone. */
  readonly contentTypes?: string
  /** The requests with which the provider checks an endpoint, and their answers: `url_verification is answered with a 2xx`. */
  readonly handshakes?: string
}

/** Returns the words for a scheme. */
export function wordsOf(scheme: SignatureScheme): SchemeWords {
  const { data, name } = scheme
  const [id, timestamp] = [scheme.placeName('id'), scheme.placeName('timestamp')]
  const entry = scheme.entryOf(`<${data.encoding}>`)
  const { unit, past, future } = data.timestamp ?? {}
  return {
    name,
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
    signature: data.signature.header,
    required: scheme.headerNames,
    signed: data.signed
      .replace('{id}', `{${data.id?.header ?? 'id'}}`)
      .replace('{timestamp}', `{${scheme.has('timestamp-header') ? (timestamp ?? '') : 'timestamp'}}`)
      .replace('{body}', '{raw body}'),
    entry,
    label: entry.slice(0, entry.indexOf('<')),
    form: scheme.signatureForm,
    ...(data.signature.several === true && data.signature.separator !== undefined
      ? { separator: data.signature.separator }
      : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(past === undefined ? {} : { past }),
    ...(future === undefined ? {} : { future }),
    algorithm: scheme.isAsymmetric ? 'Ed25519' : data.algorithm.toUpperCase(),
    key: keyInWords(scheme),
    ...(scheme.contentTypes.length === 1 ? {} : { contentTypes: listed(scheme.contentTypes, 'or') }),
    ...(data.handshakes === undefined
      ? {}
      : {
          handshakes: data.handshakes
            .map((handshake) => `${handshake.name} is answered ${handshake.expects}`)
            .join('; '),
        }),
  }
}

/** The words of the interface. */
export const ownWords: SchemeWords = wordsOf(ownScheme)

function keyInWords({ isAsymmetric, data: { key } }: SignatureScheme): string {
  if (isAsymmetric) return `Decode the public key from ${encodings[key.form]}, and use its 32 bytes.`
  if (key.form === 'text') return 'Use the text of the secret as the key.'
  const part = key.prefix === undefined ? 'the secret' : `the part of the secret after ${key.prefix}`
  return `Decode ${part} from ${encodings[key.form]}, and use the bytes as the key.`
}

type Sentence = (words: SchemeWords) => string

const isTimely = (side: 'past' | 'future'): Sentence => {
  return (words) => `A delivery whose timestamp is more than ${words[side]} seconds in the ${side} is refused.`
}
const oneEntryMatches: Sentence = ({ entry }) =>
  `A delivery is valid when at least one entry ${entry} matches, at any position.`
const exactEntry: Sentence = ({ entry }) =>
  `Only the exact entry ${entry} matches: text after it, another form or other unused bits make another entry.`
const wholeTimestamp: Sentence = ({ timestamp = 'the timestamp', unit }) =>
  `${timestamp} is Unix ${unit}: a delivery whose timestamp is not a whole number is refused.`
const otherEntries: Sentence = ({ label }) => `Entries that begin with something else than ${label} are ignored.`
const signedBytes: Sentence = ({ signed }) => `The signed bytes are ${signed}: a change of any part is refused.`
const secretIsKey: Sentence = ({ key }) => `${key} A signature with another key is refused.`

/** The sentences that name what the scheme of the interface has. */
const sentences: Partial<Record<RequirementId, Sentence>> = {
  'RCV-006': isTimely('past'),
  'RCV-007': isTimely('future'),
  'RCV-010': oneEntryMatches,
  'RCV-011': otherEntries,
  'RCV-012': ({ id }) => `The same event (${id ?? 'its body'}) sent again is answered with a 2xx.`,
  'RCV-019': ({ id }) => `Consumers use ${id ?? 'the body'} to drop duplicates: the work of an event is done once.`,
  'RCV-020': secretIsKey,
  'RCV-023': wholeTimestamp,
  'RCV-027': exactEntry,
  'RCV-032': ({
    handshakes = 'a request with which the provider checks the endpoint is answered as its documentation shows',
  }) => `The request ${handshakes}.`,
  'SDR-002': (words) =>
    `${listed(placesOf(words), 'and')} ${placesOf(words).length > 1 ? 'are' : 'is'} sent, each once.`,
  'SDR-003': ({ timestamp, unit }) => `${timestamp} is the Unix ${unit} at which this attempt was signed.`,
  'SDR-004': ({ signature, form }) => `${signature} has the form ${form}.`,
  'SDR-005': ({ signature, entry, signed, algorithm }) =>
    `${signature} contains ${entry}: the ${algorithm} signature of ${signed}, with the key that belongs to the secret.`,
  'SDR-007': ({ id }) => `Consumers use ${id} to drop duplicates: no two events share one.`,
  'SDR-009': ({ contentTypes }) =>
    contentTypes === undefined ? 'The body is JSON.' : `The body is ${contentTypes}, as its content type declares.`,
  'SDR-029': ({ id }) => `${id} is identical on every retry.`,
  'VFY-001': signedBytes,
  'VFY-002': secretIsKey,
  'VFY-003': ({ algorithm, entry }) =>
    `The signature is ${entry} by ${algorithm}: the complete value must be equal; a modified or truncated one is refused.`,
  'VFY-004': oneEntryMatches,
  'VFY-006': isTimely('past'),
  'VFY-007': isTimely('future'),
  'VFY-010': otherEntries,
  'VFY-012': wholeTimestamp,
  'VFY-021': exactEntry,
}

/** A requirement as it reads under another scheme than that of the interface; undefined where it reads the same. */
export function sentenceUnder(words: SchemeWords | undefined, id: RequirementId): string | undefined {
  return words === undefined ? undefined : sentences[id]?.(words)
}

function placesOf(words: SchemeWords): readonly string[] {
  return schemeParts.flatMap((part) => words[part] ?? [])
}
