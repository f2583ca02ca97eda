// EVT-003 to EVT-011  each event type and its data kind.
// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// STR-003  "A frame has the same body as a webhook delivery: `id`, `type`, `timestamp`, `data`."
//
// Reading: what raises an event is the control interface or a trigger of the user's; the fields of its data are held
// against the OpenAPI document wherever the event appears.

import { eventTypes, type EventType, type RequirementId } from '../../spec/index.js'
import {
  itemsOf,
  memberOf,
  serviceCase,
  type Api,
  type Checks,
  type RaisedEvent,
  type Scene,
  type ServiceContext,
} from '../../harness/authoring.js'

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

/** The event as polled; ends the case when it is not in the list. */
async function polled(api: Api, event: RaisedEvent, require: Checks): Promise<unknown> {
  let after: string | undefined
  for (let page = 0; page < 500; page++) {
    const items = itemsOf(await api.pollEvents({ limit: 100, after })) ?? []
    const found = items.find((each) => memberOf(each, 'id') === event.id)
    if (found !== undefined) return found
    const last = memberOf(items.at(-1), 'id')
    if (typeof last !== 'string') break
    after = last
  }
  require.fail(`the event ${event.id} in GET /v1/events`, 'listed', 'absent')
  return undefined
}

async function everywhere(
  context: ServiceContext,
  scene: Scene,
  type: EventType,
  data?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { check, require, contract } = context
  const { project } = scene
  const hook = await project.hook({ eventTypes: [type] })
  const stream = await project.stream().opened(require.of('STR-001'))
  const event = await project.raise(type, data === undefined ? {} : { data })
  const attempt = await hook.attempt(1, event, require.of('EVT-014'))
  const hasFrame = await stream.until(() => stream.ids.includes(event.id), scene.budgetMs)
  require.of('EVT-014').ok(`the ${type} on the stream`, hasFrame, 'one frame', 'none')
  const frame = stream.frames.find((each) => each.id === event.id)?.event
  const item = await polled(project.api, event, require.of('EVT-014'))
  const requirement = requirementOf[type]
  check.of(requirement).equal('type', attempt.field('type'), type)
  check.of('EVT-014').equal('data of the delivery', attempt.field('data'), event.data)
  for (const [where, one] of [
    ['the frame', frame],
    ['the list', item],
  ] as const)
    for (const field of ['id', 'type', 'data'])
      check.of('EVT-014').equal(`${field} in ${where}`, memberOf(one, field), attempt.field(field))
  check.of('STR-003').equal('timestamp of the frame', memberOf(frame, 'timestamp'), attempt.field('timestamp'))
  check.of('EVT-016').equal('frames of the event', stream.ids.filter((id) => id === event.id).length, 1)
  const component = contract.eventComponent(type)
  if (component !== undefined)
    for (const violation of contract.check(component, attempt.json, requirement))
      check.of(requirement).fail(violation.where, violation.problem, attempt.field('data'))
}

export const eventTypeCases = [
  ...(Object.keys(eventTypes) as EventType[]).map((type) =>
    serviceCase({
      id: `service/event-types/${type.replace('.', '-')}-is-seen-everywhere`,
      requirements: [
        requirementOf[type],
        'EVT-014',
        ...(type === 'message.received' ? (['STR-003', 'EVT-016'] as const) : []),
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
    needs: ['sink', 'workspace', 'own-data'],
    async run(context) {
      const scene = await context.scene()
      await everywhere(context, scene, 'message.failed', {
        message_id: 'msg_1',
        inbox_id: scene.project.inbox().id,
        thread_id: 'thr_1',
        reason: 'The mail server did not accept the message.',
      })
    },
  }),

  serviceCase({
    id: 'service/event-types/bounces-say-whether-they-are-permanent',
    requirements: ['EVT-007', 'EVT-018'],
    level: 'must',
    title: 'a hard bounce has permanent true, a soft one false, and both the new status of the message',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const hook = await project.hook()
      for (const permanent of [true, false]) {
        const data = {
          message_id: `msg_${permanent ? 'hard' : 'soft'}`,
          inbox_id: project.inbox().id,
          thread_id: 'thr_1',
          recipient: 'a@b.example',
          response: '5xx',
          bounce_classification: 'x',
          permanent,
          status: 'bounced',
        }
        const attempt = await hook.attempt(1, await project.raise('message.bounced', { data }))
        check.of('EVT-007').equal('permanent', memberOf(attempt.field('data'), 'permanent'), permanent)
        check.of('EVT-018').equal('status', memberOf(attempt.field('data'), 'status'), 'bounced')
      }
    },
  }),

  serviceCase({
    id: 'service/event-types/a-sent-email-is-queued',
    requirements: ['EVT-004', 'EVT-016'],
    level: 'must',
    title: 'an email that is sent raises message.queued once, with its subject',
    needs: ['send', 'workspace'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const subject = unique()
      const sent = await project.api.sendEmail({
        from: project.from,
        to: ['someone@recipient.example'],
        subject,
        text: 'Text',
      })
      require.of('SND-001').status(sent, '2xx')
      await scene.settle()
      const items = itemsOf(await project.api.pollEvents({ limit: 100 })) ?? []
      const queued = items.filter(
        (each) =>
          memberOf(each, 'type') === 'message.queued' && memberOf(memberOf(each, 'data'), 'subject') === subject,
      )
      check
        .of(queued.length === 0 ? 'EVT-004' : 'EVT-016')
        .equal('message.queued events of the email', queued.length, 1)
    },
  }),
]
