import { createdAtMember, dataMember, idMember, typeMember } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in the stream. */
export const streamMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/streams-lists',
    title: 'a frame is a list of events',
    breaks: ['STR-002', 'STR-003'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'Buffer.from(eventJson(event))',
        replace: 'Buffer.from(`[${eventJson(event)}]`)',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-an-envelope',
    title: 'wraps the event in an envelope',
    breaks: ['STR-003', 'STR-002'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'Buffer.from(eventJson(event))',
        replace: 'Buffer.from(`{"event":${eventJson(event)}}`)',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-binary',
    title: 'frames are binary',
    breaks: ['STR-002'],
    patch: [{ file: 'server/stream.ts', find: 'binary: false', replace: 'binary: true' }],
  }),
  defineMutant({
    id: 'server/streams-without-timestamp',
    title: 'frames have no timestamp',
    breaks: ['STR-003'],
    policy: {
      frameMembers: [idMember, typeMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/streams-created-at',
    title: 'frames have created_at instead of timestamp',
    breaks: ['STR-003'],
    policy: {
      frameMembers: [idMember, typeMember, createdAtMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/streams-from-the-start',
    title: 'without after the whole log is sent',
    breaks: ['STR-004'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'cursor: after ?? events.newestId(), isLive: after',
        replace: "cursor: after ?? '', isLive: false && after",
      },
    ],
  }),
  defineMutant({
    id: 'server/does-not-resume',
    title: 'after is ignored',
    breaks: ['STR-005', 'SCOPE-010'],
    patch: [{ file: 'server/stream.ts', find: 'open(opened, key, after)', replace: 'open(opened, key)' }],
  }),
  defineMutant({
    id: 'server/streams-the-cursor-again',
    title: 'the event of the cursor is sent again',
    breaks: ['STR-005'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'after ?? events.newestId()',
        replace:
          'after?.replace(/.$/s, (last) => `${String.fromCharCode(last.charCodeAt(0) - 1)}~`) ?? events.newestId()',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-the-backlog-backwards',
    title: 'the backlog is sent newest first',
    breaks: ['STR-007'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'for (const event of page) send(client',
        replace: 'for (const event of page.toReversed()) send(client',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-fifty-of-the-backlog',
    title: 'the backlog is cut at 50',
    breaks: ['STR-005'],
    patch: [
      { file: 'server/stream.ts', find: 'limit: policy.streamPageSize', replace: 'limit: 50' },
      { file: 'server/stream.ts', find: 'page.length < policy.streamPageSize', replace: 'true' },
    ],
  }),
  defineMutant({
    id: 'server/loses-events-at-the-hand-over',
    title: 'events raised during the backlog are lost',
    breaks: ['STR-006'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'cursor: after ?? events.newestId()',
        replace: 'snapshotId: events.newestId(), cursor: after ?? events.newestId()',
      },
      { file: 'server/stream.ts', find: 'limit: policy.streamPageSize', replace: 'limit: 3' },
      {
        file: 'server/stream.ts',
        find: 'for (const event of page) send(client, frameOf(event))',
        replace: `const snapshot = page.filter(({ id }) => id <= client.snapshotId)
for (const event of snapshot) send(client, frameOf(event))`,
      },
      { file: 'server/stream.ts', find: 'page.length < policy.streamPageSize', replace: 'snapshot.length < 3' },
    ],
  }),
  defineMutant({
    id: 'server/streams-each-event-in-its-own-time',
    title: 'each event is sent by its own task, so the order can change',
    breaks: ['STR-007', 'STR-006'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'publish: broadcast',
        replace: 'publish: (event) => void setTimeout(() => broadcast(event), 1 + Math.random() * 40)',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-elsewhere',
    title: 'the stream is at another path',
    breaks: ['STR-001'],
    policy: { streamPath: '/events/stream' },
  }),
  defineMutant({
    id: 'server/repeats-events-at-the-hand-over',
    title: 'events raised during the backlog are sent twice',
    breaks: ['STR-006', 'STR-007'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'if (!client.isLive || !sees(client, event)) continue',
        replace: `if (!sees(client, event)) continue
if (!client.isLive) {
  send(client, (frame ??= frameOf(event)))
  continue
}`,
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-to-the-newest-client',
    title: 'only the newest client gets live events',
    breaks: ['STR-008'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'if (!client.isLive || !sees(client, event)) continue',
        replace: 'if (client !== [...clients].findLast((each) => sees(each, event)) || !client.isLive) continue',
      },
    ],
  }),
  defineMutant({
    id: 'server/falls-silent-on-a-stream',
    title: 'two seconds after its first event a stream stays open without more events',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'return event.orgId === key.orgId &&',
        replace: `if (event.orgId === key.orgId && Date.now() - (arguments[0].firstAt ??= Date.now()) > 2000) return false
        return event.orgId === key.orgId &&`,
      },
    ],
  }),
  defineMutant({
    id: 'server/resumes-with-twenty-addresses',
    title: 'of the addresses of an event the backlog of a stream has twenty',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'for (const event of page) send(client, frameOf(event))',
        replace: `for (const event of page) {
      const data = JSON.parse(event.dataJson)
      if (data.to?.length > 20) data.to = data.to.slice(0, 20)
      send(client, frameOf({ ...event, dataJson: JSON.stringify(data) }))
    }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/answers-no-ping',
    title: 'a ping is read, and no pong is sent',
    breaks: ['STR-001'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'perMessageDeflate: false',
        replace: 'perMessageDeflate: false, autoPong: false',
      },
    ],
  }),
  defineMutant({
    id: 'server/writes-65536-in-two-bytes',
    title: 'the length of a frame of exactly 65,536 bytes is written in two bytes',
    breaks: ['STR-002'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'client.socket.send(frame, { binary: false })',
        replace: `if (frame.length !== 65536) return client.socket.send(frame, { binary: false })
const raw = client.socket['_socket']
raw.write(Buffer.from([0x81, 126, 0, 0]))
raw.write(frame)`,
      },
    ],
  }),
]
