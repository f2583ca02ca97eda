// CLI-021 to CLI-024  an automatic `Idempotency-Key` on the four methods.
// CLI-025  "The `Idempotency-Key` is identical on every attempt of a call."
// CLI-026  "A caller-supplied `idempotencyKey` replaces the automatic one."
// CLI-052  "A caller-supplied or automatic `Idempotency-Key` is new for each call: two calls do not share one."
//
// Reading: the paths of messages.send and messages.reply are not shown, so whatever request they make is judged.

import type { RequirementId } from '../../spec/index.js'
import { clientCase, json, refusal } from '../../harness/authoring.js'
import { keyedMethods, valueOf, type KeyedMethod } from './expectations.js'

const requirementOf: Readonly<Record<KeyedMethod, RequirementId>> = {
  'emails.send': 'CLI-021',
  'emails.batch': 'CLI-022',
  'messages.send': 'CLI-023',
  'messages.reply': 'CLI-024',
}

const methods = Object.keys(keyedMethods) as KeyedMethod[]

const answer = json(200, { id: 'em_1', data: [{ id: 'em_1' }, { id: 'em_2' }] })

const onSends = methods.flatMap((method) => {
  const name = method.replace('.', '-')
  const own = requirementOf[method]
  // The library may leave out methods whose path is not shown; their cases then leave no other requirement open.
  const books = (id: RequirementId): [RequirementId] => [method.startsWith('emails.') ? id : own]
  return [
    clientCase({
      id: `client/idempotency/${name}-carries-one-key-over-its-attempts`,
      requirements: method.startsWith('emails.') ? [own, 'CLI-025'] : [own],
      level: 'must',
      title: `${method} carries an Idempotency-Key, the same on every attempt`,
      async run({ client, server, check, require }) {
        server.replies(refusal(503, 'try_again'), { kind: 'reset' }, answer)
        const handle = await client()
        valueOf(
          require.of(own),
          `${method} answered 503, reset and 200`,
          await handle.call(method, keyedMethods[method]),
        )
        const keys = server.requests.map((each) => each.headers['idempotency-key'])
        const [first] = keys
        check
          .of(own)
          .ok('header idempotency-key of the first attempt', typeof first === 'string' && first !== '', 'a text', first)
        check.of('CLI-025').equal('different values over the attempts', new Set(keys).size, 1)
        check.of('CLI-025').ok('attempts', keys.length >= 3, 'at least 3', keys.length)
      },
    }),

    clientCase({
      id: `client/idempotency/${name}-takes-the-callers-key`,
      requirements: books('CLI-026'),
      level: 'must',
      title: `${method} carries the caller's key in place of its own, on every attempt`,
      async run({ client, server, check, require, unique }) {
        const key = unique()
        server.replies(refusal(503, 'try_again'), answer)
        const handle = await client()
        valueOf(require, method, await handle.call(method, keyedMethods[method], { idempotency_key: key }))
        check.equal(
          'header idempotency-key of each attempt',
          server.requests.map((each) => each.headers['idempotency-key']),
          [key, key],
        )
      },
    }),

    clientCase({
      id: `client/idempotency/${name}-has-a-new-key-for-each-call`,
      requirements: books('CLI-052'),
      level: 'must',
      title: `two calls of ${method} with the same arguments have different keys`,
      async run({ client, server, check, require }) {
        server.replies(answer)
        const handle = await client()
        for (let count = 0; count < 3; count++)
          valueOf(require, method, await handle.call(method, keyedMethods[method]))
        check.equal(
          'different keys of three calls',
          new Set(server.requests.map((each) => each.headers['idempotency-key'])).size,
          3,
        )
      },
    }),
  ]
})

// "Every method takes a last options argument: `idempotencyKey`": other methods have no key of their own, but take one.
const onOthers = [
  clientCase({
    id: 'client/idempotency/webhooks-create-takes-the-callers-key',
    requirements: ['CLI-026'],
    level: 'should',
    title: "a method without an automatic key carries the caller's key",
    async run({ client, server, check, require, unique }) {
      const key = unique()
      server.replies(
        json(201, {
          id: 'whk_1',
          url: 'https://a.example/',
          event_types: ['*'],
          inbox_id: null,
          secret: 'whsec_AAAA',
        }),
      )
      const handle = await client()
      const args = [{ url: 'https://a.example/' }]
      valueOf(require, 'webhooks.create', await handle.call('webhooks.create', args, { idempotency_key: key }))
      check.equal('header idempotency-key', server.requests[0]?.headers['idempotency-key'], key)
    },
  }),
]

export const idempotency = [...onSends, ...onOthers]
