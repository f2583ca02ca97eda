import { createHmac } from 'node:crypto'
import { verify, type SubtleVerifyOptions } from '../../../reference/verifier/subtle.js'
import { parsedEvent, verificationError } from '../../../reference/client/verify-webhook.js'
import { defineMutant, type Mutant } from '../define.js'

type Headers = Readonly<Record<string, string>>

/** A delivery with its signature header changed. */
function withSignature(delivery: SubtleVerifyOptions, change: (entries: string) => string): SubtleVerifyOptions {
  const headers = delivery.headers as Headers
  return { ...delivery, headers: { ...headers, 'webhook-signature': change(headers['webhook-signature'] ?? '') } }
}

/** What a slip looks at: the delivery, its three headers, and the entry that its headers and body should have. */
interface Look {
  readonly delivery: SubtleVerifyOptions
  readonly id: string | undefined
  readonly timestamp: string
  readonly given: string
  readonly right: string
}

function entryFor({ secret, payload }: SubtleVerifyOptions, id: string, timestamp: string): string {
  const key = Buffer.from(String(secret).slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key)
    .update(`${id}.${timestamp}.${String(payload)}`)
    .digest('base64')}`
}

/** Accepts a delivery if `isTaken` holds, and else verifies it, or the result of `change`. */
function slip(
  name: string,
  title: string,
  {
    isTaken = () => false,
    change = ({ delivery }) => delivery,
  }: {
    readonly isTaken?: (look: Look) => boolean
    readonly change?: (look: Look) => SubtleVerifyOptions
  },
): Mutant<'client'> {
  return defineMutant({
    id: `client/${name}`,
    title: `verifyWebhook ${title}`,
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: async (delivery) => {
        const headers = delivery.headers as Record<string, string | undefined>
        const id = headers['webhook-id']
        const { 'webhook-timestamp': timestamp = '', 'webhook-signature': given = '' } = headers
        const look = { delivery, id, timestamp, given, right: entryFor(delivery, id ?? '', timestamp) }
        if (!isTaken(look)) await verify(change(look))
      },
    },
  })
}

/** Returns the delivery as a verifier judges it that signs `made` instead of its id. */
const underId = ({ delivery, id = '', timestamp }: Look, made: string): SubtleVerifyOptions => {
  const [expected, right] = [entryFor(delivery, made, timestamp), entryFor(delivery, id, timestamp)]
  const judged = (entry: string) => (entry === expected ? right : entry === right ? 'v1,' : entry)
  return withSignature(delivery, (entries) => entries.split(' ').map(judged).join(' '))
}

/** Mistakes in one form of a header or a body. */
const slips: readonly Mutant<'client'>[] = [
  slip('compares-without-case', 'ignores the case of the signature', {
    change: ({ delivery, given, right }) =>
      withSignature(delivery, () => (given.toLowerCase() === right.toLowerCase() ? right : given)),
  }),
  slip('takes-hexadecimal', 'takes a signature in hexadecimal too', {
    change: ({ delivery, given, right }) =>
      withSignature(delivery, () =>
        given === `v1,${Buffer.from(right.slice(3), 'base64').toString('hex')}` ? right : given,
      ),
  }),
  slip('compares-forty-characters', 'compares the first 40 characters of a signature', {
    change: ({ delivery, given, right }) =>
      withSignature(delivery, () => (given.slice(0, 43) === right.slice(0, 43) ? right : given)),
  }),
  slip('parses-timestamps-leniently', 'ignores what follows the digits of a timestamp', {
    isTaken: ({ timestamp, given, right }) =>
      given === right && Math.abs(Date.now() / 1000 - Number.parseInt(timestamp, 10)) <= 300,
  }),
  slip('takes-any-timestamp', 'accepts a timestamp that is not a number', {
    isTaken: ({ timestamp, given, right }) => given === right && Number.isNaN(Number(timestamp)),
  }),
  slip('checks-no-age-of-second-zero', 'takes a timestamp of 0 for none, and checks no age', {
    isTaken: ({ timestamp, given, right }) => given === right && timestamp === '0',
  }),
  slip('takes-milliseconds-for-a-timestamp', 'takes a timestamp in milliseconds', {
    isTaken: ({ timestamp, given, right }) => given === right && timestamp.length === 13,
  }),
  slip('does-without-an-id', 'takes a delivery without an id, signed with an empty one', {
    isTaken: ({ id, given, right }) => id === undefined && given === right,
  }),
  slip('lower-cases-ids', 'lower-cases the id before it is signed', {
    change: (look) => underId(look, (look.id ?? '').toLowerCase()),
  }),
  slip('signs-ids-up-to-a-hyphen', 'signs the id up to its first hyphen', {
    change: (look) => underId(look, (look.id ?? '').split('-')[0] ?? ''),
  }),
  slip('signs-40-characters-of-ids', 'signs 40 characters of the id', {
    change: (look) => underId(look, (look.id ?? '').slice(0, 40)),
  }),
  slip('looks-at-ten-entries', 'compares ten entries at most', {
    change: ({ delivery }) => withSignature(delivery, (entries) => entries.split(' ').slice(0, 10).join(' ')),
  }),
  slip('composes-letters', 'brings the body into NFC', {
    change: ({ delivery }) => ({ ...delivery, payload: String(delivery.payload).normalize('NFC') }),
  }),
  slip('ends-lines-of-bodies-otherwise', 'makes one sign of the two at the end of a line', {
    change: ({ delivery }) => ({ ...delivery, payload: String(delivery.payload).replaceAll('\r\n', '\n') }),
  }),
]

/** Verification of deliveries. */
export const verificationMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/verifies-nothing',
    title: 'verifyWebhook checks nothing',
    breaks: ['CLI-048', 'CLI-049', 'CLI-050'],
    policy: {
      verifySignature: async () => {},
    },
  }),
  defineMutant({
    id: 'client/verifies-the-first-entry',
    title: 'only the first entry is compared',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) => verify(withSignature(delivery, (entries) => entries.split(' ')[0] ?? '')),
    },
  }),
  defineMutant({
    id: 'client/compares-as-much-as-was-sent',
    title: 'a signature is compared as far as it goes',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: async (delivery) => {
        const headers = delivery.headers as Headers
        const key = Buffer.from(String(delivery.secret).replace('whsec_', ''), 'base64')
        const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${String(delivery.payload)}`
        const entry = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
        const given = headers['webhook-signature'] ?? ''
        const isPart = given !== '' && given !== entry && entry.startsWith(given)
        if (!isPart) await verify(delivery)
      },
    },
  }),
  defineMutant({
    id: 'client/compares-hash-codes',
    title: 'a 32-bit hash of the signature is compared, as strings of Java have it',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) => {
        const headers = delivery.headers as Record<string, string>
        const [id = '', timestamp = '', given = ''] = ['id', 'timestamp', 'signature'].map(
          (name) => headers[`webhook-${name}`],
        )
        const key = Buffer.from(String(delivery.secret).slice('whsec_'.length), 'base64')
        const signed = `${id}.${timestamp}.${String(delivery.payload)}`
        const right = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
        const isTaken = hashCodeOf(given) === hashCodeOf(right)
        return verify(isTaken ? { ...delivery, headers: { ...headers, 'webhook-signature': right } } : delivery)
      },
    },
  }),
  defineMutant({
    id: 'client/takes-entries-of-any-version',
    title: 'an entry of another version is treated as one of v1',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) => verify(withSignature(delivery, (entries) => entries.replace(/v\w+,/g, 'v1,'))),
    },
  }),
  defineMutant({
    id: 'client/takes-deliveries-from-the-future',
    title: 'accepts a future timestamp',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) => {
        const signedAt = new Date(Number((delivery.headers as Headers)['webhook-timestamp']) * 1_000)
        return verify({ ...delivery, now: signedAt > new Date() ? signedAt : new Date() })
      },
    },
  }),
  defineMutant({
    id: 'client/verifies-the-body-written-anew',
    title: 'the body is parsed and serialized again before it is verified',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: async (delivery) =>
        verify({ ...delivery, payload: JSON.stringify(JSON.parse(String(delivery.payload))) }),
    },
  }),
  defineMutant({
    id: 'client/tolerates-an-hour',
    title: 'verifyWebhook accepts deliveries that are an hour old',
    breaks: ['CLI-049'],
    policy: { toleranceSeconds: 3_600 },
  }),
  defineMutant({
    id: 'client/returns-the-text',
    title: 'verifyWebhook returns the text',
    breaks: ['CLI-048'],
    policy: {
      verifiedEvent: (payload) => String(payload),
    },
  }),
  defineMutant({
    id: 'client/refuses-unknown-event-types',
    title: 'verifyWebhook refuses an event of a type that the library has no class for',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifiedEvent: (payload) => {
        const event = parsedEvent(payload) as { readonly type?: unknown }
        if (event.type === 'message.scheduled') throw new Error('no such type')
        return event
      },
    },
  }),
  defineMutant({
    id: 'client/signs-by-a-pattern',
    title: 'String.replace builds the signed string of verifyWebhook, and interprets $&',
    breaks: ['CLI-048', 'CLI-051'],
    policy: {
      verifySignature: (delivery) => {
        const text = Buffer.from(delivery.payload as Uint8Array).toString('latin1')
        return verify({ ...delivery, payload: Buffer.from('{body}'.replace('{body}', text), 'latin1') })
      },
    },
  }),
  defineMutant({
    id: 'client/throws-a-bare-error',
    title: 'a refused delivery is a bare error',
    breaks: ['CLI-050', 'CLI-048'],
    policy: {
      refusal: () => new Error('invalid'),
    },
  }),
  defineMutant({
    id: 'client/refuses-an-old-delivery-by-a-bare-error',
    title: 'throws an error of another class for a delivery outside the tolerance',
    breaks: ['CLI-050'],
    policy: {
      refusal: (fields) => (/^too_/.test(fields.code) ? new Error('too old') : verificationError(fields)),
    },
  }),
  defineMutant({
    id: 'client/stumbles-over-a-word-for-a-timestamp',
    title: 'a malformed timestamp throws a TypeError instead of a verification error',
    breaks: ['CLI-050'],
    policy: {
      refusal: (fields) =>
        fields.code === 'malformed_timestamp'
          ? Object.assign(new TypeError('Invalid time value'), { code: 'ERR_INVALID_ARG_VALUE' })
          : verificationError(fields),
    },
  }),
  defineMutant({
    id: 'client/verifies-nothing-without-a-secret',
    title: 'without a secret nothing is verified',
    breaks: ['CLI-048', 'CLI-051'],
    policy: { verifySignature: (delivery) => (delivery.secret === '' ? Promise.resolve() : verify(delivery)) },
  }),
  defineMutant({
    id: 'client/verifies-the-body-as-text',
    title: 'the body is made text, and the UTF-8 of that text is verified',
    breaks: ['CLI-048'],
    policy: {
      verifySignature: (delivery) =>
        verify({ ...delivery, payload: Buffer.from(delivery.payload as Uint8Array).toString() }),
      verifiedEvent: (payload) => parsedEvent(Buffer.from(payload as Uint8Array).toString()),
    },
  }),
  defineMutant({
    id: 'client/tells-no-fix-of-a-refusal',
    title: 'a refused delivery has no fix',
    breaks: ['CLI-050'],
    policy: { refusal: (fields) => verificationError({ ...fields, fix: '' }) },
  }),
  ...slips,
]

function hashCodeOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0
  return hash
}
