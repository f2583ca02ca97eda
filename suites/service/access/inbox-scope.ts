// SCOPE-001, SCOPE-002  "Inbox-scoped keys see only events of their inbox" (polling, WebSocket).
// SCOPE-003  "When an inbox-scoped key creates a webhook, `inbox_id` is forced to its own inbox."
// SCOPE-004  "A key scoped to one inbox always gets its own inbox as `inbox_id`, also when it requests another inbox or null."
// SCOPE-005  "A webhook with an `inbox_id` receives only events of this inbox."
// SCOPE-006  "A webhook whose `inbox_id` is null receives events of every inbox in the org."
// SCOPE-010  resuming with `after` does not widen what an inbox-scoped key sees.
// SCOPE-011  asking for another inbox gets a webhook of the own one; SCOPE-012  deliveries that are shown name no foreign event.
//
// Reading: a scoped key that requests another inbox may also be refused (open point foreign-inbox); then there is no webhook. It is open
// what such a key may do with the webhooks of its org (scoped-key-rights): "sees only" is about polling and WebSocket.

import { asText, itemsOf, memberOf, mentions, serviceCase, type RaisedEvent } from '../../../harness/authoring.js'
import { knownAmong, eventsAfter, idsOf, listedEvents, showsEvent } from '../shared/event-log.js'
import { rareInboxEvent } from '../shared/registration.js'

const received = ['message.received']

/** Webhooks limited to an inbox, and the key that creates each; three at once, since a service may accept no more. */
const limits = [
  {
    name: 'limits-deliveries',
    decides: ['SCOPE-005', 'SCOPE-006'],
    title: 'made by a key of the org or of the inbox',
    whole: {},
    limited: [
      { by: 'org', requests: 'own', requirement: 'SCOPE-005' },
      { by: 'inbox', requests: 'nothing', requirement: 'SCOPE-003' },
    ],
  },
  {
    name: 'limits-deliveries-whatever-is-asked',
    decides: [],
    title: 'made by its key with any inbox_id',
    whole: { inboxId: null },
    limited: [
      { by: 'inbox', requests: 'null', requirement: 'SCOPE-004' },
      { by: 'inbox', requests: 'own', requirement: 'SCOPE-003' },
    ],
  },
] as const

export const inboxScope = [
  serviceCase({
    id: 'service/inbox-scope/limits-polling',
    requirements: ['SCOPE-001', 'SCOPE-008', 'SCOPE-010', 'POL-009'],
    decides: ['SCOPE-001', 'SCOPE-008', 'SCOPE-010'],
    level: 'must',
    title: 'an inbox key polls its inbox only; an org key polls all',
    needs: ['inboxes', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const events: RaisedEvent[] = []
      for (const inbox of [own, other, own, other, own]) events.push(await project.raise('message.received', { inbox }))
      const before = events[0]?.listedAfter
      const mine = events.filter((_, index) => index % 2 === 0).map(({ id }) => id)
      const all = events.map(({ id }) => id)
      const whole = idsOf(await listedEvents(sandbox, project.api, all, before))
      check.of('SCOPE-008').equal('events of a key of the org', knownAmong(whole, all), all)
      const ownEvents = await listedEvents(sandbox, own.api, mine, before)
      const seenByOwn = idsOf(ownEvents)
      const inboxes = ownEvents.map((event) => memberOf(memberOf(event, 'data'), 'inbox_id'))
      check.of('SCOPE-001').equal('inboxes of what a key of one inbox lists', [...new Set(inboxes)], [own.id])
      const orgs = [...new Set(ownEvents.map((event) => memberOf(event, 'org_id')))]
      if (project.orgId !== undefined)
        check.of('POL-009').equal('org_id of what a key of one inbox lists', orgs, [project.orgId])
      check.of('SCOPE-001').equal('events of a key of one inbox', knownAmong(seenByOwn, all), mine)
      const theirs = all.filter((id) => !mine.includes(id))
      const seenByOther = idsOf(await listedEvents(sandbox, other.api, theirs, before))
      check.of('SCOPE-001').equal('events of the key of the other inbox', knownAmong(seenByOther, all), theirs)
      for (const [index, after] of all.entries()) {
        // A page read for the key of the org must not be shown to the key of an inbox with the same query.
        await eventsAfter(project.api, after)
        const following = knownAmong(idsOf(await eventsAfter(own.api, after)), all)
        const expected = mine.filter((id) => all.indexOf(id) > index)
        check.of('SCOPE-010').equal(`events of a key of one inbox after event ${index + 1} of 5`, following, expected)
      }
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/limits-the-stream',
    requirements: ['SCOPE-002', 'SCOPE-009', 'SCOPE-010'],
    decides: ['SCOPE-002', 'SCOPE-009', 'SCOPE-010'],
    level: 'must',
    title: 'an inbox key streams its inbox only, live and resumed; an org key streams all',
    needs: ['inboxes', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const start = await project.raise('message.received', { inbox: own })
      const witness = await project.stream({ after: start.id }).opened(require.of('STR-001'))
      const earlier = [
        await project.raise('message.received', { inbox: other }),
        await project.raise('message.received', { inbox: own }),
        await project.raise('message.received', { inbox: other }),
      ].map(({ id }) => id)
      const isEarlierShown = await showsEvent(witness, sandbox, earlier[2] ?? '')
      require
        .of('SCOPE-009')
        .ok('the earlier events on the stream of the org', isEarlierShown, 'sent', witness.ids.length)
      const live = await project.stream({ api: own.api }).opened(require.of('STR-001'))
      const resumed = await project
        .stream({ api: own.api, after: start.id, auth: 'token' })
        .opened(require.of('STR-001'))
      const behindForeign = await project
        .stream({ api: own.api, after: earlier[0] ?? '' })
        .opened(require.of('STR-001'))
      const later = [
        await project.raise('message.received', { inbox: other }),
        await project.raise('message.received', { inbox: own }),
      ].map(({ id }) => id)
      const [, mine = ''] = earlier
      const [, last = ''] = later
      const known = [start.id, ...earlier, ...later]
      for (const [name, stream, requirement, expected] of [
        ['live events of a key of one inbox', live, 'SCOPE-002', [last]],
        ['events of a key of one inbox after one of its own', resumed, 'SCOPE-010', [mine, last]],
        ['events of a key of one inbox after one of another', behindForeign, 'SCOPE-010', [mine, last]],
        ['events of a key of the org', witness, 'SCOPE-009', known.slice(1)],
      ] as const) {
        const isShown = await showsEvent(stream, sandbox, last)
        require.of(requirement).ok(`the last of the ${name}`, isShown, 'sent', stream.ids.length)
        check.of(requirement).equal(name, knownAmong(stream.ids, known), expected)
      }
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/forces-the-inbox-of-a-webhook',
    requirements: ['SCOPE-003', 'SCOPE-004', 'WHK-001', 'WHK-005'],
    decides: ['SCOPE-003'],
    level: 'must',
    title: 'a webhook of an inbox key always has its own inbox_id',
    needs: ['inboxes'],
    async run({ openSandbox, check, publicUrl }) {
      const { project } = await openSandbox()
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const fields = { event_types: [rareInboxEvent] }
      const forms = [
        ['SCOPE-003', fields],
        ['SCOPE-004', { ...fields, inbox_id: null }],
        ['SCOPE-003', { ...fields, inbox_id: own.id }],
        ['SCOPE-004', { ...fields, inbox_id: other.id }],
        ['SCOPE-004', { ...fields, inbox_id: '' }],
        ['SCOPE-003', { event_types: [rareInboxEvent, 'sending.paused'] }],
      ] as const
      for (const [requirement, requested] of forms) {
        const created = await own.api.createWebhook({ url: publicUrl(), ...requested })
        // Another inbox, and one without an id, may be refused.
        const isForeign = 'inbox_id' in requested && (requested.inbox_id === other.id || requested.inbox_id === '')
        // An inbox has no workspace events: a filter with one may be refused.
        const isPointless = requested.event_types.length > 1
        if ((isForeign || isPointless) && created.status !== undefined && created.status >= 400 && created.status < 500)
          continue
        check.of(requirement).status(created, '2xx')
        check.of('WHK-001').status(created, [201])
        check.of(requirement).equal(`inbox_id for ${JSON.stringify(requested)}`, created.field('inbox_id'), own.id)
        // In whatever order.
        const [id, types] = [created.field('id'), created.field('event_types')]
        const given = Array.isArray(types) ? [...types].sort() : types
        check
          .of('WHK-005')
          .equal(`event_types for ${JSON.stringify(requested)}`, given, [...requested.event_types].sort())
        const listed = itemsOf(await project.api.listWebhooks({}))?.find((webhook) => memberOf(webhook, 'id') === id)
        const { inbox_id: reported = own.id } = Object(listed) as { inbox_id?: unknown }
        check.of(requirement).equal(`inbox_id, where listed, for ${JSON.stringify(requested)}`, reported, own.id)
        await project.api.deleteWebhook(asText(id))
      }
    },
  }),

  ...limits.map(({ name, decides, title, whole, limited }) =>
    serviceCase({
      id: `service/inbox-scope/${name}`,
      requirements: ['SCOPE-005', 'SCOPE-006', 'SCOPE-003', 'SCOPE-004'],
      decides,
      level: 'must',
      title: `a webhook of one inbox, ${title}, gets only its events`,
      needs: ['sink', 'inboxes', 'event:message.received'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const { project } = sandbox
        const [own, other] = [project.inbox(0), project.inbox(1)]
        const inboxIds = { own: { inboxId: own.id }, null: { inboxId: null }, nothing: {} }
        const ofTheOrg = await project.createWebhook({ eventTypes: received, ...whole })
        const webhooks = []
        for (const { by, requests, requirement } of limited) {
          const key = by === 'inbox' ? { api: own.api } : {}
          const webhook = await project.createWebhook({ eventTypes: received, ...key, ...inboxIds[requests] })
          webhooks.push({ what: `made by a key of the ${by} with inbox_id ${requests}`, webhook, requirement })
        }
        const foreign = await project.raise('message.received', { inbox: other })
        const mine = await project.raise('message.received', { inbox: own })
        for (const event of [foreign, mine]) await ofTheOrg.attempt(1, event, require.of('SCOPE-006'))
        for (const { webhook, requirement } of webhooks) await webhook.attempt(1, mine, require.of(requirement))
        await sandbox.settle()
        for (const { what, webhook, requirement } of webhooks)
          check
            .of(requirement)
            .equal(`events of another inbox at a webhook ${what}`, webhook.attempts(foreign).length, 0)
      },
    }),
  ),

  serviceCase({
    id: 'service/inbox-scope/tells-inboxes-with-like-ids-apart',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-005'],
    dependsOn: ['EVT-014', 'DLV-002'],
    level: 'must',
    title: 'a dozen inboxes with similar ids each see only their own events',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox({ inboxes: 12 })
      const { project } = sandbox
      const webhooks = await project.createWebhooks(
        project.inboxes.map(({ id }) => ({ eventTypes: received, inboxId: id })),
        { atLeast: 2 },
      )
      const streams = await project.streams(
        project.inboxes.map(({ api }) => ({ api })),
        require.of('STR-001'),
        { atLeast: 2 },
      )
      const events: string[] = []
      for (const inbox of project.inboxes) events.push((await project.raise('message.received', { inbox })).id)
      await listedEvents(sandbox, project.api, events)
      for (const [index, inbox] of project.inboxes.entries()) {
        const own = [events[index] ?? '']
        const name = `inbox ${index + 1} of ${project.inboxes.length}`
        check
          .of('SCOPE-001')
          .equal(`events polled by the key of ${name}`, idsOf(await listedEvents(sandbox, inbox.api, own)), own)
        const stream = streams[index]
        if (stream !== undefined) {
          await showsEvent(stream, sandbox, own[0] ?? '')
          check.of('SCOPE-002').equal(`events streamed to the key of ${name}`, stream.ids, own)
        }
        const webhook = webhooks[index]
        if (webhook === undefined) continue
        await webhook.endpoint.until(() => webhook.attempts().length > 0, sandbox.budgetMs)
        const sent = webhook.attempts().map((attempt) => attempt.field('id'))
        check.of('SCOPE-005').equal(`events sent to the webhook of ${name}`, sent, own)
      }
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/shows-no-event-through-webhooks-of-the-org',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-003'],
    level: 'must',
    title: "no call of an inbox key on other webhooks shows it another inbox's events",
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const whole = await project.createWebhook({ eventTypes: received })
      const theirs = await project.createWebhook({ eventTypes: received, inboxId: other.id })
      const mine = await project.createWebhook({ eventTypes: received, api: own.api })
      const [stream] = await project.streams([{ api: own.api }], require.of('STR-001'))
      const foreign = await project.raise('message.received', { inbox: other })
      for (const webhook of [whole, theirs]) await webhook.attempt(1, foreign, require.of('SCOPE-006'))
      for (const webhook of [whole, theirs]) {
        const { id } = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        // Below the webhook it belongs to and below its own: the answer is open, the sent events are not.
        for (const below of [webhook.id, mine.id]) await own.api.once.replayDelivery(below, asText(id))
      }
      await sandbox.settle()
      check.of('SCOPE-003').equal('events of another inbox at the webhook of the key', mine.attempts(foreign).length, 0)
      // A replayed event is visible only to the keys that could see it before.
      const end = await project.raise('message.received', { inbox: own })
      await mine.attempt(1, end, require.of('SCOPE-003'))
      const polled = idsOf(await listedEvents(sandbox, own.api, [end.id]))
      check.of('SCOPE-001').equal('events polled by the key', polled, [end.id])
      if (stream === undefined) return
      await showsEvent(stream, sandbox, end.id)
      check.of('SCOPE-002').equal('events streamed to the key', stream.ids, [end.id])
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/names-no-event-of-another-inbox',
    requirements: ['SCOPE-012'],
    level: 'should',
    title: "an inbox key sees no event in the deliveries of another inbox's webhook",
    needs: ['sink', 'inboxes', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const theirs = await project.createWebhook({ eventTypes: received, inboxId: other.id })
      const foreign = await project.raise('message.received', { inbox: other })
      await theirs.attempt(1, foreign, require.of('SCOPE-005'))
      await theirs.deliveryWhen(({ status }) => status === 'succeeded')
      const list = await own.api.listDeliveries(theirs.id)
      const isNamed = list.status === 200 && mentions(list.json, foreign.id)
      check.ok('an event of another inbox in deliveries shown to an inbox key', !isNamed, 'absent', 'listed')
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/gives-its-own-inbox-for-another',
    requirements: ['SCOPE-011'],
    level: 'should',
    title: 'an inbox key that requests another inbox gets a webhook of its own',
    needs: ['inboxes'],
    async run({ openSandbox, check, publicUrl }) {
      const { project } = await openSandbox()
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const fields = { url: publicUrl(), event_types: [rareInboxEvent], inbox_id: other.id }
      const created = await own.api.createWebhook(fields)
      check.status(created, [201])
      if (created.status !== 201) return
      check.equal('inbox_id that was given', created.field('inbox_id'), own.id)
      await project.api.deleteWebhook(asText(created.field('id')))
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/holds-in-every-project',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-003', 'SCOPE-005', 'SCOPE-009', 'STR-005', 'WHK-009'],
    level: 'must',
    title: 'in each project of a workspace, inbox keys and webhooks are limited to their inbox',
    needs: ['sink', 'inboxes', 'projects', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox({ projects: 2 })
      for (const [index, project] of sandbox.projects.entries()) {
        const where = `project ${index + 1} of ${sandbox.projects.length}`
        const [own, other] = [project.inbox(0), project.inbox(1)]
        const webhook = await project.createWebhook({ eventTypes: received, api: own.api })
        const start = await project.raise('message.received', { inbox: other })
        const foreign = await project.raise('message.received', { inbox: other })
        const queued = await project.raise('message.queued', { inbox: own })
        const mine = await project.raise('message.received', { inbox: own })
        const all = [foreign.id, queued.id, mine.id]
        await webhook.attempt(1, mine, require.of('SCOPE-005'))
        const polled = idsOf(await listedEvents(sandbox, own.api, [queued.id, mine.id], start.id))
        check
          .of('SCOPE-001')
          .equal(`events of a key of one inbox in ${where}`, knownAmong(polled, all), [queued.id, mine.id])
        for (const [name, api, requirement, expected] of [
          ['a key of one inbox', own.api, 'SCOPE-002', [queued.id, mine.id]],
          ['a key of the org', project.api, 'SCOPE-009', all],
        ] as const) {
          const stream = await project.stream({ api, after: start.id }).opened(require.of('STR-001'))
          const isShown = await showsEvent(stream, sandbox, mine.id)
          require.of('STR-005').ok(`the last event on a stream of ${name} in ${where}`, isShown, 'sent', 'none')
          check
            .of(requirement)
            .equal(`events on a stream of ${name} in ${where}`, knownAmong(stream.ids, all), expected)
          stream.close()
        }
        await sandbox.settle()
        check
          .of('SCOPE-003')
          .equal(`events of another inbox at a webhook in ${where}`, webhook.attempts(foreign).length, 0)
        check.of('WHK-009').equal(`events of another type at a webhook in ${where}`, webhook.attempts(queued).length, 0)
      }
    },
  }),

  serviceCase({
    id: 'service/inbox-scope/never-hands-out-another-inbox',
    requirements: ['SCOPE-004'],
    level: 'must',
    title: 'an inbox key that requests another inbox is refused, or limited to its own',
    needs: ['sink', 'inboxes', 'event:message.received'],
    async run({ openSandbox, check, require, publicUrl }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const [own, other] = [project.inbox(0), project.inbox(1)]
      const fields = { url: publicUrl(), event_types: [rareInboxEvent], inbox_id: other.id }
      const probe = await own.api.createWebhook(fields)
      const isRefused = probe.status !== undefined && probe.status >= 400 && probe.status < 500
      if (isRefused) return
      require.status(probe, '2xx')
      check.equal('inbox_id that was given', probe.field('inbox_id'), own.id)
      await project.api.deleteWebhook(asText(probe.field('id')))
      const webhook = await project.createWebhook({ eventTypes: received, api: own.api, inboxId: other.id })
      const whole = await project.createWebhook({ eventTypes: received })
      const foreign = await project.raise('message.received', { inbox: other })
      const mine = await project.raise('message.received', { inbox: own })
      await whole.attempt(1, foreign)
      await webhook.attempt(1, mine, require)
      await sandbox.settle()
      check.equal('events of the other inbox at its webhook', webhook.attempts(foreign).length, 0)
    },
  }),
]
