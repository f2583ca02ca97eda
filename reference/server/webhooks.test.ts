import { createHmac } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { testBench, type Json } from './testing/bench.js'

const bench = testBench()
afterEach(() => bench.closeAll())

test('a webhook is created with its secret, listed without it, and deleted', async () => {
  const server = await bench.server()
  const created = await server.api('POST', '/v1/webhooks', { body: { url: 'https://hooks.example.com/a' } })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ url: 'https://hooks.example.com/a', event_types: [], inbox_id: null })
  expect(created.body['id']).toMatch(/^whk_/)
  expect(created.body['secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const listed = await server.api('GET', '/v1/webhooks')
  expect(listed.body['data']).toHaveLength(1)
  expect(listed.text).not.toContain('whsec_')
  expect((await server.api('DELETE', `/v1/webhooks/${String(created.body['id'])}`)).status).toBe(204)
  expect((await server.api('GET', '/v1/webhooks')).body['data']).toEqual([])
})

test('a delivery carries the event, and a signature that plain HMAC-SHA256 confirms', async () => {
  const { server, sink } = await bench.pair()
  const webhook = await server.createWebhook(sink.url)
  const id = await server.raise({ subject: 'Grüße \u{1f600} \u0000 \ud800' })
  await server.advance(0)
  const [request] = sink.requests
  if (request === undefined) throw new Error('nothing was delivered')
  expect(request.method).toBe('POST')
  const body = JSON.parse(request.body) as Json
  expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'data'])
  expect(body).toMatchObject({ id, type: 'message.received', data: { subject: 'Grüße \u{1f600} \u0000 \ud800' } })
  expect(body['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
  const key = Buffer.from(String(webhook['secret']).slice('whsec_'.length), 'base64')
  const signed = `${String(messageId)}.${String(timestamp)}.${request.body}`
  expect(signature).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  expect(messageId).toBe(id)
  expect(await server.deliveries(webhook['id'])).toMatchObject([
    { status: 'succeeded', attempt: 1, response_code: 200, response_body_snippet: 'ok', next_attempt_at: null },
  ])
})

test('the type filter and the inbox filter select', async () => {
  const { server, sink } = await bench.pair()
  const [one, two] = server.inboxes
  await server.createWebhook(`${sink.url}/typed`, { event_types: ['message.bounced'] })
  await server.createWebhook(`${sink.url}/inbox`, { inbox_id: two?.id })
  await server.createWebhook(`${sink.url}/all`, { event_types: ['*'] })
  await server.raise({ inbox_id: one?.id })
  await server.raise({ inbox_id: two?.id }, 'message.bounced')
  await server.control('POST', `/workspaces/${server.workspaceId}/sending`, { status: 'paused' })
  await server.advance(0)
  const types = (path: string): string[] =>
    sink.requests
      .filter((request) => request.path === `/hook/${path}`)
      .map(({ body }) => String((JSON.parse(body) as Json)['type']))
      .sort()
  expect(types('typed')).toEqual(['message.bounced'])
  expect(types('inbox')).toEqual(['message.bounced'])
  expect(types('all')).toEqual(['message.bounced', 'message.received', 'sending.paused'])
})

test('a key limited to one inbox makes webhooks of its inbox and sees only those', async () => {
  const server = await bench.server()
  const [one, two] = server.inboxes
  const body = { url: 'https://hooks.example.com/', inbox_id: two?.id }
  const key = one?.apiKey ?? ''
  const created = await server.api('POST', '/v1/webhooks', { body, key })
  expect(created.body['inbox_id']).toBe(one?.id)
  await server.createWebhook('https://hooks.example.com/whole')
  expect((await server.api('GET', '/v1/webhooks', { key })).body['data']).toHaveLength(1)
})

test.each([
  'http://hooks.example.com/',
  'https://user:pw@hooks.example.com/',
  'https://localhost/',
  'https://a.localhost./',
  'https://intranet/',
  'https://localhost.localdomain/',
  'https://metadata.google.internal/',
  'https://kubernetes.default.svc/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://PRINTER.local./',
  'https://router.home.arpa/',
  'https://host.docker.internal/',
  'https://x.invalid/',
  'https://x.onion/',
  'https://127.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://%31%32%37.0.0.1/',
  'https://10.0.0.1:8443/',
  'https://169.254.169.254/latest',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[4000::1]/',
  'https://hooks.example.com:0/',
  'blob:https://hooks.example.com/1',
  'https://a..example.com/',
  'no url',
])('%s is refused at creation', async (url) => {
  const server = await bench.server()
  const refused = await server.api('POST', '/v1/webhooks', { body: { url } })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ code: 'url_refused', message: expect.any(String), fix: expect.any(String) })
})

test.each([
  'https://8.8.8.8/',
  'https://[2001:4860:4860::8888]/',
  'https://172.32.0.1/',
  'https://EXAMPLE.com./x#y',
  'https://local.example.com/',
  'https://mylocal.com/',
  'https://name.test/',
])('%s is accepted', async (url) => {
  const server = await bench.server()
  expect((await server.api('POST', '/v1/webhooks', { body: { url } })).status).toBe(201)
})

test.each([
  ['broken JSON', '{"url":'],
  ['no object', '[]'],
  ['null', 'null'],
  ['no url', '{}'],
  ['url of the wrong type', '{"url":7}'],
  ['event_types of the wrong type', '{"url":"https://hooks.example.com/","event_types":"*"}'],
  ['inbox_id of the wrong type', '{"url":"https://hooks.example.com/","inbox_id":1}'],
])('a create with %s is refused and makes nothing', async (_name, body) => {
  const server = await bench.server()
  const refused = await server.api('POST', '/v1/webhooks', { body })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ code: expect.any(String), message: expect.any(String), fix: expect.any(String) })
  expect((await server.api('GET', '/v1/webhooks')).body['data']).toEqual([])
})

test('refusals have their status: 401, 404, 405, 413', async () => {
  const server = await bench.server()
  expect((await server.api('GET', '/v1/webhooks', { key: null })).status).toBe(401)
  expect((await server.api('GET', '/v1/webhooks', { key: 'key_no' })).status).toBe(401)
  expect((await server.api('GET', '/v1/nothing')).status).toBe(404)
  expect((await server.api('GET', '/v2/events', { key: null })).status).toBe(404)
  expect((await server.api('DELETE', '/v1/webhooks/whk_%00')).status).toBe(404)
  expect((await server.api('GET', '/v1/webhooks/%E0%A4%A/deliveries')).status).toBe(404)
  expect((await server.api('PUT', '/v1/webhooks')).status).toBe(405)
  expect((await server.api('GET', '/v1/events/ws')).status).toBe(426)
  const large = await server.api('POST', '/v1/webhooks', { body: `"${'x'.repeat(2_000_000)}"` })
  expect(large.status).toBe(413)
  expect(large.body['code']).toBe('body_too_large')
})
