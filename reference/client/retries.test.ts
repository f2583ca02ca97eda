import { afterEach, describe, expect, test } from 'vitest'
import { email, errorOf, testBenches } from './testing/bench.js'

const benches = testBenches()
afterEach(() => benches.closeAll())

const refused = { status: 400, body: { code: 'bad', message: 'Bad.', fix: 'Mend it.' } }
const busy = { status: 503, body: '<html>' }
const sent = { status: 200, body: { id: 'em_1' } }

test.each([429, 500, 502, 503, 504, 599])('%i is retried', async (status) => {
  const { server, client, waits } = await benches.open()
  server.replies({ status }, { status }, sent)
  expect(await client().emails.send(email)).toEqual({ id: 'em_1' })
  expect(server.requests).toHaveLength(3)
  expect(waits).toEqual([437.5, 875])
})

test.each([400, 401, 403, 404, 409, 422, 302, 304])('%i is thrown at once', async (status) => {
  const { server, client } = await benches.open()
  server.replies({ status, headers: { location: '/elsewhere' } })
  expect(await errorOf(client().emails.send(email))).toMatchObject({ status, code: `http_${status}` })
  expect(server.requests).toHaveLength(1)
})

test.each(['reset', { status: 200, end: 'cut' }] as const)('a network failure is retried: %j', async (reply) => {
  const { server, client } = await benches.open()
  server.replies(reply, sent)
  expect(await client().emails.send(email)).toEqual({ id: 'em_1' })
  expect(server.requests).toHaveLength(2)
})

test('a time-out is retried, and each attempt has the whole time', async () => {
  const { server, client } = await benches.open()
  server.replies('hang', { status: 200, end: 'stall' }, sent)
  expect(await client({ timeoutMs: 2_000 }).emails.send(email)).toEqual({ id: 'em_1' })
  expect(server.requests).toHaveLength(3)
})

test.each([
  [0, 1],
  [1, 2],
  [2, 3],
  [5, 6],
])('with maxRetries %i there are %i attempts, and the last error is thrown', async (maxRetries, attempts) => {
  const { server, client, waits } = await benches.open()
  server.replies(...Array.from({ length: attempts - 1 }, () => busy), refused)
  expect(await errorOf(client({ maxRetries }).emails.send(email))).toMatchObject({ status: 400, code: 'bad' })
  expect(server.requests).toHaveLength(attempts)
  expect(waits).toHaveLength(attempts - 1)
})

test('retries are used up by refusals: the last one is thrown', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 500 }, { status: 502 }, { status: 503 }, sent)
  expect(await errorOf(client().emails.get('em_1'))).toMatchObject({ status: 503 })
  expect(server.requests).toHaveLength(3)
})

test.each([0, 0.5, 0.999])('with chance %d the waits grow up to the cap', async (random) => {
  const { server, client, waits } = await benches.open()
  server.replies(busy)
  await errorOf(client({ maxRetries: 8, runtime: { random: () => random } }).emails.get('em_1'))
  for (const [index, waitMs] of waits.slice(0, 4).entries()) expect(waits[index + 1]).toBeGreaterThan(waitMs)
  expect(Math.max(...waits)).toBeLessThanOrEqual(8_000)
})

test.each([
  ['7', 7_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
  ['Tuesday, 01-Jan-30 00:00:30 GMT', 30_000],
  ['Tue Jan  1 00:00:30 2030', 30_000],
  ['Mon, 31 Dec 2029 23:59:00 GMT', 0],
  ['soon', 437.5],
  ['-5', 437.5],
  ['2030-01-01T00:00:30Z', 437.5],
])('after Retry-After %j the wait is %d ms', async (header, waitMs) => {
  for (const status of [429, 503]) {
    const { server, client, waits } = await benches.open()
    server.replies({ status, headers: { 'retry-after': header } }, sent)
    await client().emails.send(email)
    expect(waits).toEqual([waitMs])
  }
})

test('the wait of the system is never shorter than requested', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 429, headers: { 'retry-after': '0.03' } }, sent)
  const arrivals: number[] = []
  server.onRequest = () => arrivals.push(performance.now())
  const { systemRuntime } = await import('./runtime.js')
  await client({ runtime: { wait: systemRuntime.wait } }).emails.send(email)
  expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThanOrEqual(30)
})

describe('POSTs that create something', () => {
  const hook = { url: 'https://hooks.example.com/' }

  test.each(['reset', 'hang', busy, { status: 500 }] as const)('are not retried after %j', async (reply) => {
    for (const method of ['create', 'replay'] as const) {
      const { server, client } = await benches.open()
      server.replies(reply, { status: 201, body: { id: 'whk_1' } })
      // Long enough that the request has left, also where the machine is busy.
      const { webhooks } = client({ timeoutMs: reply === 'hang' ? 2_000 : 60_000 })
      await errorOf(method === 'create' ? webhooks.create(hook) : webhooks.replay('whk_1', 'dlv_1'))
      expect(server.requests).toHaveLength(1)
    }
  })

  test('are retried after 429', async () => {
    const { server, client } = await benches.open()
    server.replies({ status: 429 }, { status: 201, body: { id: 'whk_1' } })
    expect(await client().webhooks.create(hook)).toEqual({ id: 'whk_1' })
    expect(server.requests).toHaveLength(2)
  })
})

test('what creates nothing is retried after a server error', async () => {
  const { server, client } = await benches.open()
  const { emails, webhooks, events } = client({ maxRetries: 1 })
  const calls = [
    () => emails.cancel('em_1'),
    () => emails.update('em_1', { scheduled_at: '2030-01-01T00:00:00Z' }),
    () => emails.get('em_1'),
    () => emails.list(),
    () => webhooks.list(),
    () => webhooks.delete('whk_1'),
    () => webhooks.deliveries('whk_1'),
    () => events.list(),
  ]
  for (const call of calls) {
    server.replies(busy, { status: 200, body: { ok: 1 } })
    expect(await call()).toEqual({ ok: 1 })
  }
  expect(server.requests).toHaveLength(2 * calls.length)
})

const keysOf = (requests: readonly { headers: Readonly<Record<string, string | undefined>> }[]) =>
  requests.map(({ headers }) => headers['idempotency-key'])

describe('Idempotency-Key', () => {
  test.each(['send', 'batch'] as const)(
    'emails.%s has one, the same on every attempt, new for each call',
    async (method) => {
      const { server, client } = await benches.open()
      server.replies(busy, 'reset', sent)
      const { emails } = client()
      const call = () => (method === 'send' ? emails.send(email) : emails.batch([email]))
      await call()
      await call()
      const [first, second, third, other] = keysOf(server.requests)
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect([second, third]).toEqual([first, first])
      expect(other).toBeDefined()
      expect(other).not.toBe(first)
    },
  )

  test('the caller replaces it', async () => {
    const { server, client } = await benches.open()
    server.replies(busy, sent)
    await client().emails.send(email, { idempotencyKey: 'mine-1' })
    expect(keysOf(server.requests)).toEqual(['mine-1', 'mine-1'])
  })

  test('no other method has one, unless the caller gives it', async () => {
    const { server, client } = await benches.open()
    server.replies({ status: 200, body: {} })
    const { webhooks, emails } = client()
    await webhooks.create({ url: 'https://hooks.example.com/' })
    await emails.cancel('em_1')
    await emails.list({}, { idempotencyKey: 'mine-2' })
    expect(keysOf(server.requests)).toEqual([undefined, undefined, 'mine-2'])
  })

  test('an invalid header value is refused before anything is sent', async () => {
    const { server, client } = await benches.open()
    const error = await errorOf(client().emails.send(email, { idempotencyKey: 'a\r\nb: c' }))
    expect(error).toMatchObject({ status: 0, code: 'invalid_argument' })
    expect(server.requests).toHaveLength(0)
  })
})
