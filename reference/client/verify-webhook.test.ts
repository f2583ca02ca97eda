import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { EmailClient, ServiceError, verifyWebhook, WebhookVerificationError, type WebhookDelivery } from './index.js'

// The signature is computed with node:crypto here, with Web Crypto there.
const key = Buffer.from('0123456789abcdef0123456789abcdef')
const secret = `whsec_${key.toString('base64')}`
const payload =
  '{"id":"evt_1","type":"message.received","timestamp":"2030-01-01T00:00:00.000Z","data":{"subject":"Grüße \u{1f600}"}}'
const signedAt = 1_893_456_000

function signature(body: string, { id = 'evt_1', at = String(signedAt) } = {}): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

const headers = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(signedAt),
  'webhook-signature': signature(payload),
}

function delivery(change: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return { payload, headers, secret, now: new Date(signedAt * 1_000), ...change }
}

test.each<[string, Partial<WebhookDelivery>]>([
  ['text', {}],
  ['bytes', { payload: new TextEncoder().encode(payload) }],
  ['a view of a larger buffer', { payload: Buffer.from(`..${payload}`).subarray(2) }],
  ['Headers', { headers: new Headers(headers) }],
  [
    'names in another case',
    { headers: Object.fromEntries(Object.entries(headers).map(([n, v]) => [n.toUpperCase(), v])) },
  ],
  ['values as lists', { headers: Object.fromEntries(Object.entries(headers).map(([n, v]) => [n, [v]])) }],
  [
    'further entries',
    { headers: { ...headers, 'webhook-signature': `v1a,xx v1,AAAA ${headers['webhook-signature']}` } },
  ],
  ['300 seconds later', { now: new Date((signedAt + 300) * 1_000) }],
  ['300 seconds before', { now: new Date((signedAt - 300) * 1_000) }],
])('a signed delivery is accepted, and its event returned: %s', async (_what, change) => {
  expect(await verifyWebhook(delivery(change))).toEqual(JSON.parse(payload))
})

const noJson = 'no json'
/** Begins with a byte order mark, which JSON does not allow. */
const marked = `\u{feff}${payload}`
test.each<[string, Partial<WebhookDelivery>]>([
  ['too_old', { now: new Date((signedAt + 301) * 1_000) }],
  ['too_new', { now: new Date((signedAt - 301) * 1_000) }],
  ['no_matching_signature', { payload: JSON.stringify(JSON.parse(payload), undefined, 1) }],
  ['no_matching_signature', { secret: `whsec_${Buffer.from('another').toString('base64')}` }],
  ['no_matching_signature', { headers: { ...headers, 'webhook-id': 'evt_2' } }],
  ['malformed_signature', { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(3) } }],
  [
    'malformed_signature',
    { headers: { ...headers, 'webhook-signature': `v2${headers['webhook-signature'].slice(2)}` } },
  ],
  ['missing_header', { headers: { ...headers, 'webhook-id': undefined } }],
  ['missing_header', { headers: {} }],
  ['malformed_timestamp', { headers: { ...headers, 'webhook-timestamp': 'soon' } }],
  ['bad_secret', { secret: 'whsec_!' }],
  ['malformed_payload', { payload: noJson, headers: { ...headers, 'webhook-signature': signature(noJson) } }],
  ['malformed_payload', { payload: marked, headers: { ...headers, 'webhook-signature': signature(marked) } }],
  [
    'malformed_payload',
    { payload: new TextEncoder().encode(marked), headers: { ...headers, 'webhook-signature': signature(marked) } },
  ],
])('%s is refused', async (code, change) => {
  const error: unknown = await verifyWebhook(delivery(change)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WebhookVerificationError)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ status: 0, code, name: 'WebhookVerificationError' })
  expect(JSON.stringify(error)).not.toContain(secret)
})

// Which word the verifier has for each of these is its own affair.
test.each<[string, Partial<WebhookDelivery>]>([
  ['headers', { headers: undefined as never }],
  ['payload', { payload: undefined as never }],
  ['payload', { payload: JSON.parse(payload) as never }],
  ['secret', { secret: undefined as never }],
  ['secret', { secret: [] }],
  ['now', { now: new Date(Number.NaN) }],
])('an unusable %s is a refusal, never an event', async (_what, change) => {
  await expect(verifyWebhook(delivery(change))).rejects.toBeInstanceOf(WebhookVerificationError)
})

test('a missing delivery is refused', async () => {
  const error: unknown = await verifyWebhook(undefined as never).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WebhookVerificationError)
  expect(error).toMatchObject({ status: 0, code: 'invalid_argument' })
})

test('without now the clock decides', async () => {
  const at = String(Math.floor(Date.now() / 1_000))
  const fresh = { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': signature(payload, { at }) }
  expect(await verifyWebhook({ payload, headers: fresh, secret })).toMatchObject({ id: 'evt_1' })
  await expect(verifyWebhook({ payload, headers, secret })).rejects.toBeInstanceOf(WebhookVerificationError)
})

test('webhooks.verify is the same function', () => {
  const client = new EmailClient('key_1', { env: {} })
  expect(client.webhooks.verify).toBe(client.verifyWebhook)
})
