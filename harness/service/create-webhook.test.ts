// Creates webhooks through a gateway that answers 5xx, against a server on a socket and the sink.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { CaseSkipped, CheckFailed, createRequire } from '../check.js'
import { Sink } from '../sink/sink.js'
import { Evidence } from '../wire/evidence.js'
import { HttpClient } from '../wire/http-client.js'
import { Api } from './api.js'
import { createWebhook, createWebhooks, type WebhookParts } from './create-webhook.js'

/**
 * Returns the parts of a webhook, on a server that answers a create by its URL: the first URL gets the first status, and so on; the last
 * status stays. A 5xx is a gateway's, after which the webhook exists anyway.
 */
async function partsOn(statuses: readonly number[]) {
  /** The distinct URLs in the order of their arrival. */
  const urls: string[] = []
  let requestCount = 0
  const server = createServer((incoming, response) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    incoming.on('end', () => {
      if (incoming.method === 'DELETE') {
        response.writeHead(204).end()
        return
      }
      requestCount++
      const { url } = JSON.parse(text) as { url: string }
      if (!urls.includes(url)) urls.push(url)
      const number = urls.indexOf(url)
      const status = statuses[Math.min(number, statuses.length - 1)] ?? 500
      const body = status === 201 ? { id: `whk_${number}`, url, secret: `whsec_${'A'.repeat(31)}${number}` } : {}
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const http = new HttpClient({ freshConnections: true })
  const sink = await Sink.start({ host: '127.0.0.1', port: 0, takesPlain: true })
  onTestFinished(async () => {
    await Promise.all([http.close(), sink.close()])
    server.closeAllConnections()
    server.close()
  })
  const evidence = new Evidence()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { signal } = new AbortController()
  const api = new Api({ http, baseUrl, key: 'key', evidence, signal, observe: () => {} })
  let marks = 0
  const tools = {
    unique: () => `mark${marks++}`,
    require: createRequire(),
    cleanup: () => {},
    signal,
    missed: () => {},
  }
  const watch = { secret: () => {}, delivery: () => {} }
  const clock = { time: 'virtual', receives: () => {} }
  const parts = { api, tools, sink, evidence, watch, clock, shared: undefined } as unknown as WebhookParts
  return { parts, urls, count: () => requestCount }
}

/** Delivers to a url of the sink over plain HTTP. */
async function deliver(url: string): Promise<void> {
  const outgoing = request(url.replace('https:', 'http:'), { method: 'POST', headers: { 'webhook-id': 'evt_1' } })
  outgoing.end('{"id":"evt_1"}')
  const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream]
  response.resume()
}

test('a create that a gateway answers with a 5xx is sent again with another path, and the later webhook is used', async () => {
  const { parts, urls } = await partsOn([503, 502, 201])
  const webhook = await createWebhook(parts, { suffix: '/?a=1' })
  expect(new Set(urls).size).toBe(3)
  expect(webhook.id).toBe('whk_2')
  expect(urls[2]).toBe(`${webhook.endpoint.url}/?a=1`)
  for (const url of urls) await deliver(url)
  expect(webhook.endpoint.attempts).toHaveLength(1)
})

test('a service that answers each create with a 5xx gets three creates, and fails', async () => {
  const { parts, urls } = await partsOn([500])
  const failure: unknown = await createWebhook(parts, {}).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CheckFailed)
  expect((failure as CheckFailed).mismatches).toMatchObject([{ requirement: 'WHK-001' }])
  expect(urls).toHaveLength(3)
})

test('a second webhook with the same url as another is not created under another url', async () => {
  const { parts, urls } = await partsOn([201])
  const first = await createWebhook(parts, {})
  const second = await createWebhook(parts, { sameUrlAs: first })
  expect(second.endpoint).toBe(first.endpoint)
  expect(urls).toHaveLength(1)
  const refusing = await partsOn([500])
  const refused: unknown = await createWebhook(refusing.parts, { sameUrlAs: first }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(CheckFailed)
  expect(refusing.urls).toEqual([first.endpoint.url])
  // A POST is repeated twice, wherever it leads.
  expect(refusing.count()).toBe(3)
})

test('of several webhooks each has its own three tries; a refusal is not retried like a 5xx', async () => {
  const served = await partsOn([201, 503, 201])
  const made = await createWebhooks(served.parts, [{}, {}, {}], 3)
  expect(made.map((webhook) => webhook?.id)).toEqual(expect.arrayContaining(['whk_0', 'whk_2', 'whk_3']))
  expect(new Set(made.map((webhook) => webhook?.endpoint.url)).size).toBe(3)
  const limited = await partsOn([201, 409])
  const few = await createWebhooks(limited.parts, [{}, {}], 1)
  expect(few.map((webhook) => webhook?.id)).toEqual(['whk_0', undefined])
  expect(limited.urls).toHaveLength(2)
})

test('where none has to be created, a refused first webhook is one too many', async () => {
  const { parts } = await partsOn([403])
  expect(await createWebhooks(parts, [{}], 0)).toEqual([undefined])
  await expect(createWebhooks(parts, [{}], 1)).rejects.toBeInstanceOf(CheckFailed)
})

test('another webhook that is refused is one too many where one like the first is refused too', async () => {
  for (const [statuses, ending] of [
    [[201, 403], CaseSkipped],
    [[201, 403, 201], CheckFailed],
    [[403], CheckFailed],
  ] as const) {
    const { parts, urls } = await partsOn(statuses)
    const both = async () => {
      await createWebhook(parts, {})
      await createWebhook(parts, { eventTypes: ['message.received'] })
    }
    expect(await both().catch((error: unknown) => error)).toBeInstanceOf(ending)
    expect(urls).toHaveLength(statuses[0] === 403 ? 1 : 3)
  }
})
