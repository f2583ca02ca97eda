// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: JSON is the same whether its type names its charset, whatever white space it has, and however its bytes arrive. The interface
// mostly does not show the status of a success, so a library that accepts only some relies on an assumption: that is advice.

import { clientCase, json, type CallResult, type Reply } from '../../harness/authoring.js'
import { clearerResult, shapes } from './errors.js'
import { email, errorOf, valueOf } from './expectations.js'
import { objectsLikeLists } from './odd-values.js'

const answer = {
  id: 'em_1',
  object: 'email',
  data: [{ id: 'em_1', subject: 'Grüße, 你好 👋 naïve ñandú 😀😃😄' }],
  next_cursor: null,
}
const calls = [
  ['emails.send', [email]],
  ['emails.get', ['em_1']],
  ['emails.list', [{ limit: 7 }]],
] as const
const fields = { code: 'not_today', message: 'Nicht heute: über 你好 👋.', fix: 'Frag morgen: ñ 😀.' }

const inPieces = (reply: Reply): Reply =>
  reply.kind === 'json' ? { kind: 'pieces', status: reply.status, body: reply.body } : reply
const withCharset = (reply: Reply): Reply =>
  reply.kind === 'json' ? { ...reply, headers: { 'content-type': 'application/json; charset=utf-8' } } : reply
/** As a service that writes for people does; JSON takes any white space around it and in it. */
const onLines = (reply: Reply): Reply =>
  reply.kind === 'json'
    ? {
        kind: 'text',
        status: reply.status,
        contentType: 'application/json',
        body: `\r\n  ${JSON.stringify(reply.body, undefined, 2)}\r\n\n`,
        ...(reply.headers === undefined ? {} : { headers: reply.headers }),
      }
    : reply

export const answers = [
  ...(
    [
      ['reads-json-that-names-its-charset', 'with a charset in their content type', withCharset],
      ['reads-json-on-several-lines', 'on several lines with blanks around', onLines],
      ['reads-json-that-comes-in-pieces', 'in pieces that split characters', inPieces],
    ] as const
  ).map(([name, which, change]) =>
    clientCase({
      id: `client/errors/${name}`,
      requirements: ['CLI-028', 'CLI-031'],
      level: 'must',
      title: `answers and errors ${which} are read`,
      async run({ client, server, check, require }) {
        server.keepsConnections()
        const handle = await client({ max_retries: 0 })
        for (const [method, args] of calls) {
          server.replies(change(json(200, answer)))
          const value = valueOf(
            require.of('CLI-028'),
            `${method} with an answer ${which}`,
            await handle.call(method, args),
          )
          check.of('CLI-028').equal(`value of ${method} with an answer ${which}`, value, answer)
        }
        const results: CallResult[] = []
        for (const reply of shapes(409, fields)) {
          server.replies(change(reply))
          results.push(await handle.call('emails.get', ['em_1']))
        }
        const { status, code, message, fix } = errorOf(
          require.of('CLI-031'),
          `emails.get with an error ${which}`,
          clearerResult(results, fields.code),
        )
        check.of('CLI-031').equal(`error ${which}`, { status, code, message, fix }, { status: 409, ...fields })
      },
    }),
  ),

  clientCase({
    id: 'client/errors/takes-any-2xx-for-a-success',
    requirements: ['CLI-028'],
    level: 'should',
    title: 'a call returns the answer of a 200, 201, 202, 203 or 207',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      for (const [method, args] of calls)
        for (const status of [200, 201, 202, 203, 207]) {
          server.replies(json(status, answer))
          const what = `${method} answered ${status}`
          check.equal(`value of ${what}`, valueOf(require, what, await handle.call(method, args)), answer)
        }
    },
  }),

  clientCase({
    id: 'client/errors/returns-objects-like-lists-as-objects',
    requirements: ['CLI-028'],
    // A language with one type for a list and for an object without names cannot distinguish them.
    level: 'should',
    title: 'an object without members, and one whose names are numbers, are returned as objects',
    async run({ client, server, check, require }) {
      const objects = { id: 'em_1', objects: objectsLikeLists }
      server.replies(json(200, objects))
      const handle = await client()
      check.equal('value', valueOf(require, 'emails.get', await handle.call('emails.get', ['em_1'])), objects)
    },
  }),

  clientCase({
    id: 'client/emails/returns-what-is-answered-now',
    requirements: ['CLI-028'],
    level: 'must',
    title: 'a repeated call with the same arguments returns its own answer, not an earlier one',
    async run({ client, server, check, require }) {
      server.keepsConnections()
      const handle = await client({ max_retries: 0 })
      for (const [method, args] of [
        ['emails.get', ['em_1']],
        ['emails.send', [email]],
        ['emails.update', ['em_1', { scheduled_at: '2030-01-02T03:04:05.000Z' }]],
        ['emails.cancel', ['em_1']],
        ['emails.batch', [[email]]],
      ] as const)
        for (const status of ['scheduled', 'sent', 'bounced']) {
          const now = { id: 'em_1', object: 'email', status, recipients: [], data: [{ id: status }] }
          server.replies(json(200, now))
          const what = `${method} answered with ${status}`
          check.equal(`value of ${what}`, valueOf(require, what, await handle.call(method, args)), now)
        }
    },
  }),
]
