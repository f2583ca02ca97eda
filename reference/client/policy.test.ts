// Every entry of the policy is read: replacing it alone changes a request, a wait, a result or an error. Each row is a deviation that a
// real library could ship.
import { expect, test } from 'vitest'
import type { WebSocketConstructor, WebSocketLike } from './index.js'
import { operations } from './operations.js'
import { defaultClientPolicy, type ClientPolicy } from './policy.js'
import { email } from './testing/bench.js'
import type { UnshownMethods } from './unshown.js'
import { observe, type Scene } from './testing/observe.js'
import type { Reply } from './testing/scripted-server.js'

const sent: Reply = { status: 200, body: { id: 'em_1', some_field: 1 } }
const busy: Reply = { status: 503 }
const send: Scene = { run: ({ client }) => client.emails.send(email) }
const after = (...replies: readonly Reply[]): Scene => ({ ...send, replies: [...replies, sent] })
const asked = (header: string, status = 429): Scene => after({ status, headers: { 'retry-after': header } })
const refused = (body: unknown, status = 422): Scene => ({ ...send, replies: [{ status, body }] })
const hung: Scene = { ...send, replies: ['hang'], options: { timeoutMs: 50 } }
const batch: Scene = { run: ({ client }) => client.emails.batch([email], { batchValidation: 'permissive' }) }
const list: Scene = { run: ({ client }) => client.emails.list({ limit: 2, cursor: 'c' }) }
const cancel: Scene = { run: ({ client }) => client.emails.cancel('em/1') }
const schedule = (change: object): Scene => ({ run: ({ client }) => client.emails.send({ ...email, ...change }) })
const create = (status: number): Scene => ({
  replies: [{ status }, { status: 201, body: {} }],
  run: ({ client }) => client.webhooks.create({ url: 'https://h.example/' }),
})
const fromEnvironment: Scene = {
  run: ({ make, url }) =>
    make('key_1', { baseUrl: url, env: { SERVICE_API_KEY: 'key_env', SERVICE_BASE_URL: `${url}/env` } }).emails.list(),
}
const keyless: Scene = { run: ({ make, url }) => make(undefined, { baseUrl: url }).emails.list() }
const twice: Scene = { run: ({ client }) => client.emails.send(email).then(() => client.emails.send(email)) }
const iterate: Scene = {
  replies: [
    { status: 200, body: { data: [{ id: 'evt_1' }], next_after: 'evt_1' } },
    { status: 200, body: { data: [] } },
  ],
  run: async ({ client }) => {
    const ids = []
    for await (const { id } of client.events.iterate()) ids.push(id)
    return ids
  },
}

// The signature was made with openssl; the key is 32 zero bytes.
const delivery = {
  payload: '{"id":"evt_1"}',
  headers: {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1000',
    'webhook-signature': 'v1,Erolyh4KZ1P7aO1BEWXD+H4f62QPl7YtsaHPTwMk7fk=',
  },
  secret: `whsec_${'A'.repeat(43)}=`,
}
const verify = (now: Date, payload = delivery.payload): Scene => ({
  run: ({ client }) => client.webhooks.verify({ ...delivery, payload, now }),
})
const inTime = new Date(1_000_000)
const late = new Date(1_301_000)

/** Connections that send three events at once and are closed with `code`; returns the requested addresses. */
const stream = (code: number): Scene => ({
  run: async ({ make }) => {
    const urls: string[] = []
    const webSocket: WebSocketConstructor = class implements WebSocketLike {
      readonly #listeners = new Map<string, (event: never) => void>()
      constructor(url: string) {
        urls.push(url)
        const tell = (type: string, event: object) => this.#listeners.get(type)?.(event as never)
        setImmediate(() => {
          for (const id of ['evt_1', 'evt_2', 'evt_3']) tell('message', { data: JSON.stringify({ id }) })
          tell('close', { code })
        })
      }
      addEventListener(type: string, listener: (event: never) => void): void {
        this.#listeners.set(type, listener)
      }
      close(): void {}
    }
    const events = make('key_1', { baseUrl: 'http://127.0.0.1:1', webSocket, maxRetries: 1 }).events.stream()
    const ids: string[] = []
    try {
      for await (const { id } of events) if (ids.push(id) === 8) break
    } catch (error) {
      ids.push(JSON.stringify(error))
    }
    return { urls, ids }
  },
})
const brokenStream = stream(1006)

const post = (path: string) => ({ method: 'POST', path })

const deviations: readonly [string, Partial<ClientPolicy>, Scene][] = [
  ['the environment wins over the key', { apiKey: (given, env) => env['SERVICE_API_KEY'] ?? given }, fromEnvironment],
  [
    'has messages',
    { unshownPaths: { 'messages.reply': { ...post('/v1/messages/{id}/reply'), argument: 'body' } } },
    {
      run: async ({ client }) =>
        (client as unknown as Partial<UnshownMethods>)['messages']?.['reply']?.('msg_1', { text: 'Thank you' }),
    },
  ],
  [
    'the environment wins over the address',
    { baseUrl: (given, env) => env['SERVICE_BASE_URL'] ?? given ?? '' },
    fromEnvironment,
  ],
  ['another code without a key', { withoutKeyCode: 'no_key' }, keyless],
  ['a trailing /v1 is doubled', { root: (baseUrl) => baseUrl }, send],
  ['retries three times', { maxRetries: () => 3 }, { ...send, replies: [busy] }],
  ['maxRetries counts attempts', { attempts: (maxRetries) => maxRetries }, { ...send, replies: [busy] }],
  ['timeoutMs is ignored', { timeoutMs: () => 70 }, hung],
  ['timeoutMs is taken as seconds', { timeoutMs: (given) => (given ?? 60) / 10 }, hung],
  [
    'timeoutMs of a call is ignored',
    { callTimeoutMs: ({ ofClient }) => ofClient },
    { ...hung, run: ({ client }) => client.emails.send(email, { timeoutMs: 60 }) },
  ],
  [
    'cancels by DELETE',
    { operations: { ...operations, 'emails.cancel': { method: 'DELETE', path: '/v1/emails/{id}' } } },
    cancel,
  ],
  ['the key in the query', { credentials: (key = '') => ({ headers: {}, query: { api_key: key } }) }, send],
  ['the key without Bearer', { credentials: (key = '') => ({ headers: { authorization: key }, query: {} }) }, send],
  ['extra headers are dropped', { extraHeaders: () => ({}) }, { ...send, options: { headers: { 'x-team': 'a' } } }],
  [
    'extra headers on the first attempt only',
    { extraHeaders: (headers, { attempt }) => (attempt === 1 ? headers : {}) },
    { ...after(busy), options: { headers: { 'x-team': 'a' } } },
  ],
  ['a form for JSON', { contentType: 'application/x-www-form-urlencoded' }, send],
  ['ids as they are', { pathParameter: (value) => value }, cancel],
  ['the cursor is dropped', { query: (_operation, { cursor: _cursor, ...others }) => others }, list],
  ['a batch is wrapped', { body: (_operation, body) => (Array.isArray(body) ? { emails: body } : body) }, batch],
  ['batchValidation is dropped', { batchValidation: () => ({}) }, batch],
  ['scheduledAt is passed through', { scheduledAtAliases: [] }, schedule({ scheduledAt: '2030-01-01' })],
  ['a date as seconds', { dateObject: (date) => date.getTime() / 1_000 }, schedule({ scheduled_at: new Date(0) })],
  ['a date in words', { dateObject: String }, schedule({ scheduled_at: new Date(0) })],
  ['a phrase as it is', { phrase: (phrase) => phrase }, schedule({ scheduled_at: 'in 2 hours' })],
  ['429 is not retried', { retriedStatus: (status) => status >= 500 }, after({ status: 429 })],
  ['5xx is not retried', { retriedStatus: (status) => status === 429 }, after({ status: 500 })],
  [
    '503 alone is not retried',
    { retriedStatus: (status) => status === 429 || (status > 499 && status !== 503) },
    after(busy),
  ],
  ['400 is retried', { retriedStatus: (status) => status >= 400 }, after({ status: 400 })],
  ['a network failure is not retried', { retriedFailures: ['timeout'] }, after('reset')],
  ['a creation is retried like a send', { creatingOperations: [] }, create(500)],
  ['a creation is retried after 500', { retriedCreation: () => true }, create(500)],
  ['a creation is not retried after 429', { retriedCreation: () => false }, create(429)],
  ['waits of a tenth', { backoffBaseMs: 50 }, after(busy)],
  ['constant waits', { backoffFactor: 1 }, after(busy, busy)],
  ['no wait above a second', { backoffCapMs: 600 }, after(busy, busy)],
  ['no jitter', { jitter: 0 }, after(busy)],
  ['Retry-After is ignored', { askedWaitMs: () => undefined }, asked('7')],
  ['Retry-After is read as milliseconds', { askedWaitMs: (header) => Number(header) }, asked('7')],
  [
    'Retry-After is read as a number only',
    { askedWaitMs: (header) => (/^\d+$/.test(header ?? '') ? Number(header) * 1_000 : undefined) },
    asked('Tue, 01 Jan 2030 00:00:30 GMT'),
  ],
  ['Retry-After is cut', { waitMs: ({ askedMs, backoffMs }) => Math.min(askedMs ?? backoffMs, 5_000) }, asked('7')],
  ['no key on a batch', { keyedOperations: ['emails.send'] }, batch],
  ['the key under another name', { keyHeader: 'x-idempotency-key' }, send],
  ['a new key for each attempt', { key: ({ newKey }) => newKey() }, after(busy)],
  ['one key for all calls', { key: () => 'one' }, twice],
  [
    'the key of the caller is ignored',
    { key: ({ isAutomatic, ofCall }) => (isAutomatic ? ofCall : undefined) },
    { run: ({ client }) => client.emails.send(email, { idempotencyKey: 'mine' }) },
  ],
  ['202 is an error', { isSuccess: (status) => status === 200 }, { ...send, replies: [{ status: 202, body: {} }] }],
  ['JSON in camel case', { value: (json) => JSON.parse(JSON.stringify(json).replace(/_f/g, 'F')) as unknown }, send],
  ['another code for it', { malformedAnswerCode: 'x' }, { ...send, replies: [{ status: 200, body: '<' }] }],
  [
    'nested errors are not read',
    { errorFields: (body) => body as { code?: string } },
    refused({ error: { code: 'c', message: 'm', fix: 'f' } }),
  ],
  [
    'no code where the body has none',
    { fallbackFields: () => ({ code: '', message: '', fix: '' }) },
    refused('<html>'),
  ],
  ['no fix', { error: (fields) => ({ ...fields, fix: '' }) }, refused({ code: 'c', message: 'm', fix: 'f' })],
  [
    'errors are dropped',
    { error: ({ errors: _errors, ...fields }) => fields },
    refused({ code: 'invalid_batch', message: 'm', fix: 'f', errors: [1] }),
  ],
  ['retryAfter is missing', { retryAfterSeconds: () => undefined }, { ...asked('7'), options: { maxRetries: 0 } }],
  ['one page only', { nextAfter: () => undefined }, iterate],
  ['the stream gives the key another name', { streamCredentials: (key) => ({ api_key: key }) }, brokenStream],
  ['a queue of two events', { streamQueueLimit: 2 }, brokenStream],
  ['a refused stream is tried again', { finalCloseCodes: [] }, stream(1008)],
  ['deliveries of an hour ago', { toleranceSeconds: 3_600 }, verify(late)],
  ['the signature is not checked', { verifySignature: () => Promise.resolve() }, verify(inTime, '{}')],
  ['the text instead of the event', { verifiedEvent: String }, verify(inTime)],
  ['another error class', { refusal: ({ message }) => new Error(message) }, verify(late)],
]

test.each(deviations)('%s', async (_title, policy, scene) => {
  expect(Object.keys(policy)).toHaveLength(1)
  expect(await observe(scene, policy)).not.toEqual(await observe(scene, {}))
})

test('the same scene gives the same observations each time', async () => {
  for (const scene of new Set(deviations.map((deviation) => deviation[2]))) {
    expect(await observe(scene, {})).toEqual(await observe(scene, {}))
  }
})

test('every entry has a deviation', () => {
  const replaced = new Set(deviations.flatMap(([, policy]) => Object.keys(policy)))
  expect([...replaced].toSorted()).toEqual(Object.keys(defaultClientPolicy).toSorted())
})
