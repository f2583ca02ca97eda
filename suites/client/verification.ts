// CLI-048  "`verifyWebhook` checks the signature and returns the parsed event."
// CLI-049  "`verifyWebhook` refuses deliveries older than 5 minutes."
// CLI-050  "`verifyWebhook` throws `WebhookVerificationError` for a delivery it refuses."
// CLI-051  "`webhooks.verify` is the same function."
//
// Reading: the driver protocol has an operation `verify` beside the methods; a driver may offer any of the three, and
// `verifyWebhook` is asked in both forms.
// It is judged on the real clock, fifteen seconds away from the edge. What a signature is, which entries count and that a
// timestamp may not lie ahead either is what the interface says of every verifier (#webhook-signature).

import {
  clientCase,
  collidingWith,
  memberOf,
  newSecret,
  sign,
  type CallResult,
  type Checks,
  type ClientContext,
} from '../../harness/authoring.js'
import { errorOf, valueOf } from './expectations.js'
import { oddValues } from './odd-values.js'

const marginSeconds = 15
/** Of keys beside the usual one. */
const keyBytes = [32, 25, 64]

interface Signed {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string
}

const idOf = (mark: string) => `evt_${mark}`

/** A signed delivery; `write` is how its body is put into text. */
function signed(
  mark: string,
  ageSeconds = 0,
  write: (event: unknown) => string = JSON.stringify,
  secret = newSecret(),
): Signed {
  const id = idOf(mark)
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const payload = write({
    id,
    type: 'message.received',
    timestamp: '2026-01-02T03:04:05.678Z',
    // A signed string that is made from a pattern or a template reads signs of the body as its own.
    data: {
      subject: 'Hi',
      from: 'Zoë <zoe@sender.example>',
      size: 1,
      note: "100 %% of $& %s {0} ${id} \\\\1 $'",
      permanent: false,
      opens: 0,
      odd: { ...oddValues, lists: oddValues.lists.filter((each) => !JSON.stringify(each).includes('null')) },
    },
  })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, { id, timestamp, body: payload }),
  }
  return { payload, headers, secret }
}

/** The same delivery with another header; undefined leaves it out. */
function withHeader(delivery: Signed, name: string, value: string | undefined): Signed {
  const { [name]: _old, ...others } = delivery.headers
  return { ...delivery, headers: value === undefined ? others : { ...others, [name]: value } }
}

const entryOf = (delivery: Signed) => delivery.headers['webhook-signature'] ?? ''

const signature = 'webhook-signature'

/** The same body with another id or timestamp, signed as they stand. */
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

/** JSON as no library writes it: spaces, an escape where none is needed, a fraction of nothing. */
const inAnotherHand = (event: unknown) =>
  `${JSON.stringify(event, undefined, 3).replace('message.received', 'message\\u002ereceived').replace('"size": 1', '"size": 1.0')}\n`

type Ask = (delivery: Signed) => Promise<CallResult>

/** A way in which a driver may offer verification. */
interface Way {
  readonly name: string
  readonly title: string
  readonly requirement: 'CLI-048' | 'CLI-051'
  readonly asker: (context: ClientContext) => Promise<Ask>
}

const ways: readonly Way[] = [
  {
    name: 'verify',
    title: 'the verification of the library',
    requirement: 'CLI-048',
    asker: async ({ verify, ready }) => {
      await ready()
      return verify
    },
  },
  {
    name: 'webhooks-verify',
    title: 'webhooks.verify',
    requirement: 'CLI-051',
    asker: async ({ verifyBy, ready }) => {
      await ready()
      return (delivery) => verifyBy('webhooks.verify', delivery)
    },
  },
]

/** The event comes back, and what is not signed or not fresh does not. */
const signedAndFresh = ({ name, title, requirement, asker }: Way) => [
  clientCase({
    id: `client/verification/${name}-returns-the-event`,
    requirements: [requirement],
    level: 'must',
    title: `${title} returns the parsed event of a signed delivery`,
    async run(context) {
      const ask = await asker(context)
      const good = signed(context.unique())
      context.check.equal('event', valueOf(context.require, title, await ask(good)), JSON.parse(good.payload))
      // The interface names this type without its data.
      const later = signed(context.unique(), 0, (event) => JSON.stringify(event).replace('.received', '.scheduled'))
      const value = valueOf(context.require, `${title}, of an event of another type`, await ask(later))
      context.check.equal('event of another type', memberOf(value, 'type'), 'message.scheduled')
      // The base64 of such keys ends with padding, which not every decoder takes; a key of the usual 24 bytes has none.
      for (const bytes of keyBytes) {
        const good = signed(context.unique(), 0, JSON.stringify, newSecret(bytes))
        valueOf(context.require, `${title}, under a key of ${bytes} bytes`, await ask(good))
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-what-is-not-signed`,
    requirements: requirement === 'CLI-048' ? ['CLI-048', 'CLI-050'] : ['CLI-051'],
    level: 'must',
    title: `${title} refuses a changed body, another secret, missing headers and a part of a signature, with an error that has a code and a message`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      valueOf(require, title, await ask(signed(unique())))
      const good = signed(unique())
      const bad: readonly Signed[] = [
        { ...good, payload: good.payload.replace('Hi', 'Ho') },
        { ...good, secret: newSecret() },
        ...Object.keys(good.headers).map((each) => withHeader(good, each, undefined)),
        { ...good, headers: { ...good.headers, 'webhook-id': idOf(unique()) } },
        ...[
          (all: string) => all.slice(0, 20),
          () => 'v1,',
          (all: string) => all.replace(/^v1,/, ''),
          // A 32-bit hash of the text, as Java has it, is the same.
          (all: string) => `v1,${collidingWith(all.slice(3), 31) ?? ''}`,
        ].map((change) => withHeader(good, 'webhook-signature', change(entryOf(good)))),
      ]
      for (const each of bad) {
        const result = await ask(each)
        check.equal('result of a forged delivery', kindOf(result), 'error')
        isTold(check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051'), result)
      }
      // A variable that is not set. By which error a library says so is its own.
      const secretless = await ask({ ...good, secret: '' })
      check.ok('result without a secret', kindOf(secretless) !== 'value', 'no event', kindOf(secretless))
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-old-deliveries`,
    requirements: requirement === 'CLI-048' ? ['CLI-049', 'CLI-050'] : ['CLI-051'],
    level: 'must',
    title: `${title} refuses a delivery older than 5 minutes, and takes one shortly before that`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      valueOf(
        require,
        `${title} of a delivery ${300 - marginSeconds} seconds old`,
        await ask(signed(unique(), 300 - marginSeconds)),
      )
      const result = await ask(signed(unique(), 300 + marginSeconds))
      check.equal(`result of a delivery ${300 + marginSeconds} seconds old`, kindOf(result), 'error')
      isTold(check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051'), result)
    },
  }),

  clientCase({
    id: `client/verification/${name}-refuses-deliveries-from-the-future`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses a delivery signed more than 5 minutes ahead, and takes one shortly before that`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      valueOf(
        require,
        `${title} of a delivery signed ${300 - marginSeconds} seconds ahead`,
        await ask(signed(unique(), marginSeconds - 300)),
      )
      const result = await ask(signed(unique(), -marginSeconds - 300))
      check.equal(`result of a delivery signed ${300 + marginSeconds} seconds ahead`, kindOf(result), 'error')
    },
  }),
]

/** Which entry counts, and what is signed. */
const entriesAndBody = ({ name, title, requirement, asker }: Way) => [
  clientCase({
    id: `client/verification/${name}-takes-any-entry-that-matches`,
    requirements: [requirement],
    level: 'must',
    title: `${title} takes a delivery of which one of several entries matches, whichever it is`,
    async run(context) {
      const { check, unique } = context
      const ask = await asker(context)
      const good = signed(unique())
      const other = entryOf(signed(unique()))
      for (const entries of [
        [entryOf(good), other],
        [other, entryOf(good)],
        [`v2,${other.slice(3)}`, other, entryOf(good)],
      ]) {
        const result = await ask(withHeader(good, 'webhook-signature', entries.join(' ')))
        const at = entries.indexOf(entryOf(good)) + 1
        check.equal(`result where entry ${at} of ${entries.length} matches`, kindOf(result), 'value')
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-ignores-entries-of-other-versions`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses a delivery whose only entry is of another version, though its signature matches`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      const good = signed(unique())
      valueOf(require, title, await ask(good))
      for (const version of ['v2', 'v1a', 'v0']) {
        const result = await ask(withHeader(good, 'webhook-signature', `${version},${entryOf(good).slice(3)}`))
        check.equal(`result of an entry ${version}`, kindOf(result), 'error')
      }
    },
  }),

  clientCase({
    id: `client/verification/${name}-checks-the-raw-body`,
    requirements: [requirement],
    level: 'must',
    title: `${title} takes a body as it was signed, however its JSON is written, and refuses the same JSON written again`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      const good = signed(unique(), 0, inAnotherHand)
      check.equal('event', valueOf(require, title, await ask(good)), JSON.parse(good.payload))
      const rewritten = { ...good, payload: JSON.stringify(JSON.parse(good.payload)) }
      check.equal('result of the same JSON written again', kindOf(await ask(rewritten)), 'error')
    },
  }),
]

/** Forms of a delivery that only a part of the checks would let pass, and forms of a good one that a further check would not. */
const nearly = ({ name, title, requirement, asker }: Way) => [
  clientCase({
    id: `client/verification/${name}-refuses-what-is-nearly-signed`,
    requirements: [requirement],
    level: 'must',
    title: `${title} refuses a signature in letters of the other case, in hexadecimal and cut short, a timestamp that is no whole number of seconds, and a missing id, signed as they stand`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      valueOf(require, title, await ask(signed(unique())))
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
          [`${now}abc`, 'NaN', 'now', `${now}000`, '0'].map((timestamp) => [
            `signed at ${timestamp}`,
            signedAs(good, { timestamp }),
          ]),
        ),
        'without an id': withHeader(signedAs(good, { id: '' }), 'webhook-id', undefined),
      }
      for (const [which, delivery] of Object.entries(bad))
        check.equal(`result of a delivery ${which}`, kindOf(await ask(delivery)), 'error')
    },
  }),

  clientCase({
    id: `client/verification/${name}-takes-what-is-signed-whatever-it-looks-like`,
    requirements: [requirement],
    level: 'must',
    title: `${title} takes ids with capitals, with hyphens and of 64 characters, a good entry after a dozen others, and bodies with line ends of two signs and letters of two`,
    async run(context) {
      const { check, require, unique } = context
      const ask = await asker(context)
      const good = signed(unique())
      valueOf(require, title, await ask(good))
      const others = Array.from({ length: 12 }, () => entryOf(signed(unique())))
      const write = (event: unknown) =>
        JSON.stringify(event, undefined, 1).replaceAll('\n', '\r\n').replace('Hi', 'Ame\u0301lie')
      const fine: Readonly<Record<string, Signed>> = {
        'an id with capitals': signedAs(good, { id: idOf(unique().toUpperCase()) }),
        'an id with hyphens': signedAs(good, { id: idOf(`${unique()}-4a0b-9c`) }),
        'an id of 64 characters': signedAs(good, { id: idOf(`${unique()}${'0'.repeat(64)}`).slice(0, 64) }),
        'thirteen entries': withHeader(good, signature, [...others, entryOf(good)].join(' ')),
        'another hand': signed(unique(), 0, write),
      }
      for (const [which, delivery] of Object.entries(fine))
        check.equal(`result of a delivery with ${which}`, kindOf(await ask(delivery)), 'value')
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
    // What stumbles over one of them throws an error of the language in place of its own.
    const refused: Readonly<Record<string, Signed>> = {
      'with another secret': { ...good, secret: newSecret() },
      ...Object.fromEntries(
        Object.keys(good.headers).map((name) => [`without ${name}`, withHeader(good, name, undefined)]),
      ),
      'with a word for its timestamp': withHeader(good, 'webhook-timestamp', 'now'),
      'with a signature that is no entry': withHeader(good, 'webhook-signature', 'v1'),
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
  title: 'the verification of the library takes header names in any case',
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
  title:
    'the verification of the library refuses a body with bytes that are no UTF-8 where the sign that stands for such bytes was signed',
  async run({ verify, check, require, unique, ready }) {
    await ready()
    const good = signed(unique(), 0, (event) => JSON.stringify(event).replace('"Hi"', '"Hi \uFFFD"'))
    valueOf(require, 'verify of the body that was signed', await verify(good))
    const hex = Buffer.from(good.payload).toString('hex').replace('20efbfbd', '20ff')
    const result = await verify({ ...good, payload: Buffer.from(hex, 'hex') })
    check.equal('result of a body with a byte that is no UTF-8', kindOf(result), 'error')
  },
})

export const verification = [
  ...ways.flatMap((way) => [...signedAndFresh(way), ...entriesAndBody(way), ...nearly(way)]),
  serviceError,
  headerNames,
  bytesOfNoText,
]

/** Checks that a refusal has a code and a message. */
function isTold(check: Pick<Checks, 'ok'>, result: CallResult): void {
  if (result.kind !== 'error') return
  for (const name of ['code', 'message'] as const) {
    const value = result.error[name]
    check.ok(`${name} of the error`, typeof value === 'string' && value !== '', 'a string', value)
  }
}

/** The kind of a result; a broken one as it is, so that the message tells how. */
function kindOf(result: CallResult): unknown {
  return result.kind === 'broken' ? result : result.kind
}
