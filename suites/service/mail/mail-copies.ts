// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-005  "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
//
// Reading: the interface does not show that an email may have `cc`, but `message.queued` contains one. If that of a single email names the
// addresses in `cc`, they are recipients like those in `to`, and so they are of an email in a batch and of a scheduled one.

import { memberOf, mentions, serviceCase } from '../../../harness/authoring.js'
import { carriedWithinMs, eventsOf, isOf, notCarried } from '../shared/carried-mail.js'
import { hour, inHours, movedMs } from '../shared/scheduled-mail.js'
import { dataOf, email, idOf, isEmailAccepted, isBatchAccepted, queuedSubjects } from '../shared/sent-mail.js'

export const mailCopies = [
  serviceCase({
    id: 'service/mail-events/reach-each-inbox-in-cc',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    dependsOn: ['SND-010', 'SND-013'],
    level: 'must',
    title: 'an email with two inboxes in cc is received and delivered once in each',
    needs: ['send', 'inboxes', 'workspace'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox({ inboxes: 3 })
      const { project } = sandbox
      const { api } = project
      const [first, ...copied] = project.inboxes
      const addresses = project.inboxes.map(({ address }) => address)
      const mail = () => {
        const subject = unique()
        return { ...email(project, first?.address ?? '', subject), subject, cc: copied.map(({ address }) => address) }
      }
      const [alone, ofBatch, scheduled, moved] = [mail(), mail(), mail(), mail()]
      if (copied.length === 0 || !isBatchAccepted(await api.sendEmail(alone)))
        return skip('needs a service that accepts an email with cc')
      const sent = [{ name: 'by itself', subject: alone.subject }]
      if (isBatchAccepted(await api.sendBatch([email(project, recipient, unique()), ofBatch])))
        sent.push({ name: 'in a batch', subject: ofBatch.subject })
      if (sandbox.time === 'virtual') {
        const isKept = isBatchAccepted(await api.sendEmail({ ...scheduled, scheduled_at: inHours(sandbox, 1) }))
        const later = await api.sendEmail({ ...moved, scheduled_at: inHours(sandbox, 20) })
        const isMoved =
          isBatchAccepted(later) &&
          isEmailAccepted(await api.updateEmail(idOf(require, later), { scheduled_at: inHours(sandbox, 1) }))
        await sandbox.advance(2 * hour)
        const query = { expected: [scheduled.subject], after: undefined, withinMs: movedMs }
        const queued = isKept ? await queuedSubjects(sandbox, project, query) : []
        if (queued.includes(scheduled.subject)) {
          sent.push({ name: 'at its time', subject: scheduled.subject })
          if (isMoved) sent.push({ name: 'at the time it was rescheduled to', subject: moved.subject })
        }
      }
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const expected = sent.flatMap(({ subject }) =>
        project.inboxes.map(({ id, address }) => ({ subject, to: address, inboxId: id })),
      )
      const events = await eventsOf(sandbox, project, { sent: expected, after: undefined, withinMs })
      const queuedOf = (subject: string) => events.find(isOf('message.queued', subject))
      const isReported =
        (subject: string) =>
        ({ address }: { readonly address: string }) =>
          mentions(dataOf(queuedOf(subject), 'cc') ?? '', address)
      // A service that names one of them has accepted cc, so the others must follow.
      if (!copied.some(isReported(alone.subject))) return skip('needs a service whose message.queued contains cc')
      if (!events.some(isOf('message.received', alone.subject))) return skip(notCarried)
      const receivedIn = (subject: string) =>
        events.filter(isOf('message.received', subject)).map((event) => dataOf(event, 'inbox_id'))
      const deliveredTo = (subject: string, to: string) =>
        events.filter(
          (event) =>
            isDelivered(event, dataOf(queuedOf(subject), 'message_id')) &&
            mentions(dataOf(event, 'recipient') ?? '', to),
        ).length
      const isCarried = copied.some(
        ({ id, address }) => receivedIn(alone.subject).includes(id) || deliveredTo(alone.subject, address) > 0,
      )
      if (!isCarried) return skip('needs a service that carries mail to addresses in cc')
      for (const { name, subject } of sent) {
        const named = dataOf(queuedOf(subject), 'cc')
        check.of('EVT-004').ok(`cc of an email sent ${name}`, copied.every(isReported(subject)), 'with both', named)
        const inboxes = project.inboxes.map(({ id }) => id)
        check.of('EVT-003').equal(`inboxes of an email sent ${name}`, receivedIn(subject).sort(), inboxes.sort())
        const reported = addresses.map((to) => deliveredTo(subject, to))
        check.of('EVT-005').equal(
          `message.delivered events for each recipient of an email sent ${name}`,
          reported,
          addresses.map(() => 1),
        )
      }
    },
  }),
]

function isDelivered(event: unknown, messageId: unknown): boolean {
  return memberOf(event, 'type') === 'message.delivered' && dataOf(event, 'message_id') === messageId
}
