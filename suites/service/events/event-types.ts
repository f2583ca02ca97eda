// EVT-003 to EVT-011  each event type and its data kind; mail-events.ts has those caused by mail.
// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// EVT-018  "A delivery event carries the message's new `status`."
// STR-003  "A frame has the same body as a webhook delivery: `id`, `type`, `timestamp`, `data`."
//
// Reading: an event is raised by its cause if one is known: an email to the address of a trigger, a change of the sending status. Only
// without a known cause the control interface raises it, with data that is then read back; the measurements of the case show which it was.
// The resulting data contains the raised data, and may contain more (open point extra-fields); in the three places it is the same. Fields
// that `reason` replaces may be present without a value.

import { eventTypes as specifiedTypes, type EventType, type RequirementId } from '../../../spec/index.js'
import {
  asText,
  instantOf,
  memberOf,
  mentions,
  requirementOfType,
  serviceCase,
  type Checks,
  type RaisedEvent,
  type Sandbox,
  type ServiceContext,
} from '../../../harness/authoring.js'
import { listedEvents, requireMembers, showsEvent } from '../shared/event-log.js'

type Data = Readonly<Record<string, unknown>>

/** Clocks may differ by minutes, and a trigger may take some; a time of another zone is off by a quarter of an hour or more. */
const slackSeconds = 600
/** Milliseconds without an event, so that the times of two events cannot be confused. */
const silenceMs = 6 * 3_600_000

/**
 * What one event settles where others cannot be raised. Whether a bounce is a hard one is known of data of our own alone, so that
 * EVT-007 is left open.
 */
const decidedBy: Readonly<Partial<Record<EventType, readonly RequirementId[]>>> = {
  'message.received': ['EVT-003', 'EVT-014', 'STR-003'],
  'message.queued': ['EVT-004'],
  'message.failed': ['EVT-009'],
  'sending.paused': ['EVT-010'],
  'sending.resumed': ['EVT-011'],
}

/** A reply of several lines: more than a column of 255 letters holds. */
const longReply = [
  '550-5.1.1 No such user',
  ...Array.from({ length: 4 }, () => `550-5.1.1 ${'The address that was sent to is not known here. '.repeat(2)}`),
  '550 5.1.1 <someone@recipient.example>',
].join('\r\n')

/** Fields that `reason` replaces; they may be present without a value. */
const insteadOfReason = ['recipient', 'response', 'bounce_classification', 'permanent']

/** The event as listed; ends the case when it is not in the list. */
async function polled(sandbox: Sandbox, event: RaisedEvent, require: Checks): Promise<unknown> {
  const events = await listedEvents(sandbox, sandbox.project.api, [event.id], event.listedAfter)
  const found = events.filter((candidate) => memberOf(candidate, 'id') === event.id)
  require.equal(`how often GET /v1/events lists ${event.id}`, found.length, 1)
  return found[0]
}

/** Returns the creation time of an event in the list. */
async function createdAt(sandbox: Sandbox, event: RaisedEvent): Promise<unknown> {
  const events = await listedEvents(sandbox, sandbox.project.api, [event.id], event.listedAfter)
  const found = events.find((candidate) => memberOf(candidate, 'id') === event.id)
  return memberOf(found, 'created_at')
}

/** Raises an event and holds what arrives by webhook, stream and polling against it and against each other. */
async function everywhere(context: ServiceContext, sandbox: Sandbox, type: EventType, data?: Data): Promise<void> {
  const { check, require, contract } = context
  const { project } = sandbox
  const requirement = requirementOfType[type]
  const webhook = await project.createWebhook({ eventTypes: [type] })
  const stream = await project.stream().opened(require.of('STR-001'))
  const event =
    data === undefined ? await project.cause(type, require.of(requirement)) : await project.raise(type, { data })
  const attempt = await webhook.attempt(1, event, require.of('EVT-014'))
  requireMembers(require, attempt)
  require
    .of('EVT-014')
    .ok(`the ${type} on the stream`, await showsEvent(stream, sandbox, event.id), 'one frame', 'none')
  const frame = stream.frames.find((frame) => frame.id === event.id)?.event
  const item = await polled(sandbox, event, require.of('EVT-014'))
  check.of(requirement).equal('type', attempt.field('type'), type)
  if (event.sentTo !== undefined && specifiedTypes[type] === 'delivery' && memberOf(event.data, 'reason') === undefined)
    check
      .of(requirement)
      .ok('recipient', mentions(event.data['recipient'], event.sentTo), event.sentTo, event.data['recipient'])
  for (const [field, value] of Object.entries(event.data))
    check.of(requirement).equal(`${field} of the data`, memberOf(attempt.field('data'), field), value)
  for (const [where, one] of [
    ['the frame', frame],
    ['the list', item],
  ] as const)
    for (const field of ['id', 'type', 'data'])
      check.of('EVT-014').equal(`${field} in ${where}`, memberOf(one, field), attempt.field(field))
  if (data !== undefined && 'reason' in data)
    for (const field of insteadOfReason) {
      const value = memberOf(attempt.field('data'), field) ?? null
      check.of('EVT-009').equal(`${field} beside the reason`, value, null)
    }
  check.of('STR-003').equal('timestamp of the frame', memberOf(frame, 'timestamp'), attempt.field('timestamp'))
  check.of('EVT-016').equal('frames of the event', stream.ids.filter((id) => id === event.id).length, 1)
  const component = contract.eventComponent(type)
  if (component === undefined) return
  for (const violation of contract.violations(component, attempt.event, requirement))
    check.of(violation.requirement).fail(violation.where, violation.problem, violation.found)
}

export const eventTypes = [
  ...(Object.keys(specifiedTypes) as EventType[]).map((type) =>
    serviceCase({
      id: `service/event-types/${type.replace('.', '-')}-is-seen-everywhere`,
      requirements: [
        requirementOfType[type],
        'EVT-014',
        'STR-003',
        'EVT-016',
        ...(specifiedTypes[type] === 'delivery' ? (['EVT-018'] as const) : []),
      ],
      decides: decidedBy[type] ?? [],
      level: 'must',
      title: `${type} arrives by webhook, stream and polling with the same id, type and data`,
      needs: ['sink', `event:${type}`],
      async run(context) {
        await everywhere(context, await context.openSandbox(), type)
      },
    }),
  ),

  serviceCase({
    id: 'service/event-types/message-failed-with-a-reason-is-seen-everywhere',
    requirements: ['EVT-009', 'EVT-014'],
    level: 'must',
    title: 'message.failed with a reason arrives by webhook, stream and polling',
    needs: ['sink', 'inboxes', 'own-data'],
    async run(context) {
      const sandbox = await context.openSandbox()
      const mark = context.unique()
      await everywhere(context, sandbox, 'message.failed', {
        message_id: `msg_${mark}`,
        inbox_id: sandbox.project.inbox().id,
        thread_id: `thr_${mark}`,
        reason: `The mail server did not accept the message. ${'It gave no reason. '.repeat(15)}`.trim(),
      })
    },
  }),

  serviceCase({
    id: 'service/event-types/bounces-say-whether-they-are-permanent',
    requirements: ['EVT-007', 'EVT-018'],
    level: 'must',
    title: 'a hard bounce has permanent true, a soft one false; both have the new status',
    needs: ['sink', 'inboxes', 'own-data'],
    async run({ openSandbox, check, unique }) {
      const { project } = await openSandbox()
      const webhook = await project.createWebhook({ eventTypes: ['message.bounced'] })
      for (const permanent of [true, false]) {
        const mark = unique()
        const data = {
          message_id: `msg_${mark}`,
          inbox_id: project.inbox().id,
          thread_id: `thr_${mark}`,
          recipient: 'someone@recipient.example',
          response: permanent ? longReply : '452 4.2.2 Mailbox full',
          bounce_classification: permanent ? 'invalid_recipient' : 'mailbox_full',
          permanent,
          status: 'bounced',
        }
        const attempt = await webhook.attempt(1, await project.raise('message.bounced', { data }))
        check.of('EVT-007').equal('permanent', memberOf(attempt.field('data'), 'permanent'), permanent)
        const reported = asText(memberOf(attempt.field('data'), 'response'))
        check
          .of('EVT-007')
          .equal('response, line breaks apart', reported.replace(/\s+/g, ' '), data.response.replace(/\s+/g, ' '))
        check.of('EVT-018').equal('status', memberOf(attempt.field('data'), 'status'), 'bounced')
      }
    },
  }),

  serviceCase({
    id: 'service/event-types/tell-when-they-were',
    requirements: ['EVT-002', 'POL-009'],
    decides: ['POL-009'],
    level: 'must',
    title: 'timestamp and created_at are the UTC time of the event, and stay the same',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
      const event = await project.raise('message.received')
      const raisedAt = sandbox.now()
      const attempt = await webhook.attempt(1, event)
      requireMembers(require, attempt)
      const first = await createdAt(sandbox, event)
      await webhook.attempt(1, await project.raise('message.received'))
      const again = await createdAt(sandbox, event)
      for (const [requirement, name, value] of [
        ['EVT-002', 'timestamp', attempt.field('timestamp')],
        ['POL-009', 'created_at', first],
      ] as const) {
        const aheadSeconds = (instantOf(asText(value)) - raisedAt) / 1000
        check
          .of(requirement)
          .between(`seconds from the event to its ${name}`, aheadSeconds, -slackSeconds, slackSeconds)
      }
      check.of('POL-009').equal('created_at when it is read again', again, first)
    },
  }),

  serviceCase({
    id: 'service/event-types/tell-when-they-were-whatever-their-type',
    requirements: ['EVT-002', 'POL-009'],
    level: 'must',
    title: 'timestamp and created_at of every event type are its UTC time',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      for (const type of Object.keys(specifiedTypes) as EventType[]) {
        const event = await project.raise(type)
        const raisedAt = sandbox.now()
        const attempt = await webhook.attempt(1, event)
        requireMembers(require, attempt)
        for (const [requirement, name, value] of [
          ['EVT-002', 'timestamp', attempt.field('timestamp')],
          ['POL-009', 'created_at', await createdAt(sandbox, event)],
        ] as const) {
          const aheadSeconds = (instantOf(asText(value)) - raisedAt) / 1000
          const what = `seconds from an event ${type} to its ${name}`
          check.of(requirement).between(what, aheadSeconds, -slackSeconds, slackSeconds)
        }
      }
    },
  }),

  // Only compares two events with each other: it is open whether events use the clock that is moved (clock-and-events), but with either
  // clock no hours pass between them.
  serviceCase({
    id: 'service/event-types/tell-a-time-of-their-own',
    requirements: ['EVT-002', 'POL-009'],
    level: 'must',
    title: 'the first event after hours of silence has the time at which it happened',
    needs: ['clock', 'sink', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
      await webhook.attempt(1, await project.raise('message.received'))
      await sandbox.advance(silenceMs)
      const times: { readonly timestamp: number; readonly created: number }[] = []
      for (let count = 0; count < 2; count++) {
        const event = await project.raise('message.received')
        const attempt = await webhook.attempt(1, event)
        requireMembers(require, attempt)
        const created = asText(await createdAt(sandbox, event))
        times.push({ timestamp: instantOf(asText(attempt.field('timestamp'))), created: instantOf(created) })
      }
      const [first, second] = times
      for (const [requirement, name] of [
        ['EVT-002', 'timestamp'],
        ['POL-009', 'created'],
      ] as const) {
        const apartSeconds = ((second?.[name] ?? Number.NaN) - (first?.[name] ?? Number.NaN)) / 1000
        const what = `seconds between the ${name === 'created' ? 'created_at' : name} of two consecutive events`
        check.of(requirement).between(what, apartSeconds, -slackSeconds, slackSeconds)
      }
    },
  }),

  serviceCase({
    id: 'service/event-types/delivery-events-carry-the-new-status',
    requirements: ['EVT-018'],
    level: 'must',
    title: 'each delivery event of one message keeps the status of its time',
    needs: ['inboxes', 'own-data'],
    async run({ openSandbox, check, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const mark = unique()
      const raised: RaisedEvent[] = []
      for (const [type, status] of [
        ['message.deferred', 'deferred'],
        ['message.delivered', 'delivered'],
        ['message.complained', 'complained'],
      ] as const) {
        const message = { message_id: `msg_${mark}`, inbox_id: project.inbox().id, thread_id: `thr_${mark}` }
        const outcome = { recipient: 'someone@recipient.example', response: '250 OK', bounce_classification: null }
        raised.push(await project.raise(type, { data: { ...message, ...outcome, permanent: false, status } }))
      }
      const ids = raised.map(({ id }) => id)
      const events = await listedEvents(sandbox, project.api, ids, raised[0]?.listedAfter)
      const statuses = ids.map((id) =>
        memberOf(
          memberOf(
            events.find((event) => memberOf(event, 'id') === id),
            'data',
          ),
          'status',
        ),
      )
      check.equal('status of each event', statuses, ['deferred', 'delivered', 'complained'])
    },
  }),
]
