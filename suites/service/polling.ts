// POL-001  "`GET /v1/events` lists events oldest first."
// POL-002  "Without `after` the list starts at the oldest event."
// POL-003  "With `after` the list holds events whose id is greater than `after`: the event named by `after` is not
//           repeated, and none after it is missing."
// POL-004  "The page has 50 events by default."
// POL-006  "The maximum `limit` is 100: 100 is accepted, and a page never has more than 100 events."
// POL-008  "`next_after` passed as `after` on the next call continues the list: pages follow each other without gap or repeat."
// POL-010  "Ids are ordered: an event raised later has a greater id, so a consumer that keeps its last `after` sees every
//           later event."
//
// Reading: order is judged by the lists alone, since the scheme of the ids is open (open point id-scheme). `next_after`
// of an empty page is open (open point next-after-empty): null and absent keep the old cursor.

import fc from 'fast-check'
import {
  itemsOf,
  memberOf,
  serviceCase,
  type Api,
  type Checks,
  type Project,
  type RaisedEvent,
} from '../../harness/authoring.js'

const many = 105

/** Raises events one after the other, so that their order is known. */
async function raiseInOrder(project: Project, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let each = 0; each < count; each++) ids.push((await project.raise('message.received')).id)
  return ids
}

async function idsOf(api: Api, query: { after?: string | undefined; limit?: number } = {}): Promise<unknown[]> {
  return (itemsOf(await api.pollEvents(query)) ?? []).map((each) => memberOf(each, 'id'))
}

/** Follows `next_after` from `after` until a page is empty; ends the case when a page is no page. */
async function follow(
  api: Api,
  require: Checks,
  limit: number,
  after?: string,
): Promise<{ ids: unknown[]; after: string | undefined }> {
  const ids: unknown[] = []
  for (let page = 0; page < 300; page++) {
    const answer = await api.pollEvents({ limit, after })
    require.of('POL-007').status(answer, [200])
    const items = itemsOf(answer) ?? []
    require
      .of('POL-005')
      .ok(`events on a page of limit ${limit}`, items.length <= limit, `at most ${limit}`, items.length)
    ids.push(...items.map((each) => memberOf(each, 'id')))
    const next = answer.field('next_after')
    if (items.length === 0) return { ids, after: typeof next === 'string' && next !== '' ? next : after }
    require
      .of('POL-007')
      .ok('next_after of a page with events', typeof next === 'string' && next !== '', 'a text', next)
    after = String(next)
  }
  require.of('POL-008').fail('pages until an empty one', 'at most 300', 'more')
  return { ids, after }
}

export const polling = [
  serviceCase({
    id: 'service/polling/is-oldest-first',
    requirements: ['POL-001', 'POL-002', 'POL-007', 'POL-009'],
    level: 'must',
    title: 'events are listed in the order they were raised, from the oldest, with org_id and created_at',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const raised = await raiseInOrder(project, 6)
      const answer = await project.api.pollEvents()
      check.of('POL-007').status(answer, [200])
      check.of('POL-007').ok('data', Array.isArray(answer.field('data')), 'an array', answer.field('data'))
      check
        .of('POL-007')
        .ok('next_after', typeof answer.field('next_after') === 'string', 'a text', answer.field('next_after'))
      const items = itemsOf(answer) ?? []
      const ids = items.map((each) => memberOf(each, 'id'))
      check.of('POL-002').equal('first event of the list', ids[0], raised[0])
      check.of('POL-001').equal('ids in the order of the list', ids, raised)
      check.of('POL-009').equal(
        'org_id of each event',
        items.map((each) => memberOf(each, 'org_id')),
        raised.map(() => project.orgId),
      )
      check.of('POL-009').ok(
        'created_at of each event',
        items.every((each) => typeof memberOf(each, 'created_at') === 'string'),
        'a text',
        items[0],
      )
    },
  }),

  serviceCase({
    id: 'service/polling/answers-with-data-and-a-cursor',
    requirements: ['POL-007'],
    level: 'must',
    title: 'the answer has an array data and next_after',
    async run({ scene: open, check }) {
      const { project } = await open()
      const answer = await project.api.pollEvents({ limit: 10 })
      check.status(answer, [200])
      check.ok('data', Array.isArray(answer.field('data')), 'an array', answer.field('data'))
      const next = answer.field('next_after')
      const isEmpty = (itemsOf(answer) ?? []).length === 0
      check.ok(
        'next_after',
        typeof next === 'string' || (isEmpty && (next === null || next === undefined)),
        'a text',
        next,
      )
    },
  }),

  serviceCase({
    id: 'service/polling/continues-after-any-event',
    requirements: ['POL-003'],
    level: 'must',
    title: 'after each event of a list the events behind it follow, without it and without a gap',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const raised = await raiseInOrder(project, 6)
      for (const [index, id] of raised.entries())
        check.equal(
          `events after event ${index + 1} of 6`,
          await idsOf(project.api, { after: id }),
          raised.slice(index + 1),
        )
    },
  }),

  serviceCase({
    id: 'service/polling/pages-by-50-up-to-100',
    requirements: ['POL-004', 'POL-005', 'POL-006'],
    level: 'must',
    title: 'of 105 events a page has 50 by default, as many as limit says, and never more than 100',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const raised = new Set<unknown>()
      for (let start = 0; start < many; start += 21)
        for (const event of await Promise.all(Array.from({ length: 21 }, () => project.raise('message.received'))))
          raised.add(event.id)
      check.of('POL-004').equal('events without limit', (await idsOf(project.api)).length, 50)
      for (const limit of [1, 2, 51, 99, 100])
        check
          .of(limit === 100 ? 'POL-006' : 'POL-005')
          .equal(`events with limit ${limit}`, (await idsOf(project.api, { limit })).length, limit)
      const above = await project.api.pollEvents({ limit: 101 })
      const count = itemsOf(above)?.length ?? 0
      check
        .of('POL-006')
        .ok(
          'answer to limit 101',
          above.status !== undefined &&
            (above.status === 200 ? count <= 100 : above.status >= 400 && above.status < 500),
          'at most 100 events, or a 4xx',
          above.status === 200 ? count : above.status,
        )
    },
  }),

  serviceCase({
    id: 'service/polling/follows-its-cursor',
    requirements: ['POL-008', 'POL-003', 'EVT-016'],
    level: 'must',
    title: 'pages of any size give every event once and in order, also those raised after the last page',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, property }) {
      const { project } = await open()
      const raised = await raiseInOrder(project, 17)
      await property(
        fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 2 })),
        async ([limit, more], require) => {
          const first = await follow(project.api, require, limit)
          require.of('POL-008').equal(`ids over pages of ${limit}`, first.ids, raised)
          raised.push(...(await raiseInOrder(project, more)))
          const rest = await follow(project.api, require, limit, first.after)
          require
            .of('POL-008')
            .equal('ids after the cursor of an empty page', rest.ids, raised.slice(raised.length - more))
        },
        {
          runs: 8,
          examples: [
            [1, 1],
            [17, 2],
            [20, 0],
          ],
        },
      )
    },
  }),

  serviceCase({
    id: 'service/polling/loses-nothing-while-events-are-raised',
    requirements: ['POL-010', 'POL-008', 'EVT-016'],
    level: 'must',
    title: 'a consumer that polls while forty events are raised side by side gets each once',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check, require }) {
      const { project } = await open()
      const raising = Promise.all(
        Array.from({ length: 5 }, async () => {
          const events: RaisedEvent[] = []
          for (let each = 0; each < 8; each++) events.push(await project.raise('message.received'))
          return events
        }),
      )
      const seen: unknown[] = []
      let after: string | undefined
      let isOver = false
      void raising.finally(() => (isOver = true))
      for (;;) {
        const wasOver = isOver
        const page = await follow(project.api, require, 7, after)
        seen.push(...page.ids)
        after = page.after
        if (wasOver) break
      }
      const raised = (await raising).flat().map(({ id }) => id)
      check.of('POL-010').equal('events seen by the consumer', [...seen].sort(), [...raised].sort())
      check
        .of('POL-010')
        .equal('the whole list against what the consumer saw', await idsOf(project.api, { limit: 100 }), seen)
    },
  }),

  serviceCase({
    id: 'service/polling/keeps-its-order-over-events-of-all-types',
    requirements: ['POL-010', 'POL-001'],
    level: 'must',
    title: 'events of several types and inboxes stand in the order they were raised',
    needs: ['workspace', 'own-data'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const raised: string[] = []
      for (const type of [
        'message.received',
        'sending.paused',
        'message.bounced',
        'sending.resumed',
        'message.delivered',
        'message.queued',
      ] as const)
        raised.push((await project.raise(type, { inbox: project.inbox(raised.length % 2) })).id)
      check.of('POL-001').equal('ids in the order of the list', await idsOf(project.api), raised)
      check.of('POL-010').equal('ids after the third', await idsOf(project.api, { after: raised[2] }), raised.slice(3))
    },
  }),
]
