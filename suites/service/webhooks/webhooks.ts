// WHK-001  "`POST /v1/webhooks` answers `201`."
// WHK-004  "A webhook `secret` is `whsec_` followed by base64."
// WHK-005  "The create response returns the requested `url` and `event_types`."
// WHK-010  "`inbox_id` is optional; null or missing means every inbox in the org, and null is returned."
// WHK-011  "`GET /v1/webhooks` lists the webhooks that were created."
// WHK-012  "Secrets are never included in the list."
// WHK-017  "`DELETE /v1/webhooks/{id}` succeeds, and the webhook is no longer listed as existing."
// WHK-018  "A secret is returned only in the create response of its webhook: two webhooks do not share one."
// NET-006  "A public `https://` URL is accepted …"
//
// Reading: an empty or missing filter may be returned unchanged or as `["*"]`; types may be in any order. The padding of a secret may be
// left out. A service may accept a URL only once (open point same-url), refuse a filter that can match nothing (pointless-filter), list in
// pages (webhook-list-pages), a little late, deleted ones marked (deleted-listed), and allow few webhooks (limits-and-quotas): each URL is
// used once, and after a refusal a case continues with the webhooks it has. The webhooks are for an event type that is practically never
// raised, so nothing is ever sent to the public address.

import { asText, memberOf, serviceCase, type Api, type Checks, type Exchange } from '../../../harness/authoring.js'
import { ignoreLostAnswer } from '../shared/ignore-lost-answer.js'
import { isAccepted, rareEvent, rareInboxEvent } from '../shared/registration.js'
import { itemOf, webhookList } from '../shared/webhook-list.js'

/** `whsec_` and base64 that decodes: groups of four, the last one padded or cut. */
const secretForm = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** More than a usual first page. */
const many = 55
/** Creates at once. */
const sideBySide = 8

/**
 * Creates a webhook for each request and returns the answers of those that were created: a service may allow fewer, and an answer may
 * be lost. Ends the case when the first is refused, and skips it when fewer than `least` were created.
 */
async function createAsMany(
  api: Api,
  requests: readonly Readonly<Record<string, unknown>>[],
  { require, skip, least }: { require: Checks; skip: (reason: string) => never; least: number },
): Promise<Exchange[]> {
  const [first = {}, ...others] = requests
  const created: Exchange[] = [await api.createWebhook(first)]
  for (const answer of created) require.of('WHK-001').status(answer, '2xx')
  for (let next = 0; next < others.length; next += sideBySide) {
    const requested = others
      .slice(next, next + sideBySide)
      .map((request) => api.createWebhook(request).catch(ignoreLostAnswer))
    created.push(...(await Promise.all(requested)).flat().filter(isAccepted))
  }
  if (created.length < least) {
    for (const exchange of created) await api.deleteWebhook(asText(exchange.field('id')))
    skip(`needs ${least} webhooks in the org: the service created ${created.length}`)
  }
  return created
}

export const webhooks = [
  serviceCase({
    id: 'service/webhooks/creates-with-201',
    requirements: ['WHK-001', 'WHK-002', 'WHK-003', 'WHK-004', 'WHK-005', 'WHK-010', 'NET-006'],
    decides: ['WHK-010', 'WHK-002', 'WHK-005'],
    level: 'must',
    title: 'a create answers 201 with id, url, event_types, inbox_id and secret',
    async run({ openSandbox, check, publicUrl }) {
      const { api } = (await openSandbox()).project
      const requested = publicUrl('Path/?Token=aB%20c&run=')
      const created = await api.createWebhook({ url: requested, event_types: ['sending.resumed', 'sending.paused'] })
      check.of('WHK-001').status(created, [201])
      check.of('WHK-003').matches('id', created.field('id'), /^whk_./)
      check.of('WHK-004').matches('secret', created.field('secret'), secretForm)
      check.of('WHK-005').equal('url', created.field('url'), requested)
      check
        .of('WHK-005')
        .equal('event_types', sorted(created.field('event_types')), ['sending.paused', 'sending.resumed'])
      check.of('WHK-010').equal('inbox_id', created.field('inbox_id'), null)
      for (const name of ['id', 'url', 'event_types', 'inbox_id', 'secret'])
        check
          .of('WHK-002')
          .ok(`${name} in the create response`, created.field(name) !== undefined, 'present', created.field(name))
      await api.deleteWebhook(asText(created.field('id')))
    },
  }),

  serviceCase({
    id: 'service/webhooks/takes-null-and-empty-for-everything',
    requirements: ['WHK-001', 'WHK-006', 'WHK-007', 'WHK-008', 'WHK-010'],
    level: 'must',
    title: 'event_types missing, empty or ["*"], and inbox_id missing or null, are accepted with 201',
    needs: ['workspace'],
    async run({ openSandbox, check, publicUrl }) {
      const { api } = (await openSandbox()).project
      const forms = [
        ['WHK-006', {}],
        ['WHK-007', { event_types: [] }],
        ['WHK-008', { event_types: ['*'] }],
        ['WHK-010', { inbox_id: null, event_types: [rareEvent] }],
      ] as const
      for (const [requirement, fields] of forms) {
        const created = await api.createWebhook({ url: publicUrl(), ...fields })
        check.of(requirement).status(created, '2xx')
        check.of('WHK-001').status(created, [201])
        check.of('WHK-010').equal(`inbox_id of ${JSON.stringify(fields)}`, created.field('inbox_id'), null)
        await api.deleteWebhook(asText(created.field('id')))
      }
    },
  }),

  serviceCase({
    id: 'service/webhooks/gives-each-its-own-secret',
    requirements: ['WHK-018'],
    decides: ['WHK-018'],
    level: 'must',
    title: 'webhooks have different ids and secrets, also when they are created concurrently',
    async run({ openSandbox, check, require, skip, publicUrl }) {
      const { api, inboxes } = (await openSandbox()).project
      const requests = [
        ...[1, 2, 3].map(() => ({ url: publicUrl(), event_types: [rareEvent] })),
        ...inboxes
          .slice(0, 1)
          .flatMap(({ id }) => [id, id])
          .map((id) => ({ url: publicUrl(), inbox_id: id, event_types: [rareInboxEvent] })),
      ]
      const created = await createAsMany(api, requests, { require, skip, least: 2 })
      check.equal(
        'different secrets',
        new Set(created.map((exchange) => exchange.field('secret'))).size,
        created.length,
      )
      check.equal('different ids', new Set(created.map((exchange) => exchange.field('id'))).size, created.length)
      for (const exchange of created) await api.deleteWebhook(asText(exchange.field('id')))
      // No more than were just taken: of secrets that are made from the time these are made in the same moment.
      const again = requests.slice(0, created.length).map((request) => ({ ...request, url: publicUrl() }))
      const answers = await Promise.all(again.map((request) => api.createWebhook(request)))
      const secrets = answers.map((answer) => answer.field('secret')).filter((secret) => secret !== undefined)
      check.equal('different secrets of webhooks created at once', new Set(secrets).size, secrets.length)
      for (const answer of answers)
        if (answer.field('id') !== undefined) await api.deleteWebhook(asText(answer.field('id')))
    },
  }),

  serviceCase({
    id: 'service/webhooks/lists-what-was-created',
    requirements: ['WHK-011', 'WHK-012', 'WHK-013', 'WHK-017'],
    decides: ['WHK-011', 'WHK-012', 'WHK-017'],
    level: 'must',
    title: 'a created webhook is listed without its secret until it is deleted',
    async run({ openSandbox, check, require, skip, publicUrl }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const requested = publicUrl()
      const created = await api.createWebhook({ url: requested, event_types: [rareEvent] })
      require.of('WHK-001').status(created, '2xx')
      const id = created.field('id')
      const key = asText(created.field('secret')).slice('whsec_'.length)
      const list = await webhookList(sandbox, api, (items) => itemOf(items, id) !== undefined)
      const item = itemOf(list.items, id)
      for (const page of list.pages) {
        check.of('WHK-011').status(page, [200])
        check.of('WHK-012').ok('secret in the list', !page.text.includes(key), 'nowhere', 'the secret')
      }
      if (item !== undefined || !list.isPart)
        check.of('WHK-011').equal('url of the listed webhook', memberOf(item, 'url'), requested)
      // The interface has no such operation: a service that has it must not show a secret there.
      const alone = await api.once.request('GET', `/v1/webhooks/${encodeURIComponent(asText(id))}`)
      check.of('WHK-013').ok('secret in the webhook read alone', !alone.text.includes(key), 'nowhere', 'the secret')
      const deleted = await api.deleteWebhook(asText(id))
      check.of('WHK-013').ok('secret in the answer to the delete', !deleted.text.includes(key), 'nowhere', 'the secret')
      const isGone = (items: readonly unknown[]) => {
        const left = itemOf(items, id)
        return left === undefined || (item !== undefined && JSON.stringify(left) !== JSON.stringify(item))
      }
      const after = await webhookList(sandbox, api, isGone)
      // A 500 after the webhook was deleted is the service's own answer, no crash on the way there.
      if (isGone(after.items) && (deleted.status ?? 0) >= 500)
        check.of('WHK-017').equal('status of the delete, which took effect', deleted.status, '2xx')
      else check.of('WHK-017').status(deleted, '2xx')
      check
        .of('WHK-017')
        .ok('the deleted webhook in the list', isGone(after.items), 'absent, or listed as deleted', 'listed as before')
      if (item === undefined && list.isPart) skip('needs a list of webhooks whose pages can be followed')
    },
  }),

  serviceCase({
    id: 'service/webhooks/lists-webhooks-of-every-kind',
    requirements: ['WHK-011'],
    level: 'must',
    title: 'webhooks of the org and of inboxes are all listed with their url',
    async run({ openSandbox, check, require, skip, publicUrl }) {
      const sandbox = await openSandbox()
      const { api, inboxes } = sandbox.project
      const forms = [
        { url: publicUrl(), event_types: [rareEvent] },
        { url: publicUrl(), event_types: [rareEvent, 'sending.paused'] },
        ...inboxes.map(({ id }) => ({ url: publicUrl(), inbox_id: id, event_types: [rareInboxEvent] })),
      ]
      const created = await createAsMany(api, forms, { require, skip, least: 1 })
      const ids = created.map((exchange) => exchange.field('id'))
      const list = await webhookList(sandbox, api, (items) => ids.every((id) => itemOf(items, id) !== undefined))
      for (const exchange of created) {
        const item = itemOf(list.items, exchange.field('id'))
        if (item !== undefined || !list.isPart)
          check.equal(`url of a listed webhook`, memberOf(item, 'url'), exchange.field('url'))
        await api.deleteWebhook(asText(exchange.field('id')))
      }
      if (list.isPart) skip('needs a list of webhooks whose pages can be followed')
    },
  }),

  serviceCase({
    id: 'service/webhooks/lists-every-one-of-many',
    requirements: ['WHK-011'],
    level: 'must',
    title: `each of ${many} webhooks is listed, on one page or on linked pages`,
    needs: ['workspace'],
    async run({ openSandbox, check, require, skip, publicUrl }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const forms = Array.from({ length: many }, () => ({ url: publicUrl(), event_types: [rareEvent] }))
      const created = await createAsMany(api, forms, { require, skip, least: 2 })
      const ids = created.map((exchange) => exchange.field('id'))
      const missing = (items: readonly unknown[]) => ids.filter((id) => itemOf(items, id) === undefined)
      const list = await webhookList(sandbox, api, (items) => missing(items).length === 0)
      if (list.isPart) skip('needs a list of webhooks whose pages can be followed')
      check.equal('created webhooks that are not listed', missing(list.items), [])
    },
  }),

  serviceCase({
    id: 'service/webhooks/lists-what-it-is-limited-to',
    requirements: ['WHK-011', 'WHK-001', 'WHK-002', 'WHK-005', 'WHK-012'],
    level: 'must',
    title: 'listed event types and inboxes are those of the create; no secret is listed',
    needs: ['inboxes'],
    async run({ openSandbox, check, require, publicUrl }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(1)
      const requested = { event_types: [rareInboxEvent], inbox_id: inbox.id }
      const created = await project.api.createWebhook({ url: publicUrl(), ...requested })
      require.of('WHK-001').status(created, '2xx')
      check.of('WHK-001').status(created, [201])
      check.of('WHK-002').equal('inbox_id of the create response', created.field('inbox_id'), inbox.id)
      check.of('WHK-005').equal('event_types', created.field('event_types'), requested.event_types)
      const id = created.field('id')
      const list = await webhookList(sandbox, project.api, (items) => itemOf(items, id) !== undefined)
      const item = itemOf(list.items, id)
      // The interface does not show the form of the list: it need not contain them.
      for (const [name, value] of Object.entries(requested)) {
        const reported = memberOf(item, name)
        if (reported !== undefined) check.equal(`${name} of the listed webhook`, reported, value)
      }
      const key = asText(created.field('secret')).slice('whsec_'.length)
      const ofInbox = await webhookList(sandbox, inbox.api, (items) => itemOf(items, id) !== undefined)
      for (const page of ofInbox.pages)
        check
          .of('WHK-012')
          .ok('secret in the list that the key of the inbox gets', !page.text.includes(key), 'nowhere', 'the secret')
      await project.api.deleteWebhook(asText(id))
    },
  }),
  serviceCase({
    id: 'service/webhooks/lists-what-is-there-whoever-changed-it',
    requirements: ['WHK-011', 'WHK-017'],
    level: 'must',
    title: 'lists show webhooks that other keys created, and none that they deleted',
    needs: ['inboxes'],
    async run({ openSandbox, require, skip, publicUrl, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox(0)
      // Where a delete of nothing succeeds (open point delete-again), one of a webhook that the key does not see may too.
      const isNothingDeleted = isAccepted(await project.api.deleteWebhook(`whk_${unique()}`))
      const readers = [
        { name: 'the list for the key of the org', api: project.api },
        // It is open what it sees (scoped-key-rights); but a deleted webhook is gone.
        { name: 'the list for the key of an inbox', api: inbox.api },
      ]
      const makers = [
        { made: 'a webhook of the org', by: project.api, fields: { event_types: [rareEvent] } },
        {
          made: 'a webhook of an inbox that the key of the org made',
          by: project.api,
          fields: { inbox_id: inbox.id, event_types: [rareInboxEvent] },
        },
        {
          made: 'a webhook that the key of the inbox made',
          by: inbox.api,
          fields: { event_types: [rareInboxEvent] },
        },
      ]
      const found: boolean[] = []
      for (const deleter of [project.api, inbox.api])
        for (const { made, by, fields } of makers) {
          for (const { api } of readers) await webhookList(sandbox, api, () => true)
          const created = await by.createWebhook({ url: publicUrl(), ...fields })
          require.of('WHK-001').status(created, '2xx')
          const id = created.field('id')
          const list = await webhookList(sandbox, project.api, (items) => itemOf(items, id) !== undefined)
          found.push(itemOf(list.items, id) !== undefined)
          if (!list.isPart)
            require.of('WHK-011').ok(`${made} in ${readers[0]?.name}`, found.at(-1) === true, 'listed', 'absent')
          const shown = await Promise.all(readers.map(({ api }) => webhookList(sandbox, api, () => true)))
          const isShown = isAccepted(await deleter.deleteWebhook(asText(id)))
          const isGone = isShown && !(isNothingDeleted && deleter === inbox.api)
          // Which webhooks the key of an inbox may delete is open too.
          const deleted = isGone ? undefined : await project.api.deleteWebhook(asText(id))
          if (deleted !== undefined && !isShown) require.of('WHK-017').status(deleted, '2xx')
          const how = `deleted by the key of ${isGone && deleter === inbox.api ? 'the inbox' : 'the org'}`
          for (const [index, { name, api }] of readers.entries()) {
            const item = itemOf(shown[index]?.items ?? [], id)
            const isLeft = (items: readonly unknown[]) => {
              const left = itemOf(items, id)
              return left !== undefined && JSON.stringify(left) === JSON.stringify(item)
            }
            const after = await webhookList(sandbox, api, (items) => !isLeft(items))
            const what = `${made}, ${how}, in ${name}`
            require.of('WHK-017').ok(what, !isLeft(after.items), 'absent, or listed as deleted', 'listed as before')
          }
        }
      if (!found.some(Boolean)) skip('needs a list of webhooks whose pages can be followed')
    },
  }),
]

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value
}
