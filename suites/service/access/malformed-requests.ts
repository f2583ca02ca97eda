// ERR-001  "The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it)."
// ERR-003  "A malformed request (broken JSON, wrong types, oversize or odd values) gets a 4xx, never a 5xx."
// WHK-020  "… a create whose body is not a JSON object, or whose `url` is not a string, is answered with an error and creates nothing."
//
// Reading: only clearly wrong requests must be refused: a body other than a JSON object, a URL of another type. A repeated 5xx is an error
// too, so it must contain the three fields; that it should be a 4xx is should. Everything else may be accepted or refused (open point
// wrong-types): a single event type instead of a list, odd but legal values. A gateway may cut off a body that is too large. A webhook
// created by an odd request is deleted at once.

import fc from 'fast-check'
import {
  asText,
  itemsOf,
  memberOf,
  mentions,
  serviceCase,
  type Api,
  type Checks,
  type Exchange,
} from '../../../harness/authoring.js'
import { requestUntilAnswered, expectError, expectNoServerError } from '../shared/error-fields.js'
import { inAnHour } from '../shared/operations.js'
import { rareEvent } from '../shared/registration.js'

type Fields = Readonly<Record<string, unknown>>

/** Bodies that no create request may have; some wrap `good`, a valid one, in something other than an object. */
const wrongBodies = (url: string, good: string): readonly (readonly [name: string, body: string | Uint8Array])[] => [
  ['nothing', ''],
  ['half a JSON text', good.slice(0, -1)],
  ['plain text', `url=${url}`],
  ['a list', '[]'],
  ['a list of a good object', `[${good}]`],
  ['null', 'null'],
  ['a number', '42'],
  ['a string', JSON.stringify(url)],
  ['a string of a good object', JSON.stringify(good)],
  ['two JSON texts', '{}{}'],
  ['a good object and another', `${good}${good}`],
  ['a good object and a word', `${good} true`],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['an empty object', '{}'],
]

const wrongUrls = (url: string): readonly unknown[] => [42, null, true, [url], { href: url }]

/** Values that are odd, and may be taken or refused. */
const oddFields = (good: { url: string; event_types: readonly string[] }): readonly Fields[] => [
  { ...good, url: `${good.url}/${'x'.repeat(70_000)}` },
  { ...good, url: `${good.url}\u0000` },
  { ...good, event_types: rareEvent },
  { ...good, event_types: [42] },
  { ...good, event_types: { type: rareEvent } },
  { ...good, event_types: Array.from({ length: 10_000 }, () => 'message.received') },
  { ...good, event_types: ['x'.repeat(10_000)] },
  { ...good, event_types: [''] },
  { ...good, event_types: null },
  { ...good, inbox_id: 42 },
  { ...good, inbox_id: ['ibx_1'] },
  { ...good, inbox_id: '' },
  { ...good, inbox_id: 'ibx_'.repeat(5_000) },
  { ...good, unknown_field: { deep: [1, 2, 3] } },
  { ...good, toString: 'x', constructor: { prototype: {} } },
]

/** Values that no field of an email may have, and invalid emails. */
const oddValues: readonly unknown[] = [42, null, '', [null], {}]
const oddItems: readonly unknown[] = [null, 42, 'an email', [], {}]

const deep = (url: string) => `{"url":${JSON.stringify(url)},"event_types":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
const prototypeKeys = (url: string) =>
  `{"url":${JSON.stringify(url)},"event_types":["${rareEvent}"],"__proto__":{"admin":true}}`

/** An answer with a mismatch where it is a 5xx each time; a webhook that was made is deleted. */
async function send(check: Checks, api: Api, what: string, request: () => Promise<Exchange>): Promise<Exchange> {
  const answer = await requestUntilAnswered(request)
  expectNoServerError(check, answer, what)
  await discard(api, answer)
  return answer
}

async function discard(api: Api, answer: Exchange): Promise<void> {
  const id = memberOf(answer.json, 'id')
  if (answer.status !== undefined && answer.status < 300 && typeof id === 'string' && id.startsWith('whk_'))
    await api.deleteWebhook(id)
}

/** Expects a refusal: a 4xx, or a repeated 5xx with an error as the interface defines it. */
async function expectRefusal(check: Checks, api: Api, what: string, request: () => Promise<Exchange>): Promise<void> {
  const answer = await requestUntilAnswered(request)
  if (answer.status !== undefined && answer.status >= 500) expectError(check.of('ERR-001'), answer)
  else if (answer.status === undefined) check.of('WHK-020').refused(answer)
  else check.of('WHK-020').ok(`answer to ${what}`, answer.status >= 400, 'a 4xx', answer.status)
  await discard(api, answer)
}

/** The id of an email that waits for its time; undefined where none can be had. */
async function scheduled(api: Api, mail: { readonly from: string; readonly to: string }): Promise<string | undefined> {
  const answer = await api.sendEmail({ ...mail, subject: 'Hello', text: 'Hello', scheduled_at: inAnHour() })
  const id = answer.field('id')
  return typeof id === 'string' ? id : undefined
}

export const malformedRequests = [
  serviceCase({
    id: 'service/malformed-requests/refuses-a-body-that-is-no-object',
    requirements: ['WHK-020', 'ERR-001'],
    level: 'must',
    title: 'broken JSON, and JSON other than an object, is refused; an object is accepted',
    async run({ openSandbox, check, require, publicUrl }) {
      const { api } = (await openSandbox()).project
      const control = await api.createWebhook({ url: publicUrl(), event_types: [rareEvent] })
      require.of('WHK-001').status(control, '2xx')
      await api.deleteWebhook(asText(control.field('id')))
      const url = publicUrl()
      for (const [name, body] of wrongBodies(url, JSON.stringify({ url, event_types: [rareEvent] })))
        await expectRefusal(check, api, `a body of ${name}`, () =>
          api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' }),
        )
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/refuses-fields-of-the-wrong-type',
    requirements: ['WHK-020', 'ERR-001'],
    level: 'must',
    title: 'a url that is not a string is refused, and nothing is created',
    async run({ openSandbox, check, require, publicUrl }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const control = await api.createWebhook({ url: publicUrl(), event_types: [rareEvent] })
      require.of('WHK-001').status(control, '2xx')
      await api.deleteWebhook(asText(control.field('id')))
      const requested = publicUrl()
      for (const url of wrongUrls(requested))
        await expectRefusal(check, api, `a url ${JSON.stringify(url)}`, () =>
          api.createWebhook({ url, event_types: [rareEvent] }),
        )
      const listed = (itemsOf(await api.listWebhooks()) ?? []).filter(
        (webhook) => memberOf(webhook, 'id') !== control.field('id'),
      )
      // In an org that others use what bears the mark of the case is its own.
      const others = sandbox.isIsolated ? listed : listed.filter((webhook) => mentions(webhook, requested))
      check.of('WHK-020').equal('webhooks that were created', others.length, 0)
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/refuses-with-a-4xx',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'a non-object body or a non-string url gets a 4xx, not a 5xx',
    async run({ openSandbox, check, publicUrl }) {
      const { api } = (await openSandbox()).project
      for (const [name, body] of wrongBodies(
        publicUrl(),
        JSON.stringify({ url: publicUrl(), event_types: [rareEvent] }),
      ))
        await send(check, api, `a body of ${name}`, () =>
          api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' }),
        )
      for (const url of wrongUrls(publicUrl()))
        await send(check, api, `a url ${JSON.stringify(url)}`, () => api.createWebhook({ url }))
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-odd-values',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'huge, deep, empty and unknown values are accepted or refused, never with a 5xx',
    async run({ openSandbox, check, publicUrl }) {
      const { api } = (await openSandbox()).project
      for (const fields of oddFields({ url: publicUrl(), event_types: [rareEvent] }))
        await send(check, api, JSON.stringify(fields).slice(0, 120), () => api.createWebhook(fields))
      for (const [what, body] of [
        ['deep nesting', deep(publicUrl())],
        ['prototype keys', prototypeKeys(publicUrl())],
      ] as const)
        await send(check, api, what, () => api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' }))
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-an-oversize-body',
    requirements: ['ERR-003', 'WHK-011'],
    level: 'should',
    title: 'a body of several megabytes gets no 5xx, and the next request is answered',
    async run({ openSandbox, check, publicUrl }) {
      const { api } = (await openSandbox()).project
      const body = JSON.stringify({ url: publicUrl(), event_types: [rareEvent], note: 'x'.repeat(4 * 1024 * 1024) })
      const answer = await requestUntilAnswered(() =>
        api.request('POST', '/v1/webhooks', { body, operation: 'createWebhook' }),
      )
      if (answer.status !== undefined) {
        expectNoServerError(check.of('ERR-003'), answer, 'a body of 4 MiB')
        await discard(api, answer)
      }
      check.of('WHK-011').status(await api.listWebhooks(), [200])
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-odd-queries',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'any value of limit, after and cursor gets a page or a 4xx',
    async run({ openSandbox, check }) {
      const { api } = (await openSandbox()).project
      const limits = ['0', '-1', '1.5', 'abc', '', '1e9', '99999999999999999999', '0x10', 'NaN']
      const cursors = ['', 'nothing', 'evt_', 'evt_\u0000', "evt_' or 1=1 --", '%00', 'x'.repeat(5_000), '\u{1F44B}']
      const emails = (query: Readonly<Record<string, string>>) =>
        api.request('GET', '/v1/emails', { query, operation: 'listEmails' })
      for (const limit of limits) {
        await send(check, api, `GET /v1/events?limit=${limit}`, () => api.pollEvents({ limit }))
        await send(check, api, `GET /v1/emails?limit=${limit}`, () => emails({ limit }))
      }
      for (const query of [
        'limit=1&limit=2',
        'limit[]=1',
        'after=evt_1&after=evt_2',
        'after[x]=1',
        'cursor=a&cursor=b',
      ])
        for (const path of ['/v1/events', '/v1/emails'])
          await send(check, api, `GET ${path}?${query}`, () => api.request('GET', `${path}?${query}`))
      for (const after of cursors) {
        await send(check, api, `GET /v1/events?after=${after.slice(0, 40)}`, () => api.pollEvents({ after }))
        await send(check, api, `GET /v1/emails?cursor=${after.slice(0, 40)}`, () => emails({ cursor: after }))
      }
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-odd-emails',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'an email with one field of another type gets no 5xx',
    needs: ['send'],
    async run({ openSandbox, check, recipient }) {
      const { api, from = '' } = (await openSandbox()).project
      const good = { from, to: recipient, subject: 'Hello', text: 'Hello' }
      const oddEmails = [
        ...['from', 'to', 'subject', 'text', 'html', 'cc', 'scheduled_at'].flatMap((name) =>
          oddValues.map((value) => ({ ...good, scheduled_at: inAnHour(), [name]: value })),
        ),
        ...oddItems,
      ]
      const took = (answer: Exchange) => answer.status !== undefined && answer.status < 300
      const cancel = async (id: unknown) => typeof id === 'string' && (await api.cancelEmail(id))
      for (const odd of oddEmails) {
        const what = JSON.stringify(odd).slice(0, 160)
        const alone = await send(check, api, `an email ${what}`, () => api.sendEmail(odd))
        if (took(alone)) await cancel(alone.field('id'))
      }
      for (const odd of [...oddItems, { ...good, to: [null] }]) {
        const batch = await send(check, api, `a batch of ${JSON.stringify(odd)}`, () => api.sendBatch([odd]))
        if (took(batch)) await cancel(memberOf((itemsOf(batch) ?? [])[0], 'id'))
      }
    },
  }),

  serviceCase({
    id: 'service/malformed-requests/survives-any-json',
    requirements: ['ERR-003'],
    level: 'should',
    title: 'random JSON for any POST or PATCH gets no 5xx',
    timeoutMs: 240_000,
    async run({ openSandbox, property, recipient, cleanup }) {
      const { api, from } = (await openSandbox()).project
      const emailId = (from === undefined ? undefined : await scheduled(api, { from, to: recipient })) ?? 'msg_0'
      cleanup(async () => void (await api.cancelEmail(emailId)))
      const value = fc.jsonValue({ maxDepth: 3 })
      const body = fc.oneof(
        value,
        fc.record({ url: value, event_types: value, inbox_id: value }, { requiredKeys: [] }),
        fc.record({ from: value, to: value, subject: value, text: value, scheduled_at: value }, { requiredKeys: [] }),
      )
      await property(
        fc.tuple(fc.constantFrom('/v1/webhooks', '/v1/emails', '/v1/emails/batch', `/v1/emails/${emailId}`), body),
        async ([path, json], require) => {
          const method = path.endsWith(emailId) ? 'PATCH' : 'POST'
          const what = `${method} ${path} with ${JSON.stringify(json)?.slice(0, 120)}`
          await send(require, api, what, () => api.request(method, path, { json }))
        },
        { runs: 60, atOnce: 4 },
      )
    },
  }),
]
