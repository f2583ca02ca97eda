// SCOPE-001, SCOPE-002  "Inbox-scoped keys see only events of their inbox" (polling, WebSocket).
// SCOPE-003  "When an inbox-scoped key creates a webhook, `inbox_id` is forced to its own inbox."
// SCOPE-004  "A key scoped to one inbox always gets its own inbox as `inbox_id`, also when it asks for another inbox or for null."
// SCOPE-005  "A webhook with an `inbox_id` receives only events of this inbox."
// SCOPE-006  "A webhook whose `inbox_id` is null receives events of every inbox in the org."
// SCOPE-010  resuming with `after` does not widen what an inbox-scoped key sees.
//
// Reading: a scoped key that asks for another inbox may also be refused (open point foreign-inbox); then there is no webhook.

import fc from 'fast-check'
import { itemsOf, memberOf, serviceCase, type Api, type Hook, type RaisedEvent } from '../../harness/authoring.js'

async function polledIds(api: Api, after?: string): Promise<unknown[]> {
  const ids: unknown[] = []
  for (let page = 0, cursor = after; page < 300; page++) {
    const items = itemsOf(await api.pollEvents({ limit: 100, after: cursor })) ?? []
    if (items.length === 0) break
    ids.push(...items.map((each) => memberOf(each, 'id')))
    cursor = String(memberOf(items.at(-1), 'id'))
  }
  return ids
}

export const inboxScope = [
  serviceCase({
    id: 'service/inbox-scope/limits-polling',
    requirements: ['SCOPE-001', 'SCOPE-008', 'SCOPE-010'],
    level: 'must',
    title:
      'a key of one inbox polls the events of its inbox and no others, with and without after; a key of the org polls all',
    needs: ['inboxes', 'event:message.received'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const events: RaisedEvent[] = []
      for (const inbox of [own, other, own, other]) events.push(await project.raise('message.received', { inbox }))
      const mine = events.filter((_, index) => index % 2 === 0).map(({ id }) => id)
      const all = events.map(({ id }) => id)
      const among = (ids: readonly unknown[]) => ids.filter((id) => all.includes(String(id)))
      check.of('SCOPE-001').equal('events of a key of one inbox', among(await polledIds(own.api)), mine)
      check.of('SCOPE-008').equal('events of a key of the org', among(await polledIds(project.api)), all)
      check
        .of('SCOPE-010')
        .equal(
          'events of a key of one inbox after an event of another',
          among(await polledIds(own.api, all[1])),
          mine.slice(1),
        )
      check
        .of('SCOPE-010')
        .equal(
          'events of a key of one inbox after its own first',
          among(await polledIds(own.api, all[0])),
          mine.slice(1),
        )
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/limits-the-stream',
    requirements: ['SCOPE-002', 'SCOPE-009', 'SCOPE-010'],
    level: 'must',
    title:
      'a key of one inbox streams the events of its inbox and no others, live and behind a cursor; a key of the org streams all',
    needs: ['inboxes', 'event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const start = await project.raise('message.received', { inbox: own })
      const earlier = [
        await project.raise('message.received', { inbox: other }),
        await project.raise('message.received', { inbox: own }),
      ]
      const live = await project.stream({ api: own.api }).opened(require.of('STR-001'))
      const resumed = await project
        .stream({ api: own.api, after: start.id, auth: 'token' })
        .opened(require.of('STR-001'))
      const whole = await project.stream({ after: start.id }).opened(require.of('STR-001'))
      const later = [
        await project.raise('message.received', { inbox: other }),
        await project.raise('message.received', { inbox: own }),
      ]
      const last = later[1]?.id ?? ''
      for (const stream of [live, resumed, whole])
        require
          .of('SCOPE-002')
          .ok(
            'an event of its inbox on each stream',
            await stream.until(() => stream.ids.includes(last), scene.budgetMs),
            'sent',
            stream.ids.length,
          )
      const known = [...earlier, ...later].map(({ id }) => id)
      const among = (ids: readonly unknown[]) => ids.filter((id) => known.includes(String(id)))
      check.of('SCOPE-002').equal('live events of a key of one inbox', among(live.ids), [last])
      check.of('SCOPE-010').equal('resumed events of a key of one inbox', among(resumed.ids), [earlier[1]?.id, last])
      check.of('SCOPE-009').equal('events of a key of the org', among(whole.ids), known)
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/forces-the-inbox-of-a-webhook',
    requirements: ['SCOPE-003', 'SCOPE-004'],
    level: 'must',
    title: 'a key of one inbox gets its own inbox_id, whether it asks for none, null, its own or another',
    needs: ['inboxes'],
    async run({ scene: open, check }) {
      const { project } = await open()
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const fields = { url: 'https://hooks.example.com/scope', event_types: ['sending.resumed'] }
      const forms = [
        ['SCOPE-003', fields],
        ['SCOPE-004', { ...fields, inbox_id: null }],
        ['SCOPE-003', { ...fields, inbox_id: own.id }],
        ['SCOPE-004', { ...fields, inbox_id: other.id }],
      ] as const
      for (const [requirement, asked] of forms) {
        const created = await own.api.createWebhook(asked)
        const isForeign = 'inbox_id' in asked && asked.inbox_id === other.id
        if (isForeign && created.status !== undefined && created.status >= 400 && created.status < 500) continue
        check.of(requirement).status(created, '2xx')
        check.of(requirement).equal(`inbox_id for ${JSON.stringify(asked)}`, created.field('inbox_id'), own.id)
        await project.api.deleteWebhook(String(created.field('id')))
      }
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/limits-deliveries',
    requirements: ['SCOPE-005', 'SCOPE-006', 'SCOPE-003'],
    level: 'must',
    title:
      'a webhook of one inbox, made by a key of the org or of the inbox, gets the events of this inbox alone; one without gets all',
    needs: ['sink', 'inboxes', 'event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const byOrg = await project.hook({ eventTypes: ['message.received'], inboxId: own.id })
      const byInbox = await project.hook({ eventTypes: ['message.received'], api: own.api })
      const whole = await project.hook({ eventTypes: ['message.received'] })
      const foreign = await project.raise('message.received', { inbox: other })
      const mine = await project.raise('message.received', { inbox: own })
      await whole.attempt(1, foreign, require.of('SCOPE-006'))
      await whole.attempt(1, mine, require.of('SCOPE-006'))
      await byOrg.attempt(1, mine, require.of('SCOPE-005'))
      await byInbox.attempt(1, mine, require.of('SCOPE-003'))
      await scene.settle()
      check
        .of('SCOPE-005')
        .equal('attempts of another inbox at a webhook of one inbox', byOrg.attempts(foreign).length, 0)
      check
        .of('SCOPE-003')
        .equal('attempts of another inbox at the webhook of a scoped key', byInbox.attempts(foreign).length, 0)
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/holds-for-any-events',
    requirements: ['SCOPE-001', 'SCOPE-005', 'SCOPE-006', 'SCOPE-008'],
    level: 'must',
    title: 'for random events over three inboxes, each key and webhook sees exactly what a model says',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ scene: open, property }) {
      const type = fc.constantFrom('message.received', 'message.delivered', 'message.bounced', 'sending.paused')
      await property(
        fc.array(fc.record({ inbox: fc.nat(2), type }), { minLength: 1, maxLength: 8 }),
        async (plan, require) => {
          const scene = await open({ inboxes: 3 })
          const { project } = scene
          const hooks: { hook: Hook; inbox: number | undefined }[] = [{ hook: await project.hook(), inbox: undefined }]
          for (const inbox of [0, 1, 2])
            hooks.push({ hook: await project.hook({ inboxId: project.inbox(inbox).id }), inbox })
          const raised: { id: string; inbox: number | undefined }[] = []
          for (const { inbox, type: each } of plan) {
            const event = await project.raise(each, { inbox: project.inbox(inbox) })
            raised.push({ id: event.id, inbox: each.startsWith('sending.') ? undefined : inbox })
          }
          await scene.settle()
          const expected = (inbox: number | undefined) =>
            raised.filter((each) => inbox === undefined || each.inbox === inbox).map(({ id }) => id)
          for (const { hook, inbox } of hooks) {
            await hook.endpoint.until(() => hook.attempts().length >= expected(inbox).length, scene.budgetMs)
            const got = hook.attempts().map((attempt) => String(attempt.field('id')))
            require
              .of(inbox === undefined ? 'SCOPE-006' : 'SCOPE-005')
              .equal(
                `events at the webhook of ${inbox === undefined ? 'the org' : `inbox ${inbox}`}`,
                got.sort(),
                expected(inbox).sort(),
              )
          }
          require
            .of('SCOPE-008')
            .equal('events polled by the key of the org', await polledIds(project.api), expected(undefined))
          for (const inbox of [0, 1, 2])
            require
              .of('SCOPE-001')
              .equal(
                `events polled by the key of inbox ${inbox}`,
                await polledIds(project.inbox(inbox).api),
                expected(inbox),
              )
        },
        { runs: 5 },
      )
    },
  }),
]
