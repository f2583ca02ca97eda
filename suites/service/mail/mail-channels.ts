// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// SCOPE-002, SCOPE-005, SCOPE-007  what a key, a webhook and an org see: the events that belong to them.
//
// Mail crosses from one org to another, and from one inbox to another; its events are looked for where events are pushed, at
// webhooks and on streams. mail-events.ts reads the lists.
//
// Reading: types of events beyond the nine are open; those are not looked at. Otherwise as there. A service of a test deployment may carry no mail to its own inboxes: then the cases are skipped.

import { eventTypes } from '../../../spec/index.js'
import {
  asText,
  memberOf,
  mentions,
  serviceCase,
  type Checks,
  type Webhook,
  type Inbox,
  type Project,
  type Sandbox,
  type Stream,
} from '../../../harness/authoring.js'
import { eventsAfter, eventsOnce } from '../shared/event-log.js'
import { lateMs, schedule, scheduleTimeoutMs } from '../shared/scheduled-mail.js'
import { dataOf, email, idOf, queuedSubjects, waitQuietly } from '../shared/sent-mail.js'

/** Longest wait in virtual time for a service that carries mail to its own inboxes, in milliseconds. */
const carriedWithinMs = 3_000

/** Items of a batch whose events are more than a service that writes fifty at a time writes at once. */
const manyItems = 60

/** Where events of a project are pushed to: all of them, or those of one inbox. */
interface Outlet {
  readonly name: string
  readonly inbox: Inbox | undefined
  readonly kind: 'webhook' | 'stream'
  /** Resolves to whether an event that `isMatch` has arrived. */
  readonly arrives: (isMatch: (event: unknown) => boolean) => Promise<boolean>
  readonly events: () => readonly unknown[]
  /** Resolves once `isEnough`, or it cannot be waited for any longer. */
  readonly arrivesOnce: (isEnough: () => boolean) => Promise<boolean>
}

/** A webhook and a stream of the org, and of each of two inboxes, as many as the service takes. */
async function outletsOf(sandbox: Sandbox, project: Project, require: Checks): Promise<readonly Outlet[]> {
  const limits = [undefined, project.inbox(0), project.inbox(1)]
  const webhooks = await project.createWebhooks(
    limits.map((inbox) => (inbox === undefined ? {} : { inboxId: inbox.id })),
    { atLeast: 1 },
  )
  const streams = await project.streams(
    limits.map((inbox) => (inbox === undefined ? {} : { api: inbox.api })),
    require.of('STR-001'),
  )
  return limits.flatMap((inbox, index) => {
    const name = inbox === undefined ? 'the org' : `inbox ${index} of 2`
    const [webhook, stream] = [webhooks[index], streams[index]]
    return [
      ...(webhook === undefined ? [] : [webhookOutlet(sandbox, webhook, { name, inbox })]),
      ...(stream === undefined ? [] : [streamOutlet(sandbox, stream, { name, inbox })]),
    ]
  })
}

type Limit = Pick<Outlet, 'name' | 'inbox'>

function webhookOutlet(sandbox: Sandbox, webhook: Webhook, { name, inbox }: Limit): Outlet {
  const events = () =>
    webhook.attempts().map((attempt) => ({ type: attempt.field('type'), data: attempt.field('data') }))
  const arrivesOnce = (isEnough: () => boolean) => webhook.endpoint.until(isEnough, sandbox.budgetMs)
  const arrives = (isMatch: (event: unknown) => boolean) => arrivesOnce(() => events().some(isMatch))
  return { name: `the webhook of ${name}`, inbox, kind: 'webhook', events, arrives, arrivesOnce }
}

function streamOutlet(sandbox: Sandbox, stream: Stream, { name, inbox }: Limit): Outlet {
  const events = () => stream.frames.map((frame) => frame.event)
  const arrivesOnce = (isEnough: () => boolean) => stream.until(isEnough, sandbox.budgetMs)
  const arrives = (isMatch: (event: unknown) => boolean) => arrivesOnce(() => events().some(isMatch))
  return { name: `the stream of ${name}`, inbox, kind: 'stream', events, arrives, arrivesOnce }
}

/** Whether the event is of the mail with this subject, to this address. */
function isOfMail(subject: string, address: string): (event: unknown) => boolean {
  return (event) => dataOf(event, 'subject') === subject || mentions(dataOf(event, 'recipient') ?? '', address)
}

function isOfType(type: string): (event: unknown) => boolean {
  return (event) => memberOf(event, 'type') === type
}

/** Sends mail to `inbox`; resolves, once it was received and all that follows has had its time, to whether it was. */
async function isCarried(
  sandbox: Sandbox,
  mail: { readonly sender: Project; readonly receiver: Project; readonly inbox: Inbox; readonly subject: string },
  require: Checks,
): Promise<boolean> {
  const { sender, receiver, inbox, subject } = mail
  const startedAt = performance.now()
  idOf(require, await sender.api.sendEmail(email(sender, inbox.address, subject)))
  const isReceived = (event: unknown) => isOfType('message.received')(event) && dataOf(event, 'subject') === subject
  const withinMs = sandbox.time === 'virtual' ? carriedWithinMs : sandbox.budgetMs
  const events = await eventsOnce(sandbox, receiver.api, (all) => all.some(isReceived), { withinMs })
  const isThere = events.some(isReceived)
  if (isThere) await waitQuietly(sandbox, performance.now() - startedAt)
  return isThere
}

/** From the org to an inbox of its own. */
function between(project: Project) {
  return { sender: project, receiver: project, inbox: project.inbox(1) }
}

function requirementOf({ inbox, kind }: Outlet): 'SCOPE-002' | 'SCOPE-005' | 'SCOPE-007' {
  if (inbox === undefined) return 'SCOPE-007'
  return kind === 'stream' ? 'SCOPE-002' : 'SCOPE-005'
}

export const mailChannels = [
  serviceCase({
    id: 'service/mail-channels/keep-mail-between-two-orgs-apart',
    requirements: ['EVT-014', 'SCOPE-002', 'SCOPE-005', 'SCOPE-007'],
    level: 'must',
    title: 'cross-org mail raises message.received only for the recipient and message.queued only for the sender',
    needs: ['sink', 'workspace', 'send', 'inboxes', 'projects'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox({ projects: 2 })
      const [sender, receiver] = sandbox.projects as [Project, Project]
      const ofSender = await outletsOf(sandbox, sender, require)
      const ofReceiver = await outletsOf(sandbox, receiver, require)
      const subject = `Hello ${unique()}`
      const inbox = receiver.inbox(1)
      if (!(await isCarried(sandbox, { sender, receiver, inbox, subject }, require)))
        return skip('needs a service that carries mail to its own inboxes')
      await sandbox.settle()
      const isMail = isOfMail(subject, inbox.address)
      for (const outlet of ofReceiver) {
        const expected = outlet.inbox === undefined || outlet.inbox.id === inbox.id ? ['message.received'] : []
        if (expected.length > 0) await outlet.arrives(isMail)
        const reported = outlet.events().filter(isMail)
        const isHere = reported.some(isOfType('message.received'))
        check
          .of('EVT-014')
          .ok(`message.received at ${outlet.name} of the inbox`, isHere || expected.length === 0, 'sent', 'nothing')
        const types = reported.map((event) => asText(memberOf(event, 'type')))
        const intruders = types.filter((type) => type in eventTypes && !expected.includes(type))
        check.of(requirementOf(outlet)).equal(`other events at ${outlet.name} of the recipient`, intruders, [])
      }
      for (const outlet of ofSender) {
        if (outlet.inbox === undefined) {
          const isQueued = await outlet.arrives((event) => isMail(event) && isOfType('message.queued')(event))
          check.of('EVT-014').ok(`message.queued at ${outlet.name} of the sender`, isQueued, 'sent', 'nothing')
        }
        const received = outlet.events().filter((event) => isMail(event) && isOfType('message.received')(event))
        check.of('SCOPE-007').equal(`message.received at ${outlet.name} of the sender`, received.length, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/mail-channels/keep-mail-between-two-inboxes-apart',
    requirements: ['EVT-014', 'SCOPE-002', 'SCOPE-005'],
    level: 'must',
    title: "events of mail to an inbox reach only that inbox's webhooks and streams",
    needs: ['sink', 'workspace', 'send', 'inboxes'],
    async run({ openSandbox, check, require, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const outlets = await outletsOf(sandbox, project, require)
      const subject = `Hello ${unique()}`
      const [first, inbox] = [project.inbox(0), project.inbox(1)]
      // What the key of an inbox may send is open: what it sends is mail of its inbox, if any is.
      const ofInbox = unique()
      await first.api.sendEmail({ ...email(project, inbox.address, ofInbox), from: first.address })
      if (!(await isCarried(sandbox, { sender: project, receiver: project, inbox, subject }, require)))
        return skip('needs a service that carries mail to its own inboxes')
      await sandbox.settle()
      const isMail = (event: unknown) => isOfMail(subject, inbox.address)(event) || dataOf(event, 'subject') === ofInbox
      const listed = (await eventsAfter(project.api)).filter(isMail)
      for (const outlet of outlets) {
        const isOwn = (event: unknown) => outlet.inbox === undefined || dataOf(event, 'inbox_id') === outlet.inbox.id
        for (const event of listed.filter(isOwn)) {
          const type = asText(memberOf(event, 'type'))
          const isIt = (reported: unknown) =>
            isOfType(type)(reported) && dataOf(reported, 'message_id') === dataOf(event, 'message_id')
          const isHere = !(type in eventTypes) || (await outlet.arrives(isIt))
          if (!check.of('EVT-014').ok(`${type} at ${outlet.name}`, isHere, 'sent', 'nothing')) break
        }
        const foreign = outlet.events().filter((event) => isMail(event) && !isOwn(event))
        const types = foreign.map((event) => memberOf(event, 'type'))
        check.of(requirementOf(outlet)).equal(`events of another inbox, or of none, at ${outlet.name}`, types, [])
      }
    },
  }),

  serviceCase({
    id: 'service/mail-channels/tell-all-of-an-email-moved',
    requirements: ['EVT-014'],
    dependsOn: ['SND-010', 'SND-013'],
    level: 'must',
    title: 'every listed event of a rescheduled email is also delivered and streamed',
    needs: ['sink', 'workspace', 'send', 'inboxes', 'time:5000'],
    timeoutMs: scheduleTimeoutMs,
    async run(context) {
      const { check, require, unique } = context
      const sandbox = await context.openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const stream = await project.stream().opened(require.of('STR-001'))
      let late: Webhook | undefined
      const meanwhile = async () => void (late = await project.createWebhook())
      const plan = { name: 'moved', first: 3_600, moved: [7_200, 3], meanwhile }
      const recipient = project.inbox(1).address
      const [subject = ''] = await schedule({ ...context, recipient }, { sandbox, plans: [plan] })
      // If the clock does not move mail, its time passes in real time.
      if (sandbox.time === 'virtual') await sandbox.advance(4_000)
      const isQueued = (event: unknown) => isOfType('message.queued')(event) && dataOf(event, 'subject') === subject
      const queued = (await eventsOnce(sandbox, project.api, (all) => all.some(isQueued), { withinMs: lateMs })).find(
        isQueued,
      )
      require.of('EVT-004').ok('message.queued of the email', queued !== undefined, 'listed', 'absent')
      // An email that is handed over after this one has had its time when one more has.
      const witness = unique()
      if (!(await isCarried(sandbox, { ...between(project), subject: witness }, require)))
        return context.skip('needs a service that carries mail to its own inboxes')
      await sandbox.settle()
      const messageId = dataOf(queued, 'message_id')
      const isMail = (event: unknown) =>
        dataOf(event, 'subject') === subject || (messageId !== undefined && dataOf(event, 'message_id') === messageId)
      const outlets = [
        webhookOutlet(sandbox, webhook, { name: 'the org', inbox: undefined }),
        streamOutlet(sandbox, stream, { name: 'the org', inbox: undefined }),
        ...(late === undefined
          ? []
          : [webhookOutlet(sandbox, late, { name: 'the org, made since', inbox: undefined })]),
      ]
      for (const event of (await eventsAfter(project.api)).filter(isMail)) {
        const type = asText(memberOf(event, 'type'))
        // Skip one, for example, that announced the schedule before the new webhook existed.
        if (!(type in eventTypes)) continue
        const isIt = (reported: unknown) => isOfType(type)(reported) && isMail(reported)
        for (const outlet of outlets)
          check.ok(`${type} of the email at ${outlet.name}`, await outlet.arrives(isIt), 'an event', 'nothing')
      }
    },
  }),

  serviceCase({
    id: 'service/mail-channels/tell-each-item-of-a-batch',
    requirements: ['EVT-014'],
    level: 'must',
    title: `of a batch of ${manyItems} emails each listed message.queued is also sent and streamed`,
    needs: ['sink', 'send'],
    timeoutMs: scheduleTimeoutMs,
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const after = await project.listEnd()
      const webhook = await project.createWebhook({ eventTypes: ['message.queued'] })
      const stream = await project.stream().opened(require.of('STR-001'))
      const subjects = Array.from({ length: manyItems }, unique)
      const answer = await project.api.sendBatch(subjects.map((subject) => email(project, recipient, subject)))
      if (answer.status !== undefined && answer.status >= 400 && answer.status < 500)
        return skip(`needs a service that accepts a batch of ${manyItems}; it answered ${answer.status}`)
      require.of('SND-004').status(answer, '2xx')
      const queued = await queuedSubjects(sandbox, project, { expected: subjects, after })
      const listed = subjects.filter((subject) => queued.includes(subject))
      require.of('EVT-004').ok('message.queued of the items', listed.length > 0, 'listed', 'none')
      for (const outlet of [
        webhookOutlet(sandbox, webhook, { name: 'the org', inbox: undefined }),
        streamOutlet(sandbox, stream, { name: 'the org', inbox: undefined }),
      ]) {
        const reported = () => new Set(outlet.events().map((event) => dataOf(event, 'subject')))
        await outlet.arrivesOnce(() => listed.every((subject) => reported().has(subject)))
        const missing = listed.filter((subject) => !reported().has(subject)).length
        check.equal(`listed items missing at ${outlet.name}`, missing, 0)
      }
    },
  }),
]
