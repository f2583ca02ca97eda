import { expect, test } from 'vitest'
import { Recorder, type RawExchange } from './recorder.js'

const key = 'key_of_the_org_01'

/** A question with a credential, and an answer that says it back. */
function asked(credential: string, status: number): RawExchange {
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
  'what is no key hides nothing where it is sent as one: %s',
  (id) => {
    const recorder = new Recorder()
    recorder.exchange(asked(id, 401))
    expect(recorder.frame('s', 0, Buffer.from(`{"data":{"inbox_id":"${id}"}}`), true).body).toContain(id)
  },
)

test.each([
  [key, 200],
  [key, 401],
  [key, 403],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvcmcifQ.dBjftJeZ4CVPmB92K27uhbUJU1p1r9wW1gFWFOEjXk0', 200],
  ['sk.live.0123456789ab', 200],
  ['p@ssword of the org', 200],
])('a key is hidden wherever it stands, whatever was answered: %s, %i', (credential, status) => {
  const recorder = new Recorder()
  expect(JSON.stringify(recorder.exchange(asked(credential, status)))).not.toContain(credential)
  expect(recorder.frame('s', 0, Buffer.from(credential), true).body).not.toContain(credential)
})
