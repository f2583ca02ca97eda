// EVT-003  "`message.received` fires when an inbox received an email; its data is of kind received."
// EVT-004  "`message.queued` fires when a message sent by the customer was stored and handed to the mail server; its data is of kind queued."
// EVT-005  "`message.delivered` fires when a recipient's server accepted the message; its data is of kind delivery."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
// SCOPE-001  "Inbox-scoped keys see only events of their inbox (polling)."
// SCOPE-007  events belong to one org: that of who sent for queued and delivered, that of the inbox for received.
//
// Reading: the service of a test deployment may carry no mail to its own inboxes; if no `message.received` arrives anywhere, the cases are
// skipped with that reason. The interface does not show the inbox of a sent email, which may have none: whichever inbox an event names, its
// key sees the event and the key of another does not; later events of the message name the same one. A list in `to` may be refused (open
// point several-recipients): then each inbox gets an email of its own.

import { memberOf, mentions, serviceCase, type Inbox, type Project, type Sandbox } from '../../../harness/authoring.js'
import { carriedWithinMs, isOf, notCarried } from '../shared/carried-mail.js'
import { eventsAfter, readFrom } from '../shared/event-log.js'
import {
  bareAddress,
  dataOf,
  email,
  eventsWhere,
  idOf,
  isEmailAccepted,
  queuedSubjects,
  waitQuietly,
} from '../shared/sent-mail.js'

/** Subjects that a mail header of 78 letters, of ASCII or of HTML would spoil, or code that decodes or fills in their contents. */
const oddSubjects = [
  'Grüße aus München',
  '件名：請求書',
  '👩‍👩‍👧 family',
  'a < b && <i>"c"</i>',
  String.raw`100%25 of C:\temp\new &amp; \u0041 \'s %s ${'$'}{x}`,
  `${'long '.repeat(40)}end`,
  `${'longer '.repeat(60)}end`,
]

function isAddressed(event: unknown, address: string): boolean {
  const recipient = dataOf(event, 'recipient')
  return recipient !== undefined && mentions(recipient, address)
}

function carriedMs(sandbox: Sandbox): number {
  return sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
}

interface Carried {
  readonly sender: Project
  readonly receiver: Project
  readonly inbox: Inbox
  readonly subject: string
}

/**
 * Waits until the email was received anywhere; the events of both orgs when all that follows has had its time. Undefined
 * where none was received.
 */
async function receivedSomewhere(
  sandbox: Sandbox,
  { sender, receiver, subject }: Carried,
  after: string | undefined,
): Promise<{ readonly sent: unknown[]; readonly received: unknown[] } | undefined> {
  const startedAt = performance.now()
  const isReceived = isOf('message.received', subject)
  const orgs = sender === receiver ? [sender] : [sender, receiver]
  const isThere = await sandbox.until(
    async () => {
      for (const { api } of orgs) if ((await eventsAfter(api, after)).some(isReceived)) return true
      return false
    },
    carriedMs(sandbox),
    readFrom(after),
  )
  if (!isThere) return undefined
  await waitQuietly(sandbox, performance.now() - startedAt)
  return { sent: await eventsAfter(sender.api, after), received: await eventsAfter(receiver.api, after) }
}

export const mailEvents = [
  serviceCase({
    id: 'service/mail-events/a-sent-email-is-queued',
    formerly: ['service/event-types/a-sent-email-is-queued'],
    requirements: ['EVT-004', 'EVT-016'],
    decides: ['EVT-016'],
    level: 'must',
    title: 'an email that is sent raises message.queued once, with its recipient and subject',
    needs: ['send'],
    async run({ openSandbox, check, require, recipient, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subject = unique()
      const startedAt = performance.now()
      idOf(require, await project.api.sendEmail(email(project, recipient, subject)))
      const isMatch = isOf('message.queued', subject)
      const first = await eventsWhere(sandbox, project.api, { isMatch, after, withinMs: sandbox.budgetMs })
      require.of('EVT-004').ok('message.queued of the email', first.length > 0, 'listed', 'absent')
      await waitQuietly(sandbox, performance.now() - startedAt)
      const queued = (await eventsAfter(project.api, after)).filter(isMatch)
      check.of('EVT-016').equal('message.queued events of the email', queued.length, 1)
      check.of('EVT-004').ok('its to', mentions(dataOf(queued[0], 'to'), recipient), recipient, queued[0])
    },
  }),

  serviceCase({
    id: 'service/mail-events/a-queued-email-tells-its-subject',
    requirements: ['EVT-004'],
    level: 'must',
    title: 'message.queued contains the subject unchanged, whatever its letters and length',
    needs: ['send'],
    async run({ openSandbox, check, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subjects = oddSubjects.map((words) => `${unique()} ${words}`)
      const taken: string[] = []
      for (const subject of subjects) {
        // How long a subject may be is not shown.
        if (isEmailAccepted(await project.api.sendEmail(email(project, recipient, subject)))) taken.push(subject)
      }
      if (taken.length === 0) skip('needs a service that accepts emails with such subjects')
      const queued = await queuedSubjects(sandbox, project, { expected: taken, after })
      const ours = queued.filter((text) =>
        subjects.some((subject) => text.startsWith(subject.split(' ')[0] ?? subject)),
      )
      check.equal('subjects of message.queued', ours.sort(), taken.sort())
    },
  }),

  serviceCase({
    id: 'service/mail-events/a-received-email-is-received-once',
    formerly: ['service/event-types/a-received-email-is-received-once'],
    requirements: ['EVT-003', 'EVT-016'],
    decides: ['EVT-003', 'EVT-016'],
    level: 'must',
    title: 'an email to an inbox raises message.received once, with sender and subject',
    needs: ['send', 'inboxes'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const after = await project.listEnd()
      const subject = `Hello ${unique()}`
      idOf(require, await project.api.sendEmail(email(project, inbox.address, subject)))
      const found = await receivedSomewhere(sandbox, { sender: project, receiver: project, inbox, subject }, after)
      if (found === undefined) return skip(notCarried)
      const received = found.received.filter(isOf('message.received', subject))
      check.of('EVT-016').equal('message.received events of the email', received.length, 1)
      check.of('EVT-003').equal('inbox_id', dataOf(received[0], 'inbox_id'), inbox.id)
      const from = bareAddress(project.from)
      check.of('EVT-003').ok('from', mentions(dataOf(received[0], 'from'), from), from, dataOf(received[0], 'from'))
    },
  }),

  serviceCase({
    id: 'service/mail-events/a-delivered-email-is-delivered',
    requirements: ['EVT-005', 'EVT-016', 'EVT-018'],
    decides: ['EVT-005', 'EVT-018'],
    level: 'must',
    title: 'an email that an inbox received raises message.delivered once for its sender',
    needs: ['send', 'inboxes'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const after = await project.listEnd()
      const subject = `Hello ${unique()}`
      idOf(require, await project.api.sendEmail(email(project, inbox.address, subject)))
      const found = await receivedSomewhere(sandbox, { sender: project, receiver: project, inbox, subject }, after)
      if (found === undefined) return skip(notCarried)
      const queued = found.sent.find(isOf('message.queued', subject))
      const isMatch = (event: unknown) =>
        memberOf(event, 'type') === 'message.delivered' &&
        isAddressed(event, inbox.address) &&
        (sandbox.isIsolated || dataOf(event, 'message_id') === dataOf(queued, 'message_id'))
      const startedAt = performance.now()
      await eventsWhere(sandbox, project.api, { isMatch, after, withinMs: sandbox.budgetMs })
      await waitQuietly(sandbox, performance.now() - startedAt)
      const delivered = (await eventsAfter(project.api, after)).filter(isMatch)
      require.of('EVT-005').ok('message.delivered of an email that arrived', delivered.length > 0, 'listed', 'absent')
      check.of('EVT-016').equal('message.delivered events of the email', delivered.length, 1)
      for (const name of ['message_id', 'inbox_id', 'thread_id']) {
        const [reported, expected] = [delivered[0], queued].map((event) => dataOf(event, name) ?? null)
        check.of('EVT-005').equal(`its ${name}, against that of message.queued`, reported, expected)
      }
      const status = dataOf(delivered[0], 'status')
      check.of('EVT-018').ok('its status', typeof status === 'string' && status !== '', 'a string', status)
    },
  }),

  serviceCase({
    id: 'service/mail-events/stay-in-the-org-they-belong-to',
    requirements: ['EVT-003', 'EVT-016', 'SCOPE-007', 'POL-009'],
    level: 'must',
    title: 'mail to an inbox of another org is received only there, and queued for its sender',
    needs: ['send', 'inboxes', 'projects'],
    async run({ openSandbox, check, require, unique, skip }) {
      const [sandbox, unrelated] = [await openSandbox({ projects: 2 }), await openSandbox()]
      const sender = sandbox.project
      let isCarried = false
      for (const receiver of [...sandbox.projects.slice(1), unrelated.project]) {
        const subject = `Hello ${unique()}`
        const inbox = receiver.inbox()
        idOf(require, await sender.api.sendEmail(email(sender, inbox.address, subject)))
        const found = await receivedSomewhere(sandbox, { sender, receiver, inbox, subject }, undefined)
        if (found === undefined) continue
        isCarried = true
        const received = found.received.filter(isOf('message.received', subject))
        check.of('EVT-003').equal('message.received events in the org of the inbox', received.length, 1)
        if (received.length > 0 && receiver.orgId !== undefined)
          check
            .of('POL-009')
            .equal('org_id of what the inbox received', memberOf(received[0], 'org_id'), receiver.orgId)
        if (received.length > 0) check.of('EVT-003').equal('inbox_id', dataOf(received[0], 'inbox_id'), inbox.id)
        const inSender = found.sent.filter(isOf('message.received', subject))
        check.of('SCOPE-007').equal('message.received events in the org of the sender', inSender.length, 0)
        const ofSender = found.received.filter(
          (event) => isOf('message.queued', subject)(event) || isAddressed(event, inbox.address),
        )
        const types = ofSender.map((event) => memberOf(event, 'type'))
        check.of('SCOPE-007').equal('events of the sender in the org of the inbox', types, [])
      }
      if (!isCarried) skip(notCarried)
    },
  }),

  serviceCase({
    id: 'service/mail-events/are-received-in-each-org',
    requirements: ['EVT-003'],
    level: 'must',
    title: 'an email to inboxes of two orgs is received in both',
    needs: ['send', 'inboxes', 'projects'],
    async run({ openSandbox, check, require, unique, skip }) {
      const [sandbox, unrelated] = [await openSandbox({ projects: 2 }), await openSandbox()]
      const sender = sandbox.project
      let isCarried = false
      for (const receiver of [...sandbox.projects.slice(1), unrelated.project]) {
        const ends = [
          { project: sender, inbox: sender.inbox() },
          { project: receiver, inbox: receiver.inbox() },
        ]
        const receivedIn = (project: Project, subject: string) => {
          const isMatch = isOf('message.received', subject)
          return eventsWhere(sandbox, project.api, { isMatch, after: undefined, withinMs: carriedMs(sandbox) })
        }
        const carriesToEach = async () => {
          for (const { project, inbox } of ends) {
            const witness = unique()
            idOf(require, await sender.api.sendEmail(email(sender, inbox.address, witness)))
            if ((await receivedIn(project, witness)).length === 0) return false
          }
          return true
        }
        if (!(await carriesToEach())) continue
        isCarried = true
        for (const to of [ends, ends.toReversed()]) {
          const subject = unique()
          const addresses = to.map(({ inbox }) => inbox.address)
          const sent = await sender.api.sendEmail({ ...email(sender, '', subject), to: addresses })
          if (!isEmailAccepted(sent))
            return skip(`needs a service that accepts a list in \`to\`; it answered ${sent.status}`)
          for (const { project, inbox } of ends) {
            const inboxes = (await receivedIn(project, subject)).map((event) => dataOf(event, 'inbox_id'))
            const what = `inboxes of ${project === sender ? "the sender's org" : 'the other org'} it was received in`
            check.equal(what, inboxes, [inbox.id])
          }
        }
      }
      if (!isCarried) skip(notCarried)
    },
  }),

  serviceCase({
    id: 'service/mail-events/are-received-once-in-each-inbox',
    requirements: ['EVT-003', 'EVT-004', 'EVT-005', 'EVT-016', 'SCOPE-001'],
    level: 'must',
    title: 'an email to two inboxes raises one message.received and message.delivered for each',
    needs: ['send', 'inboxes'],
    async run({ openSandbox, check, require, unique, skip, measure }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inboxes = [project.inbox(0), project.inbox(1)]
      const after = await project.listEnd()
      const subject = `Hello ${unique()}`
      const mail = email(project, '', subject)
      const both = await project.api.sendEmail({ ...mail, to: inboxes.map(({ address }) => address) })
      measure('a list in `to`', isEmailAccepted(both) ? 'taken' : `answered ${both.status ?? both.failure}`)
      if (!isEmailAccepted(both))
        for (const { address } of inboxes) idOf(require, await project.api.sendEmail({ ...mail, to: address }))
      const isReceived = isOf('message.received', subject)
      const startedAt = performance.now()
      const look = async () => (await eventsAfter(project.api, after)).filter(isReceived)
      await sandbox.until(async () => (await look()).length >= inboxes.length, carriedMs(sandbox), readFrom(after))
      await waitQuietly(sandbox, performance.now() - startedAt)
      const received = await look()
      if (received.length === 0) return skip(notCarried)
      const ids = received.map((event) => dataOf(event, 'inbox_id'))
      check.of('EVT-003').equal('inboxes the email was received in', ids.sort(), inboxes.map(({ id }) => id).sort())
      const queued = (await eventsAfter(project.api, after)).filter(isOf('message.queued', subject))
      const messages = queued.map((event) => dataOf(event, 'message_id'))
      check.of('EVT-016').equal('messages that were queued', messages.length, new Set(messages).size)
      const named = queued.map((event) => dataOf(event, 'to'))
      for (const { address } of inboxes)
        check.of('EVT-004').ok('to of message.queued', mentions(named, address ?? ''), `with ${address}`, named)
      for (const { address } of inboxes) {
        const isMatch = (event: unknown) =>
          memberOf(event, 'type') === 'message.delivered' &&
          isAddressed(event, address) &&
          (sandbox.isIsolated || messages.includes(dataOf(event, 'message_id')))
        const delivered = await eventsWhere(sandbox, project.api, { isMatch, after, withinMs: sandbox.budgetMs })
        check.of('EVT-005').equal(`message.delivered events for ${address}`, delivered.length, 1)
      }
      for (const { id, api } of inboxes) {
        await eventsWhere(sandbox, api, { isMatch: isReceived, after, withinMs: sandbox.budgetMs })
        const seen = (await eventsAfter(api, after)).filter(isReceived).map((event) => dataOf(event, 'inbox_id'))
        check.of('SCOPE-001').equal('inboxes of what the key of one sees of the email', seen, [id])
      }
    },
  }),

  serviceCase({
    id: 'service/mail-events/belong-to-the-inbox-they-name',
    requirements: ['SCOPE-001'],
    level: 'must',
    title: 'only the key of the named inbox sees the events of a sent email',
    needs: ['send', 'inboxes'],
    async run({ openSandbox, check, require, recipient, unique, measure }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const subject = unique()
      const startedAt = performance.now()
      idOf(require, await project.api.sendEmail(email(project, recipient, subject)))
      const isMatch = isOf('message.queued', subject)
      const [queued] = await eventsWhere(sandbox, project.api, { isMatch, after, withinMs: sandbox.budgetMs })
      require.of('EVT-004').ok('message.queued of the email', queued !== undefined, 'listed', 'absent')
      const named = dataOf(queued, 'inbox_id') ?? null
      measure('inbox of a sent email', named === null ? 'none' : 'one')
      const tookMs = performance.now() - startedAt
      for (const { id, api } of [project.inbox(0), project.inbox(1)]) {
        const isOwn = id === named
        if (isOwn) await eventsWhere(sandbox, api, { isMatch, after, withinMs: sandbox.budgetMs })
        else await waitQuietly(sandbox, tookMs)
        const seen = (await eventsAfter(api, after)).filter(isMatch)
        check
          .of('SCOPE-001')
          .equal(
            `message.queued of ${isOwn ? 'its own' : 'no or another'} inbox in the list of a key`,
            seen.length,
            isOwn ? 1 : 0,
          )
      }
    },
  }),
]
