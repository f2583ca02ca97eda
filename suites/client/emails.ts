// CLI-037 to CLI-042  method and path of the sending operations.
// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-043  "`scheduled_at` may be given as a date object, and is sent as an ISO 8601 string."
// CLI-044  "`scheduled_at` may be given as a relative phrase such as `in 2 hours`."
// CLI-045  "`scheduledAt` is accepted as an alias of `scheduled_at`."

import type { RequirementId } from '../../spec/index.js'
import { clientCase, json, memberOf, type Heard } from '../../harness/authoring.js'
import { email, send, valueOf } from './expectations.js'

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
}

const batch = [email, { ...email, subject: 'Second' }]
const when = '2030-01-02T03:04:05.000Z'

const operations: readonly Operation[] = [
  { method: 'emails.send', requirement: 'CLI-037', args: [email], request: 'POST /v1/emails', emails: [email] },
  { method: 'emails.batch', requirement: 'CLI-038', args: [batch], request: 'POST /v1/emails/batch', emails: batch },
  { method: 'emails.get', requirement: 'CLI-039', args: ['em_42'], request: 'GET /v1/emails/em_42' },
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
    args: ['em_42', { scheduled_at: when }],
    request: 'PATCH /v1/emails/em_42',
  },
  { method: 'emails.cancel', requirement: 'CLI-042', args: ['em_42'], request: 'POST /v1/emails/em_42/cancel' },
  {
    method: 'webhooks.deliveries',
    requirement: 'CLI-046',
    args: ['whk_1'],
    request: 'GET /v1/webhooks/whk_1/deliveries',
  },
  {
    method: 'webhooks.replay',
    requirement: 'CLI-047',
    args: ['whk_1', 'dlv_2'],
    request: 'POST /v1/webhooks/whk_1/deliveries/dlv_2/replay',
    isValueOpen: true,
  },
]

/** An answer with everything a client might be tempted to change. */
const unchanged = {
  id: 'em_42',
  object: 'email',
  scheduled_at: when,
  next_cursor: null,
  data: [
    {
      thread_id: 'thr_1',
      bounce_classification: null,
      nested_field: { deep_field: [1, 0.123456789, 1_700_000_000_123, true] },
    },
  ],
  subject: 'Grüße, 你好 👋',
  createdAt: 'as it is',
  extra_field: 'kept',
}

export const emails = [
  ...operations.map(({ method, requirement, args, request, query = {}, isValueOpen = false, emails: sent }) =>
    clientCase({
      id: `client/emails/${method.replace('.', '-')}-makes-its-request`,
      requirements: isValueOpen ? [requirement] : [requirement, 'CLI-028'],
      level: 'must',
      title: `${method} is ${request}, and returns the answer unchanged`,
      async run({ client, server, check, require }) {
        server.replies(json(method === 'webhooks.replay' ? 202 : 200, unchanged))
        const handle = await client()
        const value = valueOf(require.of(requirement), method, await handle.call(method, args))
        const [heard] = server.requests
        check
          .of(requirement)
          .equal('request', heard === undefined ? undefined : `${heard.method} ${heard.path}`, request)
        for (const [name, expected] of Object.entries(query))
          check.of(requirement).equal(`query ${name}`, heard?.query.get(name), expected)
        if (sent !== undefined) check.of(requirement).equal('emails in the body', emailsIn(heard?.json), sent)
        if (!isValueOpen) check.of('CLI-028').equal('value', value, unchanged)
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
      const cursor = 'eyJh+b/c==&limit=1 #%41'
      server.replies(json(200, { data: [], next_cursor: null }))
      valueOf(require, 'emails.list', await handle.call('emails.list', [{ limit: 7, cursor }]))
      check.equal('path', server.requests[0]?.path, '/v1/emails')
      check.equal('query cursor', server.requests[0]?.query.get('cursor'), cursor)
      check.equal('query limit', server.requests[0]?.query.getAll('limit'), ['7'])
    },
  }),

  clientCase({
    id: 'client/emails/emails-update-sends-the-new-time',
    requirements: ['CLI-041'],
    level: 'must',
    title: 'rescheduling sends scheduled_at',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.update', await handle.call('emails.update', ['em_42', { scheduled_at: when }]))
      check.equal('scheduled_at as an instant', scheduledAt(server.requests[0]), Date.parse(when))
    },
  }),

  // "Answers `202`. Response body: not shown."
  clientCase({
    id: 'client/emails/webhooks-replay-takes-an-answer-without-a-body',
    requirements: ['CLI-047'],
    level: 'should',
    title: 'a replay answered 202 without a body is no error',
    async run({ client, server, check, require }) {
      server.replies({ kind: 'text', status: 202, body: '', contentType: 'text/plain' })
      const handle = await client()
      valueOf(require, 'webhooks.replay', await handle.call('webhooks.replay', ['whk_1', 'dlv_2']))
      check.equal('number of requests', server.requests.length, 1)
    },
  }),

  clientCase({
    id: 'client/emails/escapes-ids',
    requirements: ['CLI-039'],
    level: 'should',
    title: 'an id with a question mark stays one part of the path',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.get', await handle.call('emails.get', ['em_1?limit=1']))
      check.matches('path', server.requests[0]?.path, /^\/v1\/emails\/em_1%3[Ff]limit/)
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-date',
    requirements: ['CLI-043'],
    level: 'must',
    title: 'a date object is sent as an ISO 8601 string of the same instant',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduled_at: { $date: when } }]))
      const sent = memberOf(server.requests[0]?.json, 'scheduled_at')
      check.matches('scheduled_at', sent, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/)
      check.equal('scheduled_at as an instant', scheduledAt(server.requests[0]), Date.parse(when))
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-date-of-another-zone',
    requirements: ['CLI-043'],
    level: 'should',
    title: 'a date object five hours ahead of UTC is sent as the same instant',
    async run({ client, server, check, require }) {
      const handle = await client()
      const ahead = { $date: '2030-01-02T08:04:05.000+05:00' }
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduled_at: ahead }]))
      check.equal('scheduled_at as an instant', scheduledAt(server.requests[0]), Date.parse(when))
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-string',
    requirements: ['CLI-043'],
    level: 'must',
    title: 'an ISO 8601 string is sent as the same instant',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduled_at: when }]))
      check.equal('scheduled_at as an instant', scheduledAt(server.requests[0]), Date.parse(when))
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-phrase',
    requirements: ['CLI-044'],
    level: 'must',
    title: '`in 2 hours` is sent as the ISO 8601 string of that time, or as it is',
    async run({ client, server, check, require }) {
      const handle = await client()
      const before = Date.now()
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduled_at: 'in 2 hours' }]))
      const sent = memberOf(server.requests[0]?.json, 'scheduled_at')
      if (sent === 'in 2 hours') return
      const aheadMinutes = ((scheduledAt(server.requests[0]) ?? 0) - before) / 60_000
      check.between('minutes until scheduled_at', Math.round(aheadMinutes), 118, 122)
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-in-camel-case',
    requirements: ['CLI-045'],
    level: 'must',
    title: 'scheduledAt is sent as scheduled_at',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduledAt: when }]))
      check.equal('scheduled_at as an instant', scheduledAt(server.requests[0]), Date.parse(when))
    },
  }),

  ...(
    [
      ['camel-case', 'CLI-045', 'scheduledAt', { scheduledAt: when }],
      ['a-date', 'CLI-043', 'a date object', { scheduled_at: { $date: when } }],
    ] as const
  ).flatMap(([form, requirement, what, scheduled]) => [
    clientCase({
      id: `client/emails/takes-${form}-in-a-batch`,
      requirements: [requirement],
      level: 'must',
      title: `${what} in an email of a batch is sent as scheduled_at, an ISO 8601 string`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { data: [{ id: 'em_1' }, { id: 'em_2' }] }))
        const handle = await client()
        const args = [[email, { ...email, subject: 'Second', ...scheduled }]]
        valueOf(require, 'emails.batch', await handle.call('emails.batch', args))
        const sent = server.requests[0]?.json
        const [first, second] = Array.isArray(sent) ? (sent as unknown[]) : []
        check.equal('scheduled_at of the second email as an instant', instantOf(second), Date.parse(when))
        check.equal('scheduled_at of the first email as an instant', instantOf(first), undefined)
      },
    }),

    clientCase({
      id: `client/emails/takes-${form}-when-rescheduling`,
      requirements: [requirement],
      level: 'must',
      title: `${what} of emails.update is sent as scheduled_at, an ISO 8601 string`,
      async run({ client, server, check, require }) {
        const handle = await client()
        valueOf(require, 'emails.update', await handle.call('emails.update', ['em_42', scheduled]))
        check.equal('scheduled_at as an instant', scheduledAt(server.requests[0]), Date.parse(when))
      },
    }),
  ]),

  clientCase({
    id: 'client/emails/sends-json',
    requirements: ['CLI-037'],
    level: 'must',
    title: 'the email goes as JSON, with its characters as they are',
    async run({ client, server, check, require }) {
      const handle = await client()
      const subject = 'Grüße, 你好 👋 "quoted" \\ \u2028'
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, subject }]))
      check.matches('header content-type', server.requests[0]?.headers['content-type'], /^application\/json\b/)
      check.equal('subject', memberOf(server.requests[0]?.json, 'subject'), subject)
      valueOf(require, 'emails.send', await send(handle))
    },
  }),
]

/** {@link instantOf} the request body. */
function scheduledAt(heard: Heard | undefined): number | undefined {
  return instantOf(heard?.json)
}

/** The instant of `scheduled_at` of one email, UTC where it names no zone; undefined when there is none. */
function instantOf(sentEmail: unknown): number | undefined {
  const sent = memberOf(sentEmail, 'scheduled_at')
  if (typeof sent !== 'string') return undefined
  return Date.parse(/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(sent) || !sent.includes(':') ? sent : `${sent}Z`)
}

/** The emails of a request body as far as they were given: a client may put a single recipient into a list. */
function emailsIn(body: unknown): unknown[] {
  return (Array.isArray(body) ? body : [body]).map((each: unknown) => {
    const to = memberOf(each, 'to')
    const text = (name: string) => memberOf(each, name)
    return {
      from: text('from'),
      to: Array.isArray(to) && to.length === 1 ? to[0] : to,
      subject: text('subject'),
      text: text('text'),
    }
  })
}
