// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-049  "`verifyWebhook` refuses deliveries older than 5 minutes."
// CLI-050  "`verifyWebhook` throws `WebhookVerificationError` for a delivery it refuses."
// CLI-051  "`webhooks.verify` is the same function."
//
// Reading: the driver protocol has an operation `verify` as well as the methods; a driver may offer any of the three, and `verifyWebhook`
// is tested in both forms. It is judged on the real clock, fifteen seconds away from the edge. The rules for signatures, for entries, and
// against timestamps in the future are those of every verifier in the interface (#webhook-signature).

import {
  clientCase,
  collidingWith,
  memberOf,
  newSecret,
  type CallResult,
  type Checks,
} from '../../harness/authoring.js'
import { errorOf, valueOf } from './expectations.js'
import { alteredSignatures } from './altered-signatures.js'
import { anyContents, wrongMacs } from './wrong-macs.js'
import {
  entryOf,
  idOf,
  kindOf,
  signed,
  verificationWays,
  withHeader,
  type Signed,
  type VerificationWay,
} from './signed-deliveries.js'

const marginSeconds = 15
/** Lengths of keys, with other ones than the usual. */
const keyBytes = [32, 25, 64]

/** JSON as no library writes it: spaces, an escape where none is needed, a fraction of nothing. */
const inAnotherHand = (event: unknown) =>
  `${JSON.stringify(event, undefined, 3).replace('message.received', 'message\\u002ereceived').replace('"size": 1', '"size": 1.0')}\n`

/** A valid delivery returns the event; an unsigned or stale one does not. */
const signedAndFresh = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-returns-the-event`,
    requirements: [requirement],
    level: 'must',
    title: `${title} returns the parsed event of a signed delivery`,
    async run(context) {
      const verify = await verifyWith(context)
      const good = signed(context.unique())
      context.check.equal('event', valueOf(context.require, title, await verify(good)), JSON.parse(good.payload))
      // The interface names this type without its data.
      const later = signed(context.unique(), 0, (event) => JSON.stringify(event).replace('.received', '.scheduled'))
      const value = valueOf(context.require, `${title}, of an event of another type`, await verify(later))
      context.check.equal('event of another type', memberOf(value, 'type'), 'message.scheduled')
      // The base64 of such keys ends with padding, which not every decoder takes; a key of the usual 24 bytes has none.
      for (const bytes of keyBytes) {
        const good = signed(context.unique(), 0, JSON.stringify, newSecret(bytes))
        valueOf(context.require, `${title}, under a key of ${bytes} bytes`, await verify(good))
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-what-is-not-signed`,
    requirements: requirement === 'CLI-048' ? ['CLI-048', 'CLI-050'] : ['CLI-051'],
    level: 'must',
    title: `${title} refuses forged and incomplete deliveries with an error that has code and message`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      valueOf(require, title, await verify(signed(unique())))
      const good = signed(unique())
      const bad: readonly Signed[] = [
        { ...good, payload: good.payload.replace('Hi', 'Ho') },
        { ...good, secret: newSecret() },
        ...Object.keys(good.headers).map((name) => withHeader(good, name, undefined)),
        { ...good, headers: { ...good.headers, 'webhook-id': idOf(unique()) } },
        ...[
          (all: string) => all.slice(0, 20),
          () => 'v1,',
          (all: string) => all.replace(/^v1,/, ''),
          // A 32-bit hash of the text, as Java has it, is the same.
          (all: string) => `v1,${collidingWith(all.slice(3), 31) ?? ''}`,
        ].map((change) => withHeader(good, 'webhook-signature', change(entryOf(good)))),
      ]
      for (const delivery of bad) {
        const result = await verify(delivery)
        check.equal('result of a forged delivery', kindOf(result), 'error')
        checkCodeAndMessage(check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051'), result)
      }
      // An unset variable. The error for it is the library's own.
      const secretless = await verify({ ...good, secret: '' })
      check.ok('result without a secret', kindOf(secretless) !== 'value', 'no event', kindOf(secretless))
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-old-deliveries`,
    requirements: requirement === 'CLI-048' ? ['CLI-049', 'CLI-050'] : ['CLI-051'],
    level: 'must',
    title: `${title} refuses a delivery older than 5 minutes, and accepts a younger one`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      valueOf(
        require,
        `${title} of a delivery ${300 - marginSeconds} seconds old`,
        await verify(signed(unique(), 300 - marginSeconds)),
      )
      const result = await verify(signed(unique(), 300 + marginSeconds))
      check.equal(`result of a delivery ${300 + marginSeconds} seconds old`, kindOf(result), 'error')
      checkCodeAndMessage(check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051'), result)
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-deliveries-from-the-future`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses a delivery more than 5 minutes ahead, and accepts a nearer one`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      valueOf(
        require,
        `${title} of a delivery signed ${300 - marginSeconds} seconds ahead`,
        await verify(signed(unique(), marginSeconds - 300)),
      )
      const result = await verify(signed(unique(), -marginSeconds - 300))
      check.equal(`result of a delivery signed ${300 + marginSeconds} seconds ahead`, kindOf(result), 'error')
    },
  }),
]

/** Which entry counts, and which bytes are signed. */
const entriesAndBody = ({ name, title, requirement, verifyWith }: VerificationWay) => [
  clientCase({
    id: `client/verification/${name}-takes-any-entry-that-matches`,
    requirements: [requirement],
    level: 'must',
    title: `${title} accepts a delivery if any one of several entries matches`,
    async run(context) {
      const { check, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      const other = entryOf(signed(unique()))
      for (const entries of [
        [entryOf(good), other],
        [other, entryOf(good)],
        [`v2,${other.slice(3)}`, other, entryOf(good)],
      ]) {
        const result = await verify(withHeader(good, 'webhook-signature', entries.join(' ')))
        const at = entries.indexOf(entryOf(good)) + 1
        check.equal(`result where entry ${at} of ${entries.length} matches`, kindOf(result), 'value')
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-ignores-entries-of-other-versions`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses a matching signature under another version`,
    async run(context) {
      const { check, require, unique } = context
      const verify = await verifyWith(context)
      const good = signed(unique())
      valueOf(require, title, await verify(good))
      for (const version of ['v2', 'v1a', 'v0']) {
        const result = await verify(withHeader(good, 'webhook-signature', `${version},${entryOf(good).slice(3)}`))
        check.equal(`result of an entry ${version}`, kindOf(result), 'error')
      }
    },
  }),

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
  ...verificationWays.flatMap((way) => [
    ...signedAndFresh(way),
    ...entriesAndBody(way),
    ...alteredSignatures(way),
    ...wrongMacs(way),
    ...anyContents(way),
  ]),
  serviceError,
  headerNames,
  bytesOfNoText,
]

/** Checks that a refusal has a code and a message. */
function checkCodeAndMessage(check: Pick<Checks, 'ok'>, result: CallResult): void {
  if (result.kind !== 'error') return
  for (const name of ['code', 'message'] as const) {
    const value = result.error[name]
    check.ok(`${name} of the error`, typeof value === 'string' && value !== '', 'a string', value)
  }
}
