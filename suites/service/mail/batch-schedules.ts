// SND-010  "`PATCH /v1/emails/{id}` with `{ scheduled_at }` reschedules and answers `{ object, id }`."
// SND-011  "`POST /v1/emails/{id}/cancel` cancels and answers `{ object, id }`."
// SND-013  "An email with a `scheduled_at` in the future is kept until then: it is not sent before."
// SND-016  "A scheduled email is sent once, at its time: a later reschedule or cancel does not send it again."
// SND-018  "An email has a `scheduled_at`: the time it was last scheduled for."
// POL-010  "Ids are ordered: an event raised later has a greater id, so a consumer that keeps its last `after` sees every
//           later event."
//
// Scheduled mail of a batch: each item has a time of its own.
//
// Reading: as in schedules.ts. A scheduled email in a batch may be refused: then the cases are skipped.

import { asText, memberOf, serviceCase, type Sandbox } from '../../../harness/authoring.js'
import { requestBatch, permissiveRequests } from '../shared/batch-validation.js'
import { eventsAfter, lagMs } from '../shared/event-log.js'
import { checkTime, hour, inHours, movedMs, scheduledEmail, scheduleTimeoutMs } from '../shared/scheduled-mail.js'
import { email, idOf, idsIn, isEmailAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'

/** Longest wait for mail that was due before some that was sent, in milliseconds. */
const concurrentMs = 15_000

/** How many emails with these subjects were sent, once as many were as may be, or none can be waited for any longer. */
async function sentOf(
  sandbox: Sandbox,
  { subjects, most }: { readonly subjects: readonly string[]; readonly most: number },
): Promise<number> {
  let count = 0
  await sandbox.until(async () => {
    const queued = await queuedSubjects(sandbox, sandbox.project, { expected: [], after: undefined })
    count = queued.filter((subject) => subjects.includes(subject)).length
    return count >= most
  }, concurrentMs)
  return count
}

export const batchSchedules = [
  // A batch whose first and last item have no time, and one whose first is the last that is due: none speaks for the others.
  serviceCase({
    id: 'service/schedules/keeps-the-scheduled-items-of-a-batch',
    requirements: ['SND-013', 'SND-016', 'POL-010'],
    level: 'must',
    title: 'scheduled items of a batch wait for their time; others are sent at once',
    needs: ['send'],
    timeoutMs: scheduleTimeoutMs,
    async run({ openSandbox, check, require, recipient, unique, skip, measure }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const three = () => [unique(), unique(), unique()] as [string, string, string, ...string[]]
      const two = () => [unique(), unique()] as [string, string, ...string[]]
      const [plain, second, later, witness] = [three(), two(), two(), unique()] as const
      const mail = (subject: string) => email(project, recipient, subject)
      const inTwo = { scheduled_at: inHours(sandbox, 2) }
      const inFive = { scheduled_at: inHours(sandbox, 5) }
      const batches = [
        [mail(plain[0]), { ...mail(second[0]), ...inTwo }, { ...mail(later[0]), ...inFive }, mail(plain[1])],
        [{ ...mail(later[1]), ...inFive }, mail(plain[2]), { ...mail(second[1]), ...inTwo }],
      ]
      for (const items of batches) {
        const answer = await project.api.sendBatch(items)
        if (answer.status !== undefined && answer.status >= 400 && answer.status < 500)
          return skip(`needs a service that accepts a scheduled email in a batch; it answered ${answer.status}`)
        require.of('SND-004').status(answer, '2xx')
        const errors = answer.field('errors')
        if (Array.isArray(errors) && errors.length > 0)
          return skip('needs a service that accepts every item of such a batch')
      }
      const mixed = three()
      const bad = { ...mail(unique()), from: `mallory@${unique()}.not-verified.example` }
      const items = [{ ...mail(mixed[0]), ...inTwo }, bad, { ...mail(mixed[1]), ...inTwo }, mail(mixed[2])]
      for (const { request } of permissiveRequests) {
        const answer = await requestBatch(project.api, request(items))
        if (!isEmailAccepted(answer) || idsIn(answer).length !== mixed.length) continue
        second.push(mixed[0], mixed[1])
        plain.push(mixed[2])
        break
      }
      const atOnce = await queuedSubjects(sandbox, project, { expected: plain, after })
      for (const subject of plain)
        require.of('SND-004').ok('the items without a time', atOnce.includes(subject), 'sent', 'absent')
      for (const subject of [...second, ...later])
        check.of('SND-013').equal('how often a scheduled item was sent before its time', timesIn(atOnce, subject), 0)
      if (sandbox.time === 'real') return
      idOf(require, await project.api.sendEmail({ ...mail(witness), ...inTwo }))
      // An email that is sent later is listed after all earlier ones, however early it was accepted.
      const following = asText(memberOf((await eventsAfter(project.api, after)).at(-1), 'id'))
      await sandbox.advance(3 * hour)
      const inTime = await queuedSubjects(sandbox, project, {
        expected: [witness, ...second],
        after,
        withinMs: movedMs,
      })
      const isMoved = inTime.includes(witness)
      measure('scheduled mail is moved by', isMoved ? 'the clock of the workspace' : 'real time')
      if (!isMoved) return
      const sooner = await queuedSubjects(sandbox, project, { expected: second, after, withinMs: concurrentMs })
      for (const subject of second)
        check.of('SND-016').equal('how often the item that is due was sent', timesIn(sooner, subject), 1)
      if (second.every((subject) => sooner.includes(subject))) {
        const listed = await queuedSubjects(sandbox, project, { expected: second, after: following, withinMs: lagMs })
        for (const subject of second)
          check.of('POL-010').equal('how often the events since then contain it', timesIn(listed, subject), 1)
      }
      for (const subject of later)
        check.of('SND-013').equal('how often the item that is due later was sent', timesIn(sooner, subject), 0)
      await sandbox.advance(3 * hour)
      const all = await queuedSubjects(sandbox, project, { expected: later, after, withinMs: concurrentMs })
      const times = [...plain, ...second, ...later].map((subject) => timesIn(all, subject))
      check.of('SND-016').equal(
        'how often each of the items was sent',
        times,
        times.map(() => 1),
      )
    },
  }),

  // Whose id is whose is not shown: of two items either may be the one that was changed.
  serviceCase({
    id: 'service/schedules/changes-one-item-of-a-batch',
    requirements: ['SND-010', 'SND-011', 'SND-016'],
    dependsOn: ['SND-013', 'SND-018'],
    level: 'must',
    title: 'a cancelled or rescheduled item of a batch does not change the other one',
    needs: ['send', 'workspace', 'clock'],
    timeoutMs: scheduleTimeoutMs,
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      const mail = (subject: string, hours: number) => scheduledEmail(sandbox, recipient, subject, hours)
      const batch = async (name: string) => {
        const subjects = [unique(), unique()].map((text) => `${name} ${text}`)
        const answer = await api.sendBatch(subjects.map((subject) => mail(subject, 2)))
        const ids = idsIn(answer)
        if (!isEmailAccepted(answer) || ids.length < subjects.length)
          return skip('needs a service that accepts scheduled emails in a batch, and returns their ids')
        return { name, subjects, ids }
      }
      const [cancelled, moved] = [await batch('cancelled'), await batch('moved')]
      require.of('SND-011').status(await api.cancelEmail(cancelled.ids[0] ?? ''), '2xx')
      const movedTo = { scheduled_at: inHours(sandbox, 5) }
      require.of('SND-010').status(await api.updateEmail(moved.ids[1] ?? '', movedTo), '2xx')
      const [witness, last] = [unique(), unique()]
      idOf(require, await api.sendEmail(mail(witness, 2.5)))
      idOf(require, await api.sendEmail(mail(last, 5.5)))
      for (const [expected, cells] of [
        [
          witness,
          [
            { ...cancelled, most: 1 },
            { ...moved, most: 1 },
          ],
        ],
        [last, [{ ...moved, most: 2 }]],
      ] as const) {
        await sandbox.advance(3 * hour)
        const queued = await queuedSubjects(sandbox, project, {
          expected: [expected],
          after: undefined,
          withinMs: movedMs,
        })
        if (!queued.includes(expected))
          return skip('needs a service that sends scheduled mail by the clock of the workspace')
        for (const { name, subjects, most } of cells)
          check
            .of('SND-016')
            .equal(`items sent of two of which one was ${name}`, await sentOf(sandbox, { subjects, most }), most)
      }
    },
  }),

  serviceCase({
    id: 'service/schedules/reads-times-of-a-batch',
    requirements: ['SND-010', 'SND-018'],
    dependsOn: ['SND-013', 'SND-004'],
    level: 'must',
    title: 'the scheduled_at of a batch item is the requested instant, and follows a reschedule',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      // One instant in two zones: the interface shows no order of the entries in the answer.
      const due = inHours(sandbox, 5)
      const inZone = (hours: number, zone: string) =>
        new Date(Date.parse(due) + hours * hour).toISOString().replace('Z', zone)
      const forms = [inZone(14, '+14:00'), inZone(-12, '-12:00')]
      const items = forms.map((at) => ({ ...email(project, recipient, unique()), scheduled_at: at }))
      const answer = await project.api.sendBatch(items)
      if (answer.status !== undefined && answer.status >= 400 && answer.status < 500)
        return skip(`needs a service that accepts a scheduled email in a batch; it answered ${answer.status}`)
      require.of('SND-004').status(answer, '2xx')
      const ids = idsIn(answer)
      if (ids.length < forms.length) return skip('needs a service that returns the ids of the emails of a batch')
      for (const id of ids) {
        await checkTime(check, sandbox, { id, at: due })
        const moved = inHours(sandbox, 8)
        check.of('SND-010').status(await project.api.updateEmail(id, { scheduled_at: moved }), '2xx')
        await checkTime(check, sandbox, { id, at: moved })
        await project.api.cancelEmail(id)
      }
    },
  }),
]
