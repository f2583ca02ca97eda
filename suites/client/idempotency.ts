// CLI-021 to CLI-024  an automatic `Idempotency-Key` on the four methods.
// CLI-025  "The `Idempotency-Key` is identical on every attempt of a call."
// CLI-026  "A caller-supplied `idempotencyKey` replaces the automatic one."
// CLI-052  "A caller-supplied or automatic `Idempotency-Key` is new for each call: two calls do not share one."
//
// Reading: the paths of messages.send and messages.reply are not shown, so whatever request they make is judged. A key is
// text, so that a caller's is sent letter by letter. Whether a client retries after a time-out of its own is not stated
// (open point retry-of-timeouts); where it does, that is an attempt of the same call.

import type { RequirementId } from '../../spec/index.js'
import { clientCase, json, refusal, type ClientContext, type ClientHandle } from '../../harness/authoring.js'
import { callersKey, email, keyedMethods, valueOf, type KeyedMethod } from './expectations.js'

const requirementOf: Readonly<Record<KeyedMethod, RequirementId>> = {
  'emails.send': 'CLI-021',
  'emails.batch': 'CLI-022',
  'messages.send': 'CLI-023',
  'messages.reply': 'CLI-024',
}

const methods = Object.keys(keyedMethods) as KeyedMethod[]

const answer = json(200, { id: 'em_1', data: [{ id: 'em_1' }, { id: 'em_2' }] })
const failingWith = (status: number) => ({
  what: String(status),
  reply: refusal(status, 'try_again', { 'retry-after': '0' }),
  requirement: status === 429 ? ('CLI-013' as const) : ('CLI-014' as const),
})
/** What calls are answered in turn before they succeed. */
const failingReplies = [
  [failingWith(503), failingWith(429), { what: 'a reset', reply: { kind: 'reset' }, requirement: 'CLI-015' }],
  [failingWith(500), failingWith(502), failingWith(504)],
] as const
/** Calls made in the same moment. */
const together = 12
/** Calls of which two would share a key that is drawn from some thousands. */
const many = 400
const perRound = 10
/** Letters of a long key: more than a column of 255 takes. */
const longKeyLetters = 300
/** A slow library makes fewer calls, in milliseconds. */
const enoughMs = 20_000
/** After which an attempt without an answer is given up, in milliseconds. */
const shortMs = 1_000

/** How long a key may be is not shown: a client may refuse a long one, but sends no other in its place. */
async function checkLongKey(
  { server, check }: Pick<ClientContext, 'server' | 'check'>,
  handle: ClientHandle,
  method: KeyedMethod,
  key: string,
): Promise<void> {
  const long = `${key}${'-'.repeat(longKeyLetters)}.`
  const before = server.requests.length
  await handle.call(method, keyedMethods[method], { idempotency_key: long })
  const sent = server.requests[before]
  if (sent !== undefined)
    check.equal(`header idempotency-key of ${long.length} letters`, sent.headers['idempotency-key'], long)
}

const when = '2030-01-02T03:04:05.000Z'
const html = '<p>Hi</p>'
const message = { to: 'bob@recipient.example', subject: 'Hello' }
const several = (count: number) => [
  Array.from({ length: count }, (_, index) => ({ ...email, subject: `No. ${index}` })),
]

/** What a library may handle in another place. */
const forms: Readonly<Record<KeyedMethod, readonly (readonly [what: string, args: readonly unknown[]])[]>> = {
  'emails.send': [
    ['with html', [{ ...email, html }]],
    ['at a time', [{ ...email, scheduled_at: when }]],
    ['at a date', [{ ...email, scheduledAt: { $date: when } }]],
    ['in 2 hours', [{ ...email, scheduled_at: 'in 2 hours' }]],
    ['of 50,000 characters', [{ ...email, text: 'A line.'.repeat(7_200) }]],
  ],
  'emails.batch': [
    ['of one', several(1)],
    ['of eleven', several(11)],
    ['of a hundred', several(100)],
    ['at a time', [[email, { ...email, scheduled_at: when }]]],
  ],
  'messages.send': [
    ['to another address', ['ibx_1', { ...message, to: 'eve@recipient.example', text: 'Hi' }]],
    ['of 50,000 characters', ['ibx_1', { ...message, text: 'A line.'.repeat(7_200) }]],
  ],
  'messages.reply': [
    ['to all', ['msg_1', { text: 'Thank you', reply_all: true }]],
    ['with text alone', ['msg_1', { text: 'Thank you' }]],
  ],
}

const onSends = methods.flatMap((method) => {
  const name = method.replace('.', '-')
  const own = requirementOf[method]
  // The library may leave out methods whose path is not shown; their cases then leave no other requirement open.
  const requirementsFor = (id: RequirementId): [RequirementId] => [method.startsWith('emails.') ? id : own]
  return [
    clientCase({
      id: `client/idempotency/${name}-carries-one-key-over-its-attempts`,
      requirements: method.startsWith('emails.') ? [own, 'CLI-025'] : [own],
      level: 'must',
      title: `${method} carries an Idempotency-Key, the same on every attempt`,
      async run({ client, server, check, require }) {
        const handle = await client({ max_retries: 3 })
        for (const failing of failingReplies) {
          const before = server.requests.length
          const [first, ...others] = failing.map(({ reply }) => reply)
          server.replies(first ?? answer, ...others, answer)
          const result = await handle.call(method, keyedMethods[method])
          const keys = server.requests.slice(before).map((request) => request.headers['idempotency-key'])
          const what = `${method} answered ${failing.map((failure) => failure.what).join(', ')} and 200`
          const isKeyed = typeof keys[0] === 'string' && keys[0] !== ''
          check.of(own).ok(`header idempotency-key of the first attempt of ${what}`, isKeyed, 'a string', keys[0])
          // Controls: without more attempts there is nothing to compare.
          const cause = failing[keys.length - 1]?.requirement
          if (cause !== undefined)
            require.of(cause).fail(`attempts of ${what}`, `at least ${failing.length + 1}`, keys.length)
          valueOf(require, what, result)
          check
            .of(method.startsWith('emails.') ? 'CLI-025' : own)
            .equal(`different values over the attempts of ${what}`, new Set(keys).size, 1)
        }
      },
    }),

    clientCase({
      id: `client/idempotency/${name}-takes-the-callers-key`,
      requirements: requirementsFor('CLI-026'),
      level: 'must',
      title: `${method} sends the caller's key instead of its own, on every attempt`,
      async run({ client, server, check, require, unique }) {
        const key = callersKey(unique())
        const [again, slowed] = [503, 429].map((status) => refusal(status, 'try_again', { 'retry-after': '0' }))
        server.replies({ kind: 'reset' }, again ?? answer, slowed ?? answer, answer)
        const handle = await client({ max_retries: 3 })
        const result = await handle.call(method, keyedMethods[method], { idempotency_key: key })
        const keys = server.requests.map((request) => request.headers['idempotency-key'])
        check.ok('header idempotency-key of each attempt', new Set(keys).size === 1 && keys[0] === key, key, keys)
        valueOf(require.of('CLI-014'), `${method} whose connection was reset, answered 503, 429 and then 200`, result)
        const before = server.requests.length
        valueOf(require, `${method} without a key of the caller`, await handle.call(method, keyedMethods[method]))
        const next = server.requests[before]?.headers['idempotency-key']
        check.ok('header idempotency-key of the next call, which has none given', next !== key, 'another key', next)
        await checkLongKey({ server, check }, handle, method, key)
      },
    }),

    clientCase({
      id: `client/idempotency/${name}-has-a-new-key-for-each-call`,
      requirements: requirementsFor('CLI-052'),
      level: 'must',
      title: `calls of ${method} with equal arguments have different keys, one after another and concurrently`,
      async run({ client, server, check, require }) {
        server.replies(answer)
        const handle = await client()
        for (let count = 0; count < 3; count++)
          valueOf(require, method, await handle.call(method, keyedMethods[method]))
        const keys = () => new Set(server.requests.map((request) => request.headers['idempotency-key'])).size
        check.equal('different keys of three calls', keys(), 3)
        const results = await Promise.all(
          Array.from({ length: together }, () => handle.call(method, keyedMethods[method])),
        )
        for (const result of results) valueOf(require, `${method} side by side`, result)
        check.equal(`different keys of these and ${together} calls side by side`, keys(), 3 + together)
      },
    }),

    clientCase({
      id: `client/idempotency/${name}-has-a-new-key-after-a-failure`,
      requirements: requirementsFor('CLI-052'),
      level: 'must',
      title: `a call of ${method} after a failed one has a new key`,
      async run({ client, server, check, require }) {
        const handle = await client({ max_retries: 0 })
        for (const options of [{ timeout_ms: shortMs }, { abort_after_ms: shortMs }]) {
          server.replies({ kind: 'hang' })
          await handle.call(method, keyedMethods[method], options)
        }
        server.replies({ kind: 'reset' }, ...[503, 429, 400, 409].map((status) => refusal(status, 'no')), answer)
        for (let count = 0; count < 5; count++) await handle.call(method, keyedMethods[method])
        valueOf(require, `${method} after seven that failed`, await handle.call(method, keyedMethods[method]))
        const keys = server.requests.map((request) => request.headers['idempotency-key'])
        check.equal(`different keys of ${keys.length} requests, one for each call`, new Set(keys).size, keys.length)
      },
    }),
  ]
})

export const idempotency = [
  ...onSends,

  ...methods.map((method) =>
    clientCase({
      id: `client/idempotency/${method.replace('.', '-')}-carries-a-key-whatever-it-sends`,
      requirements: [requirementOf[method]],
      level: 'must',
      title: `${method} carries a key, the same on both attempts, in every form`,
      async run({ client, server, check, require }) {
        const handle = await client({ max_retries: 1 })
        for (const [what, args] of forms[method]) {
          const before = server.requests.length
          server.replies(refusal(503, 'try_again', { 'retry-after': '0' }), answer)
          valueOf(require.of('CLI-014'), `${method} ${what}`, await handle.call(method, args))
          const keys = server.requests.slice(before).map((request) => request.headers['idempotency-key'])
          const [first = ''] = keys
          check.ok(`header idempotency-key of ${method} ${what}`, first !== '' && new Set(keys).size === 1, 'one', keys)
        }
      },
    }),
  ),

  // A key of four digits is new for each of a dozen calls, and is that of another email for one of a hundred.
  clientCase({
    id: 'client/idempotency/emails-send-draws-its-keys-from-many',
    requirements: ['CLI-052'],
    level: 'must',
    title: `${many} calls of emails.send have different keys`,
    timeoutMs: 120_000,
    async run({ client, server, check, require }) {
      server.replies(answer)
      const handle = await client()
      const until = Date.now() + enoughMs
      for (let made = 0; made < many && Date.now() < until; made += perRound) {
        const calls = Array.from({ length: perRound }, () => handle.call('emails.send', keyedMethods['emails.send']))
        for (const result of await Promise.all(calls)) valueOf(require, 'emails.send', result)
      }
      const keys = server.requests.map((request) => request.headers['idempotency-key'])
      check.equal(`different keys of ${keys.length} calls`, new Set(keys).size, keys.length)
    },
  }),

  ...methods.map((method) =>
    clientCase({
      id: `client/idempotency/${method.replace('.', '-')}-keeps-its-key-after-a-time-out`,
      requirements: [method.startsWith('emails.') ? 'CLI-025' : requirementOf[method]],
      level: 'must',
      title: `${method} that is tried again after a time-out carries the key of its first attempt`,
      async run({ client, server, check }) {
        server.replies({ kind: 'hang' }, answer)
        const handle = await client({ timeout_ms: shortMs, max_retries: 1 })
        await handle.call(method, keyedMethods[method])
        const keys = server.requests.map((request) => request.headers['idempotency-key'])
        check.equal('different values over the attempts', new Set(keys).size, 1)
      },
    }),
  ),

  clientCase({
    id: 'client/idempotency/emails-batch-carries-its-key-beside-its-validation',
    requirements: ['CLI-022', 'CLI-026'],
    level: 'must',
    title: "emails.batch with batchValidation has one key for all attempts, or the caller's key",
    async run({ client, server, check, require, unique }) {
      const handle = await client({ max_retries: 1 })
      const own = callersKey(unique())
      const permissive = { batch_validation: 'permissive' }
      for (const [what, options, id] of [
        ['a batch with batchValidation', permissive, 'CLI-022'],
        ['a batch with batchValidation and a key', { ...permissive, idempotency_key: own }, 'CLI-026'],
      ] as const) {
        const before = server.requests.length
        server.replies(refusal(503, 'try_again', { 'retry-after': '0' }), answer)
        const result = await handle.call('emails.batch', keyedMethods['emails.batch'], options)
        valueOf(require.of('CLI-014'), `${what}, answered 503 and then 200`, result)
        const keys = server.requests.slice(before).map((request) => request.headers['idempotency-key'])
        const [first = ''] = keys
        const isRight = new Set(keys).size === 1 && (id === 'CLI-026' ? first === own : first !== '')
        check.of(id).ok(`header idempotency-key of ${what}`, isRight, id === 'CLI-026' ? own : 'a string', keys)
      }
    },
  }),

  // A key that counts calls is new in one client, and the same in the next one; one that counts those of a process is the same in
  // the next process. Both make the same calls from their start on.
  clientCase({
    id: 'client/idempotency/has-other-keys-in-other-clients',
    requirements: ['CLI-052'],
    level: 'must',
    title: 'keys of several clients and processes that make the same calls are all different',
    async run({ freshProcesses, server, check, require }) {
      server.replies(answer)
      const processes = await freshProcesses(2)
      for (const build of processes)
        for (const handle of [await build(), await build()])
          for (const method of ['emails.send', 'emails.batch'] as const)
            valueOf(require, method, await handle.call(method, keyedMethods[method]))
      const keys = server.requests.map((request) => request.headers['idempotency-key'])
      check.equal('different keys of as many calls', new Set(keys).size, keys.length)
    },
  }),
]
