import { randomUUID } from 'node:crypto'
import type { RequirementId } from '../../../spec/index.js'
import {
  createdAtMember,
  dataMember,
  defaultPolicy,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
  type Policy,
} from '../../server/index.js'
import type { ServerMutant } from '../mutant.js'

/** A mutant of one replaced entry. */
function mutant(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  policy: Partial<Policy>,
): ServerMutant {
  return { id: `server/${id}`, title, breaks, policy }
}

/** Data of one type without a field. */
function dataWithout(type: string, field: string): Partial<Policy> {
  return {
    eventData: (each, data) =>
      each === type ? Object.fromEntries(Object.entries(data).filter(([name]) => name !== field)) : data,
  }
}

const eventMutants: readonly ServerMutant[] = [
  mutant('names-events-otherwise', 'event ids have another prefix', ['EVT-001'], {
    eventId: (sequence) => `ev_${String(sequence).padStart(16, '0')}`,
  }),
  mutant(
    'received-without-thread',
    'message.received has no thread_id',
    ['EVT-003'],
    dataWithout('message.received', 'thread_id'),
  ),
  mutant('received-without-from', 'message.received has no from', ['EVT-003'], dataWithout('message.received', 'from')),
  mutant(
    'queued-without-subject',
    'message.queued has no subject',
    ['EVT-004'],
    dataWithout('message.queued', 'subject'),
  ),
  mutant(
    'delivered-without-recipient',
    'message.delivered has no recipient',
    ['EVT-005'],
    dataWithout('message.delivered', 'recipient'),
  ),
  mutant(
    'deferred-without-response',
    'message.deferred has no response',
    ['EVT-006'],
    dataWithout('message.deferred', 'response'),
  ),
  mutant(
    'bounced-without-permanent',
    'message.bounced has no permanent',
    ['EVT-007'],
    dataWithout('message.bounced', 'permanent'),
  ),
  mutant('bounces-are-always-permanent', 'every bounce is permanent', ['EVT-007', 'EVT-014'], {
    eventData: (type, data) => (type === 'message.bounced' ? { ...data, permanent: true } : data),
  }),
  mutant('permanent-is-text', 'permanent is a text', ['EVT-007', 'EVT-014'], {
    eventData: (type, data) => (type === 'message.bounced' ? { ...data, permanent: String(data['permanent']) } : data),
  }),
  mutant(
    'complained-without-status',
    'message.complained has no status',
    ['EVT-008', 'EVT-018'],
    dataWithout('message.complained', 'status'),
  ),
  mutant('failed-without-status', 'message.failed has neither its fields nor a reason', ['EVT-009'], {
    eventData: (type, data) => (type === 'message.failed' ? { message_id: data['message_id'] } : data),
  }),
  mutant('status-of-a-bounce-is-old', 'a bounce carries the status from before', ['EVT-018', 'EVT-014'], {
    eventData: (type, data) => (type === 'message.bounced' ? { ...data, status: 'queued' } : data),
  }),
  mutant('paused-without-stats', 'sending.paused has no stats', ['EVT-010'], dataWithout('sending.paused', 'stats')),
  mutant('paused-without-reason', 'sending.paused has no reason', ['EVT-010'], dataWithout('sending.paused', 'reason')),
  mutant('resumed-says-paused', 'sending.resumed has the status paused', ['EVT-011'], {
    eventData: (type, data) => (type === 'sending.resumed' ? { ...data, status: 'paused' } : data),
  }),
  mutant('queued-is-sent', 'message.queued is raised as message.sent', ['EVT-004'], {
    eventType: (type) => (type === 'message.queued' ? 'message.sent' : type),
  }),
  mutant('records-twice', 'a queued message is recorded twice', ['EVT-016'], {
    eventCopies: (type) => (type === 'message.queued' ? 2 : 1),
  }),
  mutant('records-nothing', 'a queued message is not recorded', ['EVT-004', 'EVT-016'], {
    eventCopies: (type) => (type === 'message.queued' ? 0 : 1),
  }),
  mutant('tells-the-first-project-only', 'workspace events go to one project', ['EVT-012'], {
    workspaceEventOrgs: (orgs) => orgs.slice(0, 1),
  }),
  mutant('tells-each-project-twice', 'workspace events go twice to each project', ['EVT-012'], {
    workspaceEventOrgs: (orgs) => [...orgs, ...orgs],
  }),
  mutant('tells-inbox-webhooks', 'webhooks of one inbox get workspace events', ['EVT-013'], {
    matchesInbox: (inbox, event) => inbox === null || event.inboxId === null || inbox === event.inboxId,
  }),
  mutant('says-nothing-on-resume', 'resuming raises no event', ['EVT-011', 'EVT-017', 'EVT-012'], {
    eventCopies: (type) => (type === 'sending.resumed' ? 0 : 1),
  }),
  mutant('never-resumes', 'resuming is told and not stored, so the next pause says nothing', ['EVT-017'], {
    sendingStatusAfter: (asked, before) => (asked === 'active' ? before : asked),
  }),
  mutant('says-paused-both-times', 'resuming raises sending.paused again', ['EVT-011', 'EVT-017', 'EVT-012'], {
    eventType: (type) => (type === 'sending.resumed' ? 'sending.paused' : type),
  }),
  mutant(
    'numbers-ids-without-padding',
    'ids are numbers compared as text, so the tenth sorts before the second',
    ['POL-010', 'POL-001', 'POL-003', 'POL-008'],
    { eventId: counter((number) => `evt_${number}`) },
  ),
  mutant(
    'makes-random-ids',
    'ids are random, and lists are ordered by them',
    ['POL-010', 'POL-001', 'POL-003', 'POL-008'],
    { eventId: () => `evt_${randomUUID()}` },
  ),
  mutant(
    'orders-ids-by-the-second',
    'ids begin with the second and go on at random, so events of one second have no order',
    ['POL-010', 'POL-001', 'POL-003', 'POL-008'],
    { eventId: () => `evt_${Math.floor(Date.now() / 1000)}${randomUUID().slice(0, 8)}` },
  ),
  mutant(
    'counts-ids-down',
    'a newer event has a smaller id, as lists that show the newest first like it',
    ['POL-010', 'POL-001', 'POL-003'],
    { eventId: (sequence) => `evt_${String(Number.MAX_SAFE_INTEGER - sequence).padStart(16, '0')}` },
  ),
  mutant('sends-microseconds', 'timestamps have microseconds', ['EVT-002', 'DLV-002'], {
    formatTime: (at) => new Date(at).toISOString().replace('Z', '000Z'),
  }),
  mutant('prefixes-otherwise', 'message ids have no prefix', ['EVT-015', 'EVT-014'], {
    eventData: (_type, data) =>
      typeof data['message_id'] === 'string' ? { ...data, message_id: data['message_id'].replace('msg_', '') } : data,
  }),
]

/** Ids from a counter of the server's own, from 1. */
function counter(name: (number: number) => string): () => string {
  let number = 0
  return () => name(++number)
}

const pollMutants: readonly ServerMutant[] = [
  mutant('polls-newest-first', 'the newest event stands first', ['POL-001', 'POL-002'], { pollOrder: 'newest-first' }),
  mutant('polls-from-now', 'without after the list starts at the end', ['POL-002'], { pollStart: 'now' }),
  mutant('repeats-the-cursor', 'the event of the cursor is listed again', ['POL-003', 'POL-008'], {
    pollComparison: '>=',
  }),
  mutant('polls-twenty', 'the default page has 20', ['POL-004'], { pollDefaultLimit: 20 }),
  mutant('polls-a-hundred', 'the default page has 100', ['POL-004'], { pollDefaultLimit: 100 }),
  mutant('polls-at-most-fifty', 'the maximum is 50', ['POL-005', 'POL-006'], { pollMaxLimit: 50 }),
  mutant('polls-any-number', 'there is no maximum', ['POL-006'], { pollMaxLimit: 100_000 }),
  mutant('answers-events-and-cursor', 'the page has other names', ['POL-007'], {
    pollEnvelope: (rows, next) => `{"events":[${rows}],"cursor":${JSON.stringify(next) ?? 'null'}}`,
  }),
  mutant('answers-without-a-cursor', 'next_after is always null', ['POL-007', 'POL-008'], { nextAfter: () => null }),
  mutant('points-at-the-first', 'next_after is the first event of the page', ['POL-008'], {
    nextAfter: ({ lastId, after, edges }) => edges().firstId ?? lastId ?? after ?? '',
  }),
  mutant(
    'starts-again-at-the-end',
    'next_after of the last page is empty, so the list starts again',
    ['POL-008', 'POL-007'],
    { nextAfter: ({ lastId, limit, edges }) => (edges().count < limit ? '' : (lastId ?? '')) },
  ),
  mutant('ends-with-null', 'next_after is null on a page that is not full', ['POL-007', 'POL-008'], {
    nextAfter: ({ lastId, limit, edges }) => (edges().count < limit ? null : lastId),
  }),
  mutant('polls-timestamp', 'events of the list have timestamp in place of created_at', ['POL-009'], {
    pollMembers: [idMember, typeMember, orgMember, timestampMember, dataMember],
  }),
  mutant('polls-without-org', 'events of the list have no org_id', ['POL-009'], {
    pollMembers: [idMember, typeMember, createdAtMember, dataMember],
  }),
  mutant('polls-without-data', 'events of the list have empty data', ['EVT-014'], {
    pollMembers: [idMember, typeMember, orgMember, createdAtMember, { name: 'data', json: () => '{}' }],
  }),
]

const streamMutants: readonly ServerMutant[] = [
  mutant('streams-lists', 'a frame is a list of events', ['STR-002', 'STR-003'], { frame: (event) => `[${event}]` }),
  mutant('streams-an-envelope', 'the event stands in an envelope', ['STR-003', 'STR-002'], {
    frame: (event) => `{"event":${event}}`,
  }),
  mutant('streams-binary', 'frames are binary', ['STR-002'], { frameKind: 'binary' }),
  mutant('streams-without-timestamp', 'frames have no timestamp', ['STR-003'], {
    frameMembers: [idMember, typeMember, dataMember],
  }),
  mutant('streams-created-at', 'frames have created_at in place of timestamp', ['STR-003'], {
    frameMembers: [idMember, typeMember, createdAtMember, dataMember],
  }),
  mutant('streams-from-the-start', 'without after the whole log is sent', ['STR-004'], { streamStart: 'oldest' }),
  mutant('does-not-resume', 'after is ignored', ['STR-005', 'SCOPE-010'], { streamResumes: false }),
  mutant('streams-the-cursor-again', 'the event of the cursor is sent again', ['STR-005'], { streamComparison: '>=' }),
  mutant('streams-the-backlog-backwards', 'the backlog is sent newest first', ['STR-007'], {
    backlogOrder: 'newest-first',
  }),
  mutant('streams-fifty-of-the-backlog', 'the backlog is cut at 50', ['STR-005'], { backlogLimit: 50 }),
  mutant('loses-events-at-the-hand-over', 'events raised during the backlog are lost', ['STR-006'], {
    handOver: 'snapshot',
    streamPageSize: 3,
  }),
  mutant('streams-each-event-in-its-own-time', 'each event goes out by a task of its own', ['STR-007', 'STR-006'], {
    publishDelayMs: () => 1 + Math.random() * 40,
  }),
  mutant('streams-elsewhere', 'the stream is at another path', ['STR-001'], { streamPath: '/events/stream' }),
  mutant('fails-on-odd-cursors', 'a stream after something that is no id is a server error', ['ERR-003'], {
    streamUnknownAfter: 'fail',
  }),
  mutant('repeats-events-at-the-hand-over', 'events raised during the backlog are sent twice', ['STR-006', 'STR-007'], {
    handOver: 'overlap',
  }),
  mutant('streams-to-the-newest-client', 'only the newest client gets live events', ['STR-008'], {
    liveClients: 'newest-of-org',
  }),
  mutant('streams-to-anybody', 'a stream without a key is let in', ['AUTH-006'], {
    streamWithoutKey: 'first-org',
    streamUnknownKey: 'first-org',
  }),
  mutant('streams-to-any-key', 'a stream with a key that does not exist is let in', ['AUTH-006'], {
    streamUnknownKey: 'first-org',
  }),
  mutant('takes-no-token', 'token is not read', ['AUTH-005'], {
    streamCredentialOf: ({ authorization }) => defaultPolicy.credentialOf(authorization),
  }),
  mutant('takes-no-header', 'the Authorization header of a stream is not read', ['AUTH-004'], {
    streamCredentialOf: ({ token }) => token,
  }),
]

const scopeMutants: readonly ServerMutant[] = [
  mutant('polls-no-inbox-without-one', 'a key of the org polls as if it had an inbox that is none', ['SCOPE-008'], {
    pollInbox: (inbox) => inbox ?? 'none',
  }),
  mutant(
    'streams-no-inbox-without-one',
    'a key of the org streams as if it had an inbox that is none',
    ['SCOPE-009', 'STR-005', 'STR-008', 'AUTH-004', 'AUTH-005'],
    { streamInbox: (inbox) => inbox ?? 'none' },
  ),
  mutant('polls-every-inbox', 'a scoped key polls the whole org', ['SCOPE-001', 'SCOPE-010'], {
    pollInbox: () => null,
  }),
  mutant(
    'widens-polling-behind-a-cursor',
    'a scoped key polls the whole org when it gives after',
    ['SCOPE-010', 'SCOPE-001'],
    { pollInbox: (inbox, after) => (after === undefined ? inbox : null) },
  ),
  mutant('streams-every-inbox', 'a scoped key streams the whole org', ['SCOPE-002', 'SCOPE-010'], {
    streamInbox: () => null,
  }),
  mutant('streams-every-inbox-live', 'a scoped key streams the whole org live', ['SCOPE-002', 'SCOPE-010'], {
    streamInbox: (inbox, phase) => (phase === 'live' ? null : inbox),
  }),
  mutant('widens-the-backlog', 'a scoped key is sent the backlog of the whole org', ['SCOPE-010'], {
    streamInbox: (inbox, phase) => (phase === 'backlog' ? null : inbox),
  }),
  mutant('does-not-force-the-inbox', 'a scoped key makes webhooks of the whole org', ['SCOPE-003', 'SCOPE-004'], {
    webhookInbox: (_key, asked) => asked,
  }),
  mutant('trusts-the-asked-inbox', 'a scoped key gets the inbox it asks for', ['SCOPE-004'], {
    webhookInbox: (key, asked) => asked ?? key,
  }),
  mutant(
    'ignores-the-inbox-of-a-webhook',
    'a webhook of one inbox gets every event',
    ['SCOPE-005', 'EVT-013', 'SCOPE-003'],
    { matchesInbox: () => true },
  ),
  mutant('null-means-no-inbox', 'a webhook without an inbox gets only events without one', ['SCOPE-006'], {
    matchesInbox: (inbox, event) => inbox === event.inboxId,
  }),
  mutant('polls-every-org', 'a key polls the events of all orgs', ['SCOPE-007'], { pollOrgs: 'all' }),
  mutant('streams-every-org', 'a stream gets the events of all orgs', ['SCOPE-007'], { streamOrgs: 'all' }),
  mutant('sends-to-every-org', 'an event is sent to the webhooks of all orgs', ['SCOPE-007', 'EVT-012'], {
    fanOutOrgs: 'all',
  }),
  mutant('lists-every-org', 'a key lists the webhooks of all orgs', ['SCOPE-007'], { webhookListOrgs: 'all' }),
  mutant('reaches-every-org-by-id', 'whoever knows an id reaches it', ['SCOPE-007'], {
    keyReaches: (key, record) => key.inboxId === null || key.inboxId === record.inboxId,
  }),
  mutant('checks-no-org-for-keys-of-an-inbox', 'a key of one inbox reaches every id', ['SCOPE-007'], {
    keyReaches: (key, record) => key.inboxId !== null || key.orgId === record.orgId,
  }),
  mutant(
    'matches-inboxes-of-any-org',
    'a webhook that names the inbox of another org is made and gets its events',
    ['SCOPE-007', 'SCOPE-005'],
    { unknownInbox: 'accept', fanOutOrgs: 'own-and-inbox' },
  ),
]

/** Deviations in events, polling, the stream and scoping. */
export const readingMutants: readonly ServerMutant[] = [
  ...eventMutants,
  ...pollMutants,
  ...streamMutants,
  ...scopeMutants,
]
