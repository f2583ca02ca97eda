import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { CaseErrored } from '../check.js'
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

test('a target that closes every connection without an answer is asked at most twice, and told', async () => {
  let asked = 0
  const { url } = await listening((request) => {
    asked++
    request.socket.destroy()
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  const exchange = await client.send({ method: 'POST', url, body: '{}' })
  expect(exchange.failure).toBe('the connection was closed before a complete answer')
  expect(asked).toBeLessThanOrEqual(2)
})

test('an answer that stops half-way is told after the time it was given', async () => {
  const { url } = await listening((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half')
  })
  const client = new HttpClient()
  onTestFinished(() => client.close())
  const exchange = await client.send({ method: 'GET', url, timeoutMs: 200 })
  expect(exchange.failure).toBe('no complete answer within 200 ms')
  expect(exchange.status).toBeUndefined()
})

test('what comes before the answer is not the answer', async () => {
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
  const asked = [1, 2].map(() => client.send({ method: 'GET', url, signal: end.signal }))
  setImmediate(() => end.abort())
  for (const each of await Promise.allSettled(asked))
    expect(each).toMatchObject({ status: 'rejected', reason: { message: 'the case was ended' } })
})

test('a 429 whose wait is beyond reason, or no wait at all, is waited for no time', async () => {
  let value = ''
  const { url } = await listening((_request, response) => void response.writeHead(429, { 'retry-after': value }).end())
  const client = new HttpClient()
  onTestFinished(() => client.close())
  const odd = fc.oneof(
    fc.constantFrom(
      '',
      '1e3',
      '0x10',
      'soon',
      '9'.repeat(400),
      '61',
      '99999999999',
      'Fri, 31 Dec 9999 23:59:59 GMT',
      '1;2',
      '1, 2',
    ),
    fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\x20-\x7e]/g, '').trim()),
  )
  const isShort = (text: string) => /^\d{1,2}$/.test(text) || Math.abs(Date.parse(text) - Date.now()) < 120_000
  await fc.assert(
    fc.asyncProperty(
      odd.filter((text) => !isShort(text) || text === '61'),
      async (text) => {
        value = text
        try {
          expect((await client.send({ method: 'GET', url })).status).toBe(429)
        } catch (error) {
          if (!(error instanceof CaseErrored)) throw error
          expect(error.message).toMatch(/limits the rate \(429\) and (?:asks for a wait of|goes on so)/)
        }
      },
    ),
    { interruptAfterTimeLimit: 800, numRuns: 200 },
  )
})
