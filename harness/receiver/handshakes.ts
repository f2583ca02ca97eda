// Requests with which a provider checks an endpoint: data of the scheme, made into deliveries.
import { isDeepStrictEqual } from 'node:util'
import type { SchemeHandshake } from '../../fixtures/index.js'
import type { SignatureScheme } from '../schemes/scheme.js'
import type { Exchange } from '../wire/exchange.js'
import { memberOf } from '../wire/exchange.js'
import type { ReceiverContext } from './context.js'
import type { Delivery, DeliveryFields } from './delivery.js'
import type { ReceiverTarget } from './target.js'

/** A request of the provider, and the answer that its page shows. */
export interface Handshake {
  /** How messages name it: `url_verification of Slack`. */
  readonly title: string
  readonly delivery: Delivery
  /** `with a 2xx and the value of challenge`. */
  readonly expects: string
  /** Returns whether the body of an answer is the one that the page requires. */
  isAnsweredBy(exchange: Exchange): boolean
}

/** The handshakes of a scheme whose answer, or whose refusal when they are forged, counts as much as `level`. */
export function handshakesOf(
  scheme: SignatureScheme | undefined,
  part: keyof SchemeHandshake['levels'],
  level: 'must' | 'should',
): readonly SchemeHandshake[] {
  return (scheme?.data.handshakes ?? []).filter(({ levels }) => levels[part] === level)
}

/** Makes the handshakes of a target's scheme, each with a fresh token. */
export function handshakesFor(
  { scheme, secret }: Pick<ReceiverTarget, 'scheme' | 'secret'>,
  { unique, make }: { readonly unique: () => string; readonly make: (changes: Partial<DeliveryFields>) => Delivery },
): ReceiverContext['handshakes'] {
  if (scheme === undefined) return () => []
  return (part, level) =>
    handshakesOf(scheme, part, level).map((data) => handshakeWith(data, { token: unique(), scheme, secret, make }))
}

function handshakeWith(
  { name, body, headers, expects, answer = {} }: SchemeHandshake,
  {
    token,
    scheme,
    secret,
    make,
  }: {
    readonly token: string
    readonly scheme: SignatureScheme
    readonly secret: string
    readonly make: (changes: Partial<DeliveryFields>) => Delivery
  },
): Handshake {
  const fill = (text: string) =>
    text.replaceAll('{token}', token).replaceAll('{signature}', () => scheme.macOf(scheme.keyOf(secret), token))
  const bytes = Buffer.from(fill(JSON.stringify(body)))
  const expected = Object.entries(JSON.parse(fill(JSON.stringify(answer.json ?? {}))) as object)
  return {
    title: `${name} of ${scheme.data.title}`,
    delivery: make({ body: bytes, ...(headers === undefined ? {} : { eventHeaders: headers }) }),
    expects,
    isAnsweredBy: (exchange) =>
      exchange.text.includes(fill(answer.contains ?? '')) &&
      expected.every(([member, value]) => isDeepStrictEqual(memberOf(exchange.json, member), value)),
  }
}
