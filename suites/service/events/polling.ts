// POL-001  "`GET /v1/events` lists events oldest first."
// POL-002  "Without `after` the list starts at the oldest event."
// POL-004  "The page has 50 events by default."
// POL-005  "`limit` sets the number of events of a page."
// POL-006  "The maximum `limit` is 100: 100 is accepted, and a page never has more than 100 events."
// POL-007  "The response is `{ data: Event[], next_after: string }`."
// POL-009  "Events of the list carry `org_id` and `created_at` instead of `timestamp`."
// POL-010  "Ids are ordered: an event raised later has a greater id, so a consumer that keeps its last `after` sees every
//           later event."
//
// Reading: order is judged by the lists alone, since the scheme of the ids is open (open point id-scheme). A limit above
// 100 may be clamped or refused (open point limit-above-maximum).

import { eventTypes, type EventType } from '../../../spec/index.js'
import { asText, instantOf, itemsOf, memberOf, serviceCase, type Exchange } from '../../../harness/authoring.js'
import {
  knownAmong,
  eventsAfter,
  followPages,
  idsOf,
  lagMs,
  listedEvents,
  readPage,
  raiseInOrder,
  raiseSideBySide,
} from '../shared/event-log.js'

/** More than two default pages, and more than the greatest page. */
const many = 120

/** Times twenty more events are raised in an org that has too few. */
const maxRounds = 6

/** A page of at most 100 events, or a 4xx. */
function isClampedOrRefused(answer: Exchange): boolean {
  const { status } = answer
  if (status === undefined) return false
  return status === 200 ? (itemsOf(answer)?.length ?? 0) <= 100 : status >= 400 && status < 500
}

export const polling = [
  serviceCase({
    id: 'service/polling/is-oldest-first',
    requirements: ['POL-001', 'POL-002', 'POL-007', 'POL-009'],
    level: 'must',
    title: 'events are listed oldest first, with org_id and created_at',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const raised = await raiseInOrder(project, 12)
      await listedEvents(sandbox, project.api, raised)
      const answer = await project.api.pollEvents()
      check.of('POL-007').status(answer, [200])
      const [data, next] = [answer.field('data'), answer.field('next_after')]
      check.of('POL-007').ok('data', Array.isArray(data), 'an array', data)
      check.of('POL-007').ok('next_after', typeof next === 'string', 'a string', next)
      const items = itemsOf(answer) ?? []
      check.of('POL-002').equal('first event of the list', idsOf(items)[0], raised[0])
      check.of('POL-001').equal('ids in the order of the list', idsOf(items), raised)
      for (const item of items) {
        const created = memberOf(item, 'created_at')
        const isInstant = typeof created === 'string' && !Number.isNaN(instantOf(created))
        check.of('POL-009').ok('created_at of an event', isInstant, 'a time as text', created)
        check.of('POL-009').equal('org_id of an event', memberOf(item, 'org_id'), project.orgId)
      }
    },
  }),

  serviceCase({
    id: 'service/polling/keeps-its-order-over-events-of-all-types',
    requirements: ['POL-010', 'POL-001', 'POL-009'],
    level: 'must',
    title: 'events of every type and inbox are listed in order, with their org_id',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const raised: string[] = []
      for (const type of Object.keys(eventTypes) as EventType[])
        raised.push((await project.raise(type, { inbox: project.inbox(raised.length % 2) })).id)
      const events = await listedEvents(sandbox, project.api, raised)
      const orgs = events.map((event) => `${asText(memberOf(event, 'type'))} of ${asText(memberOf(event, 'org_id'))}`)
      const types = events.map((event) => `${asText(memberOf(event, 'type'))} of ${project.orgId ?? ''}`)
      check.of('POL-009').equal('types and org_id of the events', orgs, types)
      check.of('POL-001').equal('ids in the order of the list', idsOf(await readPage(project.api)), raised)
      const afterThird = idsOf(await readPage(project.api, { after: raised[2] }))
      check.of('POL-010').equal('ids after the third', afterThird, raised.slice(3))
    },
  }),

  serviceCase({
    id: 'service/polling/answers-with-data-and-a-cursor',
    requirements: ['POL-007'],
    decides: ['POL-007'],
    level: 'must',
    title: 'the answer has an array data and next_after',
    async run({ openSandbox, check }) {
      const { project } = await openSandbox()
      const answer = await project.api.pollEvents({ limit: 10 })
      check.status(answer, [200])
      const [data, next] = [answer.field('data'), answer.field('next_after')]
      check.ok('data', Array.isArray(data), 'an array', data)
      const isEmpty = (itemsOf(answer) ?? []).length === 0
      const isCursor = typeof next === 'string' || (isEmpty && (next === null || next === undefined))
      check.ok('next_after', isCursor, 'a string', next)
    },
  }),

  serviceCase({
    id: 'service/polling/pages-by-50-up-to-100',
    requirements: ['POL-004', 'POL-005', 'POL-006', 'POL-002', 'POL-008'],
    level: 'must',
    title: 'of 120 events a page has 50 by default, at most 100, without gaps',
    needs: ['workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const whole = idsOf(await listedEvents(sandbox, api, await raiseSideBySide(sandbox.project, many)))
      check.of('POL-004').equal('events without limit', idsOf(await readPage(api)), whole.slice(0, 50))
      for (const limit of [1, 2, 49, 50, 51, 99, 100])
        check
          .of(limit === 100 ? 'POL-006' : 'POL-005')
          .equal(`events with limit ${limit}`, idsOf(await readPage(api, { limit })), whole.slice(0, limit))
      for (const limit of [undefined, 50, 99, 100])
        check
          .of('POL-008')
          .equal(
            `ids over pages of ${limit ?? 'the default limit'}`,
            (await followPages(api, require, limit)).ids,
            whole,
          )
      for (const limit of [101, 120, 1_000, 1_000_000_000, 0, -1]) {
        const answer = await api.pollEvents({ limit })
        const got = answer.status === 200 ? itemsOf(answer)?.length : (answer.status ?? answer.failure)
        check
          .of('POL-006')
          .ok(`answer to limit ${limit}`, isClampedOrRefused(answer), 'at most 100 events, or a 4xx', got)
      }
    },
  }),

  serviceCase({
    id: 'service/polling/keeps-to-its-limits-in-a-shared-org',
    requirements: ['POL-004', 'POL-005', 'POL-006'],
    decides: ['POL-004', 'POL-005', 'POL-006'],
    level: 'must',
    title: 'in any org, a page has 50 events by default and at most 100',
    needs: ['past-events'],
    async run({ openSandbox, check, skip }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const raised = sandbox.project.canRaise ? await raiseInOrder(sandbox.project, 3) : []
      // In other orgs the newest events are on no page that is read.
      if (sandbox.isIsolated) await listedEvents(sandbox, api, raised)
      let whole = idsOf(await eventsAfter(api, undefined, 4))
      const isToBeFilled = !sandbox.isIsolated && sandbox.project.canRaise
      for (let rounds = 0; isToBeFilled && whole.length <= 100 && rounds < maxRounds; rounds++) {
        await raiseSideBySide(sandbox.project, 20, 5)
        whole = idsOf(await eventsAfter(api, undefined, 4))
      }
      if (!sandbox.isIsolated && whole.length <= 100) skip('needs an org with more than 100 events')
      const usual = idsOf(await readPage(api))
      const limits = [1, 2, 51, 100]
      const pages: unknown[][] = []
      for (const limit of limits) pages.push(idsOf(await readPage(api, { limit })))
      // A list with a retention time may begin later by now.
      const [oldest] = idsOf(await readPage(api, { limit: 1 }))
      if (!sandbox.isIsolated && oldest !== whole[0]) return skip('needs a list whose beginning stays for some seconds')
      check.of('POL-004').equal('events without limit', usual, whole.slice(0, 50))
      for (const [index, limit] of limits.entries())
        check.of('POL-005').equal(`events with limit ${limit}`, pages[index], whole.slice(0, limit))
      const above = await api.pollEvents({ limit: 101 })
      check
        .of('POL-006')
        .ok('answer to limit 101', isClampedOrRefused(above), 'at most 100 events, or a 4xx', above.status)
    },
  }),

  serviceCase({
    id: 'service/polling/lists-in-order-in-a-shared-org',
    requirements: ['POL-001', 'POL-002', 'POL-003', 'POL-005', 'POL-010'],
    decides: ['POL-001', 'POL-002', 'POL-003', 'POL-010'],
    level: 'must',
    title: 'each of three consecutive events is listed after the one before',
    needs: ['event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const raised = await raiseInOrder(sandbox.project, 3)
      const [first = '', second = '', third = ''] = raised
      const raisedIn = (ids: readonly unknown[]) => knownAmong(ids, raised)
      const afterFirst = idsOf(await listedEvents(sandbox, api, [second, third], first))
      check.of('POL-001').equal('the events of the three after the first', raisedIn(afterFirst), [second, third])
      const afterSecond = idsOf(await listedEvents(sandbox, api, [third], second))
      check.of('POL-003').equal('the events of the three after the second', raisedIn(afterSecond), [third])
      // Two answers may be from two copies of the list, of which either may lag.
      const onceShown = async (query: Parameters<typeof readPage>[1]) => {
        let events: unknown[] = []
        await sandbox.until(async () => (events = await readPage(api, query)).length > 0, lagMs)
        return idsOf(events)
      }
      const afterFirstOnly = await onceShown({ after: first, limit: 1 })
      check.of('POL-005').equal('events after the first with limit 1', afterFirstOnly.length, 1)
      const oldest = await onceShown({ limit: 1 })
      check.of('POL-002').equal('number of events on the first page of limit 1', oldest.length, 1)
      check.of('POL-002').equal('those of the later two on it', knownAmong(oldest, [second, third]), [])
    },
  }),
]
