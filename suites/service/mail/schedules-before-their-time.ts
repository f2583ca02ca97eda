// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
// SND-014  "A cancelled email is not sent."
// SND-013  "An email with a `scheduled_at` in the future is kept until then: it is not sent before."

import { AnswerLost, instantOf, memberOf, serviceCase } from '../../../harness/authoring.js'
import { eventsAfter } from '../shared/event-log.js'
import { hour, inHours } from '../shared/scheduled-mail.js'
import { email, idOf, isEmailAccepted, queuedSubjects } from '../shared/sent-mail.js'

/** The check that an email was not sent runs this long before its time, in milliseconds. */
const earlyMs = 20_000
/** If an answer takes longer than `answerMs`, the check runs `earlyMs` before the time instead. */
const slow = { answerMs: 1_000, earlyMs: 45_000 } as const
/** How far a time that is not a whole minute is after its minute begins, in milliseconds. */
const afterMinuteMs = 50_000

/** How long before its time an email is cancelled, in milliseconds: the later values are for slow answers. */
const momentsBefore = [900, 2_500, 6_000] as const
const minute = 60_000

export const schedulesBeforeTheirTime = [
  // A scheduler that runs once a minute is late, never early (open point mail-delay): the times are whole minutes, and the check is some
  // seconds before them, more than two clocks differ. Two more are within a minute: a time truncated to its minute has passed by the check.
  serviceCase({
    id: 'service/schedules/sends-nothing-in-the-minute-before-its-time',
    requirements: ['SND-013', 'SND-010'],
    level: 'must',
    title: 'a scheduled or rescheduled email is not sent some seconds before its time',
    needs: ['send', 'workspace', 'clock'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [plain, moved, item, now] = [unique(), unique(), unique(), unique()]
      const [within, movedWithin, then] = [unique(), unique(), unique()]
      const at = inHours(sandbox, 3)
      const later = new Date(instantOf(at) + afterMinuteMs).toISOString()
      const scheduled = (mark: string, time: string) => ({ ...email(project, recipient, mark), scheduled_at: time })
      const requested = performance.now()
      idOf(require, await project.api.sendEmail(scheduled(plain, at)))
      const aheadMs = performance.now() - requested > slow.answerMs ? slow.earlyMs : earlyMs
      const id = idOf(require, await project.api.sendEmail(scheduled(moved, inHours(sandbox, 9))))
      require.of('SND-010').status(await project.api.updateEmail(id, { scheduled_at: at }), '2xx')
      require.of('SND-004').status(await project.api.sendBatch([scheduled(item, at)]), '2xx')
      idOf(require, await project.api.sendEmail(scheduled(within, later)))
      const another = idOf(require, await project.api.sendEmail(scheduled(movedWithin, inHours(sandbox, 9))))
      require.of('SND-010').status(await project.api.updateEmail(another, { scheduled_at: later }), '2xx')
      for (const [time, beacon, mails] of [
        [
          at,
          now,
          [
            ['SND-013', 'a scheduled email', plain],
            ['SND-010', 'a rescheduled email', moved],
            ['SND-013', 'an item of a batch', item],
          ],
        ],
        [
          later,
          then,
          [
            ['SND-013', 'an email scheduled for a time within a minute', within],
            ['SND-010', 'an email rescheduled to a time within a minute', movedWithin],
          ],
        ],
      ] as const) {
        await sandbox.advance(instantOf(time) - sandbox.now() - aheadMs)
        idOf(require, await project.api.sendEmail(email(project, recipient, beacon)))
        const subjects = await queuedSubjects(sandbox, project, { expected: [beacon], after: undefined })
        require
          .of('EVT-004')
          .ok('subjects of message.queued events', subjects.includes(beacon), `with ${beacon}`, subjects)
        if (sandbox.clockAt(Date.now()).latest > instantOf(time) - aheadMs / 4)
          throw new AnswerLost('the time of the email passed before the check that it was unsent')
        for (const [requirement, name, mark] of mails)
          check.of(requirement).ok(`${name}, before its time`, !subjects.includes(mark), 'not sent yet', 'sent')
      }
    },
  }),

  serviceCase({
    id: 'service/schedules/does-not-send-what-is-cancelled-a-moment-before-its-time',
    requirements: ['SND-014'],
    level: 'must',
    title: 'an email cancelled a moment before its time is not sent',
    needs: ['send', 'workspace', 'clock'],
    async run({ openSandbox, check, require, skip, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      for (const leadMs of momentsBefore) {
        const after = await project.listEnd()
        const subject = unique()
        const at = Math.ceil((sandbox.now() + minute) / minute) * minute
        const mail = { ...email(project, recipient, subject), scheduled_at: new Date(at).toISOString() }
        const id = idOf(require, await project.api.sendEmail(mail))
        await sandbox.settle() // From here on the time of the clock is known.
        await sandbox.advance(Math.max(0, at - leadMs - sandbox.clockAt(Date.now()).latest))
        // An email that is sent a little early cannot be cancelled any more, which a 2xx may hide.
        const before = (await eventsAfter(project.api, after)).map((event) =>
          memberOf(memberOf(event, 'data'), 'subject'),
        )
        const answer = await project.api.cancelEmail(id)
        const isInTime = sandbox.clockAt(Date.now()).latest < at && !before.includes(subject)
        await sandbox.advance(hour)
        if (!isInTime || !isEmailAccepted(answer)) continue
        const now = unique()
        idOf(require, await project.api.sendEmail(email(project, recipient, now)))
        const subjects = await queuedSubjects(sandbox, project, { expected: [now], after })
        check.ok('subjects of message.queued events', !subjects.includes(subject), `without ${subject}`, subjects)
        return
      }
      skip('this target accepted no cancel a moment before the time of an email')
    },
  }),
]
