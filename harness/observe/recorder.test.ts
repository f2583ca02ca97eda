import { expect, test } from 'vitest'
import { Recorder, type RawExchange } from './recorder.js'

const key = 'key_of_the_org_01'

/** A request with a credential, and an answer that repeats it. */
function exchangeOf(credential: string, status: number): RawExchange {
  return {
    startedAt: 0,
    endedAt: 1,
    method: 'GET',
    url: new URL('http://127.0.0.1/v1/events'),
    prefix: '',
    request: { headers: [['authorization', `Bearer ${credential}`]] },
    response: { status, headers: [], body: Buffer.from(JSON.stringify({ echo: credential })) },
  }
}

test.each(['ibx_of_somebody', 'org_of_somebody', 'whk_1234567890', 'somebody@in.example', 'in.example.com'])(
  'a value that cannot be a key hides nothing where it is sent as one: %s',
  (id) => {
    const recorder = new Recorder()
    recorder.exchange(exchangeOf(id, 401))
    expect(recorder.frame('s', 0, Buffer.from(`{"data":{"inbox_id":"${id}"}}`), true).body).toContain(id)
  },
)

test.each([
  ['org_of_somebody', 'org_of_somebody_else'],
  ['ibx_0123456789', 'ibx_01234567890'],
  ['evt_01h2xcejqtf2', 'evt_01h2xcejqtf2nbrexx3vqjhp41'],
  ['key.of.somebody', 'another.key.of.somebodyelse'],
  ['somebody@in.example', 'somebody@in.examples'],
])('a key that looks like an id, %s, is hidden everywhere once it was accepted; ids like it are not', (own, other) => {
  const recorder = new Recorder()
  const echo = JSON.stringify({
    error: `no access for ${own}`,
    next: `/v1/events?key=${encodeURIComponent(own)}`,
    id: other,
  })
  const answer = recorder.exchange({
    ...exchangeOf(own, 200),
    response: { status: 200, headers: [['x-key', own]], body: Buffer.from(echo) },
  })
  const kept = [JSON.stringify(answer), recorder.frame('s', 0, Buffer.from(echo), true).body ?? '']
  for (const text of kept) {
    const left = text.replaceAll(other, '')
    expect(left).not.toContain(own)
    expect(left).not.toContain(encodeURIComponent(own))
    expect(text).toContain(other)
  }
  expect(
    recorder.exchange({ ...exchangeOf(other, 404), url: new URL(`http://127.0.0.1/v1/webhooks/${other}`) }).path,
  ).toContain(other)
})

test('an id in the request for a stream, which the service may have refused after the upgrade, hides nothing elsewhere', () => {
  const recorder = new Recorder()
  const url = new URL('http://127.0.0.1/v1/events/ws?token=ibx_of_somebody')
  recorder.stream('refused', { startedAt: 0, url, prefix: '', request: { headers: [] } })
  const frame = Buffer.from('{"data":{"inbox_id":"ibx_of_somebody"}}')
  expect(recorder.frame('another', 0, frame, true).body).toContain('ibx_of_somebody')
})

test('a key that looks like an id is hidden on the stream that it opened', () => {
  const recorder = new Recorder()
  const url = new URL('http://127.0.0.1/v1/events/ws?token=org_of_somebody')
  recorder.stream('s', { startedAt: 0, url, prefix: '', request: { headers: [] } })
  expect(recorder.frame('s', 0, Buffer.from('{"hello":"org_of_somebody"}'), true).body).not.toContain('org_of')
})

test.each([
  [key, 200],
  [key, 401],
  [key, 403],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvcmcifQ.dBjftJeZ4CVPmB92K27uhbUJU1p1r9wW1gFWFOEjXk0', 200],
  ['sk.live.0123456789ab', 200],
  ['p@ssword of the org', 200],
])('a key is hidden everywhere, after any answer: %s, %i', (credential, status) => {
  const recorder = new Recorder()
  expect(JSON.stringify(recorder.exchange(exchangeOf(credential, status)))).not.toContain(credential)
  expect(recorder.frame('s', 0, Buffer.from(credential), true).body).not.toContain(credential)
})

test.each(['whsec_abc hunter2', 'whsec_MDEyMzQ1Njc4OWFiY2RlZg== hunter2', 'hunter2 whsec_abc', '[hunter2'])(
  'an unusable secret is hidden as a whole: %s',
  (secret) => {
    const body = Buffer.from(JSON.stringify({ id: 'whk_1', secret }))
    const answer = new Recorder().exchange({ ...exchangeOf(key, 201), response: { status: 201, headers: [], body } })
    expect(JSON.stringify(answer)).not.toContain('hunter2')
    expect(JSON.stringify(answer)).toContain('malformed-secret:')
  },
)

test('passwords of urls, and keys by the name of their field or header or by their form, are hidden', () => {
  const planted = [
    'hunter2hunter2',
    'key-in-a-field-1',
    'key-in-a-header-1',
    'sk_live_0123456789abcdef',
    'pass-word-12345',
  ]
  const body = {
    url: `https://user:${planted[0]}@hooks.example/`,
    key: planted[1],
    note: `use ${planted[3]} for it`,
    client_secret: planted[4],
    next_token: 'cursor_42',
  }
  const recorded = JSON.stringify(
    new Recorder().exchange({
      ...exchangeOf(key, 200),
      request: { headers: [['idempotency-key', 'kept-as-it-is']], body: Buffer.from(JSON.stringify(body)) },
      response: { status: 200, headers: [['x-new-key', planted[2] ?? '']], body: Buffer.from(JSON.stringify(body)) },
    }),
  )
  for (const secret of planted) expect(recorded).not.toContain(secret)
  for (const plain of ['kept-as-it-is', 'cursor_42', 'hooks.example']) expect(recorded).toContain(plain)
})
