import { getEventListeners } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { systemRuntime } from './runtime.js'
import { email, errorOf, testBenches } from './testing/bench.js'

const benches = testBenches()
afterEach(() => benches.closeAll())

const deaf = (): Promise<Response> => new Promise(() => {})
const aborted = { status: 0, code: 'aborted' }

test('a call that is aborted before it starts sends nothing', async () => {
  const { server, client } = await benches.open()
  const signal = AbortSignal.abort(new Error('enough'))
  const error = await errorOf(client().emails.send(email, { signal }))
  expect(error).toMatchObject(aborted)
  expect(error.cause).toMatchObject({ message: 'enough' })
  expect(server.requests).toHaveLength(0)
})

test.each(['hang', { status: 200, end: 'stall' }, { status: 503, end: 'stall' }] as const)(
  'an abort ends an attempt under way, and is not retried: %j',
  async (reply) => {
    const { server, client } = await benches.open()
    server.replies(reply)
    const controller = new AbortController()
    server.onRequest = () => setImmediate(() => controller.abort())
    expect(await errorOf(client().emails.send(email, { signal: controller.signal }))).toMatchObject(aborted)
    expect(server.requests).toHaveLength(1)
  },
)

test('an abort ends the wait before a retry', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 429, headers: { 'retry-after': '3000000' } })
  const controller = new AbortController()
  const wait: typeof systemRuntime.wait = (ms, signal) => {
    setImmediate(() => controller.abort())
    return systemRuntime.wait(ms, signal)
  }
  const error = await errorOf(client({ runtime: { wait } }).emails.send(email, { signal: controller.signal }))
  expect(error).toMatchObject(aborted)
  expect(server.requests).toHaveLength(1)
})

test('an abort after the end changes nothing, and no listener stays', async () => {
  const { server, client } = await benches.open()
  server.replies({ status: 503 }, { status: 200, body: { id: 'em_1' } })
  const controller = new AbortController()
  const runtime = { wait: (_ms: number, signal: AbortSignal | undefined) => systemRuntime.wait(1, signal) }
  const value = await client({ runtime }).emails.send(email, { signal: controller.signal })
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  controller.abort()
  expect(value).toEqual({ id: 'em_1' })
})

test('time-out and abort also end a fetch that heeds no signal', async () => {
  const { client } = await benches.open()
  const { emails } = client({ fetch: deaf, maxRetries: 0, timeoutMs: 50 })
  expect((await errorOf(emails.get('em_1'))).code).toBe('timeout')
  const controller = new AbortController()
  const call = errorOf(emails.get('em_1', { signal: controller.signal, timeoutMs: 60_000 }))
  controller.abort()
  expect((await call).code).toBe('aborted')
})
