import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { WebSocketServer } from 'ws'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { Evidence } from '../wire/evidence.js'
import { upgradeAnswer } from '../testing/hostile/stream-behaviours.js'
import { AnswerLost } from '../check.js'
import { Stream } from './stream.js'
import { tries } from '../testing/fuzz.js'

const text = (payload: string) => Buffer.concat([Buffer.from([0x81, payload.length]), Buffer.from(payload)])
const close = (code: number) => Buffer.from([0x88, 2, code >> 8, code & 255])

/** Opens a stream at a server that listens. */
function streamOf(server: Pick<Server, 'address'>): Stream {
  const stream = new Stream({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    auth: 'header',
    evidence: new Evidence(),
    observe: () => undefined,
  })
  onTestFinished(() => stream.close())
  return stream
}

/** A stream from a service that does `then` with the raw connection, given the answer that upgrades it. */
async function streamFrom(then: (socket: Socket, upgrade: string) => void): Promise<Stream> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      const [, key] = /sec-websocket-key: (\S+)/i.exec(head.toString('latin1')) ?? []
      then(socket, upgradeAnswer(key))
    })
  })
  onTestFinished(() => {
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return streamOf(server)
}

test('a gateway is tried again however often the service has limited the rate before', async () => {
  const left = [429, 429, 429, 429, 429, 503, 429, 502]
  const stream = await streamFrom((socket, upgrade) => {
    const status = left.shift()
    const more = status === 429 ? 'retry-after: 0\r\n' : ''
    if (status === undefined) socket.write(upgrade)
    else socket.end(`HTTP/1.1 ${status} No\r\n${more}content-length: 0\r\n\r\n`)
  })
  expect(await stream.opening).toEqual({ kind: 'open' })
  expect(left).toEqual([])
})

test('a target that pings with every frame is read to the last one', async () => {
  const frames = 3_000
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    server.close()
  })
  server.on('connection', (socket) => {
    for (let index = 0; index < frames; index++) {
      socket.ping()
      socket.send(JSON.stringify({ id: `evt_${index}` }))
    }
  })
  await once(server, 'listening')
  const stream = streamOf(server)
  await stream.until(() => stream.frames.length === frames, 5_000)
  expect(stream.frames).toHaveLength(frames)
})

test('what carries no event is passed over, and what should carry one is kept, however bad', async () => {
  const remarks = ['{}', '{"type":"stream.opened","timestamp":"2026-01-02T03:04:05.678Z"}', '{"op":"ping","n":1}']
  const events = [
    '{"id":"evt_1"}',
    '{"data":{}}',
    '{"type":"message.received"}',
    '{"event":{"id":"evt_1"}}',
    '{"events":[]}',
    '[]',
    'null',
    'ping',
  ]
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    server.close()
  })
  server.on('connection', (socket) => {
    for (const message of [...remarks, ...events, ...remarks]) socket.send(message)
    socket.close()
  })
  await once(server, 'listening')
  const stream = streamOf(server)
  expect(await stream.closes(30_000)).toBe(true)
  expect(stream.frames.map((frame) => frame.text)).toEqual(events)
})

test('frames that arrive slowly are waited for as long as they arrive, and no longer', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    server.close()
  })
  server.on('connection', (socket) => {
    let sent = 0
    const timer = setInterval(() => {
      socket.send(JSON.stringify({ id: `evt_${sent++}` }))
      if (sent === 10) clearInterval(timer)
    }, 100)
  })
  await once(server, 'listening')
  const stream = streamOf(server)
  await stream.opening
  expect(await stream.until(() => stream.frames.length === 10, 400)).toBe(true)
  const since = performance.now()
  expect(await stream.until(() => stream.frames.length === 11, 400)).toBe(false)
  expect(performance.now() - since).toBeLessThan(3_000)
})

test('events in one packet with the upgrade and the close are kept, and the close is known', async () => {
  const stream = await streamFrom((socket, upgrade) =>
    socket.end(Buffer.concat([Buffer.from(upgrade), text('{"id":"evt_1"}'), text('{"id":"evt_2"}'), close(1000)])),
  )
  expect(await stream.opening).toEqual({ kind: 'open' })
  expect(await stream.until(() => stream.ids.length === 2, 5_000)).toBe(true)
  expect(await stream.until(() => stream.closeCode !== undefined, 5_000)).toBe(true)
  expect(stream.ids).toEqual(['evt_1', 'evt_2'])
})

test.each<[string, (socket: Socket, upgrade: string) => void]>([
  ['after the upgrade', (socket, upgrade) => socket.end(upgrade)],
  ['by a reset after the upgrade', (socket, upgrade) => socket.write(upgrade, () => socket.resetAndDestroy())],
  ['in the middle of the upgrade', (socket, upgrade) => socket.end(upgrade.slice(0, 40))],
  ['without a word', (socket) => socket.end()],
  [
    'by a close frame with the upgrade',
    (socket, upgrade) => socket.end(Buffer.concat([Buffer.from(upgrade), close(4401)])),
  ],
])('a stream that is closed at once %s is known as closed, and no wait is spent on it', async (_, then) => {
  const stream = await streamFrom(then)
  await stream.opening
  expect(await stream.until(() => stream.closeCode !== undefined, 20_000)).toBe(true)
  expect(await stream.until(() => false, 60_000)).toBe(false)
})

test('nothing more is read of a service that breaks the protocol', async () => {
  let isGone = () => {}
  const gone = new Promise<void>((resolve) => (isGone = resolve))
  const stream = await streamFrom((socket, upgrade) => {
    socket.pause()
    socket.write(upgrade)
    // Fragments of a message without an end.
    const fragment = Buffer.concat([Buffer.from([0, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536)])
    socket.write(Buffer.from([1, 0]))
    const more = () => {
      while (!socket.destroyed && socket.write(fragment));
    }
    socket.on('drain', more)
    socket.once('close', () => isGone())
    more()
  })
  expect(await stream.until(() => stream.closeCode !== undefined, 20_000)).toBe(true)
  await gone
})

test('any bytes after the upgrade end in frames or a close, and harm nothing', async () => {
  const close = fc
    .tuple(fc.nat(5_000), fc.uint8Array({ maxLength: 130 }))
    .map(([code, reason]) =>
      Buffer.concat([Buffer.from([0x88, Math.min(125, reason.length + 2), code >> 8, code & 255]), reason]),
    )
  const frame = fc
    .tuple(fc.nat(255), fc.uint8Array({ maxLength: 125 }))
    .map(([first, payload]) => Buffer.concat([Buffer.from([first, payload.length]), payload]))
  const event = fc
    .json({ maxDepth: 2 })
    .filter((json) => Buffer.byteLength(json) < 126)
    .map((json) => text(json))
  const piece = fc.oneof(close, frame, event, fc.uint8Array({ maxLength: 30 }))
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
      const stream = await streamFrom((socket, upgrade) => socket.end(Buffer.concat([Buffer.from(upgrade), ...pieces])))
      expect(['open', 'broken']).toContain((await stream.opening).kind)
      expect(await stream.until(() => stream.closeCode !== undefined, 20_000)).toBe(true)
    }),
    tries(20),
  )
})

test('a close that requests a reconnect counts as a lost answer, except to a case that checks closes', async () => {
  const stream = async (code: number) =>
    streamFrom((socket, upgrade) =>
      socket.end(Buffer.concat([Buffer.from(upgrade), Buffer.from([0x88, 2, code >> 8, code & 255])])),
    )
  await expect((await stream(1012)).until(() => false, 20_000)).rejects.toThrow(AnswerLost)
  expect(await (await stream(1012)).until(() => false, 20_000, { mayClose: true })).toBe(false)
  expect(await (await stream(1008)).until(() => false, 20_000)).toBe(false)
})
