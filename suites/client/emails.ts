// CLI-037 to CLI-042  method and path of the sending operations.
// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."

import type { RequirementId } from '../../spec/index.js'
import { clientCase, json, memberOf, percentDecoded } from '../../harness/authoring.js'
import { contents } from './contents.js'
import { email, isNothing, pathOf, send, valueOf } from './expectations.js'
import { membersOfErrors, oddValues } from './odd-values.js'

interface Operation {
  readonly method: string
  readonly requirement: RequirementId
  readonly args: readonly unknown[]
  readonly request: string
  readonly query?: Readonly<Record<string, string>>
  /** The response body is not shown, so that the value is not judged. */
  readonly isValueOpen?: boolean
  /** The emails that must be sent. */
  readonly emails?: readonly (typeof email)[]
  readonly status?: number
  readonly answer?: unknown
}

const batch = [email, { ...email, subject: 'Second' }]
const when = '2030-01-02T03:04:05.000Z'
/** In an id capitals and small letters are not the same: those below have both. */
const eventId = 'evt_01HZx7Kd'
/** Both ends of what pages may have, and what they have by default. */
const limitsOfPages = [1, 50, 100]

/** An answer with everything a client might be tempted to change. */
const unchanged = {
  id: 'em_42',
  object: 'email',
  // A time that is not what a library writes which reads it and writes it again.
  scheduled_at: '2030-01-02T05:04:05+02:00',
  created_at: '2030-01-02T03:04:05Z',
  next_cursor: null,
  data: [
    {
      thread_id: 'thr_1',
      created_at: '2030-01-02T03:04:05.678901Z',
      bounce_classification: null,
      nested_field: { deep_field: [1, 0.123456789, 1_700_000_000_123, true] },
      permanent: false,
      opens: 0,
      recipients: [],
      text: '  Tom &amp; Zoe\u0308 \n',
    },
  ],
  subject: 'Grüße, 你好 👋',
  createdAt: 'as it is',
  // Forms of a time that a library may be tempted to read and write again.
  times: [
    '2030-01-02T03:04:05Z',
    '2030-01-02T05:04:05.000000+02:00',
    '2030-01-02',
    'Wed, 02 Jan 2030 03:04:05 GMT',
    '',
  ],
  errors: [{ index: 1, code: 'missing_to', message: 'No recipient.' }],
  extra_field: 'kept',
  sent_at_ms: 1_700_000_000_123,
  odd: oddValues,
  ...membersOfErrors,
}

const operations: readonly Operation[] = [
  { method: 'emails.send', requirement: 'CLI-037', args: [email], request: 'POST /v1/emails', emails: [email] },
  { method: 'emails.batch', requirement: 'CLI-038', args: [batch], request: 'POST /v1/emails/batch', emails: batch },
  { method: 'emails.get', requirement: 'CLI-039', args: ['em_4aB2'], request: 'GET /v1/emails/em_4aB2' },
  {
    method: 'emails.list',
    requirement: 'CLI-040',
    args: [{ limit: 7, cursor: 'cur_1' }],
    request: 'GET /v1/emails',
    query: { limit: '7', cursor: 'cur_1' },
  },
  {
    method: 'emails.update',
    requirement: 'CLI-041',
    args: ['em_4aB2', { scheduled_at: when }],
    request: 'PATCH /v1/emails/em_4aB2',
  },
  { method: 'emails.cancel', requirement: 'CLI-042', args: ['em_4aB2'], request: 'POST /v1/emails/em_4aB2/cancel' },
  {
    method: 'webhooks.deliveries',
    requirement: 'CLI-046',
    args: ['whk_1Cd'],
    request: 'GET /v1/webhooks/whk_1Cd/deliveries',
  },
  {
    method: 'webhooks.replay',
    requirement: 'CLI-047',
    args: ['whk_1Cd', 'dlv_2eF'],
    request: 'POST /v1/webhooks/whk_1Cd/deliveries/dlv_2eF/replay',
    isValueOpen: true,
  },
  {
    method: 'webhooks.create',
    requirement: 'CLI-059',
    args: [{ url: 'https://a.example/', event_types: ['message.received'], inbox_id: null }],
    request: 'POST /v1/webhooks',
    answer: { ...unchanged, secret: 'whsec_AAAA' },
    status: 201,
  },
  { method: 'webhooks.list', requirement: 'CLI-059', args: [], request: 'GET /v1/webhooks' },
  {
    method: 'webhooks.delete',
    requirement: 'CLI-059',
    args: ['whk_1Cd'],
    request: 'DELETE /v1/webhooks/whk_1Cd',
    isValueOpen: true,
  },
  {
    method: 'events.list',
    requirement: 'CLI-059',
    args: [{ after: eventId, limit: 7 }],
    request: 'GET /v1/events',
    query: { after: eventId, limit: '7' },
  },
]

export const emails = [
  ...operations.map(
    ({
      method,
      requirement,
      args,
      request,
      query = {},
      isValueOpen = false,
      emails: sent,
      status = 200,
      answer = unchanged,
    }) =>
      clientCase({
        id: `client/emails/${method.replace('.', '-')}-makes-its-request`,
        requirements: isValueOpen || requirement === 'CLI-059' ? [requirement] : [requirement, 'CLI-028'],
        level: 'must',
        title: `${method} is ${request}, and returns the answer unchanged`,
        async run({ client, server, check, require }) {
          server.replies(json(method === 'webhooks.replay' ? 202 : status, answer))
          const handle = await client()
          const value = valueOf(require.of(requirement), method, await handle.call(method, args))
          const [received] = server.requests
          check
            .of(requirement)
            .equal('request', received === undefined ? undefined : `${received.method} ${pathOf(received)}`, request)
          if (received?.json !== undefined)
            check
              .of(requirement)
              .matches('header content-type', received.headers['content-type'], /^application\/json\b/i)
          for (const [name, expected] of Object.entries(query))
            check.of(requirement).equal(`query ${name}`, received?.query.get(name), expected)
          if (sent !== undefined) check.of(requirement).equal('emails in the body', emailsIn(received?.json), sent)
          if (isValueOpen) {
            // A library may return nothing of an answer that is not shown; what it returns is that answer.
            if (!isNothing(value)) check.of(requirement).equal('value, where there is one', value, answer)
          } else check.of(requirement === 'CLI-059' ? requirement : 'CLI-028').equal('value', value, answer)
        },
      }),
  ),

  clientCase({
    id: 'client/emails/sends-a-cursor-as-it-is',
    requirements: ['CLI-040'],
    level: 'must',
    title: 'a cursor of base64 and other signs arrives as the text it is',
    async run({ client, server, check, require }) {
      const handle = await client()
      server.replies(json(200, { data: [], next_cursor: null }))
      // Some languages treat "0" as nothing, and digits as a number; padding of base64 is at an end.
      for (const cursor of ['eyJh+b/c==&limit=1 #%41', '0', 'false', 'eyJhIjoxMH0=', '0090071992547409931']) {
        const before = server.requests.length
        valueOf(require, 'emails.list', await handle.call('emails.list', [{ limit: 7, cursor }]))
        const received = server.requests[before]
        check.equal('path', received?.path, '/v1/emails')
        check.equal(`query cursor of ${cursor}`, received?.query.get('cursor'), cursor)
        check.equal(`query limit, with the cursor ${cursor}`, received?.query.getAll('limit'), ['7'])
      }
    },
  }),

  ...(
    [
      ['must', 'sends-a-limit-as-it-is', limitsOfPages, 'at both ends of what pages may have'],
      ['should', 'sends-a-large-limit-as-it-is', [101, 250], 'beyond what pages of other lists may have'],
    ] as const
  ).map(([level, name, limits, where]) =>
    clientCase({
      id: `client/emails/${name}`,
      requirements: ['CLI-040'],
      level,
      title: `emails.list requests the given limit, ${where}`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { data: [], next_cursor: null }))
        const handle = await client()
        for (const limit of limits) {
          const before = server.requests.length
          valueOf(require, `emails.list with limit ${limit}`, await handle.call('emails.list', [{ limit }]))
          check.equal(`query limit of ${limit}`, server.requests[before]?.query.getAll('limit'), [String(limit)])
        }
      },
    }),
  ),

  // "Answers `202`. Response body: not shown."
  clientCase({
    id: 'client/emails/webhooks-replay-takes-an-answer-without-a-body',
    requirements: ['CLI-047'],
    level: 'should',
    title: 'a replay answered 202 without a body is not an error',
    async run({ client, server, check, require }) {
      server.replies({ kind: 'text', status: 202, body: '', contentType: 'text/plain' })
      const handle = await client()
      valueOf(require, 'webhooks.replay', await handle.call('webhooks.replay', ['whk_1', 'dlv_2']))
      check.equal('number of requests', server.requests.length, 1)
    },
  }),

  // "Success status and body: not shown."
  clientCase({
    id: 'client/emails/webhooks-delete-takes-an-answer-without-a-body',
    requirements: ['CLI-059'],
    level: 'should',
    title: 'a delete answered 204, 200 or 202 without a body is not an error',
    async run({ client, server, check, require }) {
      const handle = await client()
      for (const status of [204, 200, 202]) {
        const before = server.requests.length
        const what = `webhooks.delete answered ${status} without a body`
        server.replies({ kind: 'empty', status })
        valueOf(require, what, await handle.call('webhooks.delete', ['whk_1']))
        check.equal(`number of requests of ${what}`, server.requests.length - before, 1)
      }
    },
  }),

  clientCase({
    id: 'client/emails/creates-a-webhook-with-its-fields',
    requirements: ['CLI-059'],
    level: 'must',
    title: 'webhooks.create sends the url, the event types and the inbox it was given',
    async run({ client, server, check, require }) {
      const webhook = { url: 'https://a.example/hook?tenant=7', event_types: ['message.received'], inbox_id: 'ibx_1' }
      server.replies(json(201, { id: 'whk_1', ...webhook, secret: 'whsec_AAAA' }))
      const handle = await client()
      valueOf(require, 'webhooks.create', await handle.call('webhooks.create', [webhook]))
      const sent = server.requests[0]?.json
      for (const [name, value] of Object.entries(webhook)) check.equal(`field ${name}`, memberOf(sent, name), value)
    },
  }),

  ...(
    [
      ['should', 'limits-the-list-of-deliveries', 'CLI-046', 'webhooks.deliveries', ['whk_1']],
      ['must', 'limits-the-list-of-events', 'CLI-059', 'events.list', []],
    ] as const
  ).map(([level, name, requirement, method, ids]) =>
    clientCase({
      id: `client/emails/${name}`,
      requirements: [requirement],
      level,
      title: `${method} sends its limit, at both ends of the allowed range`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { data: [] }))
        const handle = await client()
        for (const limit of limitsOfPages) {
          const before = server.requests.length
          valueOf(require, `${method} with limit ${limit}`, await handle.call(method, [...ids, { limit }]))
          check.equal(`query limit of ${limit}`, server.requests[before]?.query.get('limit'), String(limit))
        }
      },
    }),
  ),

  clientCase({
    id: 'client/emails/keeps-the-errors-of-a-permissive-batch',
    requirements: ['CLI-028', 'CLI-038'],
    level: 'must',
    title: 'a batch answered 200 with errors returns its data and errors unchanged',
    async run({ client, server, check, require }) {
      const answer = { data: [{ id: 'em_1' }], errors: [{ index: 1, code: 'missing_to', message: 'No recipient.' }] }
      server.replies(json(200, answer))
      const handle = await client()
      const args = [[email, { ...email, to: 'nobody' }]]
      check
        .of('CLI-028')
        .equal('value', valueOf(require.of('CLI-038'), 'emails.batch', await handle.call('emails.batch', args)), answer)
    },
  }),

  clientCase({
    id: 'client/emails/sends-the-validation-of-a-batch',
    requirements: ['CLI-063'],
    level: 'should',
    title: 'a batch with batchValidation sends it; one without does not request permissive',
    async run({ client, server, check, require }) {
      server.replies(json(200, { data: [{ id: 'em_1' }, { id: 'em_2' }] }))
      const handle = await client()
      const options = { batch_validation: 'permissive' }
      valueOf(require, 'emails.batch', await handle.call('emails.batch', [batch]))
      valueOf(require, 'emails.batch with batchValidation', await handle.call('emails.batch', [batch], options))
      const [without, withIt] = server.requests.map(
        ({ path, query, headers, body }) => `${path} ${query.toString()} ${JSON.stringify(headers)} ${body}`,
      )
      check.ok('permissive in a batch without it', without?.includes('permissive') === false, 'nowhere', 'somewhere')
      check.ok('permissive in a batch with it', withIt?.includes('permissive') === true, 'somewhere', 'nowhere')
    },
  }),

  clientCase({
    id: 'client/emails/escapes-ids',
    requirements: ['CLI-039'],
    level: 'should',
    title: 'in every method, an id with URL characters stays one part of the path',
    async run({ client, server, check, require }) {
      const handle = await client()
      const id = 'a?b=1#c/d e%2F'
      const calls = [
        ['emails.get', [id], '/v1/emails/', ''],
        ['emails.update', [id, { scheduled_at: when }], '/v1/emails/', ''],
        ['emails.cancel', [id], '/v1/emails/', '/cancel'],
        ['webhooks.deliveries', [id], '/v1/webhooks/', '/deliveries'],
        ['webhooks.replay', ['whk_1', id], '/v1/webhooks/whk_1/deliveries/', '/replay'],
        ['webhooks.replay', [id, 'dlv_2'], '/v1/webhooks/', '/deliveries/dlv_2/replay'],
        ['webhooks.delete', [id], '/v1/webhooks/', ''],
      ] as const
      for (const [method, args, head, tail] of calls) {
        const before = server.requests.length
        valueOf(require, method, await handle.call(method, args))
        const path = server.requests[before]?.path ?? ''
        const parts = path.split('/').map(percentDecoded)
        check.ok(
          `path of ${method} with the id ${id}`,
          JSON.stringify(parts) === JSON.stringify([...head.split('/').slice(0, -1), id, ...tail.split('/').slice(1)]),
          `${head}${encodeURIComponent(id)}${tail}`,
          path,
        )
      }
    },
  }),

  ...(['emails.send', 'emails.batch'] as const).map((method) =>
    clientCase({
      id: `client/emails/${method.replace('.', '-')}-changes-no-text`,
      requirements: [method === 'emails.send' ? 'CLI-037' : 'CLI-038'],
      level: 'must',
      title: `subject, html and text of an email arrive unchanged by ${method}`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { id: 'em_1', data: [{ id: 'em_1' }] }))
        const handle = await client()
        const { text: _text, ...head } = email
        for (const content of contents) {
          const before = server.requests.length
          const given = { ...head, ...content }
          valueOf(require, method, await handle.call(method, [method === 'emails.send' ? given : [given]]))
          const sent = server.requests[before]?.json
          const arrived: unknown = Array.isArray(sent) ? sent[0] : sent
          for (const name of ['subject', 'html', 'text'])
            check.equal(
              `${name} of ${JSON.stringify(given).slice(0, 200)}`,
              memberOf(arrived, name),
              memberOf(given, name),
            )
        }
      },
    }),
  ),

  clientCase({
    id: 'client/emails/sends-json',
    requirements: ['CLI-037'],
    level: 'must',
    title: 'the email goes as JSON, with its characters as they are',
    async run({ client, server, check, require }) {
      const handle = await client()
      const subject = 'Grüße, 你好 👋 "quoted" \\ \u2028'
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, subject }]))
      check.matches('header content-type', server.requests[0]?.headers['content-type'], /^application\/json\b/i)
      check.equal('subject', memberOf(server.requests[0]?.json, 'subject'), subject)
      valueOf(require, 'emails.send', await send(handle))
    },
  }),
]

/** The emails of a request body as far as they were given: a client may put a single recipient into a list. */
function emailsIn(body: unknown): unknown[] {
  return (Array.isArray(body) ? body : [body]).map((email: unknown) => {
    const to = memberOf(email, 'to')
    const text = (name: string) => memberOf(email, name)
    return {
      from: text('from'),
      to: Array.isArray(to) && to.length === 1 ? to[0] : to,
      subject: text('subject'),
      text: text('text'),
    }
  })
}
