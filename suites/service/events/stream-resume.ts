// STR-005  "With `after` the stream resumes after that event: the event itself is not sent again, and none after it is missing."
// STR-006  "Events raised while the stream hands over from the backlog to live are neither missing nor repeated."
// STR-007  "Frames arrive in the order of the event ids."

import fc from 'fast-check'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { asText, itemsOf, serviceCase, type Project, type Stream } from '../../../harness/authoring.js'
import {
  knownAmong,
  idsOf,
  listedEvents,
  selectExpected,
  readPage,
  raiseInOrder,
  raiseSideBySide,
  requireLasting,
  showsEvent,
  wholeList,
} from '../shared/event-log.js'

/** Events of a backlog that takes a service several pages of any usual size; more than it is likely to send or list at most. */
const longBacklog = 1_010
/** Backlogs that end with a full page, whatever a service reads at a time: 50, 100, 200, 250, 500, 1,000, or a power of two. */
const fullPages = [1_000, 512]

interface Backlog {
  /** Ids of what it holds, oldest first. */
  readonly ids: readonly string[]
  readonly after: string
  /** The key that reads it; that of the org where absent. */
  readonly api?: Project['api']
}

/** The last `size` events of a backlog. */
function endOf({ ids, ...others }: Backlog, size: number): Backlog {
  return { ...others, ids: ids.slice(-size), after: ids.at(-size - 1) ?? others.after }
}

export const streamResume = [
  serviceCase({
    id: 'service/stream-resume/resumes-after-any-event',
    requirements: ['STR-005', 'STR-007'],
    level: 'must',
    title: 'after each event of a log the following events are sent in list order',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const raised: string[] = []
      const types = Object.keys(eventTypes) as EventType[]
      await Promise.all(types.map(async (type) => raised.push((await project.raise(type)).id)))
      raised.push(...(await raiseSideBySide(project, 11, 11)))
      const order = await wholeList(sandbox, { api: project.api, require }, raised)
      const connections = await project.streams(
        order.map((after) => ({ after })),
        require.of('STR-001'),
      )
      const later = await raiseInOrder(project, 2)
      await Promise.all(connections.map((connection) => showsEvent(connection, sandbox, later[1] ?? '')))
      for (const [index, connection] of connections.entries()) {
        const following = [...order.slice(index + 1), ...later]
        check.of('STR-005').equal(`frames after event ${index + 1} of ${order.length}`, connection.ids, following)
      }
    },
  }),

  serviceCase({
    id: 'service/stream-resume/resumes-in-a-shared-org',
    requirements: ['STR-005', 'STR-007'],
    decides: ['STR-005', 'STR-007'],
    level: 'must',
    title: 'a stream that resumes after an event sends the following ones, not that event',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = '', ...backlog] = await raiseInOrder(project, 3)
      const connection = await project.stream({ after: start }).opened(require.of('STR-001'))
      const live = await raiseInOrder(project, 1)
      const isShown = await showsEvent(connection, sandbox, live[0] ?? '')
      check.of('STR-005').ok('the event raised last on the stream', isShown, 'one frame', 'none')
      const seen = knownAmong(connection.ids, [start, ...backlog, ...live])
      check.of('STR-005').equal('frames of the four events', seen, [...backlog, ...live])
    },
  }),

  serviceCase({
    id: 'service/stream-resume/hands-over-in-a-shared-org',
    requirements: ['STR-006', 'STR-005'],
    decides: ['STR-006'],
    level: 'must',
    title: 'streams that resume during concurrent events get each once, in order',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = '', ...raised] = await raiseInOrder(project, 3)
      let isOver = false
      const raising = raiseSideBySide(project, 18, 3).finally(() => (isOver = true))
      raising.catch(() => undefined) // Awaited below, unless the case ends before.
      const connections: Stream[] = []
      while (!isOver && connections.length < 6)
        connections.push(
          ...(await project.streams([{ after: start }], require.of('STR-001'), { otherStreams: connections.length })),
        )
      raised.push(...(await raising))
      const [last = ''] = await raiseInOrder(project, 1)
      raised.push(last)
      const expected = knownAmong(await wholeList(sandbox, { api: project.api, require }, raised, start), raised)
      await Promise.all(connections.map((connection) => showsEvent(connection, sandbox, last, { mayClose: true })))
      for (const [index, connection] of connections.entries()) {
        const seen = knownAmong(connection.ids, raised)
        const ownExpected = selectExpected(connection, expected, seen.length)
        check.of('STR-006').equal(`frames of client ${index + 1} of ${connections.length}`, seen, ownExpected)
      }
      requireLasting(connections)
    },
  }),

  serviceCase({
    id: 'service/stream-resume/sends-a-long-backlog-whole',
    requirements: ['STR-005', 'STR-007', 'SCOPE-007', 'SCOPE-010', 'POL-002'],
    level: 'must',
    title: `a backlog of ${longBacklog} events is sent whole and in order, then new events`,
    needs: ['workspace', 'own-data', 'inboxes'],
    timeoutMs: 240_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = ''] = await raiseInOrder(project, 1)
      const raised = await raiseSideBySide(project, longBacklog)
      // All events here are of the first inbox, except for this one; one of another org follows a full page, too.
      const { id: ofOther } = await project.raise('message.received', { inbox: project.inbox(1) })
      const { id: ofUnrelated } = await (await openSandbox()).project.raise('message.received')
      const all = await wholeList(sandbox, { api: project.api, require }, [...raised, ofOther], start)
      check.of('POL-002').equal('first event of the list', idsOf(await readPage(project.api, { limit: 1 })), [start])
      const ofInbox = project.inbox().api
      const whole: Backlog = { ids: all, after: start }
      const own: Backlog = { ids: all.filter((id) => id !== ofOther), after: start, api: ofInbox }
      const backlogs: Backlog[] = [
        whole,
        own,
        ...[whole, own].flatMap((backlog) => fullPages.map((size) => endOf(backlog, size))),
      ]
      const connections = await project.streams(backlogs, require.of('STR-001'))
      // Events raised while the backlog is read are part of it: only later ones find a stream that falls silent at its end.
      const isRead = (connection: Stream, index: number) =>
        connection.until(() => connection.frames.length >= (backlogs[index]?.ids.length ?? 0), sandbox.budgetMs)
      await Promise.all(connections.map(isRead))
      const [live = ''] = await raiseInOrder(project, 1)
      await Promise.all(connections.map((connection) => showsEvent(connection, sandbox, live)))
      for (const [index, connection] of connections.entries()) {
        const isShown = (id: string) => connection.ids.includes(id)
        check.of('SCOPE-007').ok('an event of another org in the backlog', !isShown(ofUnrelated), 'absent', 'sent')
        const { ids: expected, api } = backlogs[index] ?? whole
        if (api !== undefined)
          check.of('SCOPE-010').ok('an event of another inbox in the backlog', !isShown(ofOther), 'absent', 'sent')
        check.of('STR-005').equal('number of frames', connection.frames.length, expected.length + 1)
        check.of('STR-007').equal('frames against the list', connection.ids, [...expected, live])
      }
    },
  }),

  serviceCase({
    id: 'service/stream-resume/hands-over-under-fire',
    requirements: ['STR-006', 'STR-007'],
    level: 'must',
    title: 'during constant events, streams that resume over a long backlog get each once',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = ''] = await raiseInOrder(project, 1)
      const raised = await raiseSideBySide(project, 150)
      let isOver = false
      const raising = raiseSideBySide(project, 60, 3).finally(() => (isOver = true))
      raising.catch(() => undefined) // Awaited below, unless the case ends before.
      const connections: Stream[] = []
      while (!isOver && connections.length < 8)
        connections.push(
          ...(await project.streams([{ after: start }], require.of('STR-001'), { otherStreams: connections.length })),
        )
      raised.push(...(await raising))
      const [last = ''] = await raiseInOrder(project, 1)
      raised.push(last)
      const expected = await wholeList(sandbox, { api: project.api, require }, raised, start)
      await Promise.all(connections.map((connection) => showsEvent(connection, sandbox, last, { mayClose: true })))
      for (const connection of connections) {
        const ownExpected = selectExpected(connection, expected, connection.frames.length)
        check.of('STR-006').equal('number of frames', connection.frames.length, ownExpected.length)
        check.of('STR-006').equal('frames in no order', [...connection.ids].sort(), [...ownExpected].sort())
        check.of('STR-007').equal('frames in the order of the list', connection.ids, ownExpected)
      }
      requireLasting(connections)
    },
  }),

  serviceCase({
    id: 'service/stream-resume/hands-over-a-short-backlog',
    requirements: ['STR-006', 'STR-005'],
    level: 'must',
    title: 'an event raised during a resume is sent once',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = '', ...raised] = await raiseInOrder(project, 3)
      const connections = await project.streams(
        // All events here are of the first inbox.
        Array.from({ length: 30 }, (_, index) =>
          index % 3 === 2 ? { after: start, api: project.inbox().api } : { after: start },
        ),
        require.of('STR-001'),
        { meanwhile: async () => raised.push(...(await raiseSideBySide(project, 3, 3))) },
      )
      const [last = ''] = await raiseInOrder(project, 1)
      const expected = await wholeList(sandbox, { api: project.api, require }, [...raised, last], start)
      await Promise.all(connections.map((stream) => showsEvent(stream, sandbox, last, { mayClose: true })))
      for (const [index, stream] of connections.entries()) {
        const ownExpected = selectExpected(stream, expected, stream.frames.length)
        check.of('STR-006').equal(`frames of connection ${index + 1} of ${connections.length}`, stream.ids, ownExpected)
      }
      requireLasting(connections)
    },
  }),

  serviceCase({
    id: 'service/stream-resume/hands-a-consumer-over-to-polling-and-back',
    requirements: ['STR-005', 'POL-003'],
    level: 'must',
    title: 'a consumer that alternates between stream and list sees every event once',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [start = '', ...raised] = await raiseInOrder(project, 4)
      const seen: string[] = []
      const cursor = () => seen.at(-1) ?? start
      const list = { api: project.api, require }
      // Ends the case at the first event that is missing: what follows would only wait for it.
      const framesUpTo = async (id: string, connection: Stream) => {
        const isShown = await showsEvent(connection, sandbox, id)
        require.of('STR-005').ok('the event raised last, on the stream', isShown, 'sent', 'not sent')
        return connection.ids.map(String)
      }
      for (let turn = 0; turn < 3; turn++) {
        const connection = await project.stream({ after: cursor() }).opened(require.of('STR-001'))
        seen.push(...(await framesUpTo(raised.at(-1) ?? '', connection)))
        connection.drop()
        raised.push(...(await raiseInOrder(project, 2)))
        seen.push(...(await wholeList(sandbox, list, raised.slice(-2), cursor())))
        raised.push(...(await raiseInOrder(project, 1)))
      }
      await wholeList(sandbox, list, raised.slice(-1), cursor())
      const encoded = [...cursor()]
        .map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
        .join('')
      const page = itemsOf(await project.api.request('GET', `/v1/events?after=${encoded}`)) ?? []
      check.of('POL-003').equal('events of a page whose cursor is percent-encoded', idsOf(page), raised.slice(-1))
      for (const id of idsOf(page).map(String)) seen.push(id)
      check.of('STR-005').equal('events over stream and list in turn', seen, raised)
      raised.push(...(await raiseInOrder(project, 1)))
      const connection = await project.stream({ query: `after=${encoded}` }).opened(require.of('STR-001'))
      const frames = await framesUpTo(raised.at(-1) ?? '', connection)
      check.of('STR-005').equal('frames after a percent-encoded cursor', frames, raised.slice(-2))
    },
  }),

  serviceCase({
    id: 'service/stream-resume/survives-reconnects',
    requirements: ['STR-005', 'STR-006'],
    level: 'must',
    title: 'a client that disconnects and resumes sees every event once, in order',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, property }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const round = fc.record({ raised: fc.integer({ min: 1, max: 5 }), read: fc.integer({ min: 0, max: 5 }) })
      await property(
        fc.array(round, { minLength: 2, maxLength: 4 }),
        async (rounds, require) => {
          const [start = ''] = await raiseInOrder(project, 1)
          const seen: unknown[] = []
          const raised: string[] = []
          for (const round of rounds) {
            const raising = raiseInOrder(project, round.raised)
            raising.catch(() => undefined) // Awaited below, unless the case ends before.
            const after = asText(seen.at(-1) ?? start)
            const connection = await project.stream({ after }).opened(require.of('STR-001'))
            await connection.until(
              () => connection.frames.length >= Math.min(round.read, round.raised),
              sandbox.budgetMs,
            )
            seen.push(...connection.ids)
            connection.drop()
            raised.push(...(await raising))
          }
          const after = asText(seen.at(-1) ?? start)
          const connection = await project.stream({ after }).opened(require.of('STR-001'))
          const isShown = raised.at(-1) === after || (await showsEvent(connection, sandbox, raised.at(-1) ?? ''))
          require.of('STR-005').ok('the event raised last', isShown, 'sent', connection.ids)
          seen.push(...connection.ids)
          connection.drop()
          require.of('STR-005').equal('ids over all connections', seen, raised)
          const following = idsOf(await listedEvents(sandbox, project.api, raised, start))
          require.of('STR-005').equal('ids of the list', following, raised)
        },
        { runs: 6 },
      )
    },
  }),
]
