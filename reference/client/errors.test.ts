import { afterEach, expect, test } from 'vitest'
import { ServiceError } from './errors.js'
import { email, errorOf, testBenches } from './testing/bench.js'

const benches = testBenches()
afterEach(() => benches.closeAll())

const fields = { code: 'sender_not_verified', message: 'No.', fix: 'Verify the domain.' }

test.each([
  ['flat', fields],
  ['nested', { error: fields }],
  ['nested, with other members', { error: fields, request_id: 'r', message: 'outer' }],
])('an error body with %s fields', async (_shape, body) => {
  const { server, client } = await benches.open()
  server.replies({ status: 403, body })
  const error = await errorOf(client().emails.send(email))
  expect(error).toMatchObject({ ...fields, status: 403, name: 'ServiceError' })
  expect(error.errors).toBeUndefined()
  expect(error.retryAfter).toBeUndefined()
})

test.each([
  ['flat', { code: 'invalid_batch', message: 'Bad.', fix: 'Mend.', errors: [{ index: 1, code: 'x' }] }],
  ['nested', { error: { code: 'invalid_batch', message: 'Bad.', fix: 'Mend.', errors: [{ index: 1, code: 'x' }] } }],
  ['errors outside', { error: { code: 'invalid_batch', message: 'Bad.' }, errors: [{ index: 1, code: 'x' }] }],
])('invalid_batch has errors: %s', async (_shape, body) => {
  const { server, client } = await benches.open()
  server.replies({ status: 422, body })
  const error = await errorOf(client().emails.batch([email, { ...email, to: 'nobody' }]))
  expect(error).toMatchObject({ status: 422, code: 'invalid_batch', errors: [{ index: 1, code: 'x' }] })
  expect(error.fix).not.toBe('')
})

test.each([
  ['12', 12],
  ['Tue, 01 Jan 2030 00:00:30 GMT', 30],
  ['Mon, 31 Dec 2029 00:00:00 GMT', 0],
  ['tomorrow', undefined],
  [undefined, undefined],
])('429 with Retry-After %j has retryAfter %j', async (header, seconds) => {
  const { server, client } = await benches.open()
  server.replies({ status: 429, body: fields, ...(header !== undefined && { headers: { 'retry-after': header } }) })
  const error = await errorOf(client({ maxRetries: 0 }).emails.send(email))
  expect(error).toMatchObject({ status: 429, code: 'sender_not_verified' })
  expect(error.retryAfter).toBe(seconds)
})

test.each(['<html><h1>Bad Gateway</h1>', '', 'null', '[]', '"no"', '{"error":', '{"code":7,"message":[],"fix":null}'])(
  'an error body without a message: %j',
  async (body) => {
    const { server, client } = await benches.open()
    server.replies({ status: 502, body })
    const error = await errorOf(client({ maxRetries: 0 }).emails.send(email))
    expect(error).toMatchObject({ status: 502, code: 'http_502' })
    expect(error.message).toBe('The API answered 502 to POST /v1/emails.')
    expect(error.fix).toBe('Try again later.')
  },
)

test.each([
  { status: 400, end: 'cut' },
  { status: 400, end: 'stall' },
] as const)('a refusal whose body breaks off keeps its status, and is not retried: %j', async (reply) => {
  const { server, client } = await benches.open()
  server.replies(reply)
  const error = await errorOf(client({ timeoutMs: 800 }).emails.send(email))
  expect(error).toMatchObject({ status: 400, code: 'http_400' })
  expect(server.requests).toHaveLength(1)
})

test.each(['{"id":', '<html>', 'undefined', ''])('a success whose body is not JSON is an error: %j', async (body) => {
  const { server, client } = await benches.open()
  server.replies({ status: 200, body })
  const error = await errorOf(client().emails.send(email))
  expect(error).toMatchObject({ status: 200, code: 'invalid_response' })
  expect(server.requests).toHaveLength(1)
})

test('an answer whose body is not shown may be empty, or anything', async () => {
  const { server, client } = await benches.open()
  const { webhooks } = client()
  for (const reply of [{ status: 204 }, { status: 200 }, { status: 200, body: 'OK' }]) {
    server.replies(reply)
    expect(await webhooks.delete('whk_1')).toBeUndefined()
    expect(await webhooks.replay('whk_1', 'dlv_1')).toBeUndefined()
  }
})

test('no connection is network_error with status 0', async () => {
  const { server, client } = await benches.open()
  await server.close()
  const error = await errorOf(client().emails.send(email))
  expect(error).toMatchObject({ status: 0, code: 'network_error' })
  expect(error.fix).not.toBe('')
  expect(error.message).toContain('POST /v1/emails')
})

test.each(['hang', { status: 200, end: 'stall' }] as const)(
  'no answer in time is timeout with status 0: %j',
  async (reply) => {
    const { server, client } = await benches.open()
    server.replies(reply)
    const error = await errorOf(client({ timeoutMs: 800, maxRetries: 1 }).emails.send(email))
    expect(error).toMatchObject({ status: 0, code: 'timeout' })
    expect(server.requests).toHaveLength(2)
  },
)

test('a call may set its own time-out', async () => {
  const { server, client } = await benches.open()
  server.replies('hang')
  const error = await errorOf(client({ maxRetries: 0 }).emails.get('em_1', { timeoutMs: 50 }))
  expect(error.code).toBe('timeout')
  server.replies({ status: 200, body: { id: 'em_1' } })
  expect(await client({ timeoutMs: 1e-9 }).emails.get('em_1', { timeoutMs: Infinity })).toEqual({ id: 'em_1' })
})

test('an error is an Error, and its fields survive JSON', () => {
  const error = new ServiceError({ status: 403, ...fields, retryAfter: 3, cause: 'why' })
  expect(error).toBeInstanceOf(Error)
  expect(error.cause).toBe('why')
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'ServiceError', status: 403, ...fields, retryAfter: 3 })
})

test('no error shows the key', async () => {
  const { server, client } = await benches.open()
  server.replies('reset')
  const error = await errorOf(client({ maxRetries: 0 }).emails.send(email))
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    expect(`${at.message} ${at.stack} ${JSON.stringify(at)}`).not.toContain('key_1')
  }
})
