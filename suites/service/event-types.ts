// EVT-003 to EVT-011  each event type and its data kind.
// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// EVT-018  "A delivery event carries the message's new `status`."
// STR-003  "A frame has the same body as a webhook delivery: `id`, `type`, `timestamp`, `data`."
//
// Reading: what raises an event is the control interface or a trigger of the user's. The data that comes out holds what
// was raised, and may hold more (open point extra-fields); in the three places it is the same.

import { eventTypes as kinds, type EventType, type RequirementId } from '../../spec/index.js'
import {
  instantOf,
  memberOf,
  serviceCase,
  type Checks,
  type RaisedEvent,
  type Scene,
  type ServiceContext,
} from '../../harness/authoring.js'
import { eventsBehind, listed, shows } from './event-log.js'

type Data = Readonly<Record<string, unknown>>

/** Clocks may differ by minutes, and a trigger may take some; a time of another zone is off by a quarter of an hour or more. */
const slackSeconds = 600

const requirementOf: Readonly<Record<EventType, RequirementId>> = {
  'message.received': 'EVT-003',
  'message.queued': 'EVT-004',
  'message.delivered': 'EVT-005',
  'message.deferred': 'EVT-006',
  'message.bounced': 'EVT-007',
  'message.complained': 'EVT-008',
  'message.failed': 'EVT-009',
  'sending.paused': 'EVT-010',
  'sending.resumed': 'EVT-011',
}

/** The event as listed; ends the case when it is not in the list. */
async function polled(scene: Scene, event: RaisedEvent, require: Checks): Promise<unknown> {
  const events = await listed(scene, scene.project.api, [event.id], event.listedAfter)
  const found = events.filter((each) => memberOf(each, 'id') === event.id)
  require.equal(`times GET /v1/events lists ${event.id}`, found.length, 1)
  return found[0]
}

/** What the list tells of when an event was created. */
async function createdAt(scene: Scene, event: RaisedEvent): Promise<unknown> {
  const events = await listed(scene, scene.project.api, [event.id], event.listedAfter)
  const found = events.find((each) => memberOf(each, 'id') === event.id)
  return memberOf(found, 'created_at')
}

/** Raises an event and holds what arrives by webhook, stream and polling against it and against each other. */
async function everywhere(context: ServiceContext, scene: Scene, type: EventType, data?: Data): Promise<void> {
  const { check, require, contract } = context
  const { project } = scene
  const requirement = requirementOf[type]
  const hook = await project.hook({ eventTypes: [type] })
  const stream = await project.stream().opened(require.of('STR-001'))
  const event = await project.raise(type, data === undefined ? {} : { data })
  const attempt = await hook.attempt(1, event, require.of('EVT-014'))
  require.of('EVT-014').ok(`the ${type} on the stream`, await shows(stream, scene, event.id), 'one frame', 'none')
  const frame = stream.frames.find((each) => each.id === event.id)?.event
  const item = await polled(scene, event, require.of('EVT-014'))
  check.of(requirement).equal('type', attempt.field('type'), type)
  for (const [field, value] of Object.entries(event.data))
    check.of(requirement).equal(`${field} of the data`, memberOf(attempt.field('data'), field), value)
  for (const [where, one] of [
    ['the frame', frame],
    ['the list', item],
  ] as const)
    for (const field of ['id', 'type', 'data'])
      check.of('EVT-014').equal(`${field} in ${where}`, memberOf(one, field), attempt.field(field))
  check.of('STR-003').equal('timestamp of the frame', memberOf(frame, 'timestamp'), attempt.field('timestamp'))
  check.of('EVT-016').equal('frames of the event', stream.ids.filter((id) => id === event.id).length, 1)
  const component = contract.eventComponent(type)
  if (component === undefined) return
  for (const violation of contract.violations(component, attempt.json, requirement))
    check.of(violation.requirement).fail(violation.where, violation.problem, attempt.field('data'))
}

/** The events of a type that an email with `subject` raised, once there is one or `withinMs` are over. */
async function carried(
  scene: Scene,
  type: EventType,
  email: { readonly subject: string; readonly after?: string; readonly withinMs: number },
): Promise<unknown[]> {
  let found: unknown[] = []
  await scene.until(async () => {
    const events = await eventsBehind(scene.project.api, email.after)
    found = events.filter(
      (each) => memberOf(each, 'type') === type && memberOf(memberOf(each, 'data'), 'subject') === email.subject,
    )
    return found.length > 0
  }, email.withinMs)
  return found
}

/** Time a service that carries mail to its own inboxes gets for it in virtual time, in milliseconds. */
const carriedWithinMs = 1_500

export const eventTypes = [
  ...(Object.keys(kinds) as EventType[]).map((type) =>
    serviceCase({
      id: `service/event-types/${type.replace('.', '-')}-is-seen-everywhere`,
      requirements: [
        requirementOf[type],
        'EVT-014',
        'STR-003',
        'EVT-016',
        ...(kinds[type] === 'delivery' ? (['EVT-018'] as const) : []),
      ],
      level: 'must',
      title: `${type} arrives by webhook, stream and polling with the same id, type and data of its kind`,
      needs: ['sink', `event:${type}`],
      async run(context) {
        await everywhere(context, await context.scene(), type)
      },
    }),
  ),

  serviceCase({
    id: 'service/event-types/message-failed-with-a-reason-is-seen-everywhere',
    requirements: ['EVT-009', 'EVT-014'],
    level: 'must',
    title: 'message.failed with a reason in place of the delivery fields arrives by webhook, stream and polling',
    needs: ['sink', 'inboxes', 'own-data'],
    async run(context) {
      const scene = await context.scene()
      const mark = context.unique()
      await everywhere(context, scene, 'message.failed', {
        message_id: `msg_${mark}`,
        inbox_id: scene.project.inbox().id,
        thread_id: `thr_${mark}`,
        reason: 'The mail server did not accept the message.',
      })
    },
  }),

  serviceCase({
    id: 'service/event-types/bounces-say-whether-they-are-permanent',
    requirements: ['EVT-007', 'EVT-018'],
    level: 'must',
    title: 'a hard bounce has permanent true, a soft one false, and both the new status of the message',
    needs: ['sink', 'inboxes', 'own-data'],
    async run({ scene: open, check, unique }) {
      const { project } = await open()
      const hook = await project.hook({ eventTypes: ['message.bounced'] })
      for (const permanent of [true, false]) {
        const mark = unique()
        const data = {
          message_id: `msg_${mark}`,
          inbox_id: project.inbox().id,
          thread_id: `thr_${mark}`,
          recipient: 'someone@recipient.example',
          response: permanent
            ? '550-5.1.1 No such user\r\n550 5.1.1 <someone@recipient.example>'
            : '452 4.2.2 Mailbox full',
          bounce_classification: permanent ? 'invalid_recipient' : 'mailbox_full',
          permanent,
          status: 'bounced',
        }
        const attempt = await hook.attempt(1, await project.raise('message.bounced', { data }))
        check.of('EVT-007').equal('permanent', memberOf(attempt.field('data'), 'permanent'), permanent)
        const told = String(memberOf(attempt.field('data'), 'response'))
        check
          .of('EVT-007')
          .equal('response, line breaks apart', told.replace(/\s+/g, ' '), data.response.replace(/\s+/g, ' '))
        check.of('EVT-018').equal('status', memberOf(attempt.field('data'), 'status'), 'bounced')
      }
    },
  }),

  serviceCase({
    id: 'service/event-types/tell-when-they-were',
    requirements: ['EVT-002', 'POL-009'],
    level: 'must',
    title: 'timestamp and created_at are the time of the event in UTC, and do not change from one reading to the next',
    needs: ['sink', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const { project } = scene
      const hook = await project.hook({ eventTypes: ['message.received'] })
      const event = await project.raise('message.received')
      const raisedAt = scene.now()
      const attempt = await hook.attempt(1, event)
      const first = await createdAt(scene, event)
      await hook.attempt(1, await project.raise('message.received'))
      const again = await createdAt(scene, event)
      for (const [requirement, name, value] of [
        ['EVT-002', 'timestamp', attempt.field('timestamp')],
        ['POL-009', 'created_at', first],
      ] as const) {
        const aheadSeconds = (instantOf(String(value)) - raisedAt) / 1000
        check
          .of(requirement)
          .between(`seconds from the event to its ${name}`, aheadSeconds, -slackSeconds, slackSeconds)
      }
      check.of('POL-009').equal('created_at when it is read again', again, first)
    },
  }),

  serviceCase({
    id: 'service/event-types/delivery-events-carry-the-new-status',
    requirements: ['EVT-018'],
    level: 'must',
    title: 'each delivery event of one message carries the status it brought, and the others keep theirs',
    needs: ['inboxes', 'own-data'],
    async run({ scene: open, check, unique }) {
      const scene = await open()
      const { project } = scene
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
      const events = await listed(scene, project.api, ids, raised[0]?.listedAfter)
      const statuses = ids.map((id) =>
        memberOf(
          memberOf(
            events.find((each) => memberOf(each, 'id') === id),
            'data',
          ),
          'status',
        ),
      )
      check.equal('status of each event', statuses, ['deferred', 'delivered', 'complained'])
    },
  }),

  serviceCase({
    id: 'service/event-types/a-sent-email-is-queued',
    requirements: ['EVT-004', 'EVT-016'],
    level: 'must',
    title: 'an email that is sent raises message.queued once, with its recipient and subject',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const subject = unique()
      const to = 'someone@recipient.example'
      const sent = await project.api.sendEmail({ from: project.from, to: [to], subject, text: 'Text' })
      require.of('SND-001').status(sent, '2xx')
      const queued = await carried(scene, 'message.queued', { subject, withinMs: scene.budgetMs })
      require.of('EVT-004').ok('message.queued of the email', queued.length > 0, 'listed', 'absent')
      check.of('EVT-016').equal('message.queued events of the email', queued.length, 1)
      check
        .of('EVT-004')
        .ok('its to', JSON.stringify(memberOf(memberOf(queued[0], 'data'), 'to')).includes(to), to, queued[0])
    },
  }),

  serviceCase({
    id: 'service/event-types/a-received-email-is-received-once',
    requirements: ['EVT-003', 'EVT-016'],
    level: 'must',
    title: 'an email to an inbox raises message.received once, for this inbox, with its sender and subject',
    needs: ['send', 'inboxes', 'event:message.received'],
    async run({ scene: open, check, require, unique, skip }) {
      const scene = await open()
      const { project } = scene
      const [inbox, marker] = [project.inbox(1), await project.raise('message.received')]
      const subject = `Hello ${unique()}`
      const sent = await project.api.sendEmail({ from: project.from, to: [inbox.address], subject, text: 'Text' })
      require.of('SND-001').status(sent, '2xx')
      const withinMs = scene.time === 'virtual' ? carriedWithinMs : scene.budgetMs
      const received = await carried(scene, 'message.received', { subject, after: marker.id, withinMs })
      if (received.length === 0) skip('needs a service that carries mail to its own inboxes')
      check.of('EVT-016').equal('message.received events of the email', received.length, 1)
      const data = memberOf(received[0], 'data')
      check.of('EVT-003').equal('inbox_id', memberOf(data, 'inbox_id'), inbox.id)
      check.of('EVT-003').ok('from', typeof memberOf(data, 'from') === 'string', 'a text', memberOf(data, 'from'))
    },
  }),
]
