import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AnswerLost } from '../check.js'
import { Evidence } from '../wire/evidence.js'
import { HttpClient } from '../wire/http-client.js'
import { Api } from './api.js'

/** The server's reaction to one request: a status, a broken connection, or silence. */
type Step = number | 'cut' | 'silence'

/** An API on a server that takes these steps one after the other; the last one stays. */
async function apiOn(steps: readonly Step[], headers: Readonly<Record<string, string>> = {}) {
  let requestCount = 0
  const server = createServer((request, response) => {
    const step = steps[Math.min(requestCount, steps.length - 1)]
    requestCount++
    if (step === 'cut') request.socket.destroy()
    else if (step !== 'silence') response.writeHead(step ?? 500, headers).end('{"data":[]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const isSilent = steps.includes('silence')
  const http = new HttpClient({ ...(isSilent ? { timeoutMs: 300 } : {}), freshConnections: true })
  onTestFinished(async () => {
    await http.close()
    server.closeAllConnections()
    server.close()
  })
  const api = new Api({
    http,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    evidence: new Evidence(),
    signal: new AbortController().signal,
    observe: () => {},
  })
  return { api, count: () => requestCount }
}

test.each<[string, Step[]]>([
  ['a gateway that answers 503 once', [503, 200]],
  ['a connection that breaks twice', ['cut', 'cut', 200]],
  ['a gateway that has no room for it three times', [503, 503, 503, 200]],
])('a GET outlives %s', async (_name, steps) => {
  const { api } = await apiOn(steps)
  expect((await api.pollEvents()).status).toBe(200)
})

// Each of the pauses would last ten seconds if it were followed.
test('a Retry-After that is too long to follow delays no repeat', { timeout: 20_000 }, async () => {
  const { api, count } = await apiOn([503], { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' })
  expect((await api.createWebhook({})).status).toBe(503)
  expect(count()).toBe(4)
})

test('a gateway that names a shorter wait gets up to ten seconds', { timeout: 60_000 }, async () => {
  const { api } = await apiOn([503, 200], { 'retry-after': '120' })
  const startedAt = performance.now()
  expect((await api.pollEvents()).status).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(9_900)
})

test('a 5xx that repeats on the same request is an answer', async () => {
  const { api, count } = await apiOn([500])
  expect((await api.createWebhook({})).status).toBe(500)
  expect(count()).toBe(3)
})

test.each<[string, Step[]]>([
  ['is cut off', ['cut', 201]],
  ['passes only on a repeated request', [502, 201]],
])('a POST that may be carried out twice, and %s, is sent again', async (_name, steps) => {
  const { api } = await apiOn(steps)
  expect((await api.repeatable.sendEmail({})).status).toBe(201)
})

test('a refusal of such a POST proves nothing where an earlier one may have been carried out', async () => {
  const { api } = await apiOn([502, 409])
  await expect(api.repeatable.sendEmail({})).rejects.toThrow(AnswerLost)
})

test.each<[string, Step[]]>([
  ['is cut off', ['cut', 201]],
  ['gets no answer', ['silence', 201]],
  ['passes only on a repeated request', [502, 201]],
])('a POST that %s ends the case: it may have been carried out', async (_name, steps) => {
  const { api } = await apiOn(steps)
  await expect(api.createWebhook({})).rejects.toThrow(AnswerLost)
})

test('a POST whose repetition is refused made nothing', async () => {
  const { api } = await apiOn([503, 422])
  expect((await api.createWebhook({})).status).toBe(422)
})

test('a PATCH returns at last the same answer as at first', async () => {
  const { api } = await apiOn(['cut', 503, 200])
  expect((await api.updateEmail('em_1', { scheduled_at: '2030-01-01T00:00:00Z' })).status).toBe(200)
})

test('a replay whose repetition is refused was refused at first; an accepted one may be the second', async () => {
  const refused = await apiOn([503, 404])
  expect((await refused.api.replayDelivery('whk_1', 'dlv_1')).status).toBe(404)
  const taken = await apiOn([503, 202])
  await expect(taken.api.replayDelivery('whk_1', 'dlv_1')).rejects.toThrow(AnswerLost)
})

test.each<Step>(['silence', 'cut'])('a list that never arrives (%s) does not count as an empty list', async (step) => {
  const { api } = await apiOn([step])
  await expect(api.pollEvents()).rejects.toThrow(AnswerLost)
})

test.each<[string, Step[]]>([
  ['a gateway that answers 503 once', [503, 204]],
  ['a connection that breaks', ['cut', 200]],
])('a DELETE outlives %s', async (_name, steps) => {
  const { api } = await apiOn(steps)
  expect((await api.deleteWebhook('whk_1')).status).toBe(steps.at(-1))
})

test('a DELETE whose repetition finds nothing may have been carried out at first', async () => {
  const { api } = await apiOn([503, 404])
  await expect(api.deleteWebhook('whk_1')).rejects.toThrow(AnswerLost)
})

test('a 500 to a delete that was carried out is its answer', async () => {
  const { api } = await apiOn([500, 404])
  expect((await api.deleteWebhook('whk_1')).status).toBe(500)
})

test('a gateway that answers 503 to a completed delete proves nothing', async () => {
  const { api } = await apiOn([503, 404])
  await expect(api.deleteWebhook('whk_1')).rejects.toThrow(AnswerLost)
})

test('after two 500s that stayed the same, others are not repeated', async () => {
  const { api, count } = await apiOn([500])
  for (let sent = 0; sent < 5; sent++) expect((await api.pollEvents()).status).toBe(500)
  expect(count()).toBe(3 + 3 + 1 + 1 + 1)
})

test('a 500 that did not stay keeps the repeats', async () => {
  const { api, count } = await apiOn([500, 200, 500])
  for (const status of [200, 500, 500, 500]) expect((await api.pollEvents()).status).toBe(status)
  expect(count()).toBe(2 + 3 + 3 + 3)
})

test('503s are repeated however many stayed the same', async () => {
  const { api, count } = await apiOn([503])
  for (let sent = 0; sent < 3; sent++) await api.pollEvents()
  expect(count()).toBe(4 + 4 + 4)
})
