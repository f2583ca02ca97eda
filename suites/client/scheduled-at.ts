// CLI-041  "Rescheduling is `PATCH /v1/emails/{id}` with `{ scheduled_at }`."
// CLI-043  "`scheduled_at` may be given as a date object, and is sent as an ISO 8601 string."
// CLI-044  "`scheduled_at` may be given as a relative phrase such as `in 2 hours`."
// CLI-045  "`scheduledAt` is accepted as an alias of `scheduled_at`."
//
// Reading: shared/times.ts compares the time that arrives with the given one, for each of the three methods that take one.

import { success } from './shared/answers.js'
import { email } from './shared/expectations.js'
import { methodNamed } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

const when = '2030-01-02T03:04:05.000Z'
/** In the afternoon, and in a week of the next year: hours of a clock of twelve and years of weeks are others. */
const lateInTheYear = '2029-12-31T22:08:09.000Z'
/** Parts of a second that begin with zeros, or end with one. */
const fractions = ['2030-01-02T03:04:05.007Z', '2030-01-02T03:04:05.070Z', '2030-01-02T03:04:05.120Z']
/** {@link when}, as other zones write it. */
const sameInstants = [
  '2030-01-02T03:04:05Z',
  '2030-01-02T05:04:05+02:00',
  '2030-01-01T21:34:05-05:30',
  '2030-01-02T03:04:05+00:00',
  '2030-01-02T17:04:05.000+14:00',
]
const phrase = 'in 2 hours'
/** Phrases like the one of the interface; whether a library knows them is not stated, and what it makes of one that it takes is. */
const otherPhrases = ['in 30 minutes', 'in 1 hour', 'in 14 hours', 'in 3 days']
const date = (instant: string) => ({ $date: instant })

/** An email with a time: in the member of the interface, or in its alias. */
type Scheduled = { readonly scheduled_at: unknown } | { readonly scheduledAt: unknown }

/** The three methods that take a time. */
const sent = (scheduled: Scheduled) => ({
  method: methodNamed('emails.send', [{ ...email, ...scheduled }]),
  answers: [success] as const,
})
const sentFirst = (scheduled: Scheduled) => ({
  method: methodNamed('emails.batch', [[{ ...email, ...scheduled }, email]]),
  answers: [success] as const,
})
const sentSecond = (scheduled: Scheduled) => ({
  method: methodNamed('emails.batch', [[email, { ...email, subject: 'Second', ...scheduled }]]),
  answers: [success] as const,
})
const rescheduled = (scheduled: Scheduled) => ({
  method: methodNamed('emails.update', ['em_42', scheduled]),
  answers: [success] as const,
})

const byMethod = [
  ['emails-send', 'emails.send', sent],
  ['emails-batch', 'emails.batch', sentFirst],
  ['emails-update', 'emails.update', rescheduled],
] as const

export const scheduledAt = [
  scenario({
    id: 'client/emails/emails-update-sends-the-new-time',
    requirements: ['CLI-041'],
    title: 'rescheduling sends scheduled_at',
    calls: [rescheduled({ scheduled_at: when })],
  }),

  scenario({
    id: 'client/emails/takes-scheduled-at-as-a-date',
    requirements: ['CLI-043'],
    title: 'a date object is sent as an ISO 8601 string of the same instant',
    calls: [when, lateInTheYear, ...fractions].map((instant) => sent({ scheduled_at: date(instant) })),
  }),

  scenario({
    id: 'client/emails/takes-scheduled-at-as-a-date-of-another-zone',
    requirements: ['CLI-043'],
    level: 'should',
    title: 'a date object five hours ahead of UTC is sent as the same instant',
    calls: [sent({ scheduled_at: date('2030-01-02T08:04:05.000+05:00') })],
  }),

  scenario({
    id: 'client/emails/takes-scheduled-at-as-a-string',
    requirements: ['CLI-043'],
    title: 'an ISO 8601 string is sent as the same instant',
    calls: [sent({ scheduled_at: when })],
  }),

  ...byMethod.map(([slug, name, call]) =>
    scenario({
      id: `client/emails/${slug}-keeps-the-zone-of-a-string`,
      requirements: ['CLI-043'],
      title: `scheduled_at of ${name} with an offset is sent as the same instant`,
      calls: sameInstants.map((at) => call({ scheduled_at: at })),
    }),
  ),

  scenario({
    id: 'client/emails/takes-scheduled-at-as-a-phrase',
    requirements: ['CLI-044'],
    title: '`in 2 hours` is sent as the ISO 8601 time, or unchanged',
    calls: [sent({ scheduled_at: phrase })],
  }),

  scenario({
    id: 'client/emails/takes-scheduled-at-as-a-phrase-for-what-it-says',
    requirements: ['CLI-044'],
    title: 'every accepted relative phrase is sent as its ISO 8601 time, or unchanged',
    calls: otherPhrases.map((other) => ({ ...sent({ scheduled_at: other }), mayBeRefused: true })),
  }),

  scenario({
    id: 'client/emails/takes-a-phrase-in-a-batch',
    requirements: ['CLI-044'],
    title: '`in 2 hours` in a batch is sent as the ISO 8601 time, or unchanged',
    calls: [sentSecond({ scheduled_at: phrase })],
  }),

  scenario({
    id: 'client/emails/takes-a-phrase-when-rescheduling',
    requirements: ['CLI-044'],
    title: '`in 2 hours` of emails.update is sent as the ISO 8601 time, or unchanged',
    calls: [rescheduled({ scheduled_at: phrase })],
  }),

  scenario({
    id: 'client/emails/takes-scheduled-at-in-camel-case',
    requirements: ['CLI-045'],
    title: 'scheduledAt is sent as scheduled_at',
    calls: [sent({ scheduledAt: when })],
  }),

  ...(
    [
      ['camel-case', 'CLI-045', 'scheduledAt', { scheduledAt: lateInTheYear }],
      ['a-date', 'CLI-043', 'a date object', { scheduled_at: date(lateInTheYear) }],
    ] as const
  ).flatMap(([form, requirement, title, scheduled]) => [
    scenario({
      id: `client/emails/takes-${form}-in-a-batch`,
      requirements: [requirement],
      title: `${title} in a batch is sent as scheduled_at, an ISO 8601 string`,
      calls: [sentSecond(scheduled)],
    }),

    scenario({
      id: `client/emails/takes-${form}-when-rescheduling`,
      requirements: [requirement],
      title: `${title} of emails.update is sent as scheduled_at, an ISO 8601 string`,
      calls: [rescheduled(scheduled)],
    }),
  ]),

  ...byMethod.map(([slug, name, call]) =>
    scenario({
      id: `client/emails/${slug}-takes-any-form-in-camel-case`,
      requirements: ['CLI-045'],
      title: `scheduledAt of ${name} may be a date object or a relative phrase too`,
      calls: [call({ scheduledAt: date(when) }), call({ scheduledAt: phrase })],
    }),
  ),
]
