import { afterEach, expect, test } from 'vitest'
import type { EmailClient } from './index.js'
import { email, errorOf, testBenches } from './testing/bench.js'

const benches = testBenches()
afterEach(() => benches.closeAll())

function page(ids: readonly string[], next: string | null) {
  return { status: 200, body: { data: ids.map((id) => ({ id })), next_after: next } }
}

type Call = (client: EmailClient) => Promise<unknown>

test.each<[string, Call, unknown?]>([
  ['POST /v1/emails', ({ emails }) => emails.send({ ...email, tag: 'x' }), { ...email, tag: 'x' }],
  ['POST /v1/emails/batch', ({ emails }) => emails.batch([email, email]), [email, email]],
  [
    'POST /v1/emails/batch?batch_validation=permissive',
    ({ emails }) => emails.batch([email], { batchValidation: 'permissive' }),
    [email],
  ],
  ['GET /v1/emails/em_1', ({ emails }) => emails.get('em_1')],
  ['GET /v1/emails/a%2Fb%3Fc', ({ emails }) => emails.get('a/b?c')],
  ['GET /v1/emails', ({ emails }) => emails.list()],
  ['GET /v1/emails?limit=2&cursor=a%26b', ({ emails }) => emails.list({ limit: 2, cursor: 'a&b' })],
  [
    'PATCH /v1/emails/em_1',
    ({ emails }) => emails.update('em_1', { scheduled_at: '2030-01-01T00:00:00Z' }),
    { scheduled_at: '2030-01-01T00:00:00Z' },
  ],
  [
    'PATCH /v1/emails/em_1',
    ({ emails }) => emails.reschedule('em_1', { scheduledAt: '2030-01-01T00:00:00Z' }),
    { scheduled_at: '2030-01-01T00:00:00Z' },
  ],
  ['POST /v1/emails/em_1/cancel', ({ emails }) => emails.cancel('em_1')],
  [
    'POST /v1/webhooks',
    ({ webhooks }) => webhooks.create({ url: 'https://h.example/', event_types: ['*'], inbox_id: null }),
    { url: 'https://h.example/', event_types: ['*'], inbox_id: null },
  ],
  ['GET /v1/webhooks', ({ webhooks }) => webhooks.list()],
  ['DELETE /v1/webhooks/whk_1', ({ webhooks }) => webhooks.delete('whk_1')],
  ['GET /v1/webhooks/whk_1/deliveries', ({ webhooks }) => webhooks.deliveries('whk_1')],
  ['GET /v1/webhooks/whk_1/deliveries?limit=3', ({ webhooks }) => webhooks.deliveries('whk_1', { limit: 3 })],
  ['POST /v1/webhooks/whk_1/deliveries/d_1/replay', ({ webhooks }) => webhooks.replay('whk_1', 'd_1')],
  ['GET /v1/events?after=evt_1&limit=2', ({ events }) => events.list({ after: 'evt_1', limit: 2 })],
])('%s', async (line, call, body) => {
  const { server, client } = await benches.open()
  const answer = { id: 'x', snake_case: [{ and_more: null, camelCase: 1 }], scheduled_at: 'as it is' }
  server.replies({ status: 200, body: answer })
  expect(await call(client())).toEqual(answer)
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([line])
  const [request] = server.requests
  expect(request?.headers['authorization']).toBe('Bearer key_1')
  expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json')
  expect(request?.body).toBe(body === undefined ? '' : JSON.stringify(body))
})

test('extra headers go with every request and every attempt; the own ones win', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 503 }, { status: 200, body: {} })
  const headers = { 'X-Team': 'a', Authorization: 'Basic x', 'Content-Type': 'text/plain' }
  const { emails } = client({ headers })
  await emails.send(email)
  await emails.list()
  expect(server.requests.map((request) => request.headers)).toMatchObject([
    { 'x-team': 'a', authorization: 'Bearer key_1', 'content-type': 'application/json' },
    { 'x-team': 'a' },
    { 'x-team': 'a', authorization: 'Bearer key_1' },
  ])
})

test.each(['', '.', '..', undefined, 7])(
  'an id that makes another path is refused before anything is sent: %j',
  async (id) => {
    const { server, client } = await benches.open()
    const error = await errorOf(client().emails.get(id as string))
    expect(error).toMatchObject({ status: 0, code: 'invalid_argument' })
    expect(server.requests).toHaveLength(0)
  },
)

test('a given fetch is used, and called without a receiver', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 200, body: { id: 'em_1' } })
  const urls: string[] = []
  const own = client({
    fetch(this: unknown, ...[input, init]) {
      expect(this).toBeUndefined()
      urls.push(String(input))
      return fetch(input, init)
    },
  })
  await own.emails.get('em_1')
  expect(urls).toEqual([`${server.url}/v1/emails/em_1`])
})

test('the events of all pages, to the empty one', async () => {
  const { server, client } = await benches.open()
  server.replies(page(['evt_1', 'evt_2'], 'evt_2'), page(['evt_3'], 'evt_3'), page([], 'evt_3'))
  const ids: string[] = []
  for await (const { id } of client().events.iterate({ limit: 2 })) ids.push(id)
  expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3'])
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/events?limit=2',
    '/v1/events?limit=2&after=evt_2',
    '/v1/events?limit=2&after=evt_3',
  ])
})

test.each([null, undefined, 'evt_0'])('an iteration ends where next_after is %j', async (next) => {
  const { server, client } = await benches.open()
  server.replies({ status: 200, body: { data: [{ id: 'evt_1' }], next_after: next } })
  const ids: string[] = []
  for await (const { id } of client().events.iterate({ after: 'evt_0' })) ids.push(id)
  expect(ids).toEqual(['evt_1'])
})
