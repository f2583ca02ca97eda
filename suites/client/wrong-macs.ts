// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-051  "`webhooks.verify` is the same function."
//
// Reading: of all ways to sign a delivery one is correct (#webhook-signature); the cases of every verifier apply to the one in a client
// too, which need not be the same code.

import { createHash } from 'node:crypto'
import { clientCase, hmac, keyOf, macsOfOtherHashes, newSecret, sign } from '../../harness/authoring.js'
import { loadEventSamples } from '../../fixtures/index.js'
import { valueOf } from './expectations.js'
import { idOf, kindOf, signature, signed, withHeader, type Signed, type VerificationWay } from './signed-deliveries.js'

const wrongEntry = `v1,${Buffer.alloc(32, 6).toString('base64')}`

/** Returns wrong signature entries of a delivery, each by its difference to the correct one. */
function otherEntries({ headers, payload, secret }: Signed): Readonly<Record<string, string>> {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers
  const [key, head] = [keyOf(secret), `${id}.${timestamp}.`]
  const right = hmac(key, head, payload)
  const macs = {
    ...Object.fromEntries(
      macsOfOtherHashes(key, { id, timestamp, body: payload }).map(([hash, mac]) => [`a MAC of ${hash}`, mac]),
    ),
    'a hash without a key': createHash('sha256').update(`${head}${payload}`).digest('base64'),
    'the text of the secret as the key': hmac(Buffer.from(secret), head, payload),
    'the undecoded base64 as the key': hmac(Buffer.from(secret.replace('whsec_', '')), head, payload),
    'an empty key': hmac(Buffer.alloc(0), head, payload),
    'the body alone': hmac(key, payload),
    'no id': hmac(key, `${timestamp}.`, payload),
    'no timestamp': hmac(key, `${id}.`, payload),
    'no body': hmac(key, `${id}.${timestamp}`),
    'no stops': hmac(key, `${id}${timestamp}`, payload),
    'the timestamp first': hmac(key, `${timestamp}.${id}.`, payload),
    'two characters changed': `${right.slice(0, 40)}${right.startsWith('A', 40) ? 'B' : 'A'}${right.slice(41)}`,
  }
  return {
    ...Object.fromEntries(Object.entries(macs).map(([what, mac]) => [what, `v1,${mac}`])),
    ...Object.fromEntries(
      ['V1,', 'v1=', 'v1:', 'sha256=', 'xv1,', 'v1,v1,', 'v10,', ''].map((label) => [
        `the label "${label}"`,
        `${label}${right}`,
      ]),
    ),
  }
}

/** The signed number of seconds in another spelling; blanks around it are what HTTP makes of them. */
const otherTimestamps: readonly ((seconds: string) => string)[] = [
  (seconds) => `+${seconds}`,
  (seconds) => `0${seconds}`,
  (seconds) => `${seconds}.0`,
  (seconds) => `${seconds}.9`,
  (seconds) => `${seconds}e0`,
  (seconds) => `0x${Number(seconds).toString(16)}`,
  (seconds) => `${seconds}abc`,
]

/** Keys of more than the block of the hash, in bytes. */
const longKeyBytes = [65, 96]

/** Deliveries with a wrong signature scheme, or changed after signing. */
export const wrongMacs = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-refuses-what-is-signed-otherwise`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses a MAC of another hash, key, input or version label`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      valueOf(require, title, await verify(good))
      for (const [what, entry] of Object.entries(otherEntries(good)))
        for (const entries of [entry, `${wrongEntry} ${entry}`])
          check.equal(
            `result of a delivery signed with ${what}, in ${entries}`,
            kindOf(await verify(withHeader(good, signature, entries))),
            'error',
          )
      // Of a longer key the whole counts.
      for (const bytes of longKeyBytes) {
        const delivery = signed(unique(), 0, JSON.stringify, newSecret(bytes))
        valueOf(require, `${title}, under a key of ${bytes} bytes`, await verify(delivery))
        const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = delivery.headers
        const part = hmac(keyOf(delivery.secret).subarray(0, 64), `${id}.${timestamp}.`, delivery.payload)
        check.equal(
          `result of a delivery signed with the first 64 bytes of a key of ${bytes}`,
          kindOf(await verify(withHeader(delivery, signature, `v1,${part}`))),
          'error',
        )
      }
    },
  }),

  // Another spelling lets no attacker forge or replay a delivery: refusing it is advice.
  clientCase({
    id: `client/verification/${name}-refuses-another-spelling-of-the-timestamp`,
    requirements: [requirement],
    level: 'should',
    title: `${title} refuses the signed timestamp in another spelling`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      valueOf(require, title, await verify(good))
      const { 'webhook-timestamp': timestamp = '' } = good.headers
      for (const spell of otherTimestamps) {
        const respelt = withHeader(good, 'webhook-timestamp', spell(timestamp))
        const what = `result of the timestamp ${spell(timestamp)}, ${timestamp} signed`
        check.equal(what, kindOf(await verify(respelt)), 'error')
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-what-was-changed-after-signing`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses missing timestamps, and changed bodies after accepting the original`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      valueOf(require, title, await verify(good))
      valueOf(require, `${title}, of the same delivery again`, await verify(good))
      const refuse = async (what: string, bad: Signed) =>
        check.equal(`result of ${what}`, kindOf(await verify(bad)), 'error')
      const { 'webhook-id': id = '' } = good.headers
      const undated = sign(good.secret, { id, timestamp: '', body: good.payload })
      for (const none of [undefined, ''])
        await refuse(
          'a delivery without a timestamp, signed so',
          withHeader(withHeader(good, signature, undated), 'webhook-timestamp', none),
        )
      await refuse('another body under the id of a delivery that was taken', {
        ...good,
        payload: good.payload.replace('Hi', 'Ho'),
      })
      for (const length of [70_000, 300_000]) {
        const long = signed(unique(), 0, (event) => JSON.stringify({ ...(event as object), more: 'x'.repeat(length) }))
        valueOf(require, `${title}, of ${length} characters`, await verify(long))
        await refuse(`a body of ${length} characters with an added line`, { ...long, payload: `${long.payload}\n` })
        await refuse(`a body of ${length} characters with another end`, {
          ...long,
          payload: long.payload.replace('x"}', 'y"}'),
        })
      }
    },
  }),
]

/** Bodies with any contents are verified and returned. */
export const anyContents = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-returns-events-of-every-type`,
    requirements: [requirement],
    level: 'must',
    title: `${title} returns an event of each type and shape as it was signed`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      for (const sample of loadEventSamples()) {
        const event = { ...sample, id: idOf(unique()) }
        const delivery = signed(event.id.replace('evt_', ''), 0, () => JSON.stringify(event))
        const what = `${title}, of ${sample.type}`
        check.equal(`event of ${what}`, withoutNull(valueOf(require, what, await verify(delivery))), withoutNull(event))
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-takes-bodies-of-any-signs`,
    requirements: [requirement],
    level: 'must',
    title: `${title} accepts bodies with escapes and entities as they were signed`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      valueOf(require, title, await verify(signed(unique())))
      for (const text of signs) {
        const write = (event: unknown) => JSON.stringify(event).replace('Hi', () => text)
        const delivery = signed(unique(), 0, write)
        check.equal(`result of a body with ${JSON.stringify(text)}`, kindOf(await verify(delivery)), 'value')
      }
    },
  }),
]

/** Texts within a string of JSON: spaces and characters beyond ASCII, invisible ones, entities, escapes, and needless escapes. */
const signs = [
  'a\u00a0b\u2009c',
  '\u2019a\u201c \u2013\u2026',
  'a\u00adb\u200bc\u200dd\ufeffe',
  '&amp; &lt;b&gt; &#39; & <b>',
  '%20 caf%C3%A9 100%25 a+b',
  '\\/ \\u0041 \\u00e9 \\u0000 \\ud83d\\udc4b',
  '\u4f60\u597d \u{1f44b} \u212b e\u0301',
  '\u2028 \u2029 \u0085',
]

/** A value without its members that are null: a library with types of its own need not keep them. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNull(member)]),
  )
}
