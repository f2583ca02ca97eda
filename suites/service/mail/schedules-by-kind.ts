// SND-001  "`POST /v1/emails` takes an email object and answers `{ id }`."
// SND-002  "`from` may be written as a display name followed by an address in angle brackets."
// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
// SND-012  the domain of `from` is one of the project.
// SND-013  "An email with a `scheduled_at` in the future is kept until then: it is not sent before."
// SND-014  "A cancelled email is not sent."
// SND-016  "A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again."
// SND-018  "An email has a `scheduled_at`: the time it was last scheduled for."
//
// Scheduled mail of many emails at one time, of several orgs, of every form, and what a refusal leaves. Reading: as in schedules.ts.

import { serviceCase } from '../../../harness/authoring.js'
import {
  checkTime,
  checkWhenDue,
  inHours,
  needsTimeLeft,
  scheduleTimeoutMs,
  skipUnlessAccepted,
} from '../shared/scheduled-mail.js'
import {
  bareAddress,
  email,
  idOf,
  isEmailAccepted,
  isBatchAccepted,
  queuedSubjects,
  timesIn,
} from '../shared/sent-mail.js'

/** Emails that are due at one time: more than a service that takes a few at a time takes at once. */
const manyAtOnce = 12
/** Items of one batch that are due at the same time: more than a worker that handles fifty sends. */
const manyOfABatch = 60

export const schedulesByKind = [
  serviceCase({
    id: 'service/schedules/sends-at-its-time-what-a-refused-change-left',
    requirements: ['SND-016', 'SND-014'],
    level: 'must',
    title: 'an email whose reschedule was refused is sent at its old time, once',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) =>
      checkWhenDue(context, async (sandbox, scheduledAt) => {
        const { check, require, recipient, unique } = context
        const { project } = sandbox
        const [kept, changed, cancelled] = [`kept ${unique()}`, `changed ${unique()}`, `cancelled ${unique()}`]
        const mail = (subject: string) => ({ ...email(project, recipient, subject), scheduled_at: scheduledAt })
        const first = await project.api.sendEmail(mail(changed))
        skipUnlessAccepted(context, first, 'an email')
        const answer = await project.api.updateEmail(idOf(require, first), { scheduled_at: 'not a time' })
        require.of('SND-017').refused(answer)
        const late = idOf(require, await project.api.sendEmail(mail(cancelled)))
        const isCancelled = isEmailAccepted(await project.api.cancelEmail(late))
        needsTimeLeft(sandbox, scheduledAt)
        // What a reschedule of a cancelled email makes of it where it is taken is not shown.
        const isRevived = isEmailAccepted(await project.api.updateEmail(late, { scheduled_at: scheduledAt }))
        idOf(require, await project.api.sendEmail(mail(kept)))
        return {
          kept,
          others: [changed],
          checkSent: (queued) => {
            check.equal('how often the email was sent', timesIn(queued, changed), 1)
            if (isCancelled && !isRevived)
              check.of('SND-014').equal('how often the cancelled email was sent', timesIn(queued, cancelled), 0)
          },
        }
      }),
  }),

  // The interface shows no meaning of a change to null: the case applies only if it is refused. It ignores the answers.
  serviceCase({
    id: 'service/schedules/keeps-what-a-change-names-no-time-for',
    requirements: ['SND-013', 'SND-018'],
    level: 'must',
    title: 'a change without scheduled_at, or a refused null, leaves the scheduled time',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const at = inHours(sandbox, 20)
      for (const json of [{}, { scheduled_at: null }]) {
        const [subject, witness] = [unique(), unique()]
        const mail = { ...email(project, recipient, subject), scheduled_at: at }
        const id = idOf(require, await project.api.sendEmail(mail))
        const answer = await project.api.request('PATCH', `/v1/emails/${encodeURIComponent(id)}`, { json })
        if ('scheduled_at' in json && isEmailAccepted(answer)) continue
        await checkTime(check, sandbox, { id, at })
        idOf(require, await project.api.sendEmail(email(project, recipient, witness)))
        const queued = await queuedSubjects(sandbox, project, { expected: [witness], after })
        require
          .of('EVT-004')
          .ok('subjects of message.queued events', queued.includes(witness), `with ${witness}`, queued)
        const what = `an email after a change of ${JSON.stringify(json)}`
        check.of('SND-013').ok(what, !queued.includes(subject), 'not sent yet', 'sent')
        await project.api.cancelEmail(id)
      }
    },
  }),

  serviceCase({
    id: 'service/schedules/sends-what-is-due-already',
    requirements: ['SND-016'],
    dependsOn: ['SND-010', 'SND-013', 'SND-018'],
    level: 'should',
    title: 'an email scheduled for a past time is refused or sent, once',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) =>
      checkWhenDue(context, async (sandbox, scheduledAt) => {
        const { check, recipient, require, unique } = context
        const { api } = sandbox.project
        const [kept, past, moved] = [`kept ${unique()}`, `past ${unique()}`, `moved ${unique()}`]
        const mail = (subject: string, at: string) => ({
          ...email(sandbox.project, recipient, subject),
          scheduled_at: at,
        })
        const anHourAgo = inHours(sandbox, -1)
        const others = isEmailAccepted(await api.sendEmail(mail(past, anHourAgo))) ? [past] : []
        const later = idOf(require, await api.sendEmail(mail(moved, inHours(sandbox, 20))))
        if (isEmailAccepted(await api.updateEmail(later, { scheduled_at: anHourAgo }))) others.push(moved)
        const witness = await api.sendEmail(mail(kept, scheduledAt))
        skipUnlessAccepted(context, witness, 'an email')
        idOf(require, witness)
        return {
          kept,
          others,
          checkSent: (queued) => {
            const times = others.map((subject) => timesIn(queued, subject))
            check.equal('how often each accepted email was sent', times, Array(others.length).fill(1))
          },
        }
      }),
  }),

  serviceCase({
    id: 'service/emails/sends-nothing-of-a-sender-it-refused',
    requirements: ['SND-012'],
    level: 'must',
    title: 'an email refused for its from domain is never sent',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) =>
      checkWhenDue(context, async ({ project }, scheduledAt) => {
        const { check, require, recipient, unique } = context
        const [kept, refused] = [`kept ${unique()}`, unique()]
        const mail = { ...email(project, recipient, refused), from: 'mallory@not-verified.example' }
        for (const message of [mail, { ...mail, scheduled_at: scheduledAt }])
          require.refused(await project.api.sendEmail(message))
        const single = await project.api.sendEmail({ ...email(project, recipient, kept), scheduled_at: scheduledAt })
        skipUnlessAccepted(context, single, 'an email')
        idOf(require, single)
        return { kept, checkSent: (queued) => check.equal('how often it was sent', timesIn(queued, refused), 0) }
      }),
  }),

  serviceCase({
    id: 'service/schedules/sends-all-that-is-due-at-once',
    requirements: ['SND-016'],
    level: 'must',
    title: `${manyAtOnce} emails and a batch of ${manyOfABatch} scheduled for one time are each sent once`,
    needs: ['send', 'time:15000'],
    timeoutMs: 2 * scheduleTimeoutMs,
    run: (context) =>
      checkWhenDue(context, async ({ project }, scheduledAt) => {
        const { check, require, recipient, unique } = context
        const subjects = Array.from({ length: manyAtOnce }, unique)
        for (const subject of subjects) {
          const sent = await project.api.sendEmail({ ...email(project, recipient, subject), scheduled_at: scheduledAt })
          skipUnlessAccepted(context, sent, 'an email')
          idOf(require, sent)
        }
        // A scheduled email in a batch may be refused, and so may this many at once.
        const ofBatch = Array.from({ length: manyOfABatch }, unique)
        const at = (subject: string) => ({ ...email(project, recipient, subject), scheduled_at: scheduledAt })
        if (isBatchAccepted(await project.api.sendBatch(ofBatch.map(at)))) subjects.push(...ofBatch)
        return {
          kept: subjects[0] ?? '',
          others: subjects.slice(1),
          checkSent: (queued) => {
            const times = subjects.map((subject) => timesIn(queued, subject))
            check.equal('how often each of the emails was sent', times, Array(subjects.length).fill(1))
          },
        }
      }),
  }),

  serviceCase({
    id: 'service/schedules/takes-emails-of-every-form',
    requirements: ['SND-001', 'SND-002', 'SND-016'],
    level: 'must',
    title: 'a scheduled email accepts html instead of text, and from with or without a name',
    needs: ['send', 'time:15000'],
    timeoutMs: 2 * scheduleTimeoutMs,
    run: (context) =>
      checkWhenDue(context, async ({ project }, scheduledAt) => {
        const { check, require, recipient, unique } = context
        const subjects = Array.from({ length: 4 }, unique)
        const [plain = '', ...others] = subjects
        const mail = (subject = ''): Record<string, unknown> => ({
          ...email(project, recipient, subject),
          scheduled_at: scheduledAt,
        })
        const { text: _, ...withoutText } = mail(others[0])
        const address = bareAddress(project.from)
        const forms = [
          ['SND-001', { ...withoutText, html: '<p>Hello</p>' }],
          ['SND-001', { ...mail(others[1]), from: address }],
          ['SND-002', { ...mail(others[2]), from: `Conformance <${address}>` }],
        ] as const
        const sent = await project.api.sendEmail(mail(plain))
        skipUnlessAccepted(context, sent, 'an email')
        idOf(require, sent)
        for (const [id, form] of forms) check.of(id).status(await project.api.sendEmail(form), '2xx')
        return {
          kept: plain,
          others,
          checkSent: (queued) =>
            check.of('SND-016').equal(
              'how often each of the emails was sent',
              subjects.map((subject) => timesIn(queued, subject)),
              [1, 1, 1, 1],
            ),
        }
      }),
  }),

  // ISO 8601 has fractions of any length; libraries write three, six or as many as are not zero.
  serviceCase({
    id: 'service/schedules/reads-fractions-of-a-second-of-any-length',
    requirements: ['SND-013', 'SND-010'],
    level: 'should',
    title: 'scheduled_at accepts tenths, thousandths and millionths of a second',
    needs: ['send'],
    async run({ openSandbox, check, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      for (const fraction of ['.5Z', '.25Z', '.123456Z', '.123456+00:00']) {
        const at = inHours(sandbox, 6).replace(/\.\d+Z$/, fraction)
        const answer = await project.api.sendEmail({ ...email(project, recipient, unique()), scheduled_at: at })
        if (!check.of('SND-013').status(answer, '2xx')) continue
        const id = answer.field('id')
        if (typeof id === 'string')
          check.of('SND-010').status(await project.api.updateEmail(id, { scheduled_at: at }), '2xx')
      }
    },
  }),
]
