import { expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.js'
import { NewResources } from './new-resources.js'

const { signal } = new AbortController()

/** Returns answers one after the other, the last one repeatedly, and a counter of the requests. */
function answering(...statuses: readonly number[]) {
  let requested = 0
  const send = async () => {
    const status = statuses[Math.min(requested++, statuses.length - 1)]
    return { status, field: () => 'eml/1' } as unknown as Exchange
  }
  return { send, count: () => requested }
}

async function withOne(): Promise<NewResources> {
  const fresh = new NewResources()
  await fresh.send(answering(201).send, { method: 'POST', path: '/v1/emails', key: 'a', signal })
  return fresh
}

test.each([403, 404, 410])('a %i to the client that just made it is retried', async (hidden) => {
  const { send, count } = answering(hidden, hidden, 200)
  const fresh = await withOne()
  const answer = await fresh.send(send, { method: 'POST', path: '/v1/emails/eml%2F1/cancel', key: 'a', signal })
  expect([answer.status, count()]).toEqual([200, 3])
})

test.each([
  ['another key', { key: 'b', path: '/v1/emails/eml%2F1' }],
  ['another id', { key: 'a', path: '/v1/emails/eml_2' }],
])('a 404 to %s stands', async (_, requested) => {
  const { send, count } = answering(404)
  const fresh = await withOne()
  await fresh.send(send, { method: 'GET', signal, ...requested })
  expect(count()).toBe(1)
})

test('a 404 to a request that must be refused is final', async () => {
  const { send, count } = answering(404)
  const fresh = await withOne()
  await fresh.send(send, { method: 'POST', path: '/v1/emails/eml%2F1/cancel', key: 'a', signal, isOnce: true })
  expect(count()).toBe(1)
})

test('a 404 is final once the thing was deleted', async () => {
  const { send, count } = answering(204, 404)
  const fresh = await withOne()
  for (const method of ['DELETE', 'GET'])
    await fresh.send(send, { method, path: '/v1/emails/eml%2F1', key: 'a', signal })
  expect(count()).toBe(2)
})

test('an id that fits in no path causes no error where it is made', async () => {
  const send = async () => ({ status: 201, field: () => '\ud800' }) as unknown as Exchange
  const made = new NewResources().send(send, { method: 'POST', path: '/v1/emails', key: 'a', signal })
  await expect(made).resolves.toMatchObject({ status: 201 })
})

test('a 404 to the key of the org, for a thing that the key of an inbox just made, is retried', async () => {
  const { send, count } = answering(404, 200)
  const fresh = new NewResources('org')
  await fresh.send(answering(201).send, { method: 'POST', path: '/v1/webhooks', key: 'inbox', signal })
  await fresh.send(send, { method: 'DELETE', path: '/v1/webhooks/eml%2F1', key: 'org', signal })
  expect(count()).toBe(2)
})

test('the items of a batch are made as a single one is', async () => {
  const { send, count } = answering(404, 200)
  const fresh = new NewResources()
  const sent = async () => ({ status: 207, json: { data: [{ id: 'eml/0' }, { id: 'eml/1' }] } }) as unknown as Exchange
  await fresh.send(sent, { method: 'POST', path: '/v1/emails/batch', key: 'a', signal })
  await fresh.send(send, { method: 'PATCH', path: '/v1/emails/eml%2F1', key: 'a', signal })
  expect(count()).toBe(2)
})
