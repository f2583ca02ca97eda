import {
  type EventMember,
  type Policy,
  createdAtMember,
  defaultPolicy,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
} from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Data of one type without a field. */
function dataWithout(type: string, field: string): Partial<Policy> {
  return {
    eventData: (raised, data) =>
      raised === type ? Object.fromEntries(Object.entries(data).filter(([name]) => name !== field)) : data,
  }
}

/** `data` of an event with its subject cut to what a column of 255 letters holds. */
const shortSubjectMember: EventMember = {
  name: 'data',
  json: (event) =>
    JSON.stringify(JSON.parse(event.dataJson), (name, value: unknown) =>
      name === 'subject' && typeof value === 'string' ? value.slice(0, 255) : value,
    ),
}

/** Deviations in events. */
export const eventsMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/sends-timestamps-in-seconds',
    title: 'timestamps have no milliseconds',
    breaks: ['EVT-002', 'DLV-002'],
    policy: {
      formatTime: (at) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
  }),
  defineMutant({
    id: 'server/sends-local-time-as-utc',
    title: 'timestamps are local time with a Z',
    breaks: ['EVT-002', 'POL-009'],
    policy: {
      formatTime: (at) => new Date(at + 3_600_000).toISOString(),
    },
  }),
  defineMutant({
    id: 'server/sends-local-time',
    title: 'timestamps have an offset',
    breaks: ['EVT-002', 'DLV-002'],
    policy: {
      formatTime: (at) => `${new Date(at + 7_200_000).toISOString().slice(0, -1)}+02:00`,
    },
  }),
  defineMutant({
    id: 'server/folds-the-subject-of-queued-mail',
    title: 'message.queued has the first 78 letters of a subject',
    breaks: ['EVT-004'],
    policy: {
      eventData: (type, data) =>
        type === 'message.queued' ? { ...data, subject: String(data['subject']).slice(0, 78) } : data,
    },
  }),
  defineMutant({
    id: 'server/names-events-otherwise',
    title: 'event ids have another prefix',
    breaks: ['EVT-001'],
    policy: {
      eventId: (sequence) => `ev_${String(sequence).padStart(16, '0')}`,
    },
  }),
  defineMutant({
    id: 'server/received-without-thread',
    title: 'message.received has no thread_id',
    breaks: ['EVT-003'],
    policy: dataWithout('message.received', 'thread_id'),
  }),
  defineMutant({
    id: 'server/received-without-from',
    title: 'message.received has no from',
    breaks: ['EVT-003'],
    policy: dataWithout('message.received', 'from'),
  }),
  defineMutant({
    id: 'server/queued-without-subject',
    title: 'message.queued has no subject',
    breaks: ['EVT-004'],
    policy: dataWithout('message.queued', 'subject'),
  }),
  defineMutant({
    id: 'server/delivered-without-recipient',
    title: 'message.delivered has no recipient',
    breaks: ['EVT-005'],
    policy: dataWithout('message.delivered', 'recipient'),
  }),
  defineMutant({
    id: 'server/deferred-without-response',
    title: 'message.deferred has no response',
    breaks: ['EVT-006'],
    policy: dataWithout('message.deferred', 'response'),
  }),
  defineMutant({
    id: 'server/bounced-without-permanent',
    title: 'message.bounced has no permanent',
    breaks: ['EVT-007'],
    policy: dataWithout('message.bounced', 'permanent'),
  }),
  defineMutant({
    id: 'server/bounces-are-always-permanent',
    title: 'every bounce is permanent',
    breaks: ['EVT-007', 'EVT-014'],
    policy: {
      eventData: (type, data) => (type === 'message.bounced' ? { ...data, permanent: true } : data),
    },
  }),
  defineMutant({
    id: 'server/permanent-is-text',
    title: 'permanent is a string',
    breaks: ['EVT-007', 'EVT-014'],
    policy: {
      eventData: (type, data) =>
        type === 'message.bounced' ? { ...data, permanent: String(data['permanent']) } : data,
    },
  }),
  defineMutant({
    id: 'server/complained-without-status',
    title: 'message.complained has no status',
    breaks: ['EVT-008', 'EVT-018'],
    policy: dataWithout('message.complained', 'status'),
  }),
  defineMutant({
    id: 'server/failed-without-status',
    title: 'message.failed has neither its fields nor a reason',
    breaks: ['EVT-009'],
    policy: {
      eventData: (type, data) => (type === 'message.failed' ? { message_id: data['message_id'] } : data),
    },
  }),
  defineMutant({
    id: 'server/status-of-a-bounce-is-old',
    title: 'a bounce carries the status from before',
    breaks: ['EVT-018', 'EVT-014'],
    policy: {
      eventData: (type, data) => (type === 'message.bounced' ? { ...data, status: 'queued' } : data),
    },
  }),
  defineMutant({
    id: 'server/paused-without-stats',
    title: 'sending.paused has no stats',
    breaks: ['EVT-010'],
    policy: dataWithout('sending.paused', 'stats'),
  }),
  defineMutant({
    id: 'server/paused-without-reason',
    title: 'sending.paused has no reason',
    breaks: ['EVT-010'],
    policy: dataWithout('sending.paused', 'reason'),
  }),
  defineMutant({
    id: 'server/resumed-says-paused',
    title: 'sending.resumed has the status paused',
    breaks: ['EVT-011'],
    policy: {
      eventData: (type, data) => (type === 'sending.resumed' ? { ...data, status: 'paused' } : data),
    },
  }),
  defineMutant({
    id: 'server/tells-inbox-webhooks',
    title: 'webhooks of one inbox get workspace events',
    breaks: ['EVT-013'],
    policy: {
      matchesInbox: (inbox, event) => inbox === null || event.inboxId === null || inbox === event.inboxId,
    },
  }),
  defineMutant({
    id: 'server/sends-microseconds',
    title: 'timestamps have microseconds',
    breaks: ['EVT-002', 'DLV-002'],
    policy: {
      formatTime: (at) => new Date(at).toISOString().replace('Z', '000Z'),
    },
  }),
  defineMutant({
    id: 'server/prefixes-otherwise',
    title: 'message ids have no prefix',
    breaks: ['EVT-015', 'EVT-014'],
    policy: {
      eventData: (_type, data) =>
        typeof data['message_id'] === 'string' ? { ...data, message_id: data['message_id'].replace('msg_', '') } : data,
    },
  }),
  defineMutant({
    id: 'server/polls-without-data',
    title: 'events of the list have empty data',
    breaks: ['EVT-014'],
    policy: {
      pollMembers: [idMember, typeMember, orgMember, createdAtMember, { name: 'data', json: () => '{}' }],
    },
  }),
  ...(
    [
      ['delivered', 'EVT-005', 'a recipient accepts it'],
      ['deferred', 'EVT-006', 'it fails for the time being'],
      ['bounced', 'EVT-007', 'it is refused'],
      ['failed', 'EVT-009', 'it is given up'],
    ] as const
  ).map(([outcome, requirement, when]) =>
    defineMutant({
      id: `server/raises-no-${outcome}-of-its-own`,
      title: `nothing is raised for an email when ${when}`,
      breaks: [requirement],
      policy: { outcomeEvents: { ...defaultPolicy.outcomeEvents, [outcome]: [] } },
    }),
  ),
  defineMutant({
    id: 'server/raises-no-complained-of-its-own',
    title: 'a complaint of a recipient raises nothing',
    breaks: ['EVT-008'],
    policy: {
      outcomeEvents: { ...defaultPolicy.outcomeEvents, complained: defaultPolicy.outcomeEvents.delivered },
    },
  }),
  defineMutant({
    id: 'server/tells-delivery-fields-beside-a-reason',
    title: 'message.failed with a reason has made-up delivery fields',
    breaks: ['EVT-009'],
    policy: {
      eventData: (type, data) =>
        type === 'message.failed' && 'reason' in data
          ? { recipient: 'a@b.example', response: '', bounce_classification: 'none', permanent: true, ...data }
          : data,
    },
  }),
  defineMutant({
    id: 'server/polls-short-subjects',
    title: 'subjects are cut at 255 letters only in the list',
    breaks: ['EVT-014'],
    policy: { pollMembers: [idMember, typeMember, orgMember, createdAtMember, shortSubjectMember] },
  }),
  defineMutant({
    id: 'server/sends-short-subjects',
    title: 'webhook deliveries cut subjects to 255 letters',
    breaks: ['EVT-014'],
    policy: { bodyMembers: [idMember, typeMember, timestampMember, shortSubjectMember] },
  }),
]
