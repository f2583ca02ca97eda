// Unregistered secrets, in every place where a target may show one.
import { expect, test } from 'vitest'
import { bearsCredential, hideCredentials, isCredentialHeader } from './credentials.js'
import { Recorder } from './observe/recorder.js'
import { Secrets } from './secrets.js'
import { formed, namedPlaces, plainPlaces, planted, type PlantedMessage } from './testing/planted-secrets.js'

test('forty secrets and twenty places', () => {
  expect(new Set(planted).size).toBe(40)
  expect(Object.keys({ ...namedPlaces, ...plainPlaces })).toHaveLength(20)
})

const url = 'https://a.example/v1/webhooks'

function reported({ headers = {}, body = '' }: PlantedMessage): string {
  const message = { headers, body }
  const exchange = { request: { method: 'GET', url, ...message }, response: { status: 200, ...message } }
  return JSON.stringify(new Secrets().redactExchanges([exchange as never]))
}

function recorded({ headers = {}, body = '' }: PlantedMessage): string {
  const message = { headers: Object.entries(headers), body: Buffer.from(body) }
  const raw = { startedAt: 0, endedAt: 1, method: 'POST', url: new URL(url), prefix: '' }
  const exchange = new Recorder().exchange({ ...raw, request: message, response: { status: 200, ...message } })
  const delivery = new Recorder().delivery({ ...raw, request: message, response: { status: 200, ...message } })
  return JSON.stringify([exchange, delivery, new Recorder().frame('s', 0, Buffer.from(body), true)])
}

const places = [
  ...Object.entries(namedPlaces).map(([name, put]) => [name, put, planted] as const),
  ...Object.entries(plainPlaces).map(([name, put]) => [name, put, formed] as const),
]

test.each(places)('no secret is kept in %s', (_, put, secrets) => {
  for (const secret of secrets) {
    const bare = secret.replace(/^whsec_/, '')
    expect(reported(put(secret)), `report: ${secret}`).not.toContain(bare)
    expect(recorded(put(secret)), `capture: ${secret}`).not.toContain(bare)
  }
})

test('ids, cursors, signatures, urls and words stay', () => {
  const texts = [
    '{"id":"evt_01J9ZQ8Y6T7K5M3N2P1R0S9V8W","next_token":"b2Zmc2V0OjEwMDAwMDAwMDAwMA"}',
    '{"next_page_token":"b2Zmc2V0OjEwMDAwMDAwMDAwMA","key":"short"}',
    '{"idempotency_key":"5f0f6a0e-7a1c-4a51-9d3c-0a1b2c3d4e5f"}',
    'https://example.com/v1/events?after=evt_01J9ZQ8Y6T7K5M3N2P1R0S9V8W&limit=100',
    'token: expected a string, got "nothing of the kind at all"',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    'send to user@example.com and https://example.com/@user',
  ]
  for (const text of texts) expect(hideCredentials(text, { key: () => '', value: () => '' })).toBe(text)
  expect(isCredentialHeader('idempotency-key')).toBe(false)
  expect(isCredentialHeader('webhook-signature')).toBe(false)
})

test.each([
  ['https://a.example/hook?token=hunter2', true],
  ['https://a.example/hook?x=1&api_key=k1', true],
  ['https://a.example/hook?sig=abc#part', true],
  ['https://a.example/hook?any=sk_live_0123456789abcdef', true],
  ['https://a.example/whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
  ['https://a.example/services/T0000/aB3dE5fG7hI9jK1lM3nO5pQ7', true],
  ['https://a.example/hook?token=${HOOK_TOKEN}', false],
  ['https://a.example/hook?token=', false],
  ['https://a.example/hook?page_token=b2Zmc2V0OjEwMDAwMDAwMDAwMA&limit=1', false],
  ['https://a.example/hooks/evt_01J9ZQ8Y6T7K5M3N2P1R0S9V8W', false],
  ['https://hooks.a.example/v1/webhook-deliveries-of-the-staging-environment', false],
])('the credential in %s', (text, isThere) => {
  expect(bearsCredential(text)).toBe(isThere)
})
