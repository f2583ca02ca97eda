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
        const handle = await client({ max_retries: 2 })
        const result = await handle.call(method, keyedMethods[method])
        const keys = server.requests.map((each) => each.headers['idempotency-key'])
        const [first] = keys
        check
          .of(own)
          .ok(
            'header idempotency-key of the first attempt',
            typeof first === 'string' && first !== '',
            'a string',
            first,
          )
        if (keys.length < 3) {
          // Controls: without further attempts there is nothing to compare.
          require
            .of(keys.length < 2 ? 'CLI-014' : 'CLI-015')
            .fail(`attempts of ${method} answered 503, reset and 200`, 'at least 3', keys.length)
        }
        valueOf(require, `${method} answered 503, reset and 200`, result)
        check
          .of(method.startsWith('emails.') ? 'CLI-025' : own)
          .equal('different values over the attempts', new Set(keys).size, 1)
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
        const handle = await client({ max_retries: 1 })
        const result = await handle.call(method, keyedMethods[method], { idempotency_key: key })
        const keys = server.requests.map((each) => each.headers['idempotency-key'])
        check.ok('header idempotency-key of each attempt', new Set(keys).size === 1 && keys[0] === key, key, keys)
        valueOf(require.of('CLI-014'), `${method} answered 503 and then 200`, result)
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

export const idempotency = onSends
