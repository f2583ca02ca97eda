// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-005  "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
//
// Each item of a batch is an email of its own, sent at once or at its time: sender, recipient, subject and message are its own.
//
// Reading: as in mail-by-kind.ts. A scheduled email in a batch may be refused, and the clock need not move mail: then the
// case is skipped.

import {
  asText,
  memberOf,
  mentions,
  serviceCase,
  type Project,
  type ServiceContext,
} from '../../../harness/authoring.js'
import { eventsAfter, eventsOnce } from '../shared/event-log.js'
import { checkEvents, carriedWithinMs, eventsOf, isOf, notCarried, type Sent } from '../shared/carried-mail.js'
import { hour, inHours, movedMs } from '../shared/scheduled-mail.js'
import { bareAddress, dataOf, email, idOf, idsIn, isEmailAccepted, waitQuietly } from '../shared/sent-mail.js'

/** Another sender of the project: one that it may send an email from by itself; else the first, since a service may know its senders one by one. */
async function otherSender(project: Project, to: string, unique: () => string): Promise<string | undefined> {
  const from = `Another <another-sender@${bareAddress(project.from).split('@')[1] ?? ''}>`
  return isEmailAccepted(await project.api.sendEmail({ ...email(project, to, unique()), from })) ? from : project.from
}

/** Emails of two senders to three recipients, of which two are inboxes. */
async function mixedOf(
  { recipient, unique }: ServiceContext,
  project: Project,
): Promise<{ sent: readonly Sent[]; items: readonly Readonly<Record<string, unknown>>[] }> {
  const [first, second] = [project.inbox(0), project.inbox(1)]
  const other = await otherSender(project, recipient, unique)
  const sent: readonly Sent[] = [
    { subject: `${unique()} Grüße`, to: recipient, from: other },
    { subject: `${unique()} 件名`, to: first.address, from: project.from, inboxId: first.id },
    { subject: unique(), to: second.address, from: other, inboxId: second.id },
  ]
  return { sent, items: sent.map(({ to, subject, from }) => ({ ...email(project, to, subject), from })) }
}

export const batchMail = [
  serviceCase({
    id: 'service/mail-events/are-raised-for-each-item-to-one-inbox',
    requirements: ['EVT-003', 'EVT-005', 'EVT-016'],
    level: 'must',
    title: 'equal items of a batch, and equal single emails, are each received and delivered once',
    needs: ['send', 'inboxes', 'workspace'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [first, second] = [project.inbox(0), project.inbox(1)]
      const [equal, other, alone] = [unique(), unique(), unique()]
      const ofBatch = [equal, other, equal]
      const batch = await project.api.sendBatch(ofBatch.map((subject) => email(project, first.address, subject)))
      require.of('SND-004').status(batch, '2xx')
      for (let count = 0; count < 2; count++)
        idOf(require, await project.api.sendEmail(email(project, second.address, alone)))
      const expected = [...ofBatch, alone, alone].sort()
      const subjectsOf = (events: readonly unknown[]) =>
        events
          .filter((event) => memberOf(event, 'type') === 'message.received')
          .map((event) => asText(dataOf(event, 'subject')))
          .sort()
      const startedAt = performance.now()
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const hasAll = (events: readonly unknown[]) => subjectsOf(events).length >= expected.length
      await eventsOnce(sandbox, project.api, hasAll, { withinMs })
      await waitQuietly(sandbox, performance.now() - startedAt)
      const events = await eventsAfter(project.api)
      if (subjectsOf(events).length === 0) return skip(notCarried)
      check.of('EVT-003').equal('subjects of what the inboxes received', subjectsOf(events), expected)
      const messages = events.filter((event) => memberOf(event, 'type') === 'message.queued')
      const delivered = events.filter((event) => memberOf(event, 'type') === 'message.delivered')
      const idsIn = (events: readonly unknown[]) => events.map((event) => asText(dataOf(event, 'message_id'))).sort()
      check.of('EVT-005').equal('messages that were delivered, against those queued', idsIn(delivered), idsIn(messages))
    },
  }),

  serviceCase({
    id: 'service/mail-events/are-raised-for-each-item-of-a-batch',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016', 'SND-004', 'SND-007'],
    level: 'must',
    title: 'each batch item is queued, received and delivered with its own sender and subject',
    needs: ['send', 'inboxes', 'workspace'],
    async run(context) {
      const { openSandbox, check, require, unique, skip } = context
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { sent, items } = await mixedOf(context, project)
      const second = project.inbox(1)
      const answer = await project.api.sendBatch(items)
      require.of('SND-004').status(answer, '2xx')
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const events = await eventsOf(sandbox, project, { sent, after: undefined, withinMs })
      const isCarried = sent.some(({ subject }) => events.some(isOf('message.received', subject)))
      if (!isCarried) {
        // Received or not: a single email shows whether mail is carried at all.
        const witness = { subject: unique(), to: second.address, inboxId: second.id }
        idOf(require, await project.api.sendEmail(email(project, witness.to, witness.subject)))
        const more = await eventsOf(sandbox, project, { sent: [witness], after: undefined, withinMs })
        if (!more.some(isOf('message.received', witness.subject))) return skip(notCarried)
      }
      checkEvents(check, events, sent)
      // The interface shows neither the contents nor the order of the entries.
      const ids = idsIn(answer)
      const shown = await Promise.all(ids.map((id) => project.api.getEmail(id)))
      if (shown.length < sent.length || !shown.every(isEmailAccepted)) return
      const recipients = shown.map((answer) => answer.field('recipients') ?? '')
      for (const { to } of sent) {
        const count = recipients.filter((recipient) => mentions(recipient, to)).length
        check.of('SND-007').equal(`emails of the batch with the recipient ${to}`, count, 1)
      }
    },
  }),

  serviceCase({
    id: 'service/mail-events/are-raised-for-each-scheduled-item-of-a-batch',
    requirements: ['EVT-003', 'SND-016'],
    level: 'must',
    title: 'each scheduled batch item is queued, received and delivered at its time',
    needs: ['send', 'inboxes', 'workspace', 'clock'],
    async run(context) {
      const { openSandbox, check, require, unique, skip, measure } = context
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { sent, items } = await mixedOf(context, project)
      const scheduledAt = inHours(sandbox, 2)
      const answer = await project.api.sendBatch(items.map((item) => ({ ...item, scheduled_at: scheduledAt })))
      if (answer.status !== undefined && answer.status >= 400 && answer.status < 500)
        return skip(`needs a service that accepts a scheduled email in a batch; it answered ${answer.status}`)
      require.of('SND-004').status(answer, '2xx')
      await sandbox.advance(3 * hour)
      const isSent = (events: readonly unknown[]) =>
        sent.some(({ subject }) => events.some(isOf('message.queued', subject)))
      const isMoved = isSent(await eventsOnce(sandbox, project.api, isSent, { withinMs: movedMs }))
      measure('scheduled mail is moved by', isMoved ? 'the clock of the workspace' : 'real time')
      if (!isMoved) return skip('needs a service that sends scheduled mail by the clock of the workspace')
      const events = await eventsOf(sandbox, project, { sent, after: undefined, withinMs: carriedWithinMs })
      if (!events.some((event) => memberOf(event, 'type') === 'message.received')) {
        const { id, address } = project.inbox(1)
        const witness = { subject: unique(), to: address, inboxId: id }
        idOf(require, await project.api.sendEmail(email(project, witness.to, witness.subject)))
        const more = await eventsOf(sandbox, project, { sent: [witness], after: undefined, withinMs: carriedWithinMs })
        if (!more.some(isOf('message.received', witness.subject))) return skip(notCarried)
      }
      checkEvents(check, events, sent)
    },
  }),
]
