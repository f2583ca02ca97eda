import { afterEach, expect, test } from 'vitest'
import type { ScheduledAt } from './scheduled-at.js'
import { email, errorOf, testBenches } from './testing/bench.js'

const benches = testBenches()
afterEach(() => benches.closeAll())

// The clock of the bench shows 2030-01-01T00:00:00.000Z.
test.each<[ScheduledAt | null, string | null]>([
  ['2030-05-06T07:08:09Z', '2030-05-06T07:08:09Z'],
  ['2030-05-06T07:08:09.123+02:00', '2030-05-06T07:08:09.123+02:00'],
  ['2030-05-06', '2030-05-06'],
  [new Date('2030-05-06T07:08:09.123Z'), '2030-05-06T07:08:09.123Z'],
  ['in 2 hours', '2030-01-01T02:00:00.000Z'],
  ['in 1 hour', '2030-01-01T01:00:00.000Z'],
  ['in an hour', '2030-01-01T01:00:00.000Z'],
  [' In  90 Seconds ', '2030-01-01T00:01:30.000Z'],
  ['in 5 minutes', '2030-01-01T00:05:00.000Z'],
  ['in 3 days', '2030-01-04T00:00:00.000Z'],
  ['in a week', '2030-01-08T00:00:00.000Z'],
  [null, null],
])('%j is sent as %j', async (given, sent) => {
  const { server, client } = await benches.open()
  const { emails } = client()
  await emails.send({ ...email, scheduled_at: given })
  await emails.send({ ...email, scheduledAt: given })
  await emails.update('em_1', { scheduled_at: given })
  await emails.update('em_1', { scheduledAt: given })
  await emails.batch([{ ...email, scheduledAt: given }, email])
  const change = { scheduled_at: sent }
  const whole = { ...email, ...change }
  const bodies = server.requests.map(({ body }) => JSON.parse(body) as unknown)
  expect(bodies).toEqual([whole, whole, change, change, [whole, email]])
})

test('a phrase means the same instant on every attempt', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 503 }, { status: 200, body: {} })
  let nowMs = 0
  await client({ runtime: { now: () => (nowMs += 1_000) } }).emails.send({ ...email, scheduled_at: 'in 2 hours' })
  expect(server.requests[1]?.body).toBe(server.requests[0]?.body)
})

test('scheduled_at wins over its alias', async () => {
  const { server, client } = await benches.open()
  await client().emails.send({ ...email, scheduled_at: '2030-01-01', scheduledAt: '2031-01-01' })
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ ...email, scheduled_at: '2030-01-01' })
})

test.each<unknown>([
  'tomorrow',
  'in two hours',
  'in -1 hours',
  '2 hours',
  '',
  '01/02/2030',
  1893456000,
  new Date(Number.NaN),
  {},
])('an invalid instant is refused before anything is sent: %j', async (given) => {
  const { server, client } = await benches.open()
  const error = await errorOf(client().emails.send({ ...email, scheduled_at: given as ScheduledAt }))
  expect(error).toMatchObject({ status: 0, code: 'invalid_scheduled_at' })
  expect(server.requests).toHaveLength(0)
})
