// CLI-041  "Rescheduling is `PATCH /v1/emails/{id}` with `{ scheduled_at }`."
// CLI-043  "`scheduled_at` may be given as a date object, and is sent as an ISO 8601 string."
// CLI-044  "`scheduled_at` may be given as a relative phrase such as `in 2 hours`."
// CLI-045  "`scheduledAt` is accepted as an alias of `scheduled_at`."

import { clientCase, json, memberOf, type Heard } from '../../harness/authoring.js'
import { email, valueOf } from './expectations.js'

const when = '2030-01-02T03:04:05.000Z'

export const scheduledAt = [
  clientCase({
    id: 'client/emails/emails-update-sends-the-new-time',
    requirements: ['CLI-041'],
    level: 'must',
    title: 'rescheduling sends scheduled_at',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.update', await handle.call('emails.update', ['em_42', { scheduled_at: when }]))
      check.equal('scheduled_at as an instant', instantSent(server.requests[0]), Date.parse(when))
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
      check.equal('scheduled_at as an instant', instantSent(server.requests[0]), Date.parse(when))
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
      check.equal('scheduled_at as an instant', instantSent(server.requests[0]), Date.parse(when))
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
      check.equal('scheduled_at as an instant', instantSent(server.requests[0]), Date.parse(when))
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
      const aheadMinutes = ((instantSent(server.requests[0]) ?? 0) - before) / 60_000
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
      check.equal('scheduled_at as an instant', instantSent(server.requests[0]), Date.parse(when))
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
        check.equal('scheduled_at as an instant', instantSent(server.requests[0]), Date.parse(when))
      },
    }),
  ]),
]

/** {@link instantOf} the request body. */
function instantSent(heard: Heard | undefined): number | undefined {
  return instantOf(heard?.json)
}

/** The instant of `scheduled_at` of one email, UTC where it names no zone; undefined when there is none. */
function instantOf(sentEmail: unknown): number | undefined {
  const sent = memberOf(sentEmail, 'scheduled_at')
  if (typeof sent !== 'string') return undefined
  return Date.parse(/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(sent) || !sent.includes(':') ? sent : `${sent}Z`)
}
