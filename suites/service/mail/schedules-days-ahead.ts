// SND-014  "A cancelled email is not sent."
// SND-016  "A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again."
// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
//
// Mail of next week may wait elsewhere than that of today: a cancel and a change reach it there too.

import { serviceCase } from '../../../harness/authoring.js'
import { farHours, hour, inHours, scheduledEmail, scheduleTimeoutMs, sendOnce } from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted, queuedSubjects } from '../shared/sent-mail.js'

export const schedulesDaysAhead = [
  serviceCase({
    id: 'service/schedules/sends-no-cancelled-email-of-days-ahead',
    requirements: ['SND-014'],
    level: 'must',
    title: 'an email scheduled days ahead and cancelled is not sent',
    needs: ['send', 'workspace', 'clock'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const days = farHours.slice(0, 2)
      const cancelled: string[] = []
      const putAndCancel = async (first: number, moved?: number) => {
        const subject = unique()
        const mail = scheduledEmail(sandbox, recipient, subject, first)
        const answer = await project.api.sendEmail(mail)
        if (!isEmailAccepted(answer)) return
        const id = idOf(require, answer)
        const move = { scheduled_at: inHours(sandbox, moved ?? first) }
        if (moved !== undefined && !isEmailAccepted(await project.api.updateEmail(id, move))) return
        require.of('SND-011').status(await project.api.cancelEmail(id), '2xx')
        cancelled.push(subject)
      }
      // How far ahead an email may be scheduled is not shown.
      for (const hours of days) await putAndCancel(hours)
      for (const hours of days) await putAndCancel(5, hours)
      if (cancelled.length === 0) return skip('needs a service that accepts a scheduled_at some days ahead')
      for (const hours of days) await sandbox.advance(hours * hour)
      const now = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, now)))
      const queued = await queuedSubjects(sandbox, project, { expected: [now], after: undefined })
      require.of('EVT-004').ok('subjects of message.queued events', queued.includes(now), `with ${now}`, queued)
      const sent = cancelled.filter((subject) => queued.includes(subject))
      check.equal('cancelled emails that were sent weeks later', sent, [])
    },
  }),

  serviceCase({
    id: 'service/schedules/sends-soon-what-was-scheduled-for-days-ahead',
    requirements: ['SND-016', 'SND-010'],
    dependsOn: ['SND-013', 'SND-018'],
    level: 'must',
    title: 'an email scheduled days ahead and rescheduled to soon is sent then, once',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) => {
      const [days = 0, weeks = 0] = farHours
      return sendOnce(context, {
        hours: [
          { name: 'rescheduled from days ahead', first: days, moved: 2 },
          { name: 'rescheduled from weeks ahead', first: weeks, moved: 3 },
          { name: 'not rescheduled', first: 6 },
        ],
        stepHours: [4, 4],
        seconds: [
          { name: 'rescheduled from days ahead', first: days * 3600, moved: 6 },
          { name: 'rescheduled from weeks ahead', first: weeks * 3600, moved: 7 },
          { name: 'not rescheduled', first: 10 },
        ],
      })
    },
  }),
]
