// STR-001  "`GET /v1/events/ws` is upgraded to a WebSocket."
// STR-004  "Without `after` the stream starts from now: earlier events are not sent."
// STR-005  "With `after` the stream resumes after that event: the event itself is not sent again, and none after it is missing."
// STR-006  "Events raised while the stream hands over from the backlog to live are neither missing nor repeated."
// STR-007  "Frames come in the order of the event ids."
// STR-008  "Several clients of one stream each get every event."
// AUTH-004  "The WebSocket accepts the `Authorization` header."
// AUTH-005  "The WebSocket accepts the query parameter `token=<API_KEY>`."
// AUTH-006  "The stream needs authentication: a connection without a key, or with a key that does not exist, gets no events."
//
// Reading: how a stream is refused is open (open point stream-refusal): no upgrade, or a close without an event.

import fc from 'fast-check'
import { itemsOf, memberOf, serviceCase, type Project, type Scene, type Stream } from '../../harness/authoring.js'

async function raise(project: Project, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let each = 0; each < count; each++) ids.push((await project.raise('message.received')).id)
  return ids
}

/** Resolves to whether the stream has shown the event. */
function shows(stream: Stream, scene: Scene, id: string): Promise<boolean> {
  return stream.until(() => stream.ids.includes(id), scene.budgetMs)
}

const burst = 30

export const stream = [
  ...(['header', 'token'] as const).map((auth) =>
    serviceCase({
      id: `service/stream/takes-the-key-by-${auth}`,
      requirements: [auth === 'header' ? 'AUTH-004' : 'AUTH-005', 'STR-001', 'STR-002'],
      level: 'must',
      title: `a connection with the key in ${auth === 'header' ? 'the Authorization header' : 'the query parameter token'} is upgraded and gets events as text frames`,
      needs: ['event:message.received'],
      async run({ scene: open, require, check }) {
        const scene = await open()
        const requirement = auth === 'header' ? 'AUTH-004' : 'AUTH-005'
        const connection = await scene.project.stream({ auth }).opened(require.of(requirement))
        const { id } = await scene.project.raise('message.received')
        check
          .of(requirement)
          .ok('the event on the stream', await shows(connection, scene, id), 'one frame', connection.ids)
        const frame = connection.frames.find((each) => each.id === id)
        check.of('STR-002').ok('kind of the frame', frame === undefined || frame.isText, 'text', 'binary')
      },
    }),
  ),

  serviceCase({
    id: 'service/stream/refuses-without-a-key',
    requirements: ['AUTH-006'],
    level: 'must',
    title: 'a connection without a key, or with one that does not exist, is refused or closed, and gets no event',
    needs: ['event:message.received'],
    async run({ scene: open, check, require, unique }) {
      const scene = await open()
      const { project } = scene
      const witness = await project.stream().opened(require.of('AUTH-004'))
      const wrong = project.api.as(`key_${unique()}`)
      const strangers = [
        project.stream({ auth: 'none' }),
        project.stream({ api: wrong }),
        project.stream({ api: wrong, auth: 'token' }),
        project.stream({ api: project.api.as('x'), auth: 'token' }),
      ]
      const openings = await Promise.all(strangers.map((each) => each.opening))
      const { id } = await project.raise('message.received')
      require.of('STR-004').ok('the event on a stream with a key', await shows(witness, scene, id), 'one frame', 'none')
      for (const [index, stranger] of strangers.entries()) {
        const opening = openings[index]
        if (opening?.kind === 'open') await stranger.until(() => stranger.closeCode !== undefined, scene.budgetMs)
        const isRefused =
          opening?.kind === 'refused' ? opening.status >= 400 && opening.status < 500 : stranger.closeCode !== undefined
        check.ok('a connection without a valid key', isRefused, 'refused with a 4xx, or closed', opening)
        check.equal('frames on a connection without a valid key', stranger.frames.length, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/stream/starts-from-now',
    requirements: ['STR-004'],
    level: 'must',
    title: 'without after, events raised before the connection are not sent, those raised after it are',
    needs: ['event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const earlier = await raise(scene.project, 3)
      const connection = await scene.project.stream().opened(require.of('STR-001'))
      const later = await raise(scene.project, 2)
      check.ok('later events on the stream', await shows(connection, scene, later[1] ?? ''), 'both', connection.ids)
      check.equal(
        'earlier events on the stream',
        earlier.filter((id) => connection.ids.includes(id)),
        [],
      )
    },
  }),

  serviceCase({
    id: 'service/stream/resumes-after-any-event',
    requirements: ['STR-005', 'STR-007'],
    level: 'must',
    title: 'after each event of a log the events behind it are sent in order, without it and without a gap',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const raised = await raise(project, 5)
      const connections: Stream[] = []
      for (const after of raised) connections.push(await project.stream({ after }).opened(require.of('STR-001')))
      const [last = ''] = await raise(project, 1)
      for (const [index, connection] of connections.entries()) {
        await shows(connection, scene, last)
        check
          .of('STR-005')
          .equal(`frames after event ${index + 1} of 5`, connection.ids, [...raised.slice(index + 1), last])
      }
    },
  }),

  serviceCase({
    id: 'service/stream/resumes-in-a-shared-org',
    requirements: ['STR-005'],
    level: 'must',
    title: 'a stream that resumes after an event sends the next one and not the event itself',
    needs: ['event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const [first = '', second = '', third = ''] = await raise(scene.project, 3)
      const connection = await scene.project.stream({ after: first }).opened(require.of('STR-001'))
      check.ok(
        'the events after the cursor on the stream',
        await shows(connection, scene, third),
        'sent',
        connection.ids.length,
      )
      const seen = connection.ids.filter((id) => [first, second, third].includes(String(id)))
      check.equal('frames of the three events', seen, [second, third])
    },
  }),

  serviceCase({
    id: 'service/stream/resumes-over-a-long-backlog',
    requirements: ['STR-005', 'STR-007'],
    level: 'must',
    title: 'a backlog of more than a hundred events is sent whole and in order',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const [first = ''] = await raise(project, 1)
      for (let start = 0; start < 120; start += 20)
        await Promise.all(Array.from({ length: 20 }, () => project.raise('message.received')))
      const expected: unknown[] = []
      for (let after: string | undefined = first; ;) {
        const items: unknown[] = itemsOf(await project.api.pollEvents({ after, limit: 100 })) ?? []
        if (items.length === 0) break
        expected.push(...items.map((each) => memberOf(each, 'id')))
        after = String(memberOf(items.at(-1), 'id'))
      }
      const connection = await project.stream({ after: first }).opened(require.of('STR-001'))
      await connection.until(() => connection.frames.length >= expected.length, scene.budgetMs)
      check.of('STR-005').equal('number of frames', connection.frames.length, expected.length)
      check.of('STR-007').equal('frames against the list', connection.ids, expected)
    },
  }),

  serviceCase({
    id: 'service/stream/hands-over-under-fire',
    requirements: ['STR-006', 'STR-007'],
    level: 'must',
    title: 'while thirty events are raised, connections that resume get each event once, in order',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const [start = ''] = await raise(project, 1)
      await raise(project, 10)
      const raising = Promise.all(
        Array.from({ length: 3 }, async () => {
          for (let each = 0; each < burst / 3; each++) await project.raise('message.received')
        }),
      )
      const connections: Stream[] = []
      for (let each = 0; each < 6; each++)
        connections.push(await project.stream({ after: start }).opened(require.of('STR-001')))
      await raising
      const [last = ''] = await raise(project, 1)
      const expected = (itemsOf(await project.api.pollEvents({ after: start, limit: 100 })) ?? []).map((each) =>
        memberOf(each, 'id'),
      )
      for (const connection of connections) {
        await shows(connection, scene, last)
        check.of('STR-006').equal('frames in no order', [...connection.ids].sort(), [...expected].sort())
        check.of('STR-007').equal('frames in the order of the list', connection.ids, expected)
      }
    },
  }),

  serviceCase({
    id: 'service/stream/sends-to-every-client',
    requirements: ['STR-008'],
    level: 'must',
    title: 'eight clients side by side each get every event once, in the same order',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const connections = await Promise.all(
        Array.from({ length: 8 }, () => project.stream().opened(require.of('STR-001'))),
      )
      const raised = await raise(project, 10)
      for (const connection of connections) {
        await shows(connection, scene, raised.at(-1) ?? '')
        check.equal('frames of a client', connection.ids, raised)
      }
    },
  }),

  serviceCase({
    id: 'service/stream/waits-for-a-slow-reader',
    requirements: ['STR-005'],
    level: 'must',
    title: 'a client that stops reading for a while gets every event, or is closed; it is never sent a gap',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const slow = await project.stream().opened(require.of('STR-001'))
      slow.pause()
      const raised: string[] = []
      for (let each = 0; each < 20; each++) {
        const data = {
          message_id: `msg_${each}`,
          inbox_id: project.inbox().id,
          thread_id: 'thr_1',
          from: 'a@b.example',
          subject: 'x'.repeat(20_000),
        }
        raised.push((await project.raise('message.received', { data })).id)
      }
      slow.resume()
      await slow.until(() => slow.ids.includes(raised.at(-1)), scene.budgetMs)
      check.equal(
        'frames up to the end or the close',
        slow.ids,
        slow.closeCode === undefined ? raised : raised.slice(0, slow.ids.length),
      )
    },
  }),

  serviceCase({
    id: 'service/stream/survives-reconnects',
    requirements: ['STR-005', 'STR-006'],
    level: 'must',
    title: 'a client that reconnects with its last id at random moments sees every event once, in order',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, property }) {
      const scene = await open()
      const { project } = scene
      await property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 4 }),
        async (rounds, require) => {
          let [after = ''] = await raise(project, 1)
          const seen: unknown[] = []
          const raised: string[] = []
          for (const count of rounds) {
            const raising = raise(project, count)
            const connection = await project.stream({ after }).opened(require.of('STR-001'))
            const ids = await raising
            raised.push(...ids)
            require
              .of('STR-006')
              .ok(
                'the last event before a disconnect',
                await shows(connection, scene, ids.at(-1) ?? ''),
                'sent',
                connection.ids,
              )
            seen.push(...connection.ids)
            after = String(connection.ids.at(-1))
            connection.close()
          }
          require.of('STR-005').equal('ids over all connections', seen, raised)
        },
        { runs: 5 },
      )
    },
  }),
]
