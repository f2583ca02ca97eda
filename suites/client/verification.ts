// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-049  "`verifyWebhook` refuses deliveries older than 5 minutes."
// CLI-050  "`verifyWebhook` throws `WebhookVerificationError` for a delivery it refuses."
// CLI-051  "`webhooks.verify` is the same function."
//
// Reading: the driver protocol has an operation `verify` as well as the methods; a driver may offer any of the three, and `verifyWebhook`
// is tested in both forms. It is judged on the real clock, fifteen seconds away from the edge. The rules for a signature are those of every
// verifier in the interface (#webhook-signature), so each forgery of the catalogue applies (forged-deliveries.ts).

import { clientCase, hmac, keyOf, memberOf, newSecret, sign } from '../../harness/authoring.js'
import { loadEventSamples } from '../../fixtures/index.js'
import { errorOf, valueOf } from './shared/expectations.js'
import { checkForgeries, checkRefusal } from './shared/forgery-checks.js'
import {
  idOf,
  kindOf,
  signature,
  signed,
  verificationWays,
  withHeader,
  type Signed,
  type VerificationWay,
} from './shared/signed-deliveries.js'

const marginSeconds = 15
const edgeSeconds = 300

/** Lengths of keys with other paddings of base64 than the usual, and beyond the block of the hash, in bytes. */
const keyBytes = [32, 25, 64, 65, 96]

/** Keys of 32 bytes, as senders make them, whose base64 begins like the prefix, is all signs, or holds bytes that a text ends with. */
const secretsOfAnyBytes = (
  [
    ['whose base64 begins with letters of the prefix', Buffer.from(`whsec0${'A0z9'.repeat(9)}0=`, 'base64')],
    ['whose base64 holds + and /', Buffer.from(`${'+/'.repeat(21)}8=`, 'base64')],
    ['with a zero byte and a line end', Buffer.from(`${'a'.repeat(15)}\0${'b'.repeat(15)}\n`)],
  ] as const
).map(([which, key]) => [which, `whsec_${key.toString('base64')}`] as const)

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

/** JSON as no library writes it: spaces, an escape where none is needed, a fraction of nothing. */
const inAnotherHand = (event: unknown) =>
  `${JSON.stringify(event, undefined, 3).replace('message.received', 'message\\u002ereceived').replace('"size": 1', '"size": 1.0')}\n`
const onWindowsLines = (event: unknown) =>
  JSON.stringify(event, undefined, 1).replaceAll('\n', '\r\n').replace('Hi', 'Ame\u0301lie')
const longBody = (length: number) => (event: unknown) =>
  JSON.stringify({ ...(event as object), more: 'x'.repeat(length) })

/** Returns the same body with another id or timestamp, correctly signed. */
function signedAs(
  { headers, payload, secret }: Signed,
  { id = headers['webhook-id'] ?? '', timestamp = headers['webhook-timestamp'] ?? '' },
): Signed {
  const entry = sign(secret, { id, timestamp, body: payload })
  return { headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, [signature]: entry }, payload, secret }
}

/** Unusual deliveries that are valid. */
function unusualDeliveries(unique: () => string): Readonly<Record<string, Signed>> {
  const good = signed(unique())
  return {
    'an event of another type': signed(unique(), 0, (event) =>
      JSON.stringify(event).replace('.received', '.scheduled'),
    ),
    'an id with capitals': signedAs(good, { id: idOf(unique().toUpperCase()) }),
    'an id with hyphens': signedAs(good, { id: idOf(`${unique()}-4a0b-9c`) }),
    'an id of 64 characters': signedAs(good, { id: idOf(`${unique()}${'0'.repeat(64)}`).slice(0, 64) }),
    'CRLF between its lines': signed(unique(), 0, onWindowsLines),
    ...Object.fromEntries(
      secretsOfAnyBytes.map(([which, secret]) => [`a secret ${which}`, signed(unique(), 0, JSON.stringify, secret)]),
    ),
  }
}

/** A valid delivery returns the event; one that is too old, from the future or rewritten does not. */
const signedAndFresh = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-returns-the-event`,
    requirements: [requirement],
    level: 'must',
    title: `${title} returns the parsed event of a signed delivery`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      check.equal('event', valueOf(require, title, await verify(good)), JSON.parse(good.payload))
      for (const bytes of keyBytes) {
        const delivery = signed(unique(), 0, JSON.stringify, newSecret(bytes))
        valueOf(require, `${title}, under a key of ${bytes} bytes`, await verify(delivery))
      }
    },
  }),

  ...(
    [
      ['refuses-old-deliveries', 'older than 5 minutes, and accepts a younger one', 1],
      ['refuses-deliveries-from-the-future', 'more than 5 minutes ahead, and accepts a nearer one', -1],
    ] as const
  ).map(([slug, which, sign]) =>
    clientCase({
      id: `client/verification/${name}-${slug}`,
      requirements: sign === 1 && requirement === 'CLI-048' ? ['CLI-049', 'CLI-050'] : [requirement],
      level: 'must',
      title: `${title} refuses a delivery ${which}`,
      async run(context) {
        const { check, require, unique } = context
        const verify = await verifyWith(context)
        const [inside, outside] = [sign * (edgeSeconds - marginSeconds), sign * (edgeSeconds + marginSeconds)]
        valueOf(require, `${title} of a delivery signed ${inside} seconds ago`, await verify(signed(unique(), inside)))
        const result = await verify(signed(unique(), outside))
        check.equal(`result of a delivery signed ${outside} seconds ago`, kindOf(result), 'error')
        checkRefusal(check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051'), result)
      },
    }),
  ),

  clientCase({
    id: `client/verification/${name}-checks-the-raw-body`,
    requirements: [requirement],
    level: 'must',
    title: `${title} accepts signed bytes and refuses the same JSON in other bytes`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique(), 0, inAnotherHand)
      check.equal('event', valueOf(require, title, await verify(good)), JSON.parse(good.payload))
      const rewritten = { ...good, payload: JSON.stringify(JSON.parse(good.payload)) }
      check.equal('result of the same JSON written again', kindOf(await verify(rewritten)), 'error')
    },
  }),
]

/** Deliveries that an excessive check would refuse, and changed ones. */
const unusualAndChanged = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-takes-what-is-signed-whatever-it-looks-like`,
    requirements: [requirement],
    level: 'must',
    title: `${title} accepts unusual ids, types, secrets and bodies`,
    async run(context) {
      const { check, unique } = context
      const verify = await verifyWith(context)
      for (const [which, delivery] of Object.entries(unusualDeliveries(unique)))
        check.equal(`result of a delivery with ${which}`, kindOf(await verify(delivery)), 'value')
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-what-was-changed-after-signing`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses changed and hostile deliveries, also after accepting the original`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      valueOf(require, title, await verify(good))
      valueOf(require, `${title}, of the same delivery again`, await verify(good))
      const refuse = async (what: string, bad: Signed) =>
        check.equal(`result of ${what}`, kindOf(await verify(bad)), 'error')
      const reused = { ...good, payload: good.payload.replace('Hi', 'Ho') }
      await refuse('another body under the id of a delivery that was taken', reused)
      for (const timestamp of ['0', `${good.headers['webhook-timestamp']}000`])
        await refuse(`a delivery signed at ${timestamp}`, signedAs(good, { timestamp }))
      await refuse('a delivery without a secret', { ...good, secret: '' })
      for (const length of [70_000, 300_000]) {
        const long = signed(unique(), 0, longBody(length))
        valueOf(require, `${title}, of ${length} characters`, await verify(long))
        await refuse(`a body of ${length} characters with an added line`, { ...long, payload: `${long.payload}\n` })
        const payload = long.payload.replace('x"}', 'y"}')
        await refuse(`a body of ${length} characters with another end`, { ...long, payload })
      }
      const longKey = signed(unique(), 0, JSON.stringify, newSecret(96))
      const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = longKey.headers
      const part = hmac(keyOf(longKey.secret).subarray(0, 64), `${id}.${timestamp}.`, longKey.payload)
      await refuse('a delivery signed with the first 64 bytes of a key', withHeader(longKey, signature, `v1,${part}`))
      for (const group of ['changed', 'hostile-body', 'stale', 'future'] as const)
        await checkForgeries(context, verify, { group, requirement })
    },
  }),
]

/** Bodies with any contents are verified and returned. */
const anyContents = ({ name, title, requirement, verifyWith }: VerificationWay) => [
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
        const delivery = signed(unique(), 0, (event) => JSON.stringify(event).replace('Hi', () => text))
        check.equal(`result of a body with ${JSON.stringify(text)}`, kindOf(await verify(delivery)), 'value')
      }
    },
  }),
]

// "`WebhookVerificationError`, a kind of the service error": the service error exposes four fields.
const serviceError = clientCase({
  id: 'client/verification/webhooks-verify-throws-a-service-error',
  requirements: ['CLI-050'],
  level: 'should',
  title: 'a refused delivery is thrown with status, code, message and fix',
  async run({ verifyBy, check, require, unique, ready }) {
    await ready()
    const good = signed(unique())
    valueOf(require, 'webhooks.verify', await verifyBy('webhooks.verify', good))
    // Code that trips over one of these throws an error of the language instead of its own.
    const refused: Readonly<Record<string, Signed>> = {
      'with another secret': { ...good, secret: newSecret() },
      ...Object.fromEntries(
        Object.keys(good.headers).map((name) => [`without ${name}`, withHeader(good, name, undefined)]),
      ),
      'with a word for its timestamp': withHeader(good, 'webhook-timestamp', 'now'),
      'with a malformed signature': withHeader(good, 'webhook-signature', 'v1'),
      'of an hour ago': signed(unique(), 3_600),
      'of an hour ahead': signed(unique(), -3_600),
    }
    for (const [which, delivery] of Object.entries(refused)) {
      const { raw } = errorOf(
        require,
        `webhooks.verify of a delivery ${which}`,
        await verifyBy('webhooks.verify', delivery),
      )
      const status = memberOf(raw, 'status')
      check.ok(`status, of a delivery ${which}`, typeof status === 'number', 'a number', status)
      for (const name of ['code', 'message', 'fix']) {
        const value = memberOf(raw, name)
        check.ok(`${name}, of a delivery ${which}`, typeof value === 'string' && value !== '', 'a string', value)
      }
    }
  },
})

// The names of HTTP headers have no case; a library may count on a runtime that lowers them.
const headerNames = clientCase({
  id: 'client/verification/verify-takes-header-names-in-any-case',
  requirements: ['CLI-048'],
  level: 'should',
  title: 'verification accepts header names in any case',
  async run({ verify, require, unique, ready }) {
    await ready()
    const good = signed(unique())
    for (const spelt of [(name: string) => name.toUpperCase(), (name: string) => name.replace('webhook', 'Webhook')]) {
      const headers = Object.fromEntries(Object.entries(good.headers).map(([name, value]) => [spelt(name), value]))
      valueOf(require, `verify with headers ${Object.keys(headers).join(', ')}`, await verify({ ...good, headers }))
    }
  },
})

// A library that takes the payload as text alone has lost the bytes before it sees them: this is advice.
const bytesOfNoText = clientCase({
  id: 'client/verification/verify-refuses-other-bytes-of-the-same-text',
  requirements: ['CLI-048'],
  level: 'should',
  title: 'verification refuses invalid UTF-8 if its replacement character was signed',
  async run({ verify, check, require, unique, ready }) {
    await ready()
    const good = signed(unique(), 0, (event) => JSON.stringify(event).replace('"Hi"', '"Hi \uFFFD"'))
    valueOf(require, 'verify of the body that was signed', await verify(good))
    const hex = Buffer.from(good.payload).toString('hex').replace('20efbfbd', '20ff')
    const result = await verify({ ...good, payload: Buffer.from(hex, 'hex') })
    check.equal('result of a body with an invalid UTF-8 byte', kindOf(result), 'error')
  },
})

export const verification = [
  ...verificationWays.flatMap((way) => [...signedAndFresh(way), ...unusualAndChanged(way), ...anyContents(way)]),
  serviceError,
  headerNames,
  bytesOfNoText,
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
