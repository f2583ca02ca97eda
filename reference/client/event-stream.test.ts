import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { EmailClientOptions } from './index.js'
import type { ClientPolicy } from './policy.js'
import { errorOf, testBenches } from './testing/bench.js'

const benches = testBenches()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await benches.closeAll()
  for (const close of closers.splice(0)) await close()
})

type Connection = { readonly socket: WebSocket; readonly path: string; send(...ids: string[]): void }

/** A stream server that hands each connection to the next of `scripts`; the last one stays. `null` refuses with 401. */
async function streamServer(...scripts: (((connection: Connection) => void) | null)[]) {
  const paths: string[] = []
  const server = createServer()
  const acceptor = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const { url: path = '' } = request
    paths.push(path)
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    if (!script) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
      return
    }
    acceptor.handleUpgrade(request, socket, head, (opened) => {
      const send = (...ids: string[]) => {
        for (const id of ids) opened.send(JSON.stringify({ id, type: 'x', timestamp: 't', data: {} }))
      }
      script({ socket: opened, path, send })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const opened of acceptor.clients) opened.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { client, waits } = await benches.open()
  const streamClient = (options: EmailClientOptions = {}, policy: Partial<ClientPolicy> = {}) =>
    client({ baseUrl: url, webSocket: WebSocket, ...options }, policy)
  return { paths, waits, client: streamClient }
}

/** A promise and what resolves it. */
function signalled(): { readonly told: Promise<void>; tell(): void } {
  let tell: (() => void) | undefined
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  return { told, tell: () => tell?.() }
}

async function take(stream: AsyncIterable<{ id: string }>, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of stream) if (ids.push(id) === count) break
  return ids
}

test('frames arrive as events, and a stream that breaks is resumed after the last one', async () => {
  const { client, paths, waits } = await streamServer(
    ({ socket, send }) => {
      send('evt_1', 'evt_2')
      socket.close(1001)
    },
    ({ socket }) => socket.terminate(),
    ({ send }) => send('evt_3'),
  )
  expect(await take(client().events.stream({ after: 'evt_0' }), 3)).toEqual(['evt_1', 'evt_2', 'evt_3'])
  expect(paths).toEqual([
    '/v1/events/ws?token=key_1&after=evt_0',
    '/v1/events/ws?token=key_1&after=evt_2',
    '/v1/events/ws?token=key_1&after=evt_2',
  ])
  expect(waits).toEqual([437.5, 437.5])
})

test('without after it starts from now, and opened resolves then', async () => {
  const { client, paths } = await streamServer(({ send }) => send('evt_9'))
  const stream = client().events.stream()
  await stream.opened
  expect(await take(stream, 1)).toEqual(['evt_9'])
  expect(paths).toEqual(['/v1/events/ws?token=key_1'])
})

test('connections that do not open end it with network_error after maxRetries', async () => {
  const { client, paths } = await streamServer(null)
  const stream = client().events.stream()
  expect(await errorOf(stream.next())).toMatchObject({ status: 0, code: 'network_error' })
  expect(await errorOf(stream.opened)).toMatchObject({ code: 'network_error' })
  expect(paths).toHaveLength(3)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('after a close with 1008 the client does not connect again', async () => {
  const { client, paths } = await streamServer(({ socket }) => socket.close(1008))
  expect(await errorOf(client().events.stream().next())).toMatchObject({ status: 0, code: 'network_error' })
  expect(paths).toHaveLength(1)
})

test.each(['no json', '[]', 'null', '{"type":"x"}'])('an invalid event frame ends it: %j', async (frame) => {
  const { client } = await streamServer(({ socket }) => socket.send(frame))
  expect(await errorOf(client().events.stream().next())).toMatchObject({ code: 'invalid_response' })
})

test('an abort ends it, and closes the connection', async () => {
  const closed = signalled()
  const { client } = await streamServer(({ socket }) => socket.on('close', () => closed.tell()))
  const controller = new AbortController()
  const stream = client().events.stream({}, { signal: controller.signal })
  await stream.opened
  const next = errorOf(stream.next())
  controller.abort()
  expect(await next).toMatchObject({ status: 0, code: 'aborted' })
  await closed.told
})

test('leaving the loop closes the connection', async () => {
  const closed = signalled()
  const { client } = await streamServer(({ socket, send }) => {
    socket.on('close', () => closed.tell())
    send('evt_1', 'evt_2')
  })
  expect(await take(client().events.stream(), 1)).toEqual(['evt_1'])
  await closed.told
})

test('a caller that is slower than the server holds a bounded number of events, and gets every one once', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => `evt_${String(index).padStart(3, '0')}`)
  const { client, paths } = await streamServer(({ path, send }) => {
    const after = new URL(path, 'http://x').searchParams.get('after') ?? ''
    send(...ids.filter((id) => id > after))
  })
  const stream = client({}, { streamQueueLimit: 10 }).events.stream({ after: 'evt_' })
  expect(await take(stream, 50)).toEqual(ids)
  expect(paths.length).toBeGreaterThan(1)
})

test('a runtime without WebSocket gets a clear error', async () => {
  const { client } = await benches.open()
  const before = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
  Reflect.deleteProperty(globalThis, 'WebSocket')
  try {
    expect(() => client().events.stream()).toThrow(expect.objectContaining({ code: 'websocket_unavailable' }))
  } finally {
    if (before !== undefined) Object.defineProperty(globalThis, 'WebSocket', before)
  }
})
