import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { testBench, type TestServer } from './testing/bench.js'

const bench = testBench()
afterEach(() => bench.closeAll())

/** What the server answers to these bytes, until it ends the connection. */
async function exchange(server: TestServer, text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('utf8')
}

async function openStream(server: TestServer): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/events/ws?token=${server.apiKey}`)
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return socket
}

test('a body above a megabyte is refused, one just below is read', async () => {
  const server = await bench.server()
  const emailOf = (bytes: number): string => {
    const email = { from: `probe@${server.domain}`, to: 'delivered@simulator.example', subject: 'x', text: '' }
    return JSON.stringify({ ...email, text: 'x'.repeat(bytes - JSON.stringify(email).length) })
  }
  const limit = 1_048_576
  const most = await server.api('POST', '/v1/emails', { body: emailOf(limit) })
  expect(most.status).toBeLessThan(300)
  expect((await server.api('POST', '/v1/emails', { body: emailOf(limit + 1) })).status).toBe(413)
})

test('a chunked body without end is refused once it is too large', async () => {
  const server = await bench.server()
  const head = `POST /v1/emails HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.apiKey}\r\nconnection: close\r\n`
  const chunk = `40000\r\n${' '.repeat(0x40000)}\r\n`
  expect(await exchange(server, `${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}`)).toMatch(
    /^HTTP\/1\.1 413 /,
  )
})

test('a head above 16 KB is refused with 431 and the error fields', async () => {
  const server = await bench.server()
  const answer = await exchange(server, `GET /v1/events HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(answer).toMatch(/"code":"headers_too_large".*"fix":/)
})

test('bytes that are not HTTP are refused with 400 and the error fields', async () => {
  const server = await bench.server()
  const answer = await exchange(server, 'EHLO x\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toMatch(/"code":"malformed_request".*"fix":/)
})

test('a frame above 64 KB ends its stream, and no other', async () => {
  const server = await bench.server()
  const [talkative, other] = [await openStream(server), await openStream(server)]
  talkative.send('x'.repeat(65_537))
  const [code] = (await once(talkative, 'close')) as [number]
  expect(code).toBe(1009)
  const frame = once(other, 'message')
  await server.raise()
  await frame
  other.terminate()
})

test('a client that pings and reads nothing is dropped', async () => {
  const server = await bench.server({ policy: { maxBufferedBytes: 1000 } })
  const socket = await openStream(server)
  const closed = once(socket, 'close')
  let isOpen = true
  socket.on('close', () => (isOpen = false))
  const raw = (socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
  raw.pause()
  for (let count = 0; count < 200_000 && isOpen; count++) {
    socket.ping('x'.repeat(120))
    if (count % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  raw.resume()
  await closed
})

test('the control interface is off by default', async () => {
  const server = await bench.server({ control: false })
  expect(server.controlUrl).toBeUndefined()
  const answer = await fetch(`${server.url}/_control`, { headers: { authorization: `Bearer ${server.apiKey}` } })
  expect(answer.status).toBe(404)
})

test('JSON that is nested too deeply is refused, by the API and by the control interface', async () => {
  const server = await bench.server()
  const nested = (levels: number): string => `${'['.repeat(levels)}"[["${']'.repeat(levels)}`
  for (const levels of [5_000, 400_000]) {
    const sent = await server.api('POST', '/v1/webhooks', { body: `{"url":${nested(levels)}}` })
    expect(sent).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    const event = `{"org_id":"${server.orgId}","type":"message.queued","data":{"deep":${nested(levels)}}}`
    expect((await server.control('POST', '/events', event)).status).toBe(400)
  }
  const event = `{"org_id":"${server.orgId}","type":"message.queued","data":{"deep":${nested(50)}}}`
  expect((await server.control('POST', '/events', event)).status).toBe(201)
})
