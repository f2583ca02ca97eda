// ERR-003  "A malformed request (broken JSON, wrong types, oversize or odd values) gets an error, never a 5xx."
// WHK-020  "… a body that is not JSON, or whose fields have the wrong type, is answered with an error and creates nothing."
//
// Reading: only what is clearly wrong must be refused: a body that is no JSON object, a url or event_types of another
// type. Odd but legal values may be taken or refused. A webhook made by an odd request is deleted at once.

import fc from 'fast-check'
import { itemsOf, memberOf, serviceCase, type Api, type Checks, type Exchange } from '../../harness/authoring.js'

const good = { url: 'https://hooks.example.com/', event_types: ['sending.resumed'] }

/** Bodies that no create request may have. */
const wrongBodies: readonly (readonly [name: string, body: string | Uint8Array])[] = [
  ['nothing', ''],
  ['half a JSON text', '{"url":"https://hooks.example.com/"'],
  ['plain text', 'url=https://hooks.example.com/'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '42'],
  ['a string', '"https://hooks.example.com/"'],
  ['two JSON texts', '{}{}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['an empty object', '{}'],
]

const wrongFields: readonly Readonly<Record<string, unknown>>[] = [
  { ...good, url: 42 },
  { ...good, url: null },
  { ...good, url: ['https://hooks.example.com/'] },
  { ...good, url: { href: 'https://hooks.example.com/' } },
  { ...good, event_types: 'message.received' },
  { ...good, event_types: [42] },
  { ...good, event_types: { type: 'message.received' } },
  { ...good, inbox_id: 42 },
  { ...good, inbox_id: ['ibx_1'] },
]

/** Values that are odd, and may be taken or refused. */
const oddFields: readonly Readonly<Record<string, unknown>>[] = [
  { ...good, url: `https://hooks.example.com/${'x'.repeat(70_000)}` },
  { ...good, url: 'https://hooks.example.com/\u0000' },
  { ...good, event_types: Array.from({ length: 10_000 }, () => 'message.received') },
  { ...good, event_types: ['x'.repeat(10_000)] },
  { ...good, event_types: [''] },
  { ...good, event_types: null },
  { ...good, inbox_id: '' },
  { ...good, inbox_id: 'ibx_'.repeat(5_000) },
  { ...good, unknown_field: { deep: [1, 2, 3] } },
  { ...good, toString: 'x', constructor: { prototype: {} } },
]

const deep = `{"url":"https://hooks.example.com/","event_types":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
const prototypeKeys =
  '{"url":"https://hooks.example.com/","event_types":["sending.resumed"],"__proto__":{"admin":true}}'

/** A mismatch unless the answer is a 4xx or, where that is legal, a 2xx whose webhook is then deleted. */
async function expectNoServerError(check: Checks, api: Api, answer: Exchange, what: string): Promise<void> {
  const isAnswered = answer.status !== undefined && answer.status < 500
  check.ok(`answer to ${what}`, isAnswered, 'no 5xx', answer.status ?? answer.failure)
  const id = memberOf(answer.json, 'id')
  if (answer.status !== undefined && answer.status < 300 && typeof id === 'string' && id.startsWith('whk_'))
    await api.deleteWebhook(id)
}

export const malformedRequests = [
  serviceCase({
    id: 'service/malformed-requests/refuses-a-body-that-is-no-object',
    requirements: ['ERR-003', 'WHK-020'],
    level: 'must',
    title: 'broken JSON, and JSON that is no object, is refused with a 4xx, where a good body is accepted',
    async run({ scene: open, check, require }) {
      const { api } = (await open()).project
      const control = await api.createWebhook(good)
      require.of('WHK-001').status(control, '2xx')
      await api.deleteWebhook(String(control.field('id')))
      for (const [name, body] of wrongBodies) {
        const answer = await api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' })
        const isRefused = answer.status !== undefined && answer.status >= 400 && answer.status < 500
        check.ok(`answer to a body of ${name}`, isRefused, 'a 4xx', answer.status ?? answer.failure)
      }
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/refuses-fields-of-the-wrong-type',
    requirements: ['ERR-003', 'WHK-020'],
    level: 'must',
    title: 'a url, event_types or inbox_id of the wrong type is refused with a 4xx, and nothing is created',
    needs: ['workspace'],
    async run({ scene: open, check, require }) {
      const { api } = (await open()).project
      const control = await api.createWebhook(good)
      require.of('WHK-001').status(control, '2xx')
      await api.deleteWebhook(String(control.field('id')))
      for (const fields of wrongFields) {
        const answer = await api.createWebhook(fields)
        const isRefused = answer.status !== undefined && answer.status >= 400 && answer.status < 500
        check.ok(`answer to ${JSON.stringify(fields)}`, isRefused, 'a 4xx', answer.status ?? answer.failure)
      }
      check.of('WHK-020').equal('webhooks that were created', itemsOf(await api.listWebhooks())?.length, 0)
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-odd-values',
    requirements: ['ERR-003'],
    level: 'must',
    title: 'huge, deep, empty and unknown values are taken or refused, never a 5xx',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      for (const fields of oddFields)
        await expectNoServerError(check, api, await api.createWebhook(fields), JSON.stringify(fields).slice(0, 120))
      for (const [what, body] of [
        ['deep nesting', deep],
        ['prototype keys', prototypeKeys],
      ] as const)
        await expectNoServerError(
          check,
          api,
          await api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' }),
          what,
        )
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-an-oversize-body',
    requirements: ['ERR-003'],
    level: 'must',
    title: 'a body of several megabytes is refused or taken, never a 5xx, and the service answers the next request',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      const body = JSON.stringify({ ...good, note: 'x'.repeat(4 * 1024 * 1024) })
      const answer = await api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' })
      if (answer.status !== undefined) await expectNoServerError(check, api, answer, 'a body of 4 MiB')
      check.status(await api.listWebhooks(), [200])
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-odd-queries',
    requirements: ['ERR-003'],
    level: 'must',
    title: 'whatever stands in limit, after and cursor, the answer is a page or a 4xx',
    async run({ scene: open, check }) {
      const { api } = (await open()).project
      const limits = ['0', '-1', '1.5', 'abc', '', '1e9', '99999999999999999999', '0x10', 'NaN']
      const cursors = ['', 'nothing', 'evt_', 'evt_\u0000', "evt_' or 1=1 --", '%00', 'x'.repeat(5_000), '\u{1F44B}']
      for (const limit of limits) {
        await expectNoServerError(check, api, await api.pollEvents({ limit }), `GET /v1/events?limit=${limit}`)
        await expectNoServerError(
          check,
          api,
          await api.request('GET', '/v1/emails', { query: { limit }, operation: 'listEmails' }),
          `GET /v1/emails?limit=${limit}`,
        )
      }
      for (const after of cursors) {
        await expectNoServerError(
          check,
          api,
          await api.pollEvents({ after }),
          `GET /v1/events?after=${after.slice(0, 40)}`,
        )
        await expectNoServerError(
          check,
          api,
          await api.request('GET', '/v1/emails', { query: { cursor: after }, operation: 'listEmails' }),
          `GET /v1/emails?cursor=${after.slice(0, 40)}`,
        )
      }
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-any-json',
    requirements: ['ERR-003'],
    level: 'must',
    title: 'random JSON for any POST is refused or taken, never a 5xx',
    async run({ scene: open, property }) {
      const { api } = (await open()).project
      const value = fc.jsonValue({ maxDepth: 3 })
      const body = fc.oneof(
        value,
        fc.record({ url: value, event_types: value, inbox_id: value }, { requiredKeys: [] }),
        fc.record({ from: value, to: value, subject: value, text: value, scheduled_at: value }, { requiredKeys: [] }),
      )
      await property(
        fc.tuple(fc.constantFrom('/v1/webhooks', '/v1/emails', '/v1/emails/batch'), body),
        async ([path, json], require) => {
          const answer = await api.request('POST', path, { json })
          await expectNoServerError(require, api, answer, `POST ${path} with ${JSON.stringify(json)?.slice(0, 120)}`)
        },
        { runs: 60 },
      )
    },
  }),
]
