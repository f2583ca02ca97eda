// Finds which variant an endpoint accepts after it refused a valid delivery: one usual mistake after the other, until one is accepted.
// Nothing sent here is judged; it only helps to find the cause.
import { toleranceSeconds } from '../../spec/index.js'
import { rawBodyRemedy } from '../causes/frameworks.js'
import { bodiesOf } from '../diagnose/bodies.js'
import type { Fault } from '../diagnose/finding.js'
import { keysOf, readSecret } from '../diagnose/keys.js'
import type { Exchange } from '../wire/exchange.js'
import { ownScheme } from '../schemes/scheme.js'
import { parseInstant } from '../wire/numbers.js'
import { hmac, keyOf, macOf } from '../wire/signing.js'
import type { Delivery } from './delivery.js'

/** The number of deliveries to try, and the time in milliseconds: the usual mistakes are first. */
const most = { tries: 60, ms: 20_000 } as const

type Reason = Pick<Fault, 'explanation' | 'remedy'>
type Try = Reason & { readonly delivery: Delivery }

/** Resolves to why the endpoint may refuse a valid delivery, from a variant that it accepts; undefined if it accepts none. */
export async function findAcceptedVariant(
  make: () => Delivery,
  { refusal, send }: { readonly refusal: Exchange; readonly send: (delivery: Delivery) => Promise<Exchange> },
): Promise<Reason | undefined> {
  const until = performance.now() + most.ms
  for (const { delivery, explanation, remedy } of tries(make, refusal).slice(0, most.tries)) {
    const { status } = await send(delivery)
    if (status === undefined || status === 429 || status >= 500 || performance.now() > until) return undefined
    if (status >= 200 && status < 300) return { explanation, remedy }
  }
  return undefined
}

function tries(make: () => Delivery, refusal: Exchange): Try[] {
  return [
    ...byItsClock(make, refusal),
    // What else a careless program may have of a signature is known of the interface's scheme alone.
    ...(make().scheme === ownScheme ? [...withOtherKeys(make), ...inOtherForms(make)] : []),
    ...overRewrittenBodies(make, refusal),
  ]
}

/** Signed at the time that its clock shows, where that is far from ours. */
function byItsClock(make: () => Delivery, refusal: Exchange): Try[] {
  const reported = parseInstant(refusal.header('date') ?? '') / 1000
  const delivery = make()
  const off = reported - Number(delivery.fields.timestamp)
  if (Number.isNaN(off) || Math.abs(off) <= toleranceSeconds) return []
  return [
    {
      delivery: delivery.with({ timestamp: Math.floor(reported) }),
      explanation:
        'It accepts a delivery signed with the time of its own clock, which is wrong by more than the tolerance.',
      remedy: 'Set the clock of the machine that the endpoint runs on, by NTP.',
    },
  ]
}

function withOtherKeys(make: () => Delivery): Try[] {
  return keysOf(readSecret(make().fields.secret)).flatMap(({ value: key, fault }) => {
    if (fault === undefined) return []
    const delivery = make()
    const { id, timestamp, body } = delivery.fields
    const signature = `v1,${macOf(key, { id, timestamp, body })}`
    return [
      {
        ...fault,
        explanation: `It takes another key: ${lowered(fault.explanation)}`,
        delivery: delivery.with({ signature }),
      },
    ]
  })
}

const signedString =
  'Compute the signature over {webhook-id}.{webhook-timestamp}.{raw body}: the two headers and the bytes of the body, with dots between.'

/** Other signed strings, and other spellings of the headers. */
function inOtherForms(make: () => Delivery): Try[] {
  const over = (...parts: readonly (string | Uint8Array)[]) => `v1,${hmac(keyOf(make().fields.secret), ...parts)}`
  const delivery = make()
  const { id, timestamp, body } = delivery.fields
  const seconds = `${timestamp}`
  const hex = (entry: string) => Buffer.from(entry.slice(3), 'base64').toString('hex')
  const svix = { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': over(`${id}.${seconds}.`, body) }
  const format = 'Compare with v1,<base64>, as in the header webhook-signature.'
  const form = (explanation: string, remedy: string, changes: Parameters<Delivery['with']>[0]): Try => ({
    explanation: `It accepts a delivery of another form: ${explanation}`,
    remedy,
    delivery: delivery.with(changes),
  })
  return [
    form('only the body is signed.', signedString, { signature: over(body) }),
    form('only the timestamp and the body are signed.', signedString, { signature: over(`${seconds}.`, body) }),
    form('only the id and the body are signed.', signedString, { signature: over(`${id}.`, body) }),
    form('the signed string has the timestamp before the id.', signedString, {
      signature: over(`${seconds}.${id}.`, body),
    }),
    form('the parts of the signed string are not separated by dots.', signedString, {
      signature: over(`${id}${seconds}`, body),
    }),
    form('the signature is in hexadecimal digits.', format, { signature: (entry) => `v1,${hex(entry)}` }),
    form('the signature is only hexadecimal digits.', format, { signature: hex }),
    form('the signature has no v1 and comma before it.', format, { signature: (entry) => entry.slice(3) }),
    form('the timestamp is in milliseconds.', 'Read webhook-timestamp as Unix seconds.', {
      timestamp: `${seconds}000`,
    }),
    form(
      'its headers are svix-id, svix-timestamp and svix-signature.',
      'Read the headers webhook-id, webhook-timestamp and webhook-signature, or give --header-names svix.',
      { extra: svix },
    ),
  ]
}

/** Signed over the same JSON in other bytes: what an endpoint computes that writes the parsed body again. */
function overRewrittenBodies(make: () => Delivery, refusal: Exchange): Try[] {
  const delivery = make()
  const remedy = rawBodyRemedy([refusal.response?.headers ?? {}])
  return bodiesOf(delivery.fields.body).flatMap(({ value, fault }) => {
    if (fault?.cause !== 'body-rewritten') return []
    const how = fault.explanation.replace(/^.* JSON written /, '')
    return [
      {
        explanation: `It verifies a body that it has parsed and serialized again: ${how}`,
        remedy,
        delivery: delivery.with({ signed: { body: value } }),
      },
    ]
  })
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
