// STR-002  "Each event is one JSON text frame."
// STR-004  "Without `after` the stream starts from now: earlier events are not sent."
// STR-007  "Frames arrive in the order of the event ids."
// STR-008  "Several clients of one stream each get every event."
// STR-005  "With `after` the stream resumes after that event: the event itself is not sent again, and none after it is missing."
// STR-001  "`GET /v1/events/ws` is upgraded to a WebSocket." A WebSocket answers a ping with a pong of its data, unless it is closed (RFC 6455, 5.5.2);
// the interface does not mention pings, so this is advice.
// ERR-003  "A malformed request (broken JSON, wrong types, oversize or odd values) gets a 4xx, never a 5xx."
//
// Reading: a client that does not read, or sends unexpected frames, may be disconnected. While it is connected it must get every event.

import { asText, memberOf, serviceCase, type Stream } from '../../../harness/authoring.js'
import { isRefusedForSize } from '../shared/batch-validation.js'
import {
  knownAmong,
  eventsAfter,
  idsOf,
  selectExpected,
  raiseInOrder,
  raiseLarge,
  raiseSideBySide,
  requireLasting,
  showsEvent,
  wholeList,
} from '../shared/event-log.js'

/** Queries a stream may refuse, or take as it takes any cursor. */
const oddCursors = ['', 'evt_', 'garbage', "' or 1=1--", '💥', 'evt_\u0000', '-1', 'x'.repeat(4_000)]

/** Bytes of frames below and above 65,536; ids may differ in length by a little. */
const lengthsAtTheEdge = [65_532, 65_533, 65_534, 65_535, 65_536, 65_537, 65_538, 65_539]

/** Real time in which a pong arrives, in milliseconds. */
const pongMs = 10_000

/** Real time in which nothing is raised, in milliseconds. */
const silenceMs = 4_000

export const stream = [
  serviceCase({
    id: 'service/stream/starts-from-now',
    requirements: ['STR-004'],
    level: 'must',
    title: 'without after, events raised before the connection are not sent, those raised after it are',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const witness = await project.stream().opened(require.of('STR-001'))
      const earlier = await raiseInOrder(project, 3)
      require
        .of('STR-008')
        .ok('earlier events on a witness', await showsEvent(witness, sandbox, earlier[2] ?? ''), 'sent', 'none')
      const connection = await project.stream().opened(require.of('STR-001'))
      const later = await raiseInOrder(project, 2)
      const isShown = await showsEvent(connection, sandbox, later[1] ?? '')
      check.ok('later events on the stream', isShown, 'both', connection.ids)
      check.equal('frames of the five events', knownAmong(connection.ids, [...earlier, ...later]), later)
    },
  }),

  serviceCase({
    id: 'service/stream/sends-to-every-client',
    requirements: ['STR-008', 'STR-007'],
    decides: ['STR-008', 'STR-007'],
    level: 'must',
    title: 'eight concurrent clients each get every event once, in the same order',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const connections = await project.streams(
        Array.from({ length: 8 }, (_, index) => ({ auth: index % 2 === 0 ? ('header' as const) : ('token' as const) })),
        require.of('STR-001'),
        { atLeast: 2 },
      )
      const raised = await raiseInOrder(project, 4)
      // A service that closes one client for another is failed, whatever code it closes with.
      const last = raised.at(-1) ?? ''
      await Promise.all(connections.map((connection) => showsEvent(connection, sandbox, last, { mayClose: true })))
      for (const [index, connection] of connections.entries())
        check
          .of('STR-008')
          .equal(`frames of client ${index + 1} of ${connections.length}`, knownAmong(connection.ids, raised), raised)
    },
  }),

  serviceCase({
    id: 'service/stream/keeps-the-order-of-the-list',
    requirements: ['STR-007', 'STR-008', 'EVT-016'],
    level: 'must',
    title: 'of forty concurrent events each client gets each once, in list order',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const connections = await Promise.all([1, 2].map(() => project.stream().opened(require.of('STR-001'))))
      const raised = await raiseSideBySide(project, 40)
      const whole = await wholeList(sandbox, { api: project.api, require }, raised)
      const hasAll = (connection: Stream) =>
        connection.until(() => raised.every((id) => connection.ids.includes(id)), sandbox.budgetMs)
      await Promise.all(connections.map(hasAll))
      for (const connection of connections) {
        check.of('EVT-016').equal('frames in no order', [...connection.ids].sort(), [...raised].sort())
        check.of('STR-007').equal('frames in the order of the list', connection.ids, whole)
      }
    },
  }),

  serviceCase({
    id: 'service/stream/keeps-the-order-of-a-batch',
    requirements: ['STR-007', 'EVT-016', 'DLV-023'],
    dependsOn: ['EVT-014', 'DLV-002'],
    level: 'must',
    title: 'each email of a batch of a hundred is one event, in one order everywhere',
    needs: ['sink', 'workspace', 'send'],
    async run({ openSandbox, check, require, recipient, unique, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.queued'] })
      const connection = await project.stream().opened(require.of('STR-001'))
      const mark = unique()
      const batch = Array.from({ length: 100 }, (_, index) => ({
        from: project.from,
        to: recipient,
        subject: `${mark} ${index}`,
        text: 'Text',
      }))
      const taken = await project.api.sendBatch(batch)
      if (await isRefusedForSize(project.api, taken, batch))
        skip('needs a service that accepts requests as long as 100 emails')
      require.of('SND-004').status(taken, '2xx')
      let queued: string[] = []
      await sandbox.until(async () => {
        const events = await eventsAfter(project.api)
        queued = idsOf(events.filter((event) => memberOf(event, 'type') === 'message.queued')).map(String)
        return queued.length >= batch.length
      })
      require.of('EVT-016').equal('message.queued events of the batch', queued.length, batch.length)
      await connection.until(() => queued.every((id) => connection.ids.includes(id)), sandbox.budgetMs)
      check
        .of('STR-007')
        .equal('frames of the batch, in the order of the list', knownAmong(connection.ids, queued), queued)
      await webhook.endpoint.until(() => webhook.attempts().length >= queued.length, sandbox.budgetMs)
      await sandbox.settle()
      const sent = webhook.attempts().map((attempt) => asText(attempt.field('id')))
      check.of('DLV-023').equal('events of the batch that were sent', sent.toSorted(), queued.toSorted())
      const deliveries = await webhook.deliveriesListed(batch.length, { limit: 100 })
      check.of('DLV-023').equal('deliveries listed', deliveries.length, batch.length)
    },
  }),

  serviceCase({
    id: 'service/stream/outlives-other-clients',
    requirements: ['STR-008', 'STR-002'],
    level: 'must',
    title: "clients that disconnect or send unexpected frames don't affect other clients",
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const opened = await project.streams([{}, {}, {}, {}], require.of('STR-001'), { atLeast: 4 })
      const [first, vanishing, noisy, last] = opened as [Stream, Stream, Stream, Stream]
      const [before = ''] = await raiseInOrder(project, 1)
      await showsEvent(vanishing, sandbox, before)
      vanishing.drop()
      for (const frame of ['', 'garbage', '{"type":', '[]', 'null', '{"op":"subscribe"}', 'x'.repeat(100_000)])
        noisy.send(frame)
      noisy.send(new Uint8Array([0, 255, 254, 1]))
      const after = await raiseInOrder(project, 2)
      await Promise.all(
        [first, last, noisy].map((connection) => showsEvent(connection, sandbox, after[1] ?? '', { mayClose: true })),
      )
      for (const [name, connection] of [
        ['opened first', first],
        ['opened last', last],
      ] as const)
        check.equal(`frames of the client ${name}`, knownAmong(connection.ids, [before, ...after]), [before, ...after])
      const seen = knownAmong(noisy.ids, [before, ...after])
      const expected = noisy.closeCode === undefined ? [before, ...after] : [before, ...after].slice(0, seen.length)
      check.equal('frames of the client that sent garbage, up to its close', seen, expected)
      noisy.drop()
      const fresh = await project.stream().opened(require.of('STR-001'))
      const [end = ''] = await raiseInOrder(project, 1)
      check.ok('an event on a stream opened afterwards', await showsEvent(fresh, sandbox, end), 'one frame', fresh.ids)
    },
  }),

  serviceCase({
    id: 'service/stream/waits-for-a-slow-reader',
    requirements: ['STR-008', 'STR-007'],
    level: 'must',
    title: 'a client that stops reading gets every event or is closed, without a gap',
    needs: ['workspace', 'own-data', 'inboxes'],
    timeoutMs: 240_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const slow = await project.stream().opened(require.of('STR-001'))
      const quick = await project.stream().opened(require.of('STR-001'))
      slow.pause()
      const raised = await raiseLarge(project, 100)
      const last = raised.at(-1) ?? ''
      const isShown = await showsEvent(quick, sandbox, last, { mayClose: true })
      require.ok('the last event on another stream', isShown || quick.closeCode !== undefined, 'sent', 'none')
      check.equal('frames of a client that reads', quick.ids, selectExpected(quick, raised, quick.ids.length))
      slow.resume()
      await showsEvent(slow, sandbox, last, { mayClose: true })
      check.equal('frames up to the end or the close', slow.ids, selectExpected(slow, raised, slow.ids.length))
      requireLasting([quick])
    },
  }),

  serviceCase({
    id: 'service/stream/waits-for-a-slow-reader-of-a-backlog',
    requirements: ['STR-005', 'STR-007'],
    level: 'must',
    title: 'a client that stops reading a backlog gets all of it or is closed',
    needs: ['workspace', 'own-data', 'inboxes'],
    timeoutMs: 240_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = ''] = await raiseInOrder(project, 1)
      const raised = await raiseLarge(project, 100)
      const slow = await project.stream({ after: start }).opened(require.of('STR-001'))
      slow.pause()
      raised.push(...(await raiseInOrder(project, 2)))
      slow.resume()
      await showsEvent(slow, sandbox, raised.at(-1) ?? '', { mayClose: true })
      const expected = selectExpected(slow, raised, slow.ids.length)
      check.of('STR-005').equal('frames up to the end or the close', slow.ids, expected)
    },
  }),

  serviceCase({
    id: 'service/stream/sends-frames-of-any-length',
    requirements: ['STR-002'],
    level: 'must',
    title: 'events of just below and above 65,536 bytes are each one frame',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const connection = await project.stream().opened(require.of('STR-001'))
      const raise = async (subject: string) => {
        const message = { message_id: 'msg_1', inbox_id: project.inbox().id, thread_id: 'thr_1' }
        return (await project.raise('message.received', { data: { ...message, from: 'a@sender.example', subject } })).id
      }
      const first = await raise('')
      require.ok(
        'an event without a subject',
        await showsEvent(connection, sandbox, first),
        'one frame',
        connection.ids,
      )
      const bare = Buffer.byteLength(connection.frames.find(({ id }) => id === first)?.text ?? '')
      const raised = [first]
      for (const length of lengthsAtTheEdge) raised.push(await raise('x'.repeat(length - bare)))
      await showsEvent(connection, sandbox, raised.at(-1) ?? '')
      check.equal('events of these lengths on the stream', knownAmong(connection.ids, raised), raised)
    },
  }),

  serviceCase({
    id: 'service/stream/answers-a-ping',
    requirements: ['STR-001'],
    level: 'should',
    title: 'a ping is answered with a pong of its data',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const connection = await project.stream().opened(require)
      const isAliveAtFirst = await connection.isAlive(sandbox.patient(pongMs))
      check.ok('a ping before any event', isAliveAtFirst, 'a pong, or a close', 'nothing')
      const [id = ''] = await raiseInOrder(project, 1)
      require.of('STR-008').ok('an event on the stream', await showsEvent(connection, sandbox, id), 'one frame', 'none')
      const isAlive = await connection.isAlive(sandbox.patient(pongMs))
      check.ok('a ping after an event', isAlive, 'a pong, or a close', 'nothing')
    },
  }),

  serviceCase({
    id: 'service/stream/survives-odd-cursors',
    requirements: ['ERR-003', 'STR-001'],
    level: 'must',
    title: 'a stream with an invalid `after` harms no other stream',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const witness = await project.stream().opened(require.of('STR-001'))
      const odd: Stream[] = []
      for (const after of oddCursors) odd.push(project.stream({ after, isUnrelated: true }))
      for (const [index, connection] of odd.entries()) {
        const opening = await connection.opening
        const isServerError = opening.kind === 'refused' && opening.status >= 500
        check
          .of('ERR-003')
          .ok(`a stream after ${JSON.stringify(oddCursors[index]?.slice(0, 20))}`, !isServerError, 'no 5xx', opening)
        connection.drop()
      }
      const plain = await project.api.request('GET', '/v1/events/ws')
      const isAnswered = plain.status !== undefined && plain.status < 500
      check
        .of('ERR-003')
        .ok('GET /v1/events/ws without an upgrade', isAnswered, 'no 5xx', plain.status ?? plain.failure)
      const fresh = await project.streams([{}], require.of('STR-001'), { otherStreams: 1 })
      const [id = ''] = await raiseInOrder(project, 1)
      for (const connection of [witness, ...fresh])
        check
          .of('STR-001')
          .ok('an event on a stream next to them', await showsEvent(connection, sandbox, id), 'one frame', 'none')
    },
  }),

  serviceCase({
    id: 'service/stream/sends-on-after-a-silence',
    requirements: ['EVT-014', 'STR-005'],
    level: 'must',
    title: 'a silent stream gets the next event after four seconds; a closed one resumes',
    needs: ['event:message.received', `time:${silenceMs}`],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const connection = await project.stream().opened(require.of('STR-001'))
      const [before = ''] = await raiseInOrder(project, 1)
      require.of('EVT-014').ok('the first event', await showsEvent(connection, sandbox, before), 'one frame', 'none')
      await sandbox.quiet(silenceMs)
      const [after = ''] = await raiseInOrder(project, 1)
      if (await showsEvent(connection, sandbox, after, { mayClose: true })) return
      // A service may close a silent stream; on one that it keeps open the event must arrive.
      check.of('EVT-014').ok('the event after a silence', connection.closeCode !== undefined, 'one frame', 'none')
      if (connection.closeCode === undefined) return
      const resumed = await project.stream({ after: before }).opened(require.of('STR-001'))
      const isShown = await showsEvent(resumed, sandbox, after)
      check.of('STR-005').ok('the event on a stream that resumed', isShown, 'one frame', 'none')
    },
  }),
]
