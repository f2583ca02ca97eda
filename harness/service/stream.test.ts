import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { WebSocketServer } from 'ws'
import { expect, onTestFinished, test } from 'vitest'
import { Evidence } from '../wire/evidence.js'
import { Stream } from './stream.js'

test('a target that pings with every frame is heard to the last one', async () => {
  const frames = 3_000
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void server.close())
  server.on('connection', (socket) => {
    for (let index = 0; index < frames; index++) {
      socket.ping()
      socket.send(JSON.stringify({ id: `evt_${index}` }))
    }
  })
  await once(server, 'listening')
  const stream = new Stream({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    auth: 'header',
    evidence: new Evidence(),
    observe: () => undefined,
  })
  onTestFinished(() => stream.close())
  await stream.until(() => stream.frames.length === frames, 5_000)
  expect(stream.frames).toHaveLength(frames)
})
