import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectService } from './subject.js'
import { bareTarget } from './target.js'

/** Connects to a server; resolves to undefined if it can be judged, else to the reason why not. */
async function connected(listener: RequestListener): Promise<string | undefined> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = { ...bareTarget(baseUrl), apiKey: 'key', retryDepth: 1 }
  try {
    const subject = await connectService(target)
    await subject.close()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const answers =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

test.each<[string, RequestListener, RegExp]>([
  ['a web page', answers(200, { 'content-type': 'text/html' }, '<p>Hello'), /a web page \(200\); check the host/],
  ['a page of an error', answers(404, {}, '<!DOCTYPE html><p>Lost'), /a web page \(404\)/],
  [
    'a redirect',
    answers(301, { location: 'https://api.example/v1/events' }),
    /\(301\) to https:\/\/api\.example\/v1\/events; give/,
  ],
  ['503 to all', answers(503, {}, '{}'), /always responds with 503: is the service running\?/],
  ['404 to all', answers(404, {}, '{"detail":"Not Found"}'), /answers 404; give the part before \/v1 as --base-url/],
])('%s is not a service, and the error gives the remedy', async (_name, listener, says) => {
  expect(await connected(listener)).toMatch(says)
})

test('a gateway that answers for a moment does not keep the service from being checked', async () => {
  let count = 0
  expect(
    await connected((request, response) =>
      count++ === 0
        ? answers(503)(request, response)
        : answers(200, {}, '{"data":[],"next_after":""}')(request, response),
    ),
  ).toBeUndefined()
})

test.each<[string, RequestListener]>([
  [
    'lacks one operation',
    (request, response) => answers(request.url?.includes('events') === true ? 404 : 200)(request, response),
  ],
  ['answers 500 to all', answers(500, {}, '{}')],
  ['hides its state with errors of its own', answers(404, {}, '{"code":"not_found","message":"m","fix":"f"}')],
])('a service that %s is judged', async (_name, listener) => {
  expect(await connected(listener)).toBeUndefined()
})
