import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { startReferenceServer } from '../index.js'
import { testBench } from '../testing/bench.js'
import { newCertificate, sinkAuthority } from '../testing/sink.js'

const bench = testBench()
afterEach(() => bench.closeAll())

test('a name that resolves to a private address is blocked at once, and delivered to when it no longer does', async () => {
  const { server, sink } = await bench.pair()
  const host = 'a.hooks.example'
  await server.control('POST', '/dns', { host, answers: [['10.0.0.1'], ['127.0.0.1']] })
  const webhook = await server.createWebhook(`https://${host}:${sink.port}/hook`)
  await server.raise()
  await server.advance(86_400_000)
  expect(sink.connections()).toBe(0)
  expect(await server.deliveries(webhook['id'])).toMatchObject([
    { status: 'failed', attempt: 1, error: 'blocked_private_address', response_code: null, next_attempt_at: null },
  ])
  await server.raise()
  await server.advance(0)
  const [request] = sink.requests
  expect(request?.headers.host).toBe(`${host}:${sink.port}`)
})

test('one refused address among several answers blocks the delivery', async () => {
  const { server, sink } = await bench.pair()
  const host = 'b.hooks.example'
  await server.control('POST', '/dns', { host, answers: [['127.0.0.1', 'fd00::1']] })
  const webhook = await server.createWebhook(`https://${host}:${sink.port}/hook`)
  await server.raise()
  await server.advance(0)
  expect(sink.connections()).toBe(0)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'failed' }])
})

test('a name that changes between check and connect never reaches the canary', async () => {
  const { server, sink } = await bench.pair()
  const canary = await bench.sink({ host: '127.0.0.2', port: sink.port })
  const host = 'c.hooks.example'
  await server.control('POST', '/dns', { host, answers: [['127.0.0.1'], ['127.0.0.2']] })
  const webhook = await server.createWebhook(`https://${host}:${sink.port}/hook`)
  await server.raise()
  await server.advance(0)
  expect(sink.requests).toHaveLength(1)
  await server.raise()
  await server.advance(0)
  expect(canary.connections()).toBe(0)
  expect(await server.deliveries(webhook['id'])).toMatchObject([
    { status: 'failed', error: 'blocked_private_address' },
    { status: 'succeeded' },
  ])
})

test('an unknown name and a dead port are ordinary failures and are retried', async () => {
  const { server, sink } = await bench.pair()
  const webhook = await server.createWebhook('https://nowhere.example.net/hook')
  const other = await server.createWebhook(sink.url)
  await sink.close()
  await server.raise()
  await server.advance(0)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'pending', error: 'ENOTFOUND' }])
  expect(await server.deliveries(other['id'])).toMatchObject([{ status: 'pending', error: 'ECONNREFUSED' }])
})

test('no policy opens the way to an address that is not loopback', async () => {
  const { server } = await bench.pair({ policy: { isRefusedAddress: () => false } })
  const webhook = await server.createWebhook('https://10.0.0.1/')
  await server.createWebhook('https://8.8.8.8/')
  await server.raise()
  await server.advance(0)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'pending', error: 'egress_shut' }])
})

test('an exemption is one address and one port', async () => {
  const { server, sink } = await bench.pair()
  const other = await bench.sink()
  expect((await server.api('POST', '/v1/webhooks', { body: { url: sink.url } })).status).toBe(201)
  expect((await server.api('POST', '/v1/webhooks', { body: { url: other.url } })).status).toBe(400)
  await server.control('POST', '/egress', { allow: [other.pair], ca: await sinkAuthority() })
  expect((await server.api('POST', '/v1/webhooks', { body: { url: other.url } })).status).toBe(201)
})

test('a control interface that others could reach needs a key', async () => {
  await expect(startReferenceServer({ host: '0.0.0.0', control: true })).rejects.toThrow(/needs a key/)
})

test('authorities add up, also with one subject; what none of them issued, or what names another host, is refused', async () => {
  const server = await bench.server()
  const trusted = [await newCertificate(['127.0.0.1']), await newCertificate(['127.0.0.1'])]
  const untrusted = await newCertificate(['127.0.0.1'])
  const otherName = await newCertificate(['127.0.0.9'])
  const outcomes: unknown[] = []
  for (const certificate of [...trusted, otherName]) {
    await server.control('POST', '/egress', { allow: [], ca: certificate.cert })
  }
  for (const certificate of [...trusted, untrusted, otherName]) {
    const sink = await bench.sink({ certificate })
    await server.control('POST', '/egress', { allow: [sink.pair] })
    const webhook = await server.createWebhook(sink.url)
    await server.raise()
    await server.advance(0)
    const [delivery] = await server.deliveries(webhook['id'])
    outcomes.push(delivery?.['response_code'] ?? delivery?.['error'])
  }
  expect(outcomes).toEqual([200, 200, 'DEPTH_ZERO_SELF_SIGNED_CERT', expect.stringMatching(/^(ERR_TLS|DEPTH_ZERO)/)])
})

test('a consumer that takes connections and never shakes hands holds an advance no longer than one that is silent', async () => {
  const taken = new Set<Socket>()
  const mute = createServer((socket) => {
    taken.add(socket)
    socket.on('error', () => {}).resume()
  }).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => {
    for (const socket of taken) socket.destroy()
    mute.close()
  })
  const pair = `127.0.0.1:${(mute.address() as AddressInfo).port}`
  const server = await bench.server()
  await server.control('POST', '/egress', { allow: [pair] })
  const webhook = await server.createWebhook(`https://${pair}/hook`)
  await server.raise()
  await server.advance(86_400_000)
  expect(await server.deliveries(webhook['id'])).toMatchObject([{ status: 'failed', attempt: 7, error: 'timeout' }])
})
