// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-005  "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
// EVT-002  "`timestamp` is ISO 8601 UTC with milliseconds in webhook bodies and WebSocket frames."
// SND-007  "`GET /v1/emails/{id}` answers the email with `recipients` and `status`."
// POL-009  "Events of the list carry `org_id` and `created_at` instead of `timestamp`."
//
// The sentences make no difference between an email that was sent by itself, in a batch, or at its time; nor between letters.
// Reading: as in mail-events.ts. A service of a test deployment may carry no mail to its own inboxes: then the cases are skipped.

import {
  asText,
  instantOf,
  memberOf,
  mentions,
  serviceCase,
  type Inbox,
  type Project,
} from '../../../harness/authoring.js'
import { eventsOnce, showsEvent } from '../shared/event-log.js'
import {
  emailTitles,
  hour,
  inHours,
  inSeconds,
  lateMs,
  movedMs,
  schedule,
  scheduledEmail,
  scheduleTimeoutMs,
} from '../shared/scheduled-mail.js'
import { dataOf, email, idOf, isEmailAccepted, isBatchAccepted, queuedSubjects, timesIn } from '../shared/sent-mail.js'
import {
  type Sent,
  carriedWithinMs,
  eventsOf,
  isDelivered,
  isOf,
  notCarried,
  checkEvents,
} from '../shared/carried-mail.js'

/** Hours ahead of the scheduled email whose events contain its time. */
const aheadHours = 6

/** Subjects of received mail that a header of 78 letters, or of ASCII, would spoil. */
const oddSubjects = [
  'Grüße aus München',
  '件名：請求書',
  '👩‍👩‍👧 family',
  'a < b && <i>"c"</i>',
  `${'long '.repeat(40)}end`,
  `${'longer '.repeat(60)}end`,
]

/** What becomes of an email once it was handed over. */
const isOutcome = (event: unknown): boolean =>
  ['message.delivered', 'message.received'].includes(asText(memberOf(event, 'type')))

const idIn = (event: unknown): string => asText(memberOf(event, 'id'))

export const mailByKind = [
  serviceCase({
    id: 'service/mail-events/are-raised-for-a-scheduled-email',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    dependsOn: ['SND-010', 'SND-013'],
    level: 'must',
    title: 'a scheduled or rescheduled email is queued, received and delivered once at its time',
    needs: ['send', 'inboxes', 'workspace', 'time:5000'],
    timeoutMs: scheduleTimeoutMs,
    async run(context) {
      const { check, require, unique, skip } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const [inbox, second] = [project.inbox(1), project.inbox(0)]
      const scheduleTo = async ({ address }: Inbox, plan: Parameters<typeof schedule>[1]['plans'][number]) =>
        (await schedule({ ...context, recipient: address }, { sandbox, plans: [plan] }))[0] ?? ''
      const moved = await scheduleTo(second, { name: 'moved, Grüße', first: 3_600, moved: [7_200, 3] })
      const subject = await scheduleTo(inbox, { name: 'scheduled, 件名', first: 3 })
      // If the clock does not move mail, its time passes in real time.
      if (sandbox.time === 'virtual') await sandbox.advance(4_000)
      const isQueued = isOf('message.queued', subject)
      const queued = await eventsOnce(sandbox, project.api, (all) => all.some(isQueued), { withinMs: lateMs })
      require.of('EVT-004').ok('message.queued of the email', queued.some(isQueued), 'listed', 'absent')
      const sent: readonly Sent[] = [
        { subject, to: inbox.address, inboxId: inbox.id },
        { subject: moved, to: second.address, inboxId: second.id },
      ]
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const events = await eventsOf(sandbox, project, { sent, after: undefined, withinMs })
      if (!events.some(isOf('message.received', subject))) {
        const witness = { subject: unique(), to: inbox.address, inboxId: inbox.id }
        idOf(require, await project.api.sendEmail(email(project, witness.to, witness.subject)))
        const more = await eventsOf(sandbox, project, { sent: [witness], after: undefined, withinMs })
        if (!more.some(isOf('message.received', witness.subject))) return skip(notCarried)
      }
      checkEvents(check, events, sent)
    },
  }),

  serviceCase({
    id: 'service/mail-events/are-raised-in-every-project',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    level: 'must',
    title: 'mail within a project is queued, received and delivered once',
    needs: ['send', 'inboxes', 'projects', 'workspace'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox({ projects: 2 })
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const toInbox = ({ address, id }: Inbox) => ({ subject: unique(), to: address, inboxId: id })
      const mails: { readonly project: Project; readonly sent: readonly Sent[] }[] = []
      for (const project of sandbox.projects) {
        const [alone, ofBatch] = [toInbox(project.inbox(0)), toInbox(project.inbox(1))]
        idOf(require, await project.api.sendEmail(email(project, alone.to, alone.subject)))
        require.of('SND-004').status(await project.api.sendBatch([email(project, ofBatch.to, ofBatch.subject)]), '2xx')
        mails.push({ project, sent: [alone, ofBatch] })
      }
      const reported = await Promise.all(
        mails.map(async ({ project, sent }) => ({
          sent,
          events: await eventsOf(sandbox, project, { sent, after: undefined, withinMs }),
        })),
      )
      const isCarried = reported.some(({ events, sent }) =>
        sent.some(({ subject }) => events.some(isOf('message.received', subject))),
      )
      if (!isCarried) return skip(notCarried)
      for (const { events, sent } of reported) checkEvents(check, events, sent)
    },
  }),

  serviceCase({
    id: 'service/mail-events/are-raised-for-an-email-of-html',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
    level: 'must',
    title: 'an email with html and no text is queued, received and delivered once',
    needs: ['send', 'inboxes', 'workspace'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [first, second] = [project.inbox(0), project.inbox(1)]
      const witness = { subject: unique(), to: first.address, inboxId: first.id }
      const ofHtml = { subject: unique(), to: second.address, inboxId: second.id }
      idOf(require, await project.api.sendEmail(email(project, witness.to, witness.subject)))
      const { text: _, ...mail } = email(project, ofHtml.to, ofHtml.subject)
      idOf(require, await project.api.sendEmail({ ...mail, html: '<p>Hello</p>' }))
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const events = await eventsOf(sandbox, project, { sent: [witness, ofHtml], after: undefined, withinMs })
      if (!events.some(isOf('message.received', witness.subject))) return skip(notCarried)
      checkEvents(check, events, [ofHtml])
    },
  }),

  ...(['sent-in-a-batch', 'scheduled', 'moved'] as const).map((name) =>
    serviceCase({
      id: `service/mail-events/reach-each-recipient-of-an-email-${name}`,
      requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016'],
      level: 'must',
      title: `${emailTitles[name]} to several inboxes is received and delivered once in each`,
      needs: ['send', 'inboxes', 'workspace', ...(name === 'sent-in-a-batch' ? [] : (['time:5000'] as const))],
      timeoutMs: scheduleTimeoutMs,
      async run({ openSandbox, check, require, recipient, unique, skip }) {
        const sandbox = await openSandbox({ inboxes: 6 })
        const { project } = sandbox
        const sentTo = async (inboxes: readonly Inbox[]) => {
          const subject = unique()
          const sent = inboxes.map(({ id, address }) => ({ subject, to: address, inboxId: id }))
          const mail = { ...email(project, '', subject), to: sent.map(({ to }) => to) }
          const scheduledAt = name === 'moved' ? inHours(sandbox, 1) : inSeconds(sandbox, 3)
          const answer =
            name === 'sent-in-a-batch'
              ? await project.api.sendBatch([email(project, recipient, unique()), mail])
              : await project.api.sendEmail({ ...mail, scheduled_at: scheduledAt })
          return { subject, sent, answer }
        }
        // Whether `to` may be a list, and how long, is not shown; a batch may leave out what it does not take.
        const six = await sentTo(project.inboxes)
        const { subject, sent, answer } = isBatchAccepted(six.answer) ? six : await sentTo(project.inboxes.slice(0, 2))
        if (!isBatchAccepted(answer))
          return skip(`needs a service that accepts a list in \`to\` of such an email; it answered ${answer.status}`)
        if (name === 'moved') {
          const moved = await project.api.updateEmail(idOf(require, answer), { scheduled_at: inSeconds(sandbox, 3) })
          if (!isEmailAccepted(moved))
            return skip(`needs a service that reschedules an email to so soon; it answered ${moved.status}`)
        }
        // If the clock does not move mail, its time passes in real time.
        if (name !== 'sent-in-a-batch' && sandbox.time === 'virtual') await sandbox.advance(4_000)
        const isQueued = isOf('message.queued', subject)
        const queued = await eventsOnce(sandbox, project.api, (all) => all.some(isQueued), { withinMs: lateMs })
        require.of('EVT-004').ok('message.queued of the email', queued.some(isQueued), 'listed', 'absent')
        const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
        const events = await eventsOf(sandbox, project, { sent, after: undefined, withinMs })
        const received = events.filter(isOf('message.received', subject)).map((event) => dataOf(event, 'inbox_id'))
        if (received.length === 0) return skip(notCarried)
        const inboxes = sent.map(({ inboxId }) => inboxId)
        check.of('EVT-003').equal('inboxes the email was received in', received.sort(), inboxes.sort())
        const named = events.filter(isQueued).map((event) => dataOf(event, 'to'))
        for (const { to } of sent)
          check.of('EVT-004').ok('to of message.queued', mentions(named, to), `with ${to}`, named)
        for (const { to } of sent)
          check.of('EVT-005').equal(`message.delivered events for ${to}`, events.filter(isDelivered(to)).length, 1)
      },
    }),
  ),

  serviceCase({
    id: 'service/mail-events/are-raised-for-an-email-by-the-key-of-an-inbox',
    requirements: ['EVT-004', 'EVT-016'],
    level: 'must',
    title: 'an email of an inbox key raises message.queued once',
    needs: ['send', 'inboxes', 'workspace'],
    async run({ openSandbox, check, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const subjects = [unique(), unique(), unique()]
      const [single, ...items] = subjects.map((subject) => ({
        ...email(project, recipient, subject),
        from: inbox.address,
      }))
      const answer = await inbox.api.sendEmail(single)
      // What such a key may send is open (open point scoped-key-rights).
      if (!isEmailAccepted(answer))
        return skip(`needs a service that lets the key of an inbox send; it answered ${answer.status}`)
      const batch = await inbox.api.sendBatch(items)
      const errors = batch.field('errors') ?? []
      const isWhole = isEmailAccepted(batch) && Array.isArray(errors) && errors.length === 0
      const expected = isWhole ? subjects : subjects.slice(0, 1)
      const queued = await queuedSubjects(sandbox, project, { expected, after: undefined })
      for (const [index, subject] of expected.entries()) {
        const what = index === 0 ? 'the email' : `item ${index} of the batch`
        check.of('EVT-004').equal(`message.queued events of ${what}`, timesIn(queued, subject), 1)
      }
    },
  }),

  // Times of events are compared with each other alone: whether they follow the clock that is moved is open (clock-and-events).
  serviceCase({
    id: 'service/mail-events/tell-when-a-scheduled-email-was-sent',
    requirements: ['EVT-002', 'POL-009', 'SND-007'],
    level: 'must',
    title: 'events of a scheduled email have the time at which it was sent',
    needs: ['send', 'inboxes', 'workspace', 'clock'],
    async run({ openSandbox, check, require, unique, measure, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const stream = await project.stream().opened(require.of('STR-001'))
      const { address } = project.inbox()
      const firstHours = [aheadHours, aheadHours / 2, aheadHours * 2]
      const ids: string[] = []
      const [scheduled, plain] = [firstHours.map(unique), unique()]
      for (const [index, hours] of firstHours.entries()) {
        const mail = scheduledEmail(sandbox, address, scheduled[index] ?? '', hours)
        const id = idOf(require, await project.api.sendEmail(mail))
        ids.push(id)
        if (hours === aheadHours) continue
        const moved = await project.api.updateEmail(id, { scheduled_at: inHours(sandbox, aheadHours) })
        require.of('SND-010').status(moved, '2xx')
      }
      await sandbox.advance((aheadHours + 1) * hour)
      const isSent = (events: readonly unknown[]) =>
        scheduled.every((subject) => events.some(isOf('message.queued', subject)))
      const isMoved = isSent(await eventsOnce(sandbox, project.api, isSent, { withinMs: movedMs }))
      measure('scheduled mail is moved by', isMoved ? 'the clock of the workspace' : 'real time')
      if (!isMoved) return
      for (const id of ids) {
        const shown = await project.api.getEmail(id)
        const [status, recipients] = [shown.field('status'), shown.field('recipients')]
        const what = check.of('SND-007')
        what.status(shown, [200])
        what.ok('status of an email that was sent at its time', typeof status === 'string', 'a string', status)
        const isNamed = JSON.stringify(recipients ?? null).includes(asText(address))
        what.ok('recipients of an email that was sent at its time', isNamed, `something with ${address}`, recipients)
      }
      idOf(require, await project.api.sendEmail(email(project, address, plain)))
      const isThere = (events: readonly unknown[]) => events.filter(isOutcome).length >= 2 * (scheduled.length + 1)
      const events = await eventsOnce(sandbox, project.api, isThere, { withinMs: carriedWithinMs })
      const outcomes = events.filter(isOutcome)
      const latest = outcomes.at(-1)
      if (outcomes.length < 2 || latest === undefined) return skip(notCarried)
      require
        .of('EVT-014')
        .ok('the latest on the stream', await showsEvent(stream, sandbox, idIn(latest)), 'one frame', 'none')
      const frames = new Map(stream.frames.map(({ id, event }) => [id, event]))
      const timesOf = (event: unknown) =>
        [
          ['POL-009', 'created_at', instantOf(asText(memberOf(event, 'created_at')))],
          ['EVT-002', 'timestamp', instantOf(asText(memberOf(frames.get(idIn(event)), 'timestamp')))],
        ] as const
      for (const event of outcomes)
        for (const [index, [requirement, name, at]] of timesOf(event).entries()) {
          const hoursBefore = ((timesOf(latest)[index]?.[2] ?? Number.NaN) - at) / hour
          const what = `hours from the ${name} of ${asText(memberOf(event, 'type'))} to that of the latest`
          check.of(requirement).between(what, hoursBefore, -1, 2)
        }
    },
  }),

  serviceCase({
    id: 'service/mail-events/a-received-email-tells-its-subject',
    requirements: ['EVT-003'],
    level: 'must',
    title: 'message.received contains the subject unchanged, apart from blanks',
    needs: ['send', 'inboxes', 'workspace'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const plain = unique()
      const sent: string[] = []
      for (const subject of [`Re: ${unique()}`, ...oddSubjects.map((words) => `${unique()} ${words}`)]) {
        // How long a subject may be is not shown.
        if (isEmailAccepted(await project.api.sendEmail(email(project, inbox.address, subject)))) sent.push(subject)
      }
      idOf(require, await project.api.sendEmail(email(project, inbox.address, plain)))
      const isReceived = (event: unknown) => memberOf(event, 'type') === 'message.received'
      const hasAll = (events: readonly unknown[]) => events.filter(isReceived).length > sent.length
      const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
      const events = await eventsOnce(sandbox, project.api, hasAll, { withinMs })
      if (!events.some(isOf('message.received', plain))) return skip(notCarried)
      const reported = events.filter(isReceived).map((event) => withoutBlanks(asText(dataOf(event, 'subject'))))
      check.equal('subjects of message.received', reported.sort(), [...sent, plain].map(withoutBlanks).sort())
    },
  }),
]

/** A header line may be folded at a blank. */
function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}
