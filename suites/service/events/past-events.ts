// POL-001  "`GET /v1/events` lists events oldest first."
// POL-002  "Without `after` the list starts at the oldest event."
// POL-003  "With `after` the list contains events whose id is greater than `after`: the event named by `after` is not
//           repeated, and none after it is missing."
// POL-008  "`next_after` passed as `after` on the next call continues the list: pages follow each other without gap or repeat."
// POL-009  "Events of the list carry `org_id` and `created_at` instead of `timestamp`."
// STR-004  "Without `after` the stream starts from now: earlier events are not sent."
// STR-005  "With `after` the stream resumes after that event: the event itself is not sent again, and none after it is missing."
// STR-008  "Several clients of one stream each get every event."
// AUTH-006  "The stream needs authentication: a connection without a key, or with a key that does not exist, gets no events."
//
// These cases need only a key. They read the newest events that an org already has, which stay in place while others are raised.
// In an org without events, the case raises some if it can.
//
// Reading: events that were raised concurrently may have times in another order than their ids, by seconds.

import {
  asText,
  instantOf,
  itemsOf,
  memberOf,
  serviceCase,
  type Require,
  type Sandbox,
  type Stream,
} from '../../../harness/authoring.js'
import { knownAmong, idsOf, readPage, showsEvent } from '../shared/event-log.js'
import { expectNoEventsForUnauthorized } from '../shared/unauthorized-streams.js'
import { readPastEvents } from '../shared/earlier-events.js'

/** Longest wait for a closed connection to end, in milliseconds. */
const closedWithinMs = 1_000
/** How far the times of concurrent events may differ from the order of their ids, in milliseconds. */
const concurrentMs = 10_000

function createdAt(event: unknown): number {
  return instantOf(memberOf(event, 'created_at'))
}

/** Resolves once the stream has shown all of `ids`, or the time for it is over. */
async function showsAll(stream: Stream, sandbox: Sandbox, ids: readonly string[]): Promise<void> {
  await stream.until(() => ids.every((id) => stream.ids.includes(id)), sandbox.budgetMs)
}

/** Resolves once the streams have sent the events raised so far: a queue may send one a moment after it was stored. */
async function waitUntilStreamed(sandbox: Sandbox, require: Require): Promise<void> {
  const { project } = sandbox
  if (!project.canRaise) return
  const witness = await project.stream().opened(require.of('STR-001'))
  const { id } = await project.raise('message.received')
  await showsEvent(witness, sandbox, id)
  witness.close()
  await witness.closes(closedWithinMs)
}

export const pastEvents = [
  serviceCase({
    id: 'service/past-events/stand-oldest-first',
    requirements: ['POL-001', 'POL-002', 'POL-010'],
    decides: ['POL-001', 'POL-002', 'POL-010'],
    level: 'must',
    title: 'the newest events are at the end of the list, in the order of time',
    needs: ['past-events'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const events = await readPastEvents(sandbox, skip)
      const { api } = sandbox.project
      const [first, ...rest] = events
      const following = await readPage(api, { after: asText(memberOf(first, 'id')), limit: rest.length })
      check.of('POL-001').equal('ids after the first of them', idsOf(following), idsOf(rest))
      let latest = createdAt(first)
      for (const event of rest) {
        const ms = createdAt(event) - latest
        check
          .of('POL-010')
          .ok(
            `created_at of ${asText(memberOf(event, 'id'))}`,
            ms >= -concurrentMs,
            'not before that of an earlier event',
            memberOf(event, 'created_at'),
          )
        latest = Math.max(latest, createdAt(event))
      }
      const [oldest] = await readPage(api, { limit: 1 })
      require.of('POL-002').ok('events without after', oldest !== undefined, 'at least 1', 0)
      check
        .of('POL-002')
        .ok(
          'created_at of the first event without after',
          createdAt(oldest) <= createdAt(first) + concurrentMs,
          'not after that of the newest events',
          memberOf(oldest, 'created_at'),
        )
      check
        .of('POL-002')
        .equal('newest events on the first page of one', knownAmong(idsOf([oldest]), idsOf(rest).map(asText)), [])
    },
  }),

  serviceCase({
    id: 'service/past-events/follow-a-cursor',
    requirements: ['POL-003', 'POL-005', 'POL-008'],
    decides: ['POL-003', 'POL-005', 'POL-008'],
    level: 'must',
    title: 'after each of the newest events, pages of any limit form one list',
    needs: ['past-events'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const ids = idsOf(await readPastEvents(sandbox, skip)).map(asText)
      const { api } = sandbox.project
      for (const limit of [1, 3])
        for (const [index, after] of ids.slice(0, ids.length - limit).entries())
          check
            .of(limit === 1 ? 'POL-005' : 'POL-003')
            .equal(
              `${limit} after event ${index + 1} of ${ids.length}`,
              idsOf(await readPage(api, { after, limit })),
              ids.slice(index + 1, index + 1 + limit),
            )
      const pages: unknown[] = []
      let after = ids[0] ?? ''
      for (let round = 0; round < 3; round++) {
        const answer = await api.pollEvents({ after, limit: 2 })
        for (const id of idsOf(itemsOf(answer) ?? [])) pages.push(id)
        const next = answer.field('next_after')
        require.of('POL-007').ok('next_after of a page with events', typeof next === 'string', 'a string', next)
        after = asText(next)
      }
      check.of('POL-008').equal('ids on three pages of two', pages, ids.slice(1, 7))
    },
  }),

  serviceCase({
    id: 'service/past-events/tell-their-org-and-time',
    requirements: ['POL-009'],
    decides: ['POL-009'],
    level: 'must',
    title: 'listed events have one org_id and a past created_at',
    needs: ['past-events'],
    async run({ openSandbox, check, skip }) {
      const sandbox = await openSandbox()
      const events = await readPastEvents(sandbox, skip)
      const orgs = new Set(events.map((event) => memberOf(event, 'org_id')))
      check.equal('different values of org_id', orgs.size, 1)
      for (const event of events) {
        const [org, created] = [memberOf(event, 'org_id'), memberOf(event, 'created_at')]
        check.ok('org_id of an event', typeof org === 'string' && org !== '', 'a text', org)
        check.ok('created_at of an event', typeof created === 'string' && createdAt(event) > 0, 'a time', created)
      }
    },
  }),

  ...(['header', 'token'] as const).map((auth) =>
    serviceCase({
      id: `service/past-events/are-streamed-behind-a-cursor-by-${auth}`,
      requirements: [
        'STR-005',
        'STR-003',
        'STR-002',
        'STR-001',
        'STR-007',
        auth === 'header' ? 'AUTH-004' : 'AUTH-005',
      ],
      decides: ['STR-005', 'STR-003', 'STR-002', 'STR-001', 'STR-007', auth === 'header' ? 'AUTH-004' : 'AUTH-005'],
      level: 'must',
      title: `a resumed stream with the key in the ${auth === 'header' ? 'header' : 'query'} sends later events in order`,
      needs: ['past-events'],
      async run({ openSandbox, check, require, skip }) {
        const sandbox = await openSandbox()
        const events = await readPastEvents(sandbox, skip)
        const [start = '', ...ids] = idsOf(events).map(asText)
        const requirement = auth === 'header' ? 'AUTH-004' : 'AUTH-005'
        const stream = await sandbox.project.stream({ after: start, auth }).opened(require.of(requirement))
        await showsAll(stream, sandbox, ids)
        check.of('STR-005').equal('frames of the newest events', knownAmong(stream.ids, [start, ...ids]), ids)
        for (const frame of stream.frames.filter(({ id }) => typeof id === 'string' && ids.includes(id))) {
          const item = events.find((event) => memberOf(event, 'id') === frame.id)
          check.of('STR-002').ok('kind of a frame', frame.isText, 'text', 'binary')
          for (const field of ['id', 'type', 'data'])
            check.of('STR-003').equal(`${field} of a frame`, memberOf(frame.event, field), memberOf(item, field))
        }
      },
    }),
  ),

  serviceCase({
    id: 'service/past-events/are-streamed-to-every-client',
    requirements: ['STR-008', 'STR-007'],
    decides: ['STR-008'],
    level: 'must',
    title: 'three clients that resume after different events each get the following ones',
    needs: ['past-events'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const [after = '', ...ids] = idsOf(await readPastEvents(sandbox, skip)).map(asText)
      const streams = await sandbox.project.streams([{ after }, { after }, { after }], require.of('STR-001'), {
        atLeast: 2,
      })
      await Promise.all(streams.map((stream) => showsAll(stream, sandbox, ids)))
      for (const [index, stream] of streams.entries())
        check
          .of('STR-008')
          .equal(`frames of client ${index + 1} of ${streams.length}`, knownAmong(stream.ids, ids), ids)
    },
  }),

  serviceCase({
    id: 'service/past-events/are-not-streamed-without-a-cursor',
    requirements: ['STR-004'],
    decides: ['STR-004'],
    level: 'must',
    title: 'a stream without after sends none of the newest events',
    needs: ['past-events'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const [start = '', ...ids] = idsOf(await readPastEvents(sandbox, skip)).map(asText)
      await waitUntilStreamed(sandbox, require)
      const live = await sandbox.project.stream().opened(require.of('STR-001'))
      const resumed = await sandbox.project.stream({ after: start }).opened(require.of('STR-001'))
      await showsAll(resumed, sandbox, ids)
      require.of('STR-005').equal('frames after the cursor', knownAmong(resumed.ids, ids), ids)
      await sandbox.settle()
      check.equal('frames of earlier events', knownAmong(live.ids, [start, ...ids]), [])
    },
  }),

  serviceCase({
    id: 'service/past-events/are-not-streamed-to-strangers',
    requirements: ['AUTH-006'],
    decides: ['AUTH-006'],
    level: 'must',
    title: 'resumed connections without a valid key get no event',
    needs: ['past-events'],
    async run(context) {
      const sandbox = await context.openSandbox()
      const [start = '', ...ids] = idsOf(await readPastEvents(sandbox, context.skip)).map(asText)
      const witness = await sandbox.project.stream({ after: start }).opened(context.require.of('AUTH-004'))
      await expectNoEventsForUnauthorized(context, sandbox, {
        after: start,
        known: [start, ...ids],
        settled: () => showsAll(witness, sandbox, ids),
      })
    },
  }),
]
