import { afterEach, expect, test } from 'vitest'
import { testBench, type Json, type TestServer } from './testing/bench.js'

const bench = testBench()
afterEach(() => bench.closeAll())

const email = (server: TestServer, fields: Json = {}): Json => ({
  from: `Probe <probe@${server.domain}>`,
  to: 'delivered@simulator.example',
  subject: 'Hello',
  text: 'Hello',
  ...fields,
})

async function types(server: TestServer): Promise<string[]> {
  const polled = await server.api('GET', '/v1/events?limit=100')
  return (polled.body['data'] as Json[]).map((event) => String(event['type']))
}

test.each([
  ['delivered', ['message.queued', 'message.delivered']],
  ['deferred', ['message.queued', 'message.deferred']],
  ['bounce', ['message.queued', 'message.bounced']],
  ['soft-bounced', ['message.queued', 'message.bounced']],
  ['complained', ['message.queued', 'message.delivered', 'message.complained']],
  ['failed', ['message.queued', 'message.failed']],
  ['rejected', ['message.queued', 'message.failed']],
])('mail to %s@simulator raises its events', async (localPart, expected) => {
  const server = await bench.server()
  const sent = await server.api('POST', '/v1/emails', { body: email(server, { to: `${localPart}@simulator.example` }) })
  expect(sent.status).toBe(200)
  expect(await types(server)).toEqual(expected)
  const got = await server.api('GET', `/v1/emails/${String(sent.body['id'])}`)
  expect(got.body).toMatchObject({ id: sent.body['id'], status: expect.any(String), recipients: [expect.any(Object)] })
})

test('mail to an inbox is received there', async () => {
  const server = await bench.server()
  const [, two] = server.inboxes
  await server.api('POST', '/v1/emails', { body: email(server, { to: [two?.address] }) })
  expect(await types(server)).toEqual(['message.queued', 'message.delivered', 'message.received'])
  const scoped = await server.api('GET', '/v1/events', { key: two?.apiKey ?? '' })
  expect(scoped.body['data']).toMatchObject([{ type: 'message.received', data: { inbox_id: two?.id } }])
})

test('a scheduled email is sent at its time of the clock, a cancelled one is not', async () => {
  const server = await bench.server()
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const [kept, cancelled] = await Promise.all(
    [1, 2].map(() => server.api('POST', '/v1/emails', { body: email(server, { scheduled_at: at }) })),
  )
  const path = `/v1/emails/${String(cancelled?.body['id'])}`
  expect((await server.api('POST', `${path}/cancel`)).body).toEqual({ object: 'email', id: cancelled?.body['id'] })
  const keptPath = `/v1/emails/${String(kept?.body['id'])}`
  const later = new Date(Date.now() + 7_200_000).toISOString()
  expect((await server.api('PATCH', keptPath, { body: { scheduled_at: later } })).status).toBe(200)
  await server.advance(3_700_000)
  expect(await types(server)).toEqual([])
  await server.advance(3_600_000)
  const polled = await server.api('GET', '/v1/events')
  expect(polled.body['data']).toMatchObject([
    { type: 'message.queued', created_at: later, data: { message_id: kept?.body['id'] } },
    { type: 'message.delivered', created_at: later },
  ])
  expect((await server.api('GET', path)).body['status']).toBe('canceled')
  expect((await server.api('POST', `${path}/cancel`)).status).toBe(409)
})

test('repeats of one Idempotency-Key, also side by side, make one email', async () => {
  const server = await bench.server()
  const headers = { 'idempotency-key': 'one' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.api('POST', '/v1/emails', { body: email(server), headers })),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await server.api('GET', '/v1/emails')).body['data']).toHaveLength(1)
  const other = await server.api('POST', '/v1/emails', { body: email(server, { subject: 'Other' }), headers })
  expect(other.status).toBe(409)
})

test('a batch is all or nothing, unless validation is permissive', async () => {
  const server = await bench.server()
  const body = [email(server), email(server, { to: 7 }), email(server, { from: 'a@elsewhere.example' })]
  const strict = await server.api('POST', '/v1/emails/batch', { body })
  expect(strict.status).toBe(422)
  expect(strict.body).toMatchObject({
    code: 'invalid_batch',
    errors: [
      { index: 1, code: 'invalid_request' },
      { index: 2, code: 'sender_not_verified' },
    ],
  })
  expect(await types(server)).toEqual([])
  const headers = { 'x-batch-validation': 'permissive' }
  const permissive = await server.api('POST', '/v1/emails/batch', { body, headers })
  expect(permissive.status).toBe(200)
  expect(permissive.body['data']).toHaveLength(1)
  expect(permissive.body['errors']).toHaveLength(2)
  const many = (count: number): Json[] => Array.from({ length: count }, () => email(server))
  expect((await server.api('POST', '/v1/emails/batch', { body: many(100) })).status).toBe(200)
  expect((await server.api('POST', '/v1/emails/batch', { body: many(101) })).status).toBe(422)
})

test('the list is continued by its cursor', async () => {
  const server = await bench.server()
  for (let count = 0; count < 5; count++) await server.api('POST', '/v1/emails', { body: email(server) })
  const seen: unknown[] = []
  let query = ''
  for (;;) {
    const page = await server.api('GET', `/v1/emails?limit=2${query}`)
    seen.push(...(page.body['data'] as Json[]).map(({ id }) => id))
    if (page.body['next_cursor'] === null) break
    query = `&cursor=${String(page.body['next_cursor'])}`
  }
  expect(new Set(seen).size).toBe(5)
  expect(seen).toHaveLength(5)
})

test('a foreign sender is refused with 403, every sender while sending is paused', async () => {
  const server = await bench.server()
  const foreign = await server.api('POST', '/v1/emails', { body: email(server, { from: 'a@elsewhere.example' }) })
  expect(foreign).toMatchObject({ status: 403, body: { code: 'sender_not_verified' } })
  const path = `/workspaces/${server.workspaceId}/sending`
  await server.control('POST', path, { status: 'paused', reason: 'abuse' })
  const paused = await server.api('POST', '/v1/emails', { body: email(server) })
  expect(paused).toMatchObject({ status: 403, body: { code: 'sending_paused' } })
  await server.control('POST', path, { status: 'active' })
  expect((await server.api('POST', '/v1/emails', { body: email(server) })).status).toBe(200)
  const polled = await server.api('GET', '/v1/events?limit=2')
  expect(polled.body['data']).toMatchObject([
    { type: 'sending.paused', data: { status: 'paused', reason: 'abuse', stats: expect.any(Object) } },
    { type: 'sending.resumed', data: { status: 'active', workspace_id: server.workspaceId } },
  ])
})

test('a key that may only send can send and nothing else', async () => {
  const server = await bench.server()
  const body = { name: 'sender', permissions: 'sending', domain_id: server.domain }
  const created = await server.api('POST', '/v1/keys', { body })
  expect(created.status).toBe(201)
  const key = String(created.body['secret'])
  expect((await server.api('POST', '/v1/emails', { key, body: email(server) })).status).toBe(200)
  expect((await server.api('GET', '/v1/events', { key })).status).toBe(403)
})

test.each<[what: string, fields: { from?: string; subject?: string; scheduled_at?: string }]>([
  ['a subject of two lines', { subject: 'Hello\r\nBcc: victim@example.net' }],
  ['a from of two lines', { from: 'Probe\r\nBcc: victim@example.net <probe@DOMAIN>' }],
  ['a phrase as scheduled_at, which is the client library’s', { scheduled_at: 'in 2 hours' }],
])('%s is refused', async (_what, fields) => {
  const server = await bench.server()
  const from = (fields.from ?? 'probe@DOMAIN').replace('DOMAIN', server.domain)
  const refused = await server.api('POST', '/v1/emails', { body: email(server, { ...fields, from }) })
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})

test.each([0, 101])('a batch of %i emails is refused as a whole: the code is not that of bad items', async (count) => {
  const server = await bench.server()
  const body = Array.from({ length: count }, () => email(server))
  const refused = await server.api('POST', '/v1/emails/batch', { body })
  expect(refused).toMatchObject({ status: 422, body: { code: 'batch_size' } })
  expect(refused.body).not.toHaveProperty('errors')
})
