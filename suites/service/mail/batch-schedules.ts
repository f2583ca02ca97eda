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

import { serviceCase } from '../../../harness/authoring.js'
import { requestBatch, permissiveRequests } from '../shared/batch-validation.js'
import { checkTime, hour, inHours, scheduledEmail } from '../shared/scheduled-mail.js'
import { email, idsIn, isEmailAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'

export const batchSchedules = [
  // With any kind of validation: the mail that is sent at once counts, not the form of the answer.
  serviceCase({
    id: 'service/schedules/keeps-the-scheduled-items-next-to-a-bad-one',
    requirements: ['SND-013'],
    level: 'must',
    title: 'scheduled items of a batch with an invalid item wait for their time',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const bad = { ...email(project, recipient, unique()), from: `mallory@${unique()}.not-verified.example` }
      for (const { request } of permissiveRequests) {
        const [atOnce, ...later] = [unique(), unique(), unique()]
        const [first, second] = later.map((subject) => scheduledEmail(sandbox, recipient, subject, 2))
        const items = [first, bad, second, email(project, recipient, atOnce ?? '')]
        const answer = await requestBatch(project.api, request(items))
        if (!isEmailAccepted(answer) || idsIn(answer).length !== items.length - 1) continue
        const queued = await queuedSubjects(sandbox, project, { expected: [atOnce ?? ''], after })
        require.of('SND-004').equal('how often the item without a time was sent', timesIn(queued, atOnce), 1)
        const early = later.filter((subject) => queued.includes(subject))
        check.equal('scheduled items that were sent before their time', early, [])
        return
      }
      skip('needs a service that accepts scheduled items of a permissive batch')
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
