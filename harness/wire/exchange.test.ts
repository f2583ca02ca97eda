import { expect, test } from 'vitest'
import { Secrets } from '../secrets.js'
import { Exchange, recordOf } from './exchange.js'

const key = 'sk_live_Zq7Wv3xK9mTb2LrYc8'

function answered(body: string): Exchange {
  return new Exchange({
    kind: 'api',
    request: { method: 'GET', url: 'http://127.0.0.1/v1/events', headers: {} },
    response: { status: 500, headers: {}, body: Buffer.from(body) },
    startedAt: 0,
    durationMs: 1,
  })
}

test.each([100, 150, 1_000, 1_010, 4_085])(
  'a secret that begins at byte %i is found wherever the body is cut',
  (at) => {
    const secrets = new Secrets()
    secrets.add(key)
    for (const space of [' ', 'x']) {
      const exchange = answered(`${space.repeat(at)}${key} and more`)
      const { response } = recordOf(exchange)
      for (const text of [exchange.excerpt, response?.body ?? ''])
        expect(secrets.redact(text)).not.toMatch(/sk_l|Zq7W|LrYc/)
    }
  },
)

test('an excerpt of a body that was read in part is marked as such', () => {
  expect(answered(`${' '.repeat(1_020)}abcdef`).excerpt).toBe('abcd…')
  expect(answered(' abcdef ').excerpt).toBe('abcdef')
})
