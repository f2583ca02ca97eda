// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
// SND-011  "`POST /v1/emails/{id}/cancel` cancels and answers `{ object, id }`."
// SND-013  "An email with a `scheduled_at` in the future is kept until then: it is not sent before."
// SND-014  "A cancelled email is not sent."
// SND-016  "A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again."
// SND-017  "`scheduled_at` is an ISO 8601 string: a string that is not a time is refused."
// SND-018  "An email has a `scheduled_at`: the time it was last scheduled for."
// ERR-003  "A malformed request (broken JSON, wrong types, oversize or odd values) gets a 4xx, never a 5xx."
//
// Reading: the interface shows neither the status of a success nor the value of `object`, so any 2xx and any value pass. It is open whether
// a clock that the control interface moves also moves mail (open point clock-and-mail): if it does not, a case that needs sent mail
// schedules it some seconds ahead and waits, a minute more included, since some schedulers run that often. Times are whole minutes if
// possible, and within a day: finer or more distant ones may be rounded or refused. The interface does not show the answer to a cancel or a
// reschedule of a sent email; the case only checks that nothing is sent again.

import { itemsOf, memberOf, serviceCase, type Checks, type Exchange } from '../../../harness/authoring.js'
import {
  checkCancelled,
  checkTime,
  farHours,
  inHours,
  inSeconds,
  isSameTime,
  lateMs,
  schedule,
  scheduledEmail,
  scheduleTimeoutMs,
  sendOnce,
  shownTime,
  zones,
} from '../shared/scheduled-mail.js'
import { requestUntilAnswered, expectNoServerError } from '../shared/error-fields.js'
import { email, idOf, isEmailAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'

/** Checks an answer to a reschedule or a cancel. */
function checkReference(check: Checks, answer: Exchange, id: string): void {
  check.status(answer, '2xx')
  check.equal(`id in the answer to ${answer.label}`, answer.field('id'), id)
  const object = answer.field('object')
  check.ok(`object in the answer to ${answer.label}`, object !== undefined && object !== null, 'a value', object)
}

export const schedules = [
  serviceCase({
    id: 'service/schedules/reads-times-as-they-are-written',
    formerly: ['service/emails/reads-times-as-they-are-written'],
    requirements: ['SND-013', 'SND-018', 'SND-010'],
    decides: ['SND-013', 'SND-018'],
    level: 'must',
    title: 'scheduled_at accepts no milliseconds and any offset, and means that instant',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const forms = [
        inHours(sandbox, 5),
        inHours(sandbox, 5).replace(/\.\d+Z$/, 'Z'),
        ...zones.map(([hours, zone]) => inHours(sandbox, 5 + hours).replace('Z', zone)),
      ]
      const marks: string[] = []
      for (const scheduledAt of forms) {
        const mark = unique()
        marks.push(mark)
        const answer = await project.api.sendEmail({ ...email(project, recipient, mark), scheduled_at: scheduledAt })
        if (!check.status(answer, '2xx')) continue
        const id = idOf(require, answer)
        await checkTime(check, sandbox, { id, at: scheduledAt })
        const moved = forms[marks.length % forms.length] ?? ''
        check.of('SND-010').status(await project.api.updateEmail(id, { scheduled_at: moved }), '2xx')
        await checkTime(check, sandbox, { id, at: moved })
      }
      const now = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, now)))
      const subjects = await queuedSubjects(sandbox, project, { expected: [now], after })
      require.of('EVT-004').ok('subjects of message.queued events', subjects.includes(now), `with ${now}`, subjects)
      for (const [index, mark] of marks.entries())
        check.ok(`an email scheduled for ${forms[index] ?? ''}`, !subjects.includes(mark), 'not sent yet', 'sent')
    },
  }),

  serviceCase({
    id: 'service/schedules/answers-a-reschedule-and-a-cancel',
    formerly: ['service/emails/answers-a-reschedule-and-a-cancel'],
    requirements: ['SND-010', 'SND-011'],
    decides: ['SND-010', 'SND-011'],
    level: 'must',
    title: 'rescheduling and cancelling a scheduled email answer its object and id',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const mail = email(project, recipient, unique())
      const id = idOf(require, await project.api.sendEmail({ ...mail, scheduled_at: inHours(sandbox, 20) }))
      const moved = await project.api.updateEmail(id, { scheduled_at: inHours(sandbox, 22) })
      checkReference(check.of('SND-010'), moved, id)
      checkReference(check.of('SND-011'), await project.api.cancelEmail(id), id)
    },
  }),

  serviceCase({
    id: 'service/schedules/sends-no-cancelled-email-when-its-time-comes',
    requirements: ['SND-014'],
    decides: ['SND-014'],
    level: 'must',
    title: 'of emails scheduled for one time, only the cancelled ones are not sent',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) => checkCancelled(context),
  }),

  serviceCase({
    id: 'service/schedules/sends-a-scheduled-email-once',
    requirements: ['SND-016'],
    decides: ['SND-016'],
    level: 'must',
    title: 'a scheduled email is sent at its time, once',
    needs: ['send', 'time:5000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) =>
      sendOnce(context, {
        hours: [{ name: 'scheduled', first: 2 }],
        stepHours: [3, 24],
        seconds: [{ name: 'scheduled', first: 3 }],
      }),
  }),

  serviceCase({
    id: 'service/schedules/sends-a-rescheduled-email-once',
    requirements: ['SND-016', 'SND-010'],
    dependsOn: ['SND-013', 'SND-018'],
    level: 'must',
    title: 'a rescheduled email is sent at its new time, once',
    needs: ['send', 'time:15000'],
    timeoutMs: scheduleTimeoutMs,
    run: (context) =>
      sendOnce(context, {
        hours: [
          { name: 'rescheduled later', first: 2, moved: 6 },
          { name: 'rescheduled earlier', first: 9, moved: 3 },
          { name: 'rescheduled twice', first: 2, moved: [9, 5] },
          { name: 'rescheduled to its own time', first: 7, moved: 7 },
          { name: 'not rescheduled', first: 20 },
        ],
        stepHours: [4, 4, 4, 12],
        seconds: [
          { name: 'rescheduled later', first: 6, moved: 9 },
          { name: 'rescheduled earlier', first: 9, moved: 4 },
          { name: 'rescheduled twice', first: 6, moved: [9, 5] },
          { name: 'rescheduled to its own time', first: 7, moved: 7 },
          { name: 'not rescheduled', first: 10 },
        ],
      }),
  }),

  serviceCase({
    id: 'service/schedules/tells-what-it-sends-everywhere',
    requirements: ['EVT-014', 'SND-016'],
    level: 'must',
    title: 'the message.queued of a scheduled email is delivered, streamed and listed',
    needs: ['sink', 'send', 'time:5000'],
    timeoutMs: scheduleTimeoutMs,
    async run(context) {
      const { check, require } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const webhook = await project.createWebhook({ eventTypes: ['message.queued'] })
      const stream = await project.stream().opened(require.of('STR-001'))
      const [subject = ''] = await schedule(context, { sandbox, plans: [{ name: 'scheduled', first: 3 }] })
      // If the clock does not move mail, its time passes in real time.
      if (sandbox.time === 'virtual') await sandbox.advance(4_000)
      const queued = await queuedSubjects(sandbox, project, { expected: [subject], after, withinMs: lateMs })
      require.of('SND-016').ok('message.queued of a scheduled email', queued.includes(subject), 'listed', 'absent')
      const isIt = (data: unknown) => memberOf(data, 'subject') === subject
      const sent = () => webhook.attempts().filter((attempt) => isIt(attempt.field('data')))
      const isSent = await webhook.endpoint.until(() => sent().length > 0, sandbox.budgetMs)
      check.of('EVT-014').ok('message.queued at the webhook', isSent, 'sent', 'nothing')
      const frames = () => stream.frames.filter(({ event }) => isIt(memberOf(event, 'data')))
      const isStreamed = await stream.until(() => frames().length > 0, sandbox.budgetMs)
      check.of('EVT-014').ok('message.queued on the stream', isStreamed, 'one frame', 'none')
    },
  }),

  serviceCase({
    id: 'service/schedules/sends-nothing-again',
    requirements: ['SND-016'],
    level: 'must',
    title: 'an email that was sent is not sent again when it is rescheduled or cancelled',
    needs: ['send', 'time:5000'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const sent = [unique(), unique()]
      const ids: string[] = []
      for (const subject of sent)
        ids.push(idOf(require, await project.api.sendEmail(email(project, recipient, subject))))
      const before = await queuedSubjects(sandbox, project, { expected: sent, after })
      for (const subject of sent)
        require
          .of('EVT-004')
          .ok('subjects of message.queued events', before.includes(subject), `with ${subject}`, before)
      const seconds = sandbox.time === 'virtual' ? 3600 : 2
      await project.api.updateEmail(ids[0] ?? '', { scheduled_at: inSeconds(sandbox, seconds) })
      await project.api.cancelEmail(ids[1] ?? '')
      await sandbox.advance((seconds + 2) * 1000)
      const now = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, now)))
      const queued = await queuedSubjects(sandbox, project, { expected: [now], after })
      for (const [index, what] of ['rescheduled', 'cancelled'].entries())
        check.equal(`how often an email was sent that was ${what} afterwards`, timesIn(queued, sent[index]), 1)
    },
  }),

  serviceCase({
    id: 'service/schedules/refuses-what-is-no-time',
    requirements: ['SND-017'],
    level: 'must',
    title: 'an invalid scheduled_at is refused, and leaves a scheduled email unchanged',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const mark = unique()
      const mail = scheduledEmail(sandbox, recipient, mark, 20)
      const id = idOf(require, await project.api.sendEmail(mail))
      for (const noTime of ['not a time', '2031-13-45T25:61:61Z']) {
        check.refused(await project.api.sendEmail({ ...mail, scheduled_at: noTime }))
        check.refused(await project.api.updateEmail(id, { scheduled_at: noTime }))
        const batch = await project.api.sendBatch([{ ...mail, scheduled_at: noTime }])
        // With permissive validation `errors` has the entry, and `data` then has no id.
        const ids = (itemsOf(batch) ?? []).filter((item) => typeof memberOf(item, 'id') === 'string')
        if (isEmailAccepted(batch)) check.equal('items of a batch accepted with an invalid time', ids.length, 0)
        else check.refused(batch)
      }
      const shown = await shownTime(sandbox, id, mail.scheduled_at)
      const isKept = shown === undefined || isSameTime(shown, mail.scheduled_at)
      check.ok('scheduled_at after refused reschedules', isKept, mail.scheduled_at, shown)
      const now = unique()
      idOf(require, await project.api.sendEmail(email(project, recipient, now)))
      const queued = await queuedSubjects(sandbox, project, { expected: [now], after })
      check.equal('emails sent with an invalid time', timesIn(queued, mark), 0)
    },
  }),

  serviceCase({
    id: 'service/schedules/shows-when-it-is-scheduled',
    requirements: ['SND-018'],
    level: 'should',
    title: 'a scheduled email is shown with its scheduled_at',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const requested = inHours(sandbox, 20)
      const mail = { ...email(project, recipient, unique()), scheduled_at: requested }
      const id = idOf(require, await project.api.sendEmail(mail))
      const shown = await shownTime(sandbox, id, requested)
      check.ok('scheduled_at of the email', isSameTime(shown, requested), requested, shown)
    },
  }),

  // Mail of next week may wait elsewhere than that of today: a change reaches it there too.
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

  serviceCase({
    id: 'service/schedules/late-changes-are-no-server-errors',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'changing a cancelled or sent email gets a 4xx or a success, never a 5xx',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const mail = () => email(sandbox.project, recipient, unique())
      const later = { scheduled_at: inHours(sandbox, 20) }
      const cancelled = idOf(require, await api.sendEmail({ ...mail(), ...later }))
      require.of('SND-011').status(await api.cancelEmail(cancelled), '2xx')
      const sent = idOf(require, await api.sendEmail(mail()))
      for (const [name, id] of [
        ['that was cancelled', cancelled],
        ['that was sent', sent],
      ] as const)
        for (const [change, send] of [
          ['a reschedule', () => api.updateEmail(id, later)],
          ['a cancel', () => api.cancelEmail(id)],
        ] as const)
          expectNoServerError(check, await requestUntilAnswered(send), `${change} of an email ${name}`)
    },
  }),
]
