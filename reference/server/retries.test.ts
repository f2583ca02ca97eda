import { EventEmitter, once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { retryDelaysMs } from '../../spec/index.js'
import { testBench } from './testing/bench.js'

const bench = testBench()
afterEach(() => bench.closeAll())

const dayMs = 86_400_000

test('seven attempts are made on the schedule, each signed at its due time, then the delivery is failed', async () => {
  const { server, sink } = await bench.pair()
  sink.script = () => ({ status: 500, body: 'no' })
  const webhook = await server.createWebhook(sink.url)
  const id = await server.raise()
  await server.advance(0)
  const due: number[] = []
  for (let attempt = 1; attempt < retryDelaysMs.length; attempt++) {
    const [delivery] = await server.deliveries(webhook['id'])
    expect(delivery).toMatchObject({ status: 'pending', attempt, response_code: 500, response_body_snippet: 'no' })
    due.push(Date.parse(String(delivery?.['next_attempt_at'])))
    await server.advance(retryDelaysMs[attempt] ?? 0)
  }
  const end = await server.advance(dayMs)
  expect(sink.requests).toHaveLength(7)
  const stamps = sink.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(stamps.slice(1)).toEqual(due.map((atMs) => Math.floor(atMs / 1000)))
  expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]))
  expect(new Set(sink.requests.map(({ body }) => body)).size).toBe(1)
  const [delivery] = await server.deliveries(webhook['id'])
  expect(delivery).toMatchObject({ status: 'failed', attempt: 7, next_attempt_at: null })
  expect(end.getTime()).toBeGreaterThan(Date.now() + dayMs)
})

test('one advance over the whole schedule makes every attempt at its own due time', async () => {
  const { server, sink } = await bench.pair()
  sink.script = () => ({ status: 503 })
  await server.createWebhook(sink.url)
  await server.raise()
  await server.advance(dayMs)
  const stamps = sink.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(stamps).toHaveLength(7)
  for (const [index, delayMs] of retryDelaysMs.entries()) {
    if (index === 0) continue
    const gap = (stamps[index] ?? 0) - (stamps[index - 1] ?? 0)
    expect(gap).toBeGreaterThanOrEqual(delayMs / 1000)
    expect(gap).toBeLessThanOrEqual(delayMs / 1000 + 2)
  }
})

test('no attempt is made before its time', async () => {
  const { server, sink } = await bench.pair()
  sink.script = (_request, count) => ({ status: count === 1 ? 500 : 204 })
  const webhook = await server.createWebhook(sink.url)
  await server.raise()
  await server.advance(0)
  const [waiting] = await server.deliveries(webhook['id'])
  const now = await server.advance(0)
  const due = Date.parse(String(waiting?.['next_attempt_at']))
  await server.advance(due - now.getTime() - 1500)
  expect(sink.requests).toHaveLength(1)
  await server.advance(2000)
  expect(sink.requests).toHaveLength(2)
  expect(await server.deliveries(webhook['id'])).toMatchObject([
    { status: 'succeeded', attempt: 2, response_code: 204 },
  ])
})

test('an attempt without an answer ends after ten seconds of the clock and is retried', async () => {
  const { server, sink } = await bench.pair()
  sink.script = (_request, count) => (count === 1 ? 'hang' : { status: 200 })
  const webhook = await server.createWebhook(sink.url)
  await server.raise()
  await server.advance(11_000)
  const [delivery] = await server.deliveries(webhook['id'])
  expect(delivery).toMatchObject({ status: 'pending', attempt: 1, response_code: null, error: 'timeout' })
  await server.advance(5_000)
  const [first, second] = sink.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect((second ?? 0) - (first ?? 0)).toBe(15)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'succeeded', attempt: 2 }])
})

test('an answer within the grace counts though the clock is advanced far beyond', async () => {
  const { server, sink } = await bench.pair()
  sink.script = () => new Promise((resolve) => setTimeout(() => resolve({ status: 200 }), 100))
  const webhook = await server.createWebhook(sink.url)
  await server.raise()
  await server.advance(dayMs)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'succeeded', attempt: 1 }])
})

test('a body that never ends does not hold the attempt, and the snippet is its first 500 code points', async () => {
  const { server, sink } = await bench.pair()
  sink.script = () => ({ status: 200, body: '\u{1f600}'.repeat(5000) })
  const webhook = await server.createWebhook(sink.url)
  await server.raise()
  await server.advance(0)
  const [delivery] = await server.deliveries(webhook['id'])
  expect(delivery?.['response_body_snippet']).toBe('\u{1f600}'.repeat(500))
})

test('a broken connection and a redirect are failed attempts; the redirect is not followed', async () => {
  const { server, sink } = await bench.pair()
  sink.script = (_request, count) =>
    count === 1 ? 'reset' : { status: 302, headers: { location: `https://${sink.pair}/elsewhere` } }
  const webhook = await server.createWebhook(sink.url)
  await server.raise()
  await server.advance(0)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'pending', response_code: null }])
  await server.advance(5_000)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'pending', attempt: 2, response_code: 302 }])
  expect(sink.requests.map(({ path }) => path)).toEqual(['/hook', '/hook'])
})

test('a delete stops pending retries and those of an attempt in flight; history stays', async () => {
  const { server, sink } = await bench.pair()
  const held = new EventEmitter()
  sink.script = async () => {
    await once(held, 'release')
    return { status: 500 }
  }
  const webhook = await server.createWebhook(sink.url)
  await server.raise()
  await expect.poll(() => sink.requests.length).toBe(1)
  const path = `/v1/webhooks/${String(webhook['id'])}`
  expect((await server.api('DELETE', path)).status).toBe(204)
  held.emit('release')
  await server.advance(dayMs)
  expect(sink.requests).toHaveLength(1)
  expect(await server.deliveries(webhook['id'])).toMatchObject([
    { status: 'pending', attempt: 1, next_attempt_at: null },
  ])
  expect((await server.api('GET', '/v1/webhooks')).body['data']).toEqual([])
  expect((await server.api('DELETE', path)).status).toBe(404)
})

test('a replay is a new delivery of the same event with retries of its own', async () => {
  const { server, sink } = await bench.pair()
  sink.script = (_request, count) => ({ status: count === 2 ? 500 : 200 })
  const webhook = await server.createWebhook(sink.url)
  const id = await server.raise()
  await server.advance(0)
  const [original] = await server.deliveries(webhook['id'])
  const path = `/v1/webhooks/${String(webhook['id'])}/deliveries/${String(original?.['id'])}/replay`
  const replayed = await server.api('POST', path)
  expect(replayed.status).toBe(202)
  expect(replayed.body).toMatchObject({ replay_of: original?.['id'], status: 'pending' })
  await server.advance(6_000)
  const [second, first] = await server.deliveries(webhook['id'])
  expect(first).toEqual(original)
  expect(second).toMatchObject({ replay_of: original?.['id'], status: 'succeeded', attempt: 2 })
  expect(sink.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id])
})

test('an attempt is cut off at the end of its time, whatever instant the turn falls on', async () => {
  // No retry is due soon: nothing but the end of an attempt wakes the service.
  const { server, sink } = await bench.pair({ policy: { answerTimeMs: 20, retryDelaysMs: [0, dayMs] } })
  sink.script = () => 'hang'
  const webhook = await server.createWebhook(sink.url)
  for (let round = 0; round < 100; round++) {
    await server.raise()
    await server.advance(0)
  }
  const errors = (await server.deliveries(webhook['id'])).map((delivery) => delivery['error'])
  expect(new Set(errors)).toEqual(new Set(['timeout']))
})
