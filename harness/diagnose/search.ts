import { createHash, createHmac } from 'node:crypto'
import type { Entries } from './entries.js'
import type { Candidate, Fault } from './finding.js'

/** The dimensions of the search; the first of each is the actual value. */
export interface Space {
  readonly keys: readonly Candidate<Uint8Array>[]
  readonly bodies: readonly Candidate<Uint8Array>[]
  readonly ids: readonly Candidate<string>[]
  readonly timestamps: readonly Candidate<string>[]
  /** Tried with nothing else changed. */
  readonly rareTimestamps: readonly Candidate<string>[]
  /** Tried with nothing else changed, one at a time: there may be thousands. */
  readonly rareBodies: () => Iterable<Candidate<Uint8Array>>
}

/** The part of a budget that rare bodies may use up: two usual mistakes at once are likelier. */
const shareOfRare = 1 / 3

/** A hash costs about as much as so many bytes more. */
const bytesOfHash = 2_000

/** How the parts of a message are joined before they are signed; `body` false leaves it out. */
interface Layout {
  readonly prefix: (id: string, timestamp: string) => string
  readonly body: boolean
}

const contentFault = (explanation: string): Fault => ({
  cause: 'signed-content',
  explanation,
  remedy:
    'Sign {webhook-id}.{webhook-timestamp}.{raw body}: the two headers and the bytes of the body, with dots between.',
})

const layouts: readonly Candidate<Layout>[] = [
  { value: { prefix: (id, timestamp) => `${id}.${timestamp}.`, body: true } },
  layout('Only the body is signed.', () => ''),
  layout('The id is not signed: only the timestamp and the body are.', (_, timestamp) => `${timestamp}.`),
  layout('The timestamp is not signed: only the id and the body are.', (id) => `${id}.`),
  layout('The timestamp is before the id in the signed string.', (id, timestamp) => `${timestamp}.${id}.`),
  layout('The parts of the signed string are not separated by dots.', (id, timestamp) => `${id}${timestamp}`),
  layout('The signed string has no dot before the body.', (id, timestamp) => `${id}.${timestamp}`),
  layout('Only the timestamp and the body are signed, without a dot.', (_, timestamp) => timestamp),
  ...([':', '|', ',', '\n', '-', ' '] as const).map((mark) =>
    layout(`${JSON.stringify(mark)} separates the parts of the signed string, not a dot.`, (id, timestamp) =>
      [id, timestamp, ''].join(mark),
    ),
  ),
  layout(
    'The body is not signed: it was empty when the signature was made.',
    (id, timestamp) => `${id}.${timestamp}.`,
    false,
  ),
  layout('The body is not signed: only the id and the timestamp are.', (id, timestamp) => `${id}.${timestamp}`, false),
]

function layout(explanation: string, prefix: Layout['prefix'], body = true): Candidate<Layout> {
  return { value: { prefix, body }, fault: contentFault(explanation) }
}

const hashFault = (what: string): Fault => ({
  cause: 'hash',
  explanation: `The signature is ${what}, not HMAC-SHA-256.`,
  remedy: 'Use HMAC with SHA-256.',
})

const swapped: Fault = {
  cause: 'hash',
  explanation: 'The key and the text changed places when the HMAC was made.',
  remedy: 'Pass the secret as the key and the signed string as the message: libraries accept either order.',
}

const appended: Fault = {
  cause: 'hash',
  explanation:
    'The signature is the signed text, followed by the HMAC of nothing: Sum of Go appends, it does not hash.',
  remedy: 'Write the signed text first: mac.Write(body), then mac.Sum(nil).',
}

const hashes: readonly Candidate<string>[] = [
  { value: 'sha256' },
  { value: 'sha512', fault: hashFault('HMAC-SHA-512') },
  { value: 'sha1', fault: hashFault('HMAC-SHA-1') },
  { value: 'sha384', fault: hashFault('HMAC-SHA-384') },
  { value: 'plain before', fault: hashFault('a plain SHA-256 of the key and the text') },
  { value: 'plain after', fault: hashFault('a plain SHA-256 of the text and the key') },
  { value: 'swapped', fault: swapped },
  { value: 'appended', fault: appended },
]

/** Returns a hash of the key and the parts, by method `how` of `hashes`. */
function macOf(how: string, key: Uint8Array, parts: readonly (string | Uint8Array)[]): string {
  if (how === 'swapped')
    return createHmac('sha256', Buffer.concat(parts.map((part) => Buffer.from(part as string))))
      .update(key)
      .digest('hex')
  if (how === 'appended') {
    const message = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    return message.toString('hex') + createHmac('sha256', key).digest('hex')
  }
  const isPlain = how.startsWith('plain ')
  const hash = isPlain ? createHash('sha256') : createHmac(how, key)
  const all = how === 'plain before' ? [key, ...parts] : how === 'plain after' ? [...parts, key] : parts
  for (const part of all) hash.update(part)
  return hash.digest('hex')
}

/**
 * What must be wrong for the signature to be what it is: the fewest faults, at most two, the likeliest first. Undefined when
 * nothing known explains it, or when `budget` bytes were hashed; empty where nothing is wrong.
 */
export function search(entries: Entries, space: Space, budget: number): readonly Fault[] | undefined {
  let left = budget
  const dimensions = [space.bodies, space.keys, layouts, space.timestamps, space.ids, hashes] as const
  const triedRare = (body: Candidate<Uint8Array>): readonly Fault[] | undefined => {
    const [key, id, timestamp] = [space.keys[0], space.ids[0], space.timestamps[0]]
    if (key === undefined || id === undefined || timestamp === undefined || body.fault === undefined) return undefined
    left -= bytesOfHash + body.value.length
    const hex = macOf('sha256', key.value, [`${id.value}.${timestamp.value}.`, body.value])
    if (!entries.has(hex)) return undefined
    return [entries.get(hex), body.fault].filter((each) => each !== undefined)
  }
  const tried = (at: readonly number[]): readonly Fault[] | undefined => {
    const [body, key, form, timestamp, id, hash] = at.map((index, place) => dimensions[place]?.[index]) as [
      Candidate<Uint8Array>,
      Candidate<Uint8Array>,
      Candidate<Layout>,
      Candidate<string>,
      Candidate<string>,
      Candidate<string>,
    ]
    left -= bytesOfHash + body.value.length
    const prefix = form.value.prefix(id.value, timestamp.value)
    const hex = macOf(hash.value, key.value, form.value.body ? [prefix, body.value] : [prefix])
    if (!entries.has(hex)) return undefined
    return [entries.get(hex), ...[body, key, form, timestamp, id, hash].map((each) => each.fault)].filter(
      (each) => each !== undefined,
    )
  }
  const first = dimensions.map(() => 0)
  const direct = tried(first)
  if (direct !== undefined) return direct
  for (const [place, choices] of dimensions.entries())
    for (let index = 1; index < choices.length && left > 0; index++) {
      const found = tried(first.with(place, index))
      if (found !== undefined) return found
    }
  for (const rare of space.rareTimestamps) {
    const found =
      left > 0
        ? search(entries, { ...space, timestamps: [rare], rareTimestamps: [], rareBodies: () => [] }, 0)
        : undefined
    left -= bytesOfHash + (space.bodies[0]?.value.length ?? 0)
    if (found !== undefined) return found
  }
  const kept = left - budget * shareOfRare
  for (const rare of left > 0 ? space.rareBodies() : []) {
    if (left <= kept || left <= 0) break
    const found = triedRare(rare)
    if (found !== undefined) return found
  }
  for (const [place, choices] of dimensions.entries())
    for (const [other, more] of dimensions.entries())
      if (other > place)
        for (let index = 1; index < choices.length; index++)
          for (let next = 1; next < more.length && left > 0; next++) {
            const found = tried(first.with(place, index).with(other, next))
            if (found !== undefined) return found
          }
  return undefined
}
