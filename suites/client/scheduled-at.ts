// CLI-041  "Rescheduling is `PATCH /v1/emails/{id}` with `{ scheduled_at }`."
// CLI-043  "`scheduled_at` may be given as a date object, and is sent as an ISO 8601 string."
// CLI-044  "`scheduled_at` may be given as a relative phrase such as `in 2 hours`."
// CLI-045  "`scheduledAt` is accepted as an alias of `scheduled_at`."
//
// Reading: a date object is an instant, and so is the time in a phrase; ISO 8601 reads a time without a zone as local: that string is not
// the instant. A string is the caller's, so no test gives one without a zone, and UTC is assumed of the request for one. Fractions of a
// second may be left out.

import { clientCase, json, memberOf, type Checks } from '../../harness/authoring.js'
import { email, valueOf } from './expectations.js'
import { slugOf } from './methods.js'

const when = '2030-01-02T03:04:05.000Z'
/** In the afternoon, and in a week of the next year: hours of a clock of twelve and years of weeks are others. */
const lateInTheYear = '2029-12-31T22:08:09.000Z'
/** Parts of a second that begin with zeros, or end with one. */
const fractions = ['2030-01-02T03:04:05.007Z', '2030-01-02T03:04:05.070Z', '2030-01-02T03:04:05.120Z'] as const
/** {@link when}, as other zones write it. */
const sameInstants = [
  '2030-01-02T03:04:05Z',
  '2030-01-02T05:04:05+02:00',
  '2030-01-01T21:34:05-05:30',
  '2030-01-02T03:04:05+00:00',
  '2030-01-02T17:04:05.000+14:00',
] as const
/** Phrases like the one the text shows; whether a library knows them is not stated, and what it makes of one that it takes is. */
const furtherPhrases = {
  'in 30 minutes': 30,
  'in 1 hour': 60,
  'in 14 hours': 14 * 60,
  'in 3 days': 3 * 24 * 60,
} as const

export const scheduledAt = [
  clientCase({
    id: 'client/emails/emails-update-sends-the-new-time',
    requirements: ['CLI-041'],
    level: 'must',
    title: 'rescheduling sends scheduled_at',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.update', await handle.call('emails.update', ['em_42', { scheduled_at: when }]))
      checkInstant(check, 'scheduled_at', server.requests[0]?.json)
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-date',
    requirements: ['CLI-043'],
    level: 'must',
    title: 'a date object is sent as an ISO 8601 string of the same instant',
    async run({ client, server, check, require }) {
      const handle = await client()
      for (const instant of [when, lateInTheYear]) {
        const before = server.requests.length
        const args = [{ ...email, scheduled_at: { $date: instant } }]
        valueOf(require, 'emails.send', await handle.call('emails.send', args))
        checkDate(check, `scheduled_at given as a date object of ${instant}`, server.requests[before]?.json, instant)
      }
      // A remaining fraction of a second is written with its zeros, or not at all.
      for (const instant of fractions) {
        const before = server.requests.length
        const args = [{ ...email, scheduled_at: { $date: instant } }]
        valueOf(require, 'emails.send', await handle.call('emails.send', args))
        const sent = instantOf(server.requests[before]?.json)
        const due = Date.parse(instant)
        const expected = [due, Math.floor(due / 1_000) * 1_000]
        check.oneOf(`scheduled_at given as a date object of ${instant}, as an instant`, sent, expected)
      }
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
      checkDate(check, 'scheduled_at', server.requests[0]?.json)
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
      checkInstant(check, 'scheduled_at', server.requests[0]?.json)
    },
  }),

  ...(
    [
      ['emails.send', (at: string) => [{ ...email, scheduled_at: at }]],
      ['emails.batch', (at: string) => [[{ ...email, scheduled_at: at }, email]]],
      ['emails.update', (at: string) => ['em_42', { scheduled_at: at }]],
    ] as const
  ).map(([method, argsOf]) =>
    clientCase({
      id: `client/emails/${slugOf({ name: method })}-keeps-the-zone-of-a-string`,
      requirements: ['CLI-043'],
      level: 'must',
      title: `scheduled_at of ${method} with an offset is sent as the same instant`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { id: 'em_42', object: 'email', data: [{ id: 'em_1' }, { id: 'em_2' }] }))
        const handle = await client()
        for (const at of sameInstants) {
          const before = server.requests.length
          valueOf(require, `${method} with ${at}`, await handle.call(method, argsOf(at)))
          const sent = server.requests[before]?.json
          checkInstant(check, `scheduled_at given as ${at}`, Array.isArray(sent) ? (sent as unknown[])[0] : sent)
        }
      },
    }),
  ),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-phrase',
    requirements: ['CLI-044'],
    level: 'must',
    title: '`in 2 hours` is sent as the ISO 8601 time, or unchanged',
    async run({ client, server, check, require }) {
      const handle = await client()
      const at = Date.now()
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduled_at: 'in 2 hours' }]))
      checkPhrase(check, server.requests[0]?.json, { phrase: 'in 2 hours', minutes: 120, at })
    },
  }),

  clientCase({
    id: 'client/emails/takes-scheduled-at-as-a-phrase-for-what-it-says',
    requirements: ['CLI-044'],
    level: 'must',
    title: 'every accepted relative phrase is sent as its ISO 8601 time, or unchanged',
    async run({ client, server, check, require }) {
      const handle = await client()
      valueOf(require, 'emails.send', await handle.call('emails.send', [{ ...email, scheduled_at: 'in 2 hours' }]))
      for (const [phrase, minutes] of Object.entries(furtherPhrases)) {
        const before = server.requests.length
        const at = Date.now()
        await handle.call('emails.send', [{ ...email, scheduled_at: phrase }])
        const [received] = server.requests.slice(before)
        if (received !== undefined) checkPhrase(check, received.json, { phrase, minutes, at })
      }
    },
  }),

  clientCase({
    id: 'client/emails/takes-a-phrase-in-a-batch',
    requirements: ['CLI-044'],
    level: 'must',
    title: '`in 2 hours` in a batch is sent as the ISO 8601 time, or unchanged',
    async run({ client, server, check, require }) {
      server.replies(json(200, { data: [{ id: 'em_1' }, { id: 'em_2' }] }))
      const handle = await client()
      const at = Date.now()
      const args = [[email, { ...email, subject: 'Second', scheduled_at: 'in 2 hours' }]]
      valueOf(require, 'emails.batch', await handle.call('emails.batch', args))
      const sent = server.requests[0]?.json
      const [, second] = Array.isArray(sent) ? (sent as unknown[]) : []
      checkPhrase(check, second, { phrase: 'in 2 hours', minutes: 120, at })
    },
  }),

  clientCase({
    id: 'client/emails/takes-a-phrase-when-rescheduling',
    requirements: ['CLI-044'],
    level: 'must',
    title: '`in 2 hours` of emails.update is sent as the ISO 8601 time, or unchanged',
    async run({ client, server, check, require }) {
      const handle = await client()
      const at = Date.now()
      const args = ['em_42', { scheduled_at: 'in 2 hours' }]
      valueOf(require, 'emails.update', await handle.call('emails.update', args))
      checkPhrase(check, server.requests[0]?.json, { phrase: 'in 2 hours', minutes: 120, at })
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
      checkInstant(check, 'scheduled_at', server.requests[0]?.json)
    },
  }),

  ...(
    [
      ['camel-case', 'CLI-045', 'scheduledAt', { scheduledAt: lateInTheYear }, checkInstant],
      ['a-date', 'CLI-043', 'a date object', { scheduled_at: { $date: lateInTheYear } }, checkDate],
    ] as const
  ).flatMap(([form, requirement, what, scheduled, checkSent]) => [
    clientCase({
      id: `client/emails/takes-${form}-in-a-batch`,
      requirements: [requirement],
      level: 'must',
      title: `${what} in a batch is sent as scheduled_at, an ISO 8601 string`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { data: [{ id: 'em_1' }, { id: 'em_2' }] }))
        const handle = await client()
        const args = [[email, { ...email, subject: 'Second', ...scheduled }]]
        valueOf(require, 'emails.batch', await handle.call('emails.batch', args))
        const sent = server.requests[0]?.json
        const [first, second] = Array.isArray(sent) ? (sent as unknown[]) : []
        checkSent(check, 'scheduled_at of the second email', second, lateInTheYear)
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
        checkSent(check, 'scheduled_at', server.requests[0]?.json, lateInTheYear)
      },
    }),
  ]),

  ...(
    [
      ['emails.send', (scheduled: object) => [{ ...email, ...scheduled }]],
      ['emails.batch', (scheduled: object) => [[{ ...email, ...scheduled }, email]]],
      ['emails.update', (scheduled: object) => ['em_42', scheduled]],
    ] as const
  ).map(([method, argsOf]) =>
    clientCase({
      id: `client/emails/${slugOf({ name: method })}-takes-any-form-in-camel-case`,
      requirements: ['CLI-045'],
      level: 'must',
      title: `scheduledAt of ${method} may be a date object or a relative phrase too`,
      async run({ client, server, check, require }) {
        server.replies(json(200, { id: 'em_42', object: 'email', data: [{ id: 'em_1' }, { id: 'em_2' }] }))
        const handle = await client()
        const sentOf = async (scheduledAt: unknown) => {
          const before = server.requests.length
          valueOf(require, `${method} with scheduledAt`, await handle.call(method, argsOf({ scheduledAt })))
          const sent = server.requests[before]?.json
          return Array.isArray(sent) ? (sent as unknown[])[0] : sent
        }
        checkDate(check, `scheduled_at of ${method}, given as a date object`, await sentOf({ $date: when }))
        const at = Date.now()
        checkPhrase(check, await sentOf('in 2 hours'), { phrase: 'in 2 hours', minutes: 120, at })
      },
    }),
  ),
]

/** A mismatch unless `scheduled_at` of an email is the phrase, or the time this many minutes after `at`. */
function checkPhrase(
  check: Checks,
  sentEmail: unknown,
  { phrase, minutes, at }: { readonly phrase: string; readonly minutes: number; readonly at: number },
): void {
  const sent = memberOf(sentEmail, 'scheduled_at')
  if (sent === phrase) return
  checkZone(check, `scheduled_at of "${phrase}"`, sent)
  const aheadMinutes = ((instantOf(sentEmail) ?? 0) - at) / 60_000
  check.between(`minutes until scheduled_at of "${phrase}"`, Math.round(aheadMinutes), minutes - 2, minutes + 2)
}

/** Mismatches unless `scheduled_at` of an email is ISO 8601, and the instant. */
function checkInstant(check: Checks, what: string, sentEmail: unknown, instant: string = when): void {
  check.matches(what, memberOf(sentEmail, 'scheduled_at'), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/)
  check.equal(`${what} as an instant`, instantOf(sentEmail), Date.parse(instant))
}

/** {@link checkInstant}, for a date object: the string must name its zone. */
function checkDate(check: Checks, what: string, sentEmail: unknown, instant: string = when): void {
  checkInstant(check, what, sentEmail, instant)
  checkZone(check, what, memberOf(sentEmail, 'scheduled_at'))
}

/** A mismatch where a time that the library wrote, of an instant, names no zone. */
function checkZone(check: Checks, what: string, sent: unknown): void {
  if (typeof sent === 'string') check.matches(`${what}, with its zone`, sent, /T.*(?:z|[+-]\d\d(?::?\d\d)?)$/i)
}

/** The instant of `scheduled_at` of one email, UTC where it names no zone; undefined when there is none. */
function instantOf(sentEmail: unknown): number | undefined {
  const sent = memberOf(sentEmail, 'scheduled_at')
  if (typeof sent !== 'string') return undefined
  const written = sent.replace(',', '.').replace(/(T.*[+-]\d\d)$/, '$1:00')
  return Date.parse(/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(written) || !written.includes(':') ? written : `${written}Z`)
}
