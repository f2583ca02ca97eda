import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Policy } from './index.js'
import { testBench, type Json, type TestServer } from './testing/bench.js'

const bench = testBench()
const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await bench.closeAll()
})

async function open(server: TestServer, query: string, key?: string): Promise<Json[]> {
  const url = `${server.url.replace('http', 'ws')}/v1/events/ws?${query}`
  const socket = new WebSocket(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  sockets.push(socket)
  const frames: Json[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) frames.push(JSON.parse(data.toString('utf8')) as Json)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return frames
}

const ids = (frames: readonly Json[]): string[] => frames.map((frame) => String(frame['id']))

test('without after the stream starts from now; a frame is the body of a delivery', async () => {
  const server = await bench.server()
  await server.raise()
  const frames = await open(server, '', server.apiKey)
  const id = await server.raise()
  await expect.poll(() => frames.length).toBe(1)
  expect(Object.keys(frames[0] ?? {})).toEqual(['id', 'type', 'timestamp', 'data'])
  expect(ids(frames)).toEqual([id])
})

async function handOver(policy: Partial<Policy>): Promise<{ raised: string[]; seen: string[] }> {
  const server = await bench.server({ policy: { streamPageSize: 5, ...policy } })
  const raised: string[] = []
  for (let count = 0; count < 300; count++) raised.push(await server.raise())
  const opening = open(server, `token=${server.apiKey}&after=${raised[9]}`)
  for (let count = 0; count < 50; count++) raised.push(await server.raise())
  const frames = await opening
  const last = await server.raise()
  raised.push(last)
  await expect.poll(() => ids(frames).includes(last)).toBe(true)
  return { raised, seen: ids(frames) }
}

test('with after the stream hands over from backlog to live without loss or repeat, in order', async () => {
  const { raised, seen } = await handOver({})
  expect(seen).toEqual(raised.slice(10))
})

test('a key limited to one inbox sees its inbox only, after the cursor and live', async () => {
  const server = await bench.server()
  const [one, two] = server.inboxes
  const first = await server.raise({ inbox_id: one?.id })
  await server.raise({ inbox_id: two?.id })
  const frames = await open(server, `token=${one?.apiKey ?? ''}&after=evt_0`)
  await server.raise({ inbox_id: two?.id })
  const last = await server.raise({ inbox_id: one?.id })
  await expect.poll(() => ids(frames).at(-1)).toBe(last)
  expect(ids(frames)).toEqual([first, last])
  const polled = await server.api('GET', '/v1/events?after=evt_0', { key: one?.apiKey ?? '' })
  expect(ids(polled.body['data'] as Json[])).toEqual([first, last])
})

test.each(['', 'token=', 'token=key_no'])('a stream with the query "%s" and no header is refused', async (query) => {
  const server = await bench.server()
  await expect(open(server, query)).rejects.toThrow(/401/)
})

test('a client that reads nothing is dropped, and others get every event', async () => {
  const server = await bench.server({ policy: { maxBufferedBytes: 10_000, stallMs: 0 } })
  await open(server, `token=${server.apiKey}`)
  const [slow] = sockets
  slow?.pause()
  const frames = await open(server, `token=${server.apiKey}`)
  const subject = 'x'.repeat(200_000)
  for (let count = 0; count < 60; count++) await server.raise({ subject })
  await expect.poll(() => frames.length).toBe(60)
  const closed = new Promise((resolve) => slow?.once('close', resolve))
  await server.raise()
  slow?.resume()
  await closed
})

test('pages follow each other without gap or repeat', async () => {
  const server = await bench.server()
  const raised: string[] = []
  for (let count = 0; count < 120; count++) raised.push(await server.raise())
  const first = await server.api('GET', '/v1/events')
  expect(ids(first.body['data'] as Json[])).toEqual(raised.slice(0, 50))
  expect(Object.keys((first.body['data'] as Json[])[0] ?? {})).toEqual(['id', 'type', 'org_id', 'created_at', 'data'])
  const second = await server.api('GET', `/v1/events?limit=500&after=${String(first.body['next_after'])}`)
  expect(ids(second.body['data'] as Json[])).toEqual(raised.slice(50))
  const third = await server.api('GET', `/v1/events?after=${String(second.body['next_after'])}`)
  expect(third.body).toEqual({ data: [], next_after: raised.at(-1) })
  for (const limit of ['0', '-1', 'x', '1.5']) {
    expect((await server.api('GET', `/v1/events?limit=${limit}`)).status).toBe(400)
  }
})

test('a request that also offers an upgrade to HTTP/2, as the Java client does, gets its normal answer', async () => {
  const server = await bench.server()
  const answer = (method: string, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${server.apiKey}`,
        'content-type': 'application/json',
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABk',
      }
      const sent = request(`${server.url}/v1/webhooks`, { method, headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  expect(await answer('GET', '')).toBe(200)
  expect(await answer('POST', JSON.stringify({ url: 'https://consumer.example/hook' }))).toBe(201)
})
