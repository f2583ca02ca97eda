// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-051  "`webhooks.verify` is the same function."
//
// The rules for a signature are those of every verifier in the interface (#webhook-signature).

import { clientCase, sign } from '../../harness/authoring.js'
import { valueOf } from './expectations.js'
import {
  entryOf,
  idOf,
  kindOf,
  signature,
  signed,
  withHeader,
  type Signed,
  type VerificationWay,
} from './signed-deliveries.js'

/** Returns the same body with another id or timestamp, correctly signed. */
function signedAs(
  { headers, payload, secret }: Signed,
  { id = headers['webhook-id'] ?? '', timestamp = headers['webhook-timestamp'] ?? '' },
): Signed {
  const entry = sign(secret, { id, timestamp, body: payload })
  return { headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, [signature]: entry }, payload, secret }
}

const inOtherCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Keys of 32 bytes, as senders make them, whose base64 begins like the prefix, is all signs, or holds bytes that a text ends with. */
const secretsOfAnyBytes = (
  [
    ['whose base64 begins with letters of the prefix', Buffer.from(`whsec0${'A0z9'.repeat(9)}0=`, 'base64')],
    ['whose base64 holds + and /', Buffer.from(`${'+/'.repeat(21)}8=`, 'base64')],
    ['with a zero byte and a line end', Buffer.from(`${'a'.repeat(15)}\0${'b'.repeat(15)}\n`)],
  ] as const
).map(([which, key]) => [which, `whsec_${key.toString('base64')}`] as const)

/** Deliveries that an incomplete check would accept, and valid ones that an excessive check would not. */
export const alteredSignatures = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-refuses-what-is-nearly-signed`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses altered signatures, wrong timestamps and missing ids, even if signed`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      valueOf(require, title, await verify(signed(unique())))
      const good = signed(unique())
      const value = entryOf(good).slice(3)
      const now = String(good.headers['webhook-timestamp'])
      const bad: Readonly<Record<string, Signed>> = {
        'whose signature has its letters in the other case': withHeader(good, signature, `v1,${inOtherCase(value)}`),
        'whose signature is hexadecimal': withHeader(
          good,
          signature,
          `v1,${Buffer.from(value, 'base64').toString('hex')}`,
        ),
        'of whose signature 40 characters are left': withHeader(good, signature, `v1,${value.slice(0, 40)}`),
        ...Object.fromEntries(
          ['NaN', 'now', `${now}000`, '0'].map((timestamp) => [
            `signed at ${timestamp}`,
            signedAs(good, { timestamp }),
          ]),
        ),
        'without an id': withHeader(signedAs(good, { id: '' }), 'webhook-id', undefined),
      }
      for (const [which, delivery] of Object.entries(bad))
        check.equal(`result of a delivery ${which}`, kindOf(await verify(delivery)), 'error')
    },
  }),

  clientCase({
    id: `client/verification/${name}-takes-what-is-signed-whatever-it-looks-like`,
    requirements: [requirement],
    level: 'must',
    title: `${title} accepts unusual ids, wrong entries before the right one, and CRLF bodies`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      valueOf(require, title, await verify(good))
      const others = Array.from({ length: 12 }, () => entryOf(signed(unique())))
      const write = (event: unknown) =>
        JSON.stringify(event, undefined, 1).replaceAll('\n', '\r\n').replace('Hi', 'Ame\u0301lie')
      const fine: Readonly<Record<string, Signed>> = {
        'an id with capitals': signedAs(good, { id: idOf(unique().toUpperCase()) }),
        'an id with hyphens': signedAs(good, { id: idOf(`${unique()}-4a0b-9c`) }),
        'an id of 64 characters': signedAs(good, { id: idOf(`${unique()}${'0'.repeat(64)}`).slice(0, 64) }),
        'thirteen entries': withHeader(good, signature, [...others, entryOf(good)].join(' ')),
        'another hand': signed(unique(), 0, write),
        ...Object.fromEntries(
          secretsOfAnyBytes.map(([which, secret]) => [
            `a secret ${which}`,
            signed(unique(), 0, JSON.stringify, secret),
          ]),
        ),
      }
      for (const [which, delivery] of Object.entries(fine))
        check.equal(`result of a delivery with ${which}`, kindOf(await verify(delivery)), 'value')
    },
  }),
]
