// Both drivers of a client, as processes: docs/contract.md, part 4.
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { compileClient } from './testing/compile.js'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server.js'
import { email } from './testing/bench.js'

const folder = fileURLToPath(new URL('../../fixtures/drivers/', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0
const compiled = compileClient()
afterAll(() => compiled.remove())

const drivers = [
  { name: 'client.mjs', command: [process.execPath, `${folder}client.mjs`, compiled.door], language: 'javascript' },
  { name: 'client.py', command: ['python3', '-B', `${folder}client.py`], language: 'python' },
] as const

type Fields = Readonly<Record<string, unknown>>

/** A driver process; answers are matched by id. */
function startDriver([program, ...args]: readonly [string, ...string[]]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const pending = new Map<number, (answer: Fields) => void>()
  const order: number[] = []
  let nextId = 0
  const lines: string[] = []
  let rest = ''
  // Lines end at a line feed alone: node:readline of Node 24 ends them at U+2028 too.
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const complete = (rest + chunk).split('\n')
    rest = complete.pop() ?? ''
    for (const line of complete) {
      lines.push(line)
      const { id, ...fields } = JSON.parse(line) as { id: number }
      order.push(id)
      pending.get(id)?.(fields)
    }
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    /** Ids of the answers, in the order of arrival. */
    order,
    /** The answers as they were written. */
    lines,
    ask(request: Fields): Promise<Fields> {
      const id = ++nextId
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`)
      return new Promise((resolve) => pending.set(id, resolve))
    },
    end(): Promise<number | null> {
      child.stdin.end()
      return exited
    },
  }
}

describe.each(drivers)('$name', ({ command, language }) => {
  // Some machines have no Python: its driver is skipped there, and the run reports it.
  const check = test.skipIf(language === 'python' && !hasPython)
  let driver: ReturnType<typeof startDriver>
  let server: ScriptedServer
  let clients = 0
  beforeAll(() => {
    if (language === 'javascript' || hasPython) driver = startDriver(command)
  })
  afterAll(() => (driver as typeof driver | undefined)?.end())
  afterEach(() => (server as ScriptedServer | undefined)?.close())

  /** A new client for a new server. */
  async function construct(options: Fields = {}, env: Fields = {}) {
    server = await startScriptedServer()
    const client = `c${++clients}`
    const all = { api_key: 'key_1', base_url: server.url, ...options }
    expect(await driver.ask({ op: 'construct', client, options: all, env })).toEqual({ ok: true })
    return (method: string, args: readonly unknown[], callOptions: Fields = {}) =>
      driver.ask({ op: 'call', client, method, args, options: callOptions })
  }

  check('answers hello with the operations that it does not support', async () => {
    expect(await driver.ask({ op: 'hello' })).toMatchObject({ name: expect.any(String), version: '0.1.0', language })
    expect(await driver.ask({ op: 'sign' })).toEqual({ unsupported: expect.any(String) })
    const call = await construct()
    expect(await call('messages.wait', [])).toEqual({ unsupported: expect.any(String) })
  })

  check('reads key and address from the given environment', async () => {
    server = await startScriptedServer()
    const env = { SERVICE_API_KEY: 'key_env', SERVICE_BASE_URL: `${server.url}/v1/` }
    expect(await driver.ask({ op: 'construct', client: 'e', options: {}, env })).toEqual({ ok: true })
    expect(await driver.ask({ op: 'call', client: 'e', method: 'emails.list', args: [] })).toEqual({
      ok: true,
      value: {},
    })
    expect(server.requests[0]).toMatchObject({ path: '/v1/emails', headers: { authorization: 'Bearer key_env' } })
    const refused = await driver.ask({ op: 'construct', client: 'f', options: {}, env: {} })
    expect(refused).toMatchObject({ ok: false, error: { code: 'missing_api_key', message: expect.any(String) } })
  })

  check('sends every method to its place', async () => {
    const call = await construct({ headers: { 'x-team': 'a' } })
    server.replies({ status: 200, body: { snake_case: [1] } })
    const calls: [string, unknown[], string, unknown?, Fields?][] = [
      ['emails.send', [email], 'POST /v1/emails', email],
      ['emails.batch', [[email]], 'POST /v1/emails/batch', [email]],
      [
        'emails.batch',
        [[]],
        'POST /v1/emails/batch?batch_validation=permissive',
        [],
        { batch_validation: 'permissive' },
      ],
      ['emails.get', ['a/b'], 'GET /v1/emails/a%2Fb'],
      ['emails.list', [], 'GET /v1/emails'],
      ['emails.list', [{ limit: 2, cursor: 'c' }], 'GET /v1/emails?limit=2&cursor=c'],
      [
        'emails.update',
        ['em_1', { scheduledAt: '2030-01-01' }],
        'PATCH /v1/emails/em_1',
        { scheduled_at: '2030-01-01' },
      ],
      [
        'emails.reschedule',
        ['em_1', { scheduled_at: '2030-01-01' }],
        'PATCH /v1/emails/em_1',
        { scheduled_at: '2030-01-01' },
      ],
      ['emails.cancel', ['em_1'], 'POST /v1/emails/em_1/cancel'],
      ['webhooks.create', [{ url: 'https://h.example/' }], 'POST /v1/webhooks', { url: 'https://h.example/' }],
      ['webhooks.list', [], 'GET /v1/webhooks'],
      ['webhooks.delete', ['whk_1'], 'DELETE /v1/webhooks/whk_1'],
      ['webhooks.deliveries', ['whk_1'], 'GET /v1/webhooks/whk_1/deliveries'],
      ['webhooks.deliveries', ['whk_1', { limit: 3 }], 'GET /v1/webhooks/whk_1/deliveries?limit=3'],
      ['webhooks.replay', ['whk_1', 'd_1'], 'POST /v1/webhooks/whk_1/deliveries/d_1/replay'],
      ['events.list', [{ after: 'evt_1', limit: 2 }], 'GET /v1/events?after=evt_1&limit=2'],
    ]
    for (const [method, args, line, body, callOptions] of calls) {
      expect(await call(method, args, callOptions)).toEqual({ ok: true, value: { snake_case: [1] } })
      const request = server.requests.at(-1)
      expect(`${request?.method} ${request?.path}`).toBe(line)
      expect(request?.headers).toMatchObject({ authorization: 'Bearer key_1', 'x-team': 'a' })
      expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(body)
    }
    expect(server.requests).toHaveLength(calls.length)
  })

  check('turns dates and phrases into ISO 8601', async () => {
    const call = await construct()
    await call('emails.send', [{ ...email, scheduled_at: { $date: '2030-05-06T07:08:09.123Z' } }])
    const before = Date.now()
    await call('emails.update', ['em_1', { scheduledAt: 'in 2 hours' }])
    const [first, second] = server.requests.map(
      ({ body }) => (JSON.parse(body) as { scheduled_at: string }).scheduled_at,
    )
    expect(first).toBe('2030-05-06T07:08:09.123Z')
    expect(second).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(second ?? '')).toBeGreaterThanOrEqual(before + 7_199_000)
    expect(Date.parse(second ?? '')).toBeLessThanOrEqual(Date.now() + 7_200_000)
    const refused = await call('emails.send', [{ ...email, scheduled_at: 'some day' }])
    expect(refused).toMatchObject({ ok: false, error: { status: 0, code: 'invalid_scheduled_at' } })
    expect(server.requests).toHaveLength(2)
  })

  check('retries with one key after the time in Retry-After, in both forms', async () => {
    const call = await construct()
    const past = 'Mon, 01 Jan 2024 00:00:00 GMT'
    server.replies(
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': past } },
      { status: 200, body: { id: 'em_1' } },
    )
    expect(await call('emails.send', [email])).toEqual({ ok: true, value: { id: 'em_1' } })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/./)
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
    server.replies({ status: 200, body: {} })
    await call('emails.send', [email], { idempotency_key: 'mine' })
    await call('emails.get', ['em_1'])
    const later = server.requests.slice(3).map(({ headers }) => headers['idempotency-key'])
    expect(later).toEqual(['mine', undefined])
  })

  check('retries a reset, a broken body and a time-out, and does not repeat a creation', async () => {
    const call = await construct({ timeout_ms: 300, max_retries: 1 })
    for (const reply of ['reset', 'hang', { status: 200, end: 'cut' }, { status: 200, end: 'stall' }] as const) {
      const before = server.requests.length
      server.replies(reply, { status: 200, body: { id: 'em_1' } })
      expect(await call('emails.send', [email])).toEqual({ ok: true, value: { id: 'em_1' } })
      expect(server.requests).toHaveLength(before + 2)
    }
    for (const reply of ['reset', { status: 500 }] as const) {
      const before = server.requests.length
      server.replies(reply)
      expect(await call('webhooks.create', [{ url: 'https://h.example/' }])).toMatchObject({ ok: false })
      expect(server.requests).toHaveLength(before + 1)
    }
  })

  check('reports errors under the names of the interface', async () => {
    const call = await construct({ max_retries: 0 })
    const said = { code: 'invalid_batch', message: 'Bad.', fix: 'Mend.', errors: [{ index: 0 }] }
    for (const body of [said, { error: said }]) {
      server.replies({ status: 422, body })
      expect(await call('emails.batch', [[{}]])).toEqual({ ok: false, error: { status: 422, ...said } })
    }
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    for (const header of ['60', inAMinute]) {
      server.replies({
        status: 429,
        headers: { 'retry-after': header },
        body: { code: 'slow_down', message: 'm', fix: 'f' },
      })
      const { error } = (await call('emails.list', [])) as { error: { retry_after: number } }
      expect(error).toMatchObject({ status: 429, code: 'slow_down' })
      expect(error.retry_after).toBeGreaterThan(50)
      expect(error.retry_after).toBeLessThanOrEqual(60)
    }
    server.replies({ status: 502, body: '<html>' })
    expect(await call('emails.list', [])).toMatchObject({
      error: { status: 502, code: 'http_502', fix: 'Try again later.' },
    })
    server.replies({ status: 200, body: '<html>' })
    expect(await call('emails.list', [])).toMatchObject({ error: { status: 200, code: 'invalid_response' } })
    server.replies('reset')
    expect(await call('emails.list', [])).toMatchObject({ error: { status: 0, code: 'network_error' } })
    server.replies('hang')
    const late = await call('emails.list', [], { timeout_ms: 50 })
    expect(late).toMatchObject({ ok: false, error: { status: 0, code: 'timeout', fix: expect.any(String) } })
    const stopped = await call('emails.list', [], { abort_after_ms: 50 })
    expect(stopped).toMatchObject({ ok: false, error: { status: 0, code: 'aborted' } })
  })

  check('an abort ends the wait before a retry, and one at once sends nothing', async () => {
    const call = await construct()
    server.replies({ status: 503, headers: { 'retry-after': '3600' } })
    expect(await call('emails.send', [email], { abort_after_ms: 2_000 })).toMatchObject({ error: { code: 'aborted' } })
    expect(server.requests).toHaveLength(1)
    expect(await call('emails.send', [email], { abort_after_ms: 0 })).toMatchObject({ error: { code: 'aborted' } })
    expect(server.requests).toHaveLength(1)
  })

  check('answers calls side by side, in the order they end', async () => {
    const call = await construct()
    let answerFirst: (() => void) | undefined
    const after = new Promise<void>((resolve) => {
      answerFirst = resolve
    })
    server.replies({ status: 200, body: { id: 'first' }, after }, { status: 200, body: { id: 'second' } })
    const arrived = new Promise<void>((resolve) => {
      server.onRequest = () => resolve()
    })
    const first = call('emails.list', [])
    await arrived
    expect(await call('emails.list', [])).toEqual({ ok: true, value: { id: 'second' } })
    answerFirst?.()
    expect(await first).toEqual({ ok: true, value: { id: 'first' } })
    const [last, before] = driver.order.toReversed()
    expect(last).toBeLessThan(before ?? 0)
  })

  check('takes and gives every character, and no line that a reader of lines could cut', async () => {
    const call = await construct()
    const subject = 'Gr\u00fc\u00dfe \u4f60 \u{1f44b} "q" \\ \r\n \u0085 \u2028 \u2029 \u0000'
    server.replies({ status: 200, body: { subject } })
    expect(await call('emails.send', [{ ...email, subject }])).toEqual({ ok: true, value: { subject } })
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ ...email, subject })
    expect(driver.lines.at(-1)).not.toMatch(/[\r\u2028\u2029]/)
  })

  check('verifies deliveries, by its own operation and by both methods', async () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef')
    const secret = `whsec_${key.toString('base64')}`
    const payload = '{"id":"evt_1","data":{"subject":"Grüße \u{1f600}"}}'
    const sign = (at: number) => ({
      'Webhook-Id': 'evt_1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${createHmac('sha256', key).update(`evt_1.${at}.${payload}`).digest('base64')}`,
    })
    const request = {
      op: 'verify',
      secret,
      headers: sign(1_000),
      payload_base64: Buffer.from(payload).toString('base64'),
    }
    expect(await driver.ask({ ...request, now: 1_300 })).toEqual({ ok: true, event: JSON.parse(payload) })
    for (const change of [
      { now: 1_301 },
      { now: 699 },
      { now: 1_000, payload_base64: '' },
      { now: 1_000, headers: {} },
      {},
    ]) {
      const refused = await driver.ask({ ...request, ...change })
      expect(refused).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.any(String) } })
    }
    const call = await construct()
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const fresh = { payload_base64: base64(payload), headers: sign(Math.floor(Date.now() / 1_000)), secret }
    for (const method of ['verifyWebhook', 'webhooks.verify']) {
      expect(await call(method, [fresh])).toEqual({ ok: true, value: JSON.parse(payload) })
      const refused = await call(method, [{ ...fresh, payload_base64: base64(`${payload} `) }])
      expect(refused).toMatchObject({ ok: false, error: { status: 0, code: 'no_matching_signature' } })
    }
  })

  check('ends with 0 at the end of its input', async () => {
    const own = startDriver(command)
    await own.ask({ op: 'hello' })
    expect(await own.end()).toBe(0)
  })
})
