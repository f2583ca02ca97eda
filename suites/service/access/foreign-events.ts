// SCOPE-001, SCOPE-002  "Inbox-scoped keys see only events of their inbox" (polling, WebSocket).
// SCOPE-010  resuming with `after` does not widen what an inbox-scoped key sees.
// SCOPE-005  "A webhook with an `inbox_id` receives only events of this inbox."
// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// SCOPE-007  "Events, webhooks and deliveries belong to one org: the key of another org neither sees nor receives them."
// POL-002  "Without `after` the list starts at the oldest event."
// POL-003, POL-008, STR-005, STR-006  no event after a cursor is missing or repeated.
//
// A quiet inbox in a busy org: its key sees all of its own events, and with any query none of the others.

import { eventTypes, type EventType } from '../../../spec/index.js'
import { itemsOf, serviceCase, type Inbox, type Project, type RaisedEvent } from '../../../harness/authoring.js'
import { knownAmong, followPages, idsOf, lateMs, listedEvents, readPage, showsEvent } from '../shared/event-log.js'
import { checkView, openView } from '../shared/inbox-view.js'
import { openOtherOrgs } from '../shared/other-orgs.js'

/** Events of another inbox between two of its own: more than any page, and than two of the largest. */
const crowd = 230

/** Raises events of one inbox over several connections. */
async function raiseCrowd(project: Project, inbox: Inbox, count: number): Promise<void> {
  const atOnce = 10
  const chain = async () => {
    for (let round = 0; round < count / atOnce; round++) await project.raise('message.received', { inbox })
  }
  await Promise.all(Array.from({ length: atOnce }, chain))
}

/** The types of events that belong to an inbox. */
const inboxTypes = (Object.keys(eventTypes) as EventType[]).filter((type) => eventTypes[type] !== 'workspace')

export const foreignEvents = [
  serviceCase({
    id: 'service/foreign-events/hide-none-of-ones-own',
    requirements: ['POL-003', 'POL-002', 'POL-008', 'STR-005', 'SCOPE-001', 'SCOPE-010'],
    level: 'must',
    title: `an inbox key finds its next event after ${crowd} events of another inbox`,
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const raise = async () => (await project.raise('message.received', { inbox: own })).id
      const foreign = (await project.raise('message.received', { inbox: other })).id
      const mine = [await raise()]
      await raiseCrowd(project, other, crowd)
      mine.push(await raise(), await raise())
      await listedEvents(sandbox, own.api, mine)
      check.of('POL-003').equal('events without a cursor', idsOf(await readPage(own.api)), mine)
      for (const [whose, api] of [
        ['inbox with many', other.api],
        ['org', project.api],
      ] as const)
        check
          .of('POL-002')
          .equal(`the first event of the ${whose}`, idsOf(await readPage(api, { limit: 1 })), [foreign])
      const following = idsOf(await readPage(own.api, { after: mine[0], limit: 1 }))
      check.of('POL-003').equal('the event after the first, with limit 1', following, mine.slice(1, 2))
      check.of('POL-008').equal('events over pages of one', (await followPages(own.api, require, 1)).ids, mine)
      const stream = await project.stream({ api: own.api, after: mine[0] ?? '' }).opened(require.of('STR-001'))
      await showsEvent(stream, sandbox, mine[2] ?? '')
      check.of('STR-005').equal('frames after the first', stream.ids, mine.slice(1))
      const resumed = await project.stream({ api: own.api, after: foreign }).opened(require.of('STR-001'))
      await showsEvent(resumed, sandbox, mine[2] ?? '')
      check.of('STR-005').equal('frames after an event of another inbox', resumed.ids, mine)
    },
  }),

  serviceCase({
    id: 'service/foreign-events/hold-up-no-key-of-an-inbox',
    requirements: ['SCOPE-002', 'SCOPE-010', 'STR-006', 'POL-008'],
    level: 'must',
    title: 'under load, streams and pollers of an inbox get each event once',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      // Opened before any event is raised: an event raised just before may still be on its way to the streams.
      const live = await project.stream({ api: own.api }).opened(require.of('STR-001'))
      const start = (await project.raise('message.received', { inbox: own })).id
      await listedEvents(sandbox, own.api, [start])
      const crowding = raiseCrowd(project, other, 150)
      crowding.catch(() => undefined) // Awaited below, unless the case ends before.
      const mine: string[] = []
      const resumed = []
      const polled: unknown[] = []
      let after: string | undefined = start
      for (let round = 0; round < 8; round++) {
        mine.push((await project.raise('message.received', { inbox: own })).id)
        if (round % 4 === 0)
          resumed.push(
            ...(await project.streams([{ api: own.api, after: start }], require.of('STR-001'), { otherStreams: 1 })),
          )
        const pages = await followPages(own.api, require, 2, after)
        for (const id of pages.ids) polled.push(id)
        after = pages.after
      }
      await crowding
      mine.push((await project.raise('message.received', { inbox: own })).id)
      const last = mine.at(-1) ?? ''
      await listedEvents(sandbox, own.api, mine)
      for (const id of (await followPages(own.api, require, 2, after)).ids) polled.push(id)
      check.of('POL-008').equal('events over the pages of a poller', polled, mine)
      await Promise.all([live, ...resumed].map((stream) => showsEvent(stream, sandbox, last)))
      check.of('SCOPE-002').equal('frames of a live stream', live.ids, [start, ...mine])
      for (const stream of resumed) check.of('STR-006').equal('frames of a stream that resumed', stream.ids, mine)
    },
  }),

  serviceCase({
    id: 'service/foreign-events/are-asked-for-in-vain',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-010'],
    level: 'must',
    title: 'no query of an inbox key shows an event of another inbox',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const first = await project.raise('message.received', { inbox: other })
      const mine = await project.raise('message.received', { inbox: own })
      const foreign = [first.id, (await project.raise('message.received', { inbox: other })).id]
      await listedEvents(sandbox, project.api, foreign)
      const queries = [
        `inbox_id=${other.id}`,
        `inbox=${other.id}`,
        'inbox_id=',
        'inbox_id=*',
        `inbox_id=${own.id}&inbox_id=${other.id}`,
        `org_id=${project.orgId ?? ''}`,
        `after=${first.id}&after=${mine.id}`,
        `after=${mine.id}&after=${first.id}`,
        `after[]=${first.id}`,
        'after=%00',
        'limit=100&limit=100',
      ]
      for (const query of queries) {
        const seen = idsOf(itemsOf(await own.api.request('GET', `/v1/events?${query}`)) ?? [])
        check.of('SCOPE-001').equal(`events of another inbox on a page of ?${query}`, knownAmong(seen, foreign), [])
      }
      const witness = await project.stream({ api: own.api }).opened(require.of('STR-001'))
      // The stream's answer to such a query is open: it may refuse, and no event is expected.
      const requested = queries.filter((query) => query.includes(other.id) || query.includes(first.id))
      const odd = requested.map((query) => project.stream({ api: own.api, query, isUnrelated: true }))
      await Promise.all(odd.map((stream) => stream.opening))
      foreign.push((await project.raise('message.received', { inbox: other })).id)
      const last = await project.raise('message.received', { inbox: own })
      require.of('SCOPE-002').ok('its own event', await showsEvent(witness, sandbox, last.id), 'sent', 'nothing')
      await sandbox.quiet(lateMs)
      for (const [index, stream] of odd.entries())
        check
          .of('SCOPE-002')
          .equal(`events of another inbox on a stream of ?${requested[index]}`, knownAmong(stream.ids, foreign), [])
    },
  }),

  serviceCase({
    id: 'service/foreign-events/of-another-org-are-asked-for-in-vain',
    requirements: ['SCOPE-007'],
    level: 'must',
    title: 'no query of a key of another org shows an event of this one',
    needs: ['projects', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const { sandbox, owner, others } = await openOtherOrgs(openSandbox)
      const secrets = [(await owner.raise('message.received')).id]
      await listedEvents(sandbox, owner.api, secrets)
      const org = encodeURIComponent(owner.orgId ?? '')
      const queries = [
        `org_id=${org}`,
        `org=${org}`,
        `workspace_id=${encodeURIComponent(sandbox.workspaceId)}`,
        `inbox_id=${encodeURIComponent(owner.inbox().id)}`,
      ]
      for (const project of others) {
        const witness = await project.stream().opened(require.of('STR-001'))
        const requested = [project.api, project.inbox().api].flatMap((api) => queries.map((query) => ({ api, query })))
        for (const { api, query } of requested) {
          const seen = idsOf(itemsOf(await api.request('GET', `/v1/events?${query}`)) ?? [])
          check.equal(`events of another org on a page of ?${query}`, knownAmong(seen, secrets), [])
        }
        // The stream's answer to such a query is open: it may refuse, and no event is expected.
        const odd = requested.map(({ api, query }) => project.stream({ api, query, isUnrelated: true }))
        await Promise.all(odd.map((stream) => stream.opening))
        secrets.push((await owner.raise('message.received')).id)
        const own = await project.raise('message.received')
        require.ok('an event of its own', await showsEvent(witness, sandbox, own.id), 'sent', 'nothing')
        await sandbox.quiet(lateMs)
        // The interface does not guarantee that ids differ between orgs.
        const hidden = secrets.filter((id) => id !== own.id)
        for (const [index, stream] of odd.entries())
          check.equal(
            `events of another org on a stream of ?${requested[index]?.query}`,
            knownAmong(stream.ids, hidden),
            [],
          )
        for (const stream of [witness, ...odd]) stream.close()
      }
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/holds-for-every-type',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-005', 'SCOPE-010', 'EVT-014'],
    level: 'must',
    title: 'an inbox key and its webhook get no event of another inbox, of any type',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      // Filtered or not, made by whichever key: as many as the service takes.
      const webhooks = await project.createWebhooks(
        [{ inboxId: own.id }, { inboxId: own.id, eventTypes: inboxTypes }, { api: own.api }],
        { atLeast: 1 },
      )
      const live = await project.stream({ api: own.api }).opened(require.of('STR-001'))
      const start = await project.raise('message.received', { inbox: own })
      const [foreign, mine]: [RaisedEvent[], RaisedEvent[]] = [[], []]
      for (const type of inboxTypes) {
        foreign.push(await project.raise(type, { inbox: other }))
        mine.push(await project.raise(type, { inbox: own }))
      }
      const expected = [start, ...mine].map(({ id }) => id)
      const typesOf = (ids: readonly unknown[]) => foreign.filter(({ id }) => ids.includes(id)).map(({ type }) => type)
      const checkOwn = (where: string, ids: readonly unknown[]) => {
        const unseen = mine.filter(({ id }) => !ids.includes(id)).map(({ type }) => type)
        check.of('EVT-014').equal(`types of its own inbox that are not ${where}`, unseen, [])
      }
      const polled = idsOf(await listedEvents(sandbox, own.api, expected))
      check.of('SCOPE-001').equal('types of another inbox that are listed', typesOf(polled), [])
      checkOwn('listed', polled)
      const resumed = await project.stream({ api: own.api, after: start.id }).opened(require.of('STR-001'))
      for (const [name, stream, requirement] of [
        ['streamed live', live, 'SCOPE-002'],
        ['streamed after a cursor', resumed, 'SCOPE-010'],
      ] as const) {
        await showsEvent(stream, sandbox, expected.at(-1) ?? '')
        check.of(requirement).equal(`types of another inbox that are ${name}`, typesOf(stream.ids), [])
        checkOwn(name, stream.ids)
      }
      for (const [index, webhook] of webhooks.entries()) {
        if (webhook === undefined) continue
        for (const event of mine) await webhook.attempt(1, event, require.of('SCOPE-005'))
        await sandbox.settle()
        const sent = webhook.attempts().map((attempt) => attempt.field('id'))
        const name = ['without a filter', 'that lists them', 'made by the key of the inbox'][index]
        check.of('SCOPE-005').equal(`types of another inbox sent to a webhook ${name}`, typesOf(sent), [])
      }
    },
  }),

  serviceCase({
    id: 'service/foreign-events/show-no-failure-with-a-reason',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-005', 'SCOPE-010'],
    level: 'must',
    title: 'an inbox key and its webhook get no message.failed with a reason of another inbox',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const view = await openView(sandbox, require)
      const fail = (inbox_id: string) => {
        const data = { message_id: `msg_${unique()}`, inbox_id, thread_id: `thr_${unique()}`, reason: 'not accepted' }
        return project.raise('message.failed', { data })
      }
      const foreign = await fail(project.inbox(1).id)
      const mine = await fail(view.inbox.id)
      await checkView(view, { mine, foreign: [foreign] }, { check, require })
    },
  }),

  serviceCase({
    id: 'service/workspace-events/skip-webhooks-of-the-key-of-an-inbox',
    requirements: ['EVT-013', 'SCOPE-003'],
    level: 'must',
    title: 'an inbox webhook that lists workspace events gets none',
    needs: ['sink', 'inboxes', 'event:sending.paused', 'event:sending.resumed', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api, id: inboxId } = project.inbox()
      const limited = [
        await project.createWebhook({ api, eventTypes: ['sending.paused', 'sending.resumed', 'message.received'] }),
        await project.createWebhook({ inboxId, eventTypes: ['sending.paused', 'message.received'] }),
        await project.createWebhook({ inboxId, eventTypes: ['message.received', 'sending.resumed'] }),
      ]
      const events = [await project.raise('sending.paused'), await project.raise('sending.resumed')]
      const witness = await project.raise('message.received')
      await listedEvents(
        sandbox,
        project.api,
        [...events, witness].map(({ id }) => id),
      )
      for (const webhook of limited) await webhook.attempt(1, witness, require.of('WHK-009'))
      await sandbox.settle()
      const names = ['that its key made', 'that lists sending.paused', 'that lists sending.resumed']
      for (const [index, name] of names.entries())
        for (const event of events)
          check.equal(`${event.type} at a webhook of one inbox ${name}`, limited[index]?.attempts(event).length, 0)
    },
  }),
]
