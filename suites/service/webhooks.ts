// WHK-001  "`POST /v1/webhooks` answers `201`."
// WHK-005  "The create response gives back the `url` and the `event_types` that were asked for."
// WHK-010  "`inbox_id` is optional; null or missing means every inbox in the org, and null is given back."
// WHK-012  "Secrets are never included in the list."
// WHK-018  "Each webhook has a secret of its own: two webhooks do not share one."
//
// Reading: an empty or missing filter may be given back as it is or as `["*"]`. The webhooks ask for an event type
// that is as good as never raised, so nothing is ever sent to the public address.

import { itemsOf, memberOf, serviceCase, type Exchange } from '../../harness/authoring.js'

const url = 'https://hooks.example.com/conformance'
const rare = ['sending.resumed']

export const webhooks = [
  serviceCase({
    id: 'service/webhooks/creates-with-201',
    requirements: ['WHK-001', 'WHK-002', 'WHK-003', 'WHK-004', 'WHK-005', 'WHK-010'],
    level: 'must',
    title: 'a webhook is created with 201, and the answer has its id, url, event_types, inbox_id and secret',
    async run({ scene: open, check, unique }) {
      const { api } = (await open()).project
      const asked = `${url}/${unique()}/Path/?Token=aB%20c`
      const created = await api.createWebhook({ url: asked, event_types: ['sending.resumed', 'sending.paused'] })
      check.of('WHK-001').status(created, [201])
      check.of('WHK-003').matches('id', created.field('id'), /^whk_./)
      check.of('WHK-004').matches('secret', created.field('secret'), /^whsec_[A-Za-z0-9+/]+={0,2}$/)
      check.of('WHK-005').equal('url', created.field('url'), asked)
      check
        .of('WHK-005')
        .equal('event_types', sorted(created.field('event_types')), ['sending.paused', 'sending.resumed'])
      check.of('WHK-010').equal('inbox_id', created.field('inbox_id'), null)
      for (const name of ['id', 'url', 'event_types', 'inbox_id', 'secret'])
        check
          .of('WHK-002')
          .ok(`${name} in the create response`, created.field(name) !== undefined, 'present', created.field(name))
      await api.deleteWebhook(String(created.field('id')))
    },
  }),

  serviceCase({
    id: 'service/webhooks/takes-null-and-empty-for-everything',
    requirements: ['WHK-006', 'WHK-007', 'WHK-008', 'WHK-010'],
    level: 'must',
    title: 'event_types missing, empty or ["*"], and inbox_id missing or null, are accepted',
    needs: ['workspace'],
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      const forms = [
        ['WHK-006', {}],
        ['WHK-007', { event_types: [] }],
        ['WHK-008', { event_types: ['*'] }],
        ['WHK-010', { inbox_id: null, event_types: rare }],
      ] as const
      for (const [requirement, fields] of forms) {
        const created = await api.createWebhook({ url, ...fields })
        check.of(requirement).status(created, '2xx')
        check.of('WHK-010').equal(`inbox_id of ${JSON.stringify(fields)}`, created.field('inbox_id'), null)
        await api.deleteWebhook(String(created.field('id')))
      }
    },
  }),

  serviceCase({
    id: 'service/webhooks/gives-each-its-own-secret',
    requirements: ['WHK-018'],
    level: 'must',
    title: 'webhooks on the same url have different ids and secrets',
    async run({ scene: open, check, require }) {
      const { api } = (await open()).project
      const created: Exchange[] = []
      for (let count = 0; count < 3; count++) created.push(await api.createWebhook({ url, event_types: rare }))
      for (const each of created) require.of('WHK-001').status(each, '2xx')
      check.equal('different secrets', new Set(created.map((each) => each.field('secret'))).size, 3)
      check.equal('different ids', new Set(created.map((each) => each.field('id'))).size, 3)
      for (const each of created) await api.deleteWebhook(String(each.field('id')))
    },
  }),

  serviceCase({
    id: 'service/webhooks/lists-what-was-created',
    requirements: ['WHK-011', 'WHK-012', 'WHK-013', 'WHK-017'],
    level: 'must',
    title: 'a created webhook is listed without its secret, and no more once it is deleted',
    async run({ scene: open, check, require, unique }) {
      const { api } = (await open()).project
      const asked = `${url}/${unique()}`
      const created = await api.createWebhook({ url: asked, event_types: rare })
      require.of('WHK-001').status(created, '2xx')
      const id = created.field('id')
      const secret = String(created.field('secret'))
      const listed = await api.listWebhooks()
      check.of('WHK-011').status(listed, [200])
      const item = itemsOf(listed)?.find((each) => memberOf(each, 'id') === id)
      check.of('WHK-011').equal('url of the listed webhook', memberOf(item, 'url'), asked)
      check
        .of('WHK-012')
        .ok('secret in the list', !listed.text.includes(secret.slice('whsec_'.length)), 'nowhere', 'found')
      const deleted = await api.deleteWebhook(String(id))
      check.of('WHK-017').status(deleted, '2xx')
      check
        .of('WHK-013')
        .ok(
          'secret in the answer to the delete',
          !deleted.text.includes(secret.slice('whsec_'.length)),
          'nowhere',
          'found',
        )
      const after = itemsOf(await api.listWebhooks())
      check
        .of('WHK-017')
        .ok(
          'the deleted webhook in the list',
          after?.every((each) => memberOf(each, 'id') !== id) === true,
          'absent',
          'found',
        )
    },
  }),

  serviceCase({
    id: 'service/webhooks/lists-webhooks-of-every-kind',
    requirements: ['WHK-011'],
    level: 'must',
    title: 'webhooks of the whole org and of one inbox, of one type and of two, are all listed, each with its url',
    async run({ scene: open, check, require }) {
      const { api, inboxes } = (await open()).project
      const forms = [
        { event_types: rare },
        { event_types: [...rare, 'sending.paused'] },
        ...inboxes.map(({ id }) => ({ inbox_id: id, event_types: rare })),
      ]
      const ids: unknown[] = []
      for (const [index, fields] of forms.entries()) {
        const created = await api.createWebhook({ url: `${url}/${index}`, ...fields })
        require.of('WHK-001').status(created, '2xx')
        ids.push(created.field('id'))
      }
      const items = itemsOf(await api.listWebhooks())
      for (const [index, fields] of forms.entries()) {
        const item = items?.find((each) => memberOf(each, 'id') === ids[index])
        check.equal(`url of the webhook with ${JSON.stringify(fields)}`, memberOf(item, 'url'), `${url}/${index}`)
        await api.deleteWebhook(String(ids[index]))
      }
    },
  }),
]

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value
}
