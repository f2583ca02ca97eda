// CLI-006  "A base address with a trailing `/v1` is accepted."
// CLI-037  "`emails.send` is `POST /v1/emails` with the email object."
// CLI-038  "`emails.batch` is `POST /v1/emails/batch` with the array."
// CLI-040  "Listing emails is `GET /v1/emails` with the query `limit` and `cursor`."
// CLI-059  "Methods for the endpoints of webhooks and events that the client library section does not name behave like every other method."
//
// Reading: the base address is that of every method. A method's argument is in its request, whichever other arguments are given: a member
// or a parameter alone, and with the others. Three ways to name every event type mean the same, and so do null and a missing value for
// every inbox. Up to 100 emails are one request.

import { clientCase, json, memberOf } from '../../harness/authoring.js'
import { email, pathOf, valueOf } from './expectations.js'
import { requirementsOf, methods, slugOf } from './methods.js'

const good = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
const largestBatch = 100

/** Parameters of lists: each alone, both, and none; one page is requested twice, and another one after it. */
const queries = [
  {
    method: 'emails.list',
    requirement: 'CLI-040',
    names: ['limit', 'cursor'],
    cells: [{ cursor: 'cur_71' }, { limit: 9 }, {}, { limit: 9, cursor: 'cur_71' }, { cursor: 'cur_72' }, {}],
  },
  {
    method: 'events.list',
    requirement: 'CLI-059',
    names: ['limit', 'after'],
    cells: [{ after: 'evt_71' }, { limit: 9 }, {}, { limit: 9, after: 'evt_71' }, { after: 'evt_72' }, {}],
  },
] as const

const everyType = [undefined, [], ['*']] as const
/** Webhooks as they are given, each with the values that a member may arrive with; undefined is a member that is left out. */
const webhooks: readonly (readonly [given: object, arrives: Readonly<Record<string, readonly unknown[]>>])[] = [
  [
    {
      url: 'https://A.example:8443/Hook/%41?Tenant=7&x=a%20b',
      event_types: ['message.bounced', 'sending.paused', 'message.scheduled'],
    },
    {
      url: ['https://A.example:8443/Hook/%41?Tenant=7&x=a%20b', 'https://a.example:8443/Hook/%41?Tenant=7&x=a%20b'],
      event_types: [['message.bounced', 'sending.paused', 'message.scheduled']],
      inbox_id: [undefined, null],
    },
  ],
  [
    { url: 'https://a.example/', event_types: ['*'], inbox_id: null },
    { event_types: everyType, inbox_id: [undefined, null] },
  ],
  [
    { url: 'https://a.example/', event_types: [], inbox_id: 'ibx_71' },
    { event_types: everyType, inbox_id: ['ibx_71'] },
  ],
  [
    { url: 'https://a.example/', inbox_id: 'ibx_72' },
    { event_types: everyType, inbox_id: ['ibx_72'] },
  ],
]

/** Emails with rarer members; the accepted ones arrive unchanged. */
const letters = [
  {
    from: 'ada@verified.example',
    to: 'bob@recipient.example',
    subject: 'Html and a time',
    html: '<p>Hi</p>',
    scheduled_at: '2030-01-02T03:04:05.000Z',
  },
  {
    from: '"Lovelace, Ada" <ada@verified.example>',
    to: 'bob@recipient.example',
    subject: 'Both and a time',
    html: '<p>Hi</p>',
    text: 'Hi',
    scheduled_at: '2030-01-02T03:04:05.000Z',
  },
] as const

export const requests = [
  ...methods.map((method) =>
    clientCase({
      id: `client/construction/${slugOf(method)}-takes-a-base-address-with-v1`,
      requirements: requirementsOf(method, 'CLI-006'),
      level: 'must',
      title: `${method.name} sends the same request for a base address with and without /v1`,
      async run({ construct, server, check, require, apiKey }) {
        server.replies(good)
        const made: string[] = []
        for (const end of ['', '/v1']) {
          const before = server.requests.length
          const { kind, handle } = await construct(
            { api_key: apiKey, base_url: `${server.url}${end}`, max_retries: 0 },
            {},
          )
          require.equal(`a client whose base address ends in "${end}"`, kind, 'value')
          await handle.call(method.name, method.args)
          made.push(
            server.requests
              .slice(before)
              .map((request) => `${request.method} ${request.path}`)
              .join(', '),
          )
        }
        check.equal(`requests of ${method.name} below a base address with /v1`, made[1], made[0])
      },
    }),
  ),

  ...methods.map((method) =>
    clientCase({
      id: `client/construction/${slugOf(method)}-carries-the-extra-headers`,
      requirements: requirementsOf(method, 'CLI-012'),
      level: 'must',
      title: `the headers option goes with ${method.name}`,
      async run({ client, server, check }) {
        server.replies(good)
        const handle = await client({ headers: { 'x-probe': 'marked' } })
        await handle.call(method.name, method.args)
        for (const request of server.requests)
          check.equal(`header x-probe of ${request.method} ${request.path}`, request.headers['x-probe'], 'marked')
      },
    }),
  ),

  ...queries.map(({ method, requirement, names, cells }) =>
    clientCase({
      id: `client/emails/${slugOf({ name: method })}-sends-each-parameter-alone`,
      requirements: [requirement],
      level: 'must',
      title: `${method} sends exactly the given ${names.join(' and ')}, none of an earlier call`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { data: [{ id: 'evt_80' }], next_cursor: 'cur_80', next_after: 'evt_80' }))
        const handle = await client()
        for (const cell of cells) {
          const before = server.requests.length
          const what = `${method} with ${JSON.stringify(cell)}`
          valueOf(require, what, await handle.call(method, [cell]))
          const query = server.requests[before]?.query
          for (const [name, value] of Object.entries(cell))
            check.equal(`query ${name} of ${what}`, query?.get(name), String(value))
          if (!(names[1] in cell))
            check.ok(`query ${names[1]} of ${what}`, !query?.get(names[1]), 'none', query?.get(names[1]))
        }
      },
    }),
  ),

  clientCase({
    id: 'client/emails/creates-webhooks-of-every-form',
    requirements: ['CLI-059'],
    level: 'must',
    title: 'webhooks.create sends url, event types and inbox exactly as given',
    async run({ client, server, check, require }) {
      server.replies(
        json(201, { id: 'whk_1', url: 'https://a.example/', event_types: ['*'], inbox_id: null, secret: 'whsec_AAAA' }),
      )
      const handle = await client()
      for (const [given, arrives] of webhooks) {
        const before = server.requests.length
        valueOf(require, 'webhooks.create', await handle.call('webhooks.create', [given]))
        const sent = server.requests[before]?.json
        for (const [name, values] of Object.entries(arrives)) {
          const value = memberOf(sent, name)
          const isOne = values.some((other) => JSON.stringify(other) === JSON.stringify(value))
          check.ok(
            `field ${name} of ${JSON.stringify(given)}`,
            isOne,
            values.map((value) => JSON.stringify(value) ?? 'none').join(' or '),
            value,
          )
        }
      }
    },
  }),

  clientCase({
    id: 'client/emails/emails-send-sends-every-member',
    requirements: ['CLI-037'],
    level: 'must',
    title: 'an email with all fields sends all of them, and one with two recipients both',
    async run({ client, server, check, require }) {
      const handle = await client()
      for (const letter of letters) {
        const before = server.requests.length
        valueOf(require, 'emails.send', await handle.call('emails.send', [letter]))
        const sent = server.requests[before]?.json
        for (const name of ['from', 'subject', 'html', 'text'])
          check.equal(`${name} of ${letter.subject}`, memberOf(sent, name), memberOf(letter, name))
      }
      const before = server.requests.length
      const recipients = ['bob@recipient.example', 'eve@recipient.example']
      await handle.call('emails.send', [{ ...email, to: recipients }])
      // That a list is taken is not shown; what becomes of one is.
      for (const { body } of server.requests.slice(before, before + 1))
        for (const recipient of recipients)
          check.ok(`recipients of an email to ${recipients.join(' and ')}`, body.includes(recipient), recipient, body)
    },
  }),

  clientCase({
    id: 'client/emails/emails-batch-sends-a-hundred',
    requirements: ['CLI-038'],
    level: 'must',
    title: `${largestBatch} emails are one request, in the order they were given`,
    async run({ client, server, check, require }) {
      const batch = Array.from({ length: largestBatch }, (_, index) => ({ ...email, subject: `Letter ${index}` }))
      const answer = { data: batch.map((_, index) => ({ id: `em_${index}` })) }
      server.replies(json(200, answer))
      const handle = await client()
      const value = valueOf(require, `emails.batch of ${largestBatch}`, await handle.call('emails.batch', [batch]))
      check.of('CLI-028').equal(`value of emails.batch of ${largestBatch}`, value, answer)
      check.equal(
        'requests',
        server.requests.map((request) => `${request.method} ${pathOf(request)}`),
        ['POST /v1/emails/batch'],
      )
      const sent = server.requests[0]?.json
      const subjects = (Array.isArray(sent) ? (sent as unknown[]) : []).map((email) => memberOf(email, 'subject'))
      check.equal(
        'subjects',
        subjects,
        batch.map((email) => email.subject),
      )
    },
  }),

  clientCase({
    id: 'client/emails/emails-batch-sends-as-many-as-it-was-given',
    requirements: ['CLI-038'],
    level: 'must',
    title: 'a batch of one email is a batch; one with two equal emails keeps both',
    async run({ client, server, check, require }) {
      const handle = await client()
      for (const batch of [[email], [email, { ...email, subject: 'Another' }, email]]) {
        const before = server.requests.length
        const what = `emails.batch of ${batch.length}`
        const answer = { data: batch.map((_, index) => ({ id: `em_${index}` })) }
        server.replies(json(200, answer))
        const value = valueOf(require, what, await handle.call('emails.batch', [batch]))
        check.of('CLI-028').equal(`value of ${what}`, value, answer)
        const received = server.requests.slice(before)
        const made = received.map((request) => `${request.method} ${pathOf(request)}`)
        check.equal(`requests of ${what}`, made, ['POST /v1/emails/batch'])
        const sent = received[0]?.json
        const subjects = (Array.isArray(sent) ? (sent as unknown[]) : []).map((email) => memberOf(email, 'subject'))
        check.equal(
          `subjects of ${what}`,
          subjects,
          batch.map((email) => email.subject),
        )
      }
    },
  }),
]
