// One walk through the whole library, against the reference server, over real sockets.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startReferenceServer, type ReferenceServer } from '../server/index.js'
import { EmailClient } from './index.js'
import { errorOf } from './testing/bench.js'

let server: ReferenceServer
let client: EmailClient
beforeAll(async () => {
  server = await startReferenceServer()
  client = new EmailClient(server.apiKey, { baseUrl: `${server.url}/v1`, env: {}, webSocket: WebSocket })
})
afterAll(() => server.close())

function hours(instant: string | null | undefined): number {
  return (Date.parse(instant ?? '') - Date.now()) / 3_600_000
}

const email = () => ({
  from: `Probe <probe@${server.domain}>`,
  to: 'delivered@simulator.example',
  subject: 'Hello',
  text: 'Hello',
})

test('send: a repeated key returns the first result', async () => {
  const { id } = await client.emails.send(email(), { idempotencyKey: 'tour-1' })
  expect(id).toMatch(/./)
  expect(await client.emails.send(email(), { idempotencyKey: 'tour-1' })).toEqual({ id })
  expect((await client.emails.send(email())).id).not.toBe(id)
  expect(await client.emails.get(id)).toMatchObject({ id, status: expect.any(String) })
})

test('a refusal contains a remedy', async () => {
  const error = await errorOf(client.emails.send({ ...email(), from: 'a@elsewhere.example' }))
  expect(error).toMatchObject({ status: 403, code: 'sender_not_verified' })
  expect(error.fix).not.toBe('')
  const stranger = new EmailClient('no key of theirs', { baseUrl: server.url, env: {} })
  expect(await errorOf(stranger.emails.list())).toMatchObject({ status: 401 })
})

test('batch: a bad item is named, and permissive sends the others', async () => {
  const batch = [email(), { ...email(), to: 'nobody' }]
  const error = await errorOf(client.emails.batch(batch))
  expect(error.code).toBe('invalid_batch')
  expect(error.errors).toMatchObject([{ index: 1 }])
  const sent = await client.emails.batch(batch, { batchValidation: 'permissive' })
  expect(sent.data).toHaveLength(1)
  expect(sent.errors).toMatchObject([{ index: 1 }])
})

test('schedule, reschedule, cancel', async () => {
  const { id } = await client.emails.send({ ...email(), scheduledAt: 'in 2 hours' })
  const scheduled = (await client.emails.get(id)).scheduled_at
  expect(hours(scheduled)).toBeGreaterThan(1.9)
  expect(hours(scheduled)).toBeLessThan(2.1)
  const date = new Date(Date.now() + 86_400_000)
  expect(await client.emails.update(id, { scheduled_at: date })).toMatchObject({ id })
  expect((await client.emails.get(id)).scheduled_at).toBe(date.toISOString())
  expect(await client.emails.cancel(id)).toMatchObject({ id })
  expect((await client.emails.get(id)).status).toMatch(/cancel/)
})

test('list: pages without gap or repeat', async () => {
  const ids: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await client.emails.list({ limit: 2, cursor })
    expect(page.data.length).toBeLessThanOrEqual(2)
    ids.push(...page.data.map(({ id }) => id))
    cursor = typeof page.next_cursor === 'string' ? page.next_cursor : undefined
  } while (cursor !== undefined)
  const all = await client.emails.list({ limit: 100 })
  expect(ids.length).toBeGreaterThan(2)
  expect(ids).toEqual(all.data.map(({ id }) => id))
})

test('webhooks: create, list, deliveries, delete', async () => {
  const webhook = await client.webhooks.create({ url: 'https://hooks.example.com/a', event_types: ['message.queued'] })
  expect(webhook).toMatchObject({ url: 'https://hooks.example.com/a', inbox_id: null })
  expect(webhook.secret).toMatch(/^whsec_/)
  expect(JSON.stringify(await client.webhooks.list())).toContain(webhook.id)
  expect(await client.webhooks.deliveries(webhook.id, { limit: 1 })).toEqual({ data: [] })
  expect(await errorOf(client.webhooks.replay(webhook.id, 'dlv_none'))).toMatchObject({ status: 404 })
  await client.webhooks.delete(webhook.id)
  expect(JSON.stringify(await client.webhooks.list())).not.toContain(webhook.id)
})

test('events: the pages contain every email sent, and the stream resumes where they end', async () => {
  await client.emails.send(email())
  const polled = []
  for await (const event of client.events.iterate({ limit: 3 })) polled.push(event)
  const page = await client.events.list({ limit: 100 })
  expect(polled).toEqual(page.data)
  expect(polled.map(({ type }) => type)).toContain('message.queued')

  // Everything again over the stream, with a break of the connection in the middle.
  const ids = polled.map(({ id }) => id)
  const [first = ''] = ids
  const sockets: WebSocket[] = []
  class Kept extends WebSocket {
    constructor(url: string) {
      super(url)
      sockets.push(this)
    }
  }
  const options = { baseUrl: server.url, env: {}, webSocket: Kept, runtime: { wait: () => Promise.resolve() } }
  const stream = new EmailClient(server.apiKey, options).events.stream({ after: first })
  const streamed: string[] = []
  for await (const { id } of stream) {
    if (streamed.push(id) === 1) sockets[0]?.terminate()
    if (streamed.length === ids.length - 1) break
  }
  expect(streamed).toEqual(ids.slice(1))

  // And live: events sent while the stream is open.
  const live = client.events.stream({ after: ids.at(-1) })
  const { id: sentId } = await client.emails.send(email())
  const next = await live.next()
  live.close()
  expect(next.value).toMatchObject({
    type: 'message.queued',
    timestamp: expect.any(String),
    data: { message_id: sentId },
  })
})
