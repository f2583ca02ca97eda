import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { HttpClient } from './http-client.js'

async function listening(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test.each(['GET', 'POST'])('a kept connection that the target closes costs a %s no answer', async (method) => {
  const answered = new WeakSet()
  const { url } = await listening((request, response) => {
    if (answered.has(request.socket)) request.socket.destroy()
    else response.end('{}')
    answered.add(request.socket)
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  for (let index = 0; index < 5; index++) {
    const exchange = await client.send({ method, url, ...(method === 'POST' ? { body: '{}' } : {}) })
    expect(exchange.failure ?? exchange.status).toBe(200)
  }
})

test.each([
  ['a 100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['a 100 with a header, after a 103', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 \r\nserver: x\r\n\r\n'],
])('an unexpected %s does not count as an answer, in a packet of its own or with the answer', async (_, interim) => {
  for (const isApart of [true, false]) {
    const { url } = await listening((request) => {
      const answer = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}'
      request.socket.write(isApart ? interim : interim + answer)
      if (isApart) setTimeout(() => request.socket.write(answer), 20)
    })
    const client = new HttpClient()
    onTestFinished(() => client.close())
    const { status, failure, text } = await client.send({ method: 'POST', url, body: '{}' })
    expect({ status, failure, text }).toEqual({ status: 201, failure: undefined, text: '{}' })
  }
})

test('an idle connection is given back, however long the target would keep it', async () => {
  const { server, url } = await listening((_, response) => void response.end('{}'))
  server.keepAliveTimeout = 60_000
  const connected = once(server, 'connection')
  const client = new HttpClient()
  onTestFinished(() => client.close())
  await client.send({ method: 'GET', url })
  const [socket] = (await connected) as [Socket]
  await once(socket, 'close')
})

test('a target that closes every connection without an answer gets at most two tries, and is reported', async () => {
  let requested = 0
  const { url } = await listening((request) => {
    requested++
    request.socket.destroy()
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  const exchange = await client.send({ method: 'POST', url, body: '{}' })
  expect(exchange.failure).toBe('the connection was closed before a complete answer')
  expect(requested).toBeLessThanOrEqual(2)
})

test.each([
  ['everything', false, /^127\.0\.0\.1:\d+ closed each of the last 20 connections before a complete answer$/],
  ['what it cannot read, and answers the rest', true, undefined],
])('a target that cuts off %s is given up, or not', async (_, isAnswered, says) => {
  const { url } = await listening((request, response) => {
    response.writeHead(200, { 'content-length': '2' }).flushHeaders()
    if (isAnswered && request.method === 'GET') response.end('{}')
    else request.socket.end()
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  for (let count = 0; count < 25; count++) await client.send({ method: 'POST', url, body: '{}' })
  if (says === undefined) expect(client.lost).toBeUndefined()
  else expect(client.lost).toMatch(says)
})

test('a target that sends garbage is given up', async () => {
  const { url } = await listening((request) => request.socket.end('garbage\r\n\r\n'))
  const client = new HttpClient()
  onTestFinished(() => client.close())
  for (let count = 0; count < 25; count++) await client.send({ method: 'POST', url, body: '{}' })
  expect(client.lost).toMatch(/sent no complete answer to any of the last 20 requests \(.*does not match the HTTP/)
})

test('an endpoint of a consumer is given up for no connection that it closes', async () => {
  const { url } = await listening((request) => request.socket.destroy())
  const client = new HttpClient()
  onTestFinished(() => client.close())
  for (let count = 0; count < 25; count++) await client.send({ method: 'POST', url, body: '{}', kind: 'receiver' })
  expect(client.lost).toBeUndefined()
})

test('an answer that stops half-way is reported after the time it was given', async () => {
  const { url } = await listening((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half')
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  const exchange = await client.send({ method: 'GET', url, timeoutMs: 200 })
  expect(exchange.failure).toBe('no complete answer within 200 ms')
  expect(exchange.status).toBeUndefined()
})

test('bytes before the answer are not the answer', async () => {
  const { url } = await listening((_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] })
    response.write('{"in":')
    setImmediate(() => response.end('"pieces"}'))
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  const exchange = await client.send({ method: 'GET', url })
  expect([exchange.status, exchange.json, exchange.header('Set-Cookie')]).toEqual([201, { in: 'pieces' }, 'a=1, b=2'])
})

test('the end of a case ends its requests, those that wait for a connection too', async () => {
  const { url } = await listening(() => undefined)
  const client = new HttpClient({ connections: 1 })
  onTestFinished(() => client.close())
  const end = new AbortController()
  const requested = [1, 2].map(() => client.send({ method: 'GET', url, signal: end.signal }))
  setImmediate(() => end.abort())
  for (const result of await Promise.allSettled(requested))
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'the case was ended' } })
})

/** A client on a server that answers with these statuses and headers, one after the other; the last one stays. */
async function answering(...answers: readonly [number, Record<string, string>?][]) {
  let requested = 0
  const { url } = await listening((_request, response) => {
    const [status, headers] = answers[Math.min(requested, answers.length - 1)] ?? [200]
    requested++
    response.writeHead(status, headers).end()
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  return { send: () => client.send({ method: 'POST', url }), count: () => requested }
}

test.each([
  ['without Retry-After', {}],
  ['with seconds', { 'retry-after': '0' }],
  ['with an HTTP date', { 'retry-after': new Date(0).toUTCString() }],
  ['with an empty header', { 'retry-after': 'soon' }],
])('a 429 %s is waited out', async (_name, headers) => {
  const { send, count } = await answering([429, headers], [429, headers], [201])
  expect((await send()).status).toBe(201)
  expect(count()).toBe(3)
})

test('a lasting 429 ends the case and does not count as an answer of the target', async () => {
  const { send } = await answering([429, { 'retry-after': '0' }])
  await expect(send()).rejects.toThrow(/limits the rate \(429\) and goes on so/)
})

test.each(['61', '99999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'a 429 with an unreasonable wait (%s) is not waited for',
  async (value) => {
    const { send, count } = await answering([429, { 'retry-after': value }])
    await expect(send()).rejects.toThrow(/requests a wait of/)
    expect(count()).toBe(1)
  },
)
