// CLI-021 to CLI-024  an automatic `Idempotency-Key` on the four methods.
// CLI-025  "The `Idempotency-Key` is identical on every attempt of a call."
// CLI-026  "A caller-supplied `idempotencyKey` replaces the automatic one."
// CLI-052  "A caller-supplied or automatic `Idempotency-Key` is new for each call: two calls do not share one."
//
// Reading: the paths of messages.send and messages.reply are not shown, so whatever request they make is judged. A key is text, so that a
// caller's is sent letter by letter; a client may refuse a long one, but sends no other instead. Whether a client retries after a time-out
// of its own is not stated (open point retry-of-timeouts); where it does, that is an attempt of the same call.

import type { RequirementId } from '../../spec/index.js'
import { clientCase, refusal } from '../../harness/authoring.js'
import { failing, reset, silence, success } from './shared/answers.js'
import { email, keyedMethods, valueOf, type KeyedMethod } from './shared/expectations.js'
import { methodNamed, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

/** Each with its requirement for the key, and for a rule of all four: a library may leave out methods whose path is not shown. */
const keyed = (
  [
    ['emails.send', 'CLI-021', undefined],
    ['emails.batch', 'CLI-022', undefined],
    ['messages.send', 'CLI-023', 'CLI-023'],
    ['messages.reply', 'CLI-024', 'CLI-024'],
  ] as const
).map(([name, own, ofEach]) => ({
  name,
  own,
  slug: slugOf({ name }),
  method: methodNamed(name, keyedMethods[name]),
  ofEach: (id: RequirementId): [RequirementId] => [ofEach ?? id],
}))

/** Calls made in the same moment. */
const together = 12
/** Calls of which two would share a key that is drawn from some thousands. */
const many = 400
const perRound = 10
/** A slow library makes fewer calls, in milliseconds. */
const enoughMs = 20_000
/** After which an attempt without an answer is given up, in milliseconds. */
const shortMs = 1_000
const permissive = { batch_validation: 'permissive' }

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

export const idempotency = [
  ...keyed.flatMap(({ name: method, own, slug: name, method: call, ofEach: requirementsFor }) => [
    scenario({
      id: `client/idempotency/${name}-carries-one-key-over-its-attempts`,
      requirements: [own, ...requirementsFor('CLI-025').filter((id) => id !== own)],
      title: `${method} carries an Idempotency-Key, the same on every attempt`,
      calls: [
        { method: call, maxRetries: 3, answers: [failing(503), failing(429), reset, success] },
        { method: call, maxRetries: 3, answers: [failing(500), failing(502), failing(504), success] },
      ],
    }),

    scenario({
      id: `client/idempotency/${name}-takes-the-callers-key`,
      requirements: requirementsFor('CLI-026'),
      title: `${method} sends the caller's key instead of its own, on every attempt`,
      calls: [
        { method: call, maxRetries: 3, ownKey: 'usual', answers: [reset, failing(503), failing(429), success] },
        { method: call, maxRetries: 3, answers: [success] },
        { method: call, maxRetries: 3, ownKey: 'long', mayBeRefused: true, answers: [success] },
      ],
    }),

    clientCase({
      id: `client/idempotency/${name}-has-a-new-key-for-each-call`,
      requirements: requirementsFor('CLI-052'),
      level: 'must',
      title: `calls of ${method} with equal arguments have different keys, one after another and concurrently`,
      async run({ client, server, check, require }) {
        server.replies(success)
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

    scenario({
      id: `client/idempotency/${name}-has-a-new-key-after-a-failure`,
      requirements: requirementsFor('CLI-052'),
      title: `a call of ${method} after a failed one has a new key`,
      calls: [
        { method: call, maxRetries: 0, options: { timeout_ms: shortMs }, answers: [silence] },
        { method: call, maxRetries: 0, options: { abort_after_ms: shortMs }, answers: [silence] },
        ...[reset, ...[503, 429, 400, 409].map((status) => refusal(status, 'no')), success].map((reply) => ({
          method: call,
          maxRetries: 0,
          answers: [reply] as const,
        })),
      ],
    }),

    scenario({
      id: `client/idempotency/${name}-carries-a-key-whatever-it-sends`,
      requirements: [own],
      title: `${method} carries a key, the same on both attempts, in every form`,
      calls: forms[method].map(([form, args]) => ({
        method: methodNamed(method, args, form),
        maxRetries: 1,
        answers: [failing(503), success],
      })),
    }),

    scenario({
      id: `client/idempotency/${name}-keeps-its-key-after-a-time-out`,
      requirements: requirementsFor('CLI-025'),
      title: `${method} that is tried again after a time-out carries the key of its first attempt`,
      calls: [{ method: call, timeoutMs: shortMs, maxRetries: 1, answers: [silence, success] }],
    }),
  ]),

  scenario({
    id: 'client/idempotency/emails-batch-carries-its-key-beside-its-validation',
    requirements: ['CLI-022', 'CLI-026'],
    title: "emails.batch with batchValidation has one key for all attempts, or the caller's key",
    calls: [
      { method: methodNamed('emails.batch'), maxRetries: 1, options: permissive, answers: [failing(503), success] },
      {
        method: methodNamed('emails.batch'),
        maxRetries: 1,
        options: permissive,
        ownKey: 'usual',
        answers: [failing(503), success],
      },
    ],
  }),

  // A key of four digits is new for each of a dozen calls, and is that of another email for one of a hundred.
  clientCase({
    id: 'client/idempotency/emails-send-draws-its-keys-from-many',
    requirements: ['CLI-052'],
    level: 'must',
    title: `${many} calls of emails.send have different keys`,
    timeoutMs: 120_000,
    async run({ client, server, check, require }) {
      server.replies(success)
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

  // A key that counts calls is new in one client, and the same in the next one; one that counts those of a process is the same in
  // the next process. Both make the same calls from their start on.
  clientCase({
    id: 'client/idempotency/has-other-keys-in-other-clients',
    requirements: ['CLI-052'],
    level: 'must',
    title: 'keys of several clients and processes that make the same calls are all different',
    async run({ freshProcesses, server, check, require }) {
      server.replies(success)
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
