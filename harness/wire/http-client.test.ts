import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
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
