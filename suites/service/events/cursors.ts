// POL-003  "With `after` the list contains events whose id is greater than `after`: the event named by `after` is not
//           repeated, and none after it is missing."
// POL-008  "`next_after` passed as `after` on the next call continues the list: pages follow each other without gap or repeat."
// POL-010  "Ids are ordered: an event raised later has a greater id, so a consumer that keeps its last `after` sees every
//           later event."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
//
// Reading: `next_after` of an empty page is open (open point next-after-empty): null and absent keep the old cursor. A consumer uses any
// other value as its next cursor, so it must not lead back to events it has seen.

import fc from 'fast-check'
import { asText, itemsOf, serviceCase, type Checks, type Project, type Sandbox } from '../../../harness/authoring.js'
import {
  knownAmong,
  followPages,
  idsOf,
  lagMs,
  largeSubjectLength,
  listedEvents,
  readPage,
  raiseInOrder,
  raiseLarge,
  raiseSideBySide,
} from '../shared/event-log.js'

/** Large events that fill more than a megabyte. */
const largeEvents = 20

/** Polls again and again from one cursor while events are raised, and then until every one of them was seen. */
async function consume(
  sandbox: Sandbox,
  project: Project,
  consumer: { readonly limit: number; readonly require: Checks; readonly raising: Promise<readonly string[]> },
): Promise<unknown[]> {
  let isOver = false
  const raising = consumer.raising.finally(() => (isOver = true))
  raising.catch(() => undefined) // Awaited below, unless the case ends before.
  const seen: unknown[] = []
  let after: string | undefined
  const read = async () => {
    const pages = await followPages(project.api, consumer.require, consumer.limit, after)
    for (const id of pages.ids) seen.push(id)
    after = pages.after
  }
  while (!isOver) await read()
  const raised = await raising
  await sandbox.until(async () => {
    await read()
    return raised.every((id) => seen.includes(id))
  }, lagMs)
  return seen
}

export const cursors = [
  serviceCase({
    id: 'service/cursors/continue-after-any-event',
    requirements: ['POL-003'],
    level: 'must',
    title: 'the events after each cursor are listed without it and without a gap',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const raised = await raiseInOrder(sandbox.project, 7)
      await listedEvents(sandbox, api, raised)
      const pages = await Promise.all(
        raised.map((after) => Promise.all([readPage(api, { after }), readPage(api, { after, limit: 2 })])),
      )
      for (const [index, [all, two]] of pages.entries()) {
        const following = raised.slice(index + 1)
        check.equal(`events after event ${index + 1} of 7`, idsOf(all), following)
        check.equal(`two events after event ${index + 1} of 7`, idsOf(two), following.slice(0, 2))
      }
    },
  }),

  serviceCase({
    id: 'service/cursors/give-pages-without-gap-or-repeat',
    requirements: ['POL-008', 'POL-003', 'EVT-016'],
    level: 'must',
    title: 'pages of any size contain every event once, in order, also new ones',
    needs: ['workspace', 'own-data'],
    timeoutMs: 240_000,
    async run({ openSandbox, property }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const raised = await raiseInOrder(project, 12)
      await property(
        fc.tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 0, max: 2 })),
        async ([limit, more], require) => {
          await listedEvents(sandbox, project.api, raised)
          const first = await followPages(project.api, require, limit)
          require.of('POL-008').equal(`ids over pages of ${limit}`, first.ids, raised)
          const later = await raiseInOrder(project, more)
          raised.push(...later)
          await listedEvents(sandbox, project.api, later, raised[0])
          const rest = await followPages(project.api, require, limit, first.after)
          require.of('POL-008').equal('ids after the cursor of an empty page', rest.ids, later)
        },
        {
          runs: 8,
          examples: [
            [1, 1],
            [13, 2],
            [15, 0],
            [5, 1],
          ],
        },
      )
    },
  }),

  serviceCase({
    id: 'service/cursors/walk-pages-of-any-size-alike',
    requirements: ['POL-008', 'POL-004', 'POL-010'],
    level: 'must',
    title: 'of 120 concurrent events, consumers with different page sizes see all, in one order',
    needs: ['workspace', 'own-data'],
    timeoutMs: 240_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const raised = await raiseSideBySide(sandbox.project, 120)
      const whole = idsOf(await listedEvents(sandbox, api, raised))
      check.of('EVT-016').equal('events of the list', [...whole].sort(), [...raised].sort())
      const walk = async (limit: number | undefined) => {
        const what = limit === undefined ? 'the default size' : `size ${limit}`
        check.of('POL-008').equal(`ids over pages of ${what}`, (await followPages(api, require, limit)).ids, whole)
      }
      await Promise.all([undefined, 1, 7].map(walk))
    },
  }),

  serviceCase({
    id: 'service/cursors/give-pages-of-large-events',
    requirements: ['POL-008'],
    level: 'must',
    title: `of ${largeEvents} events of ${largeSubjectLength} letters each, on one page or several, none is missing`,
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const raised = await raiseLarge(project, largeEvents)
      await listedEvents(sandbox, project.api, raised)
      for (const limit of [largeEvents, 7])
        check.equal(`ids over pages of ${limit}`, (await followPages(project.api, require, limit)).ids, raised)
    },
  }),

  serviceCase({
    id: 'service/cursors/keep-their-order-as-ids-grow-longer',
    requirements: ['POL-010', 'POL-001', 'POL-003'],
    level: 'must',
    title: 'each of 110 events is listed after the one before, whatever the length of ids',
    needs: ['workspace', 'own-data'],
    timeoutMs: 180_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const raised = await raiseInOrder(sandbox.project, 110)
      await listedEvents(sandbox, api, raised)
      check.of('POL-001').equal('ids over pages of 50', (await followPages(api, require, 50)).ids, raised)
      const places = [7, 8, 9, 10, 97, 98, 99, 100]
      const pages = await Promise.all(places.map((index) => readPage(api, { after: raised[index], limit: 100 })))
      for (const [at, index] of places.entries())
        check
          .of('POL-003')
          .equal(`ids behind event ${index + 1}`, idsOf(pages[at] ?? []), raised.slice(index + 1, index + 101))
    },
  }),

  serviceCase({
    id: 'service/cursors/begin-in-an-empty-org',
    requirements: ['POL-008', 'POL-007'],
    level: 'must',
    title: 'a consumer that begins before the first event gets it, and each later one once',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const empty = await followPages(project.api, require, 10)
      check.of('POL-007').equal('events of an empty org', empty.ids, [])
      let { after } = empty
      for (const count of [1, 2, 1]) {
        const raised = await raiseInOrder(project, count)
        await listedEvents(sandbox, project.api, raised)
        const next = await followPages(project.api, require, 10, after)
        check.of('POL-008').equal(`events after the cursor once ${count} more were raised`, next.ids, raised)
        after = next.after
      }
    },
  }),

  serviceCase({
    id: 'service/cursors/lose-nothing-while-events-are-raised',
    requirements: ['POL-010', 'POL-008', 'EVT-016'],
    level: 'must',
    title: 'consumers that poll during sixty concurrent events get each once, in order',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const raising = raiseSideBySide(project, 60)
      const consumers = [1, 7, 100].map((limit) => consume(sandbox, project, { limit, require, raising }))
      const [raised, ...seen] = await Promise.all([raising, ...consumers])
      const whole = idsOf(await listedEvents(sandbox, project.api, raised))
      check.of('EVT-016').equal('events of the list', [...whole].sort(), [...raised].sort())
      for (const ids of seen) {
        check.of('POL-010').equal('events a consumer saw', [...ids].sort(), [...raised].sort())
        check.of('POL-010').equal('their order', ids, whole)
      }
    },
  }),

  serviceCase({
    id: 'service/cursors/work-for-a-key-of-one-inbox',
    requirements: ['POL-008', 'POL-005', 'SCOPE-001'],
    level: 'must',
    title: 'pages of an inbox key contain its events, whatever other events lie between',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const mine: string[] = []
      for (const foreign of [0, 1, 3, 6, 2]) {
        for (let round = 0; round < foreign; round++) await project.raise('message.received', { inbox: other })
        mine.push((await project.raise('message.received', { inbox: own })).id)
      }
      for (let round = 0; round < 4; round++) await project.raise('message.received', { inbox: other })
      await listedEvents(sandbox, own.api, mine)
      for (const limit of [1, 2, 3, 100])
        check.of('POL-008').equal(`ids over pages of ${limit}`, (await followPages(own.api, require, limit)).ids, mine)
      check.of('POL-005').equal('events with limit 3', idsOf(await readPage(own.api, { limit: 3 })), mine.slice(0, 3))
      const end = await followPages(own.api, require, 2)
      const later = await project.raise('message.received', { inbox: own })
      await listedEvents(sandbox, own.api, [later.id])
      const rest = await followPages(own.api, require, 2, end.after)
      check.of('POL-008').equal('ids after the cursor of an empty page', rest.ids, [later.id])
    },
  }),

  serviceCase({
    id: 'service/cursors/continue-in-a-shared-org',
    requirements: ['POL-008', 'POL-003'],
    decides: ['POL-008', 'POL-003'],
    level: 'must',
    title: 'pages of one after an event contain the following events once, in order',
    needs: ['event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const [start = '', ...rest] = await raiseInOrder(sandbox.project, 4)
      const following = idsOf(await listedEvents(sandbox, api, rest, start))
      check.of('POL-003').equal('those of the events after the first', knownAmong(following, [start, ...rest]), rest)
      const pages: unknown[] = []
      let after: string | undefined = start
      for (let round = 0; round < 3; round++) {
        const answer = await api.pollEvents({ after, limit: 1 })
        for (const id of idsOf(itemsOf(answer) ?? [])) pages.push(id)
        const next = answer.field('next_after')
        require.of('POL-007').ok('next_after of a page with an event', typeof next === 'string', 'a string', next)
        after = asText(next)
      }
      check.of('POL-008').equal('ids on three pages of one after the first', pages, following.slice(0, 3))
    },
  }),
]
