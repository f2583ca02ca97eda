import { describe, expect, it } from 'vitest'
import type { ExchangeRecord, Mismatch } from '../result.js'
import { exchangeOfCheck } from './exchange-of-check.js'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const headers = {}

const created: ExchangeRecord = {
  direction: 'sent',
  kind: 'api',
  request: { method: 'POST', url: 'http://127.0.0.1/v1/webhooks', headers, body: '{"url":"https://sink.example/"}' },
  response: { status: 201, headers, body: '{"id":"whk_123456"}' },
  started_at: at(1),
  duration_ms: 10,
}
const delivered: ExchangeRecord = {
  direction: 'received',
  kind: 'delivery',
  request: { method: 'POST', url: 'https://sink.example/', headers, body: '{"timestamp":"2026-11-29T13:53:06Z"}' },
  response: { status: 200, headers, body: '' },
  started_at: at(2),
  duration_ms: 10,
}
const polled: ExchangeRecord = {
  direction: 'sent',
  kind: 'api',
  request: { method: 'GET', url: 'http://127.0.0.1/v1/events', headers },
  response: { status: 200, headers, body: '{"data":[]}' },
  started_at: at(3),
  duration_ms: 10,
}
const exchanges = [created, delivered, polled]

function shownFor(check: Partial<Mismatch>): ExchangeRecord | undefined {
  const whole = { kind: 'compared', what: 'timestamp', expected: 'x', got: '"y"', found_at: at(4), ...check } as const
  return exchangeOfCheck(whole, { exchanges })?.exchange
}

describe('the exchange of a failed check', () => {
  it('is the one that the check names', () => {
    expect(shownFor({ what: 'POST /v1/webhooks: id', got: '"2026-11-29T13:53:06Z"' })).toBe(created)
  })

  it('is the one in which the other side sent the failed value', () => {
    expect(shownFor({ got: '"2026-11-29T13:53:06Z"' })).toBe(delivered)
    expect(shownFor({ got: '"2026-11-29T13:53:06Z"', exchange_at: at(3) })).toBe(delivered)
    expect(shownFor({ got: '"whk_123456"' })).toBe(created)
  })

  it('is the one of its time, or the last before the check, where the value shows nothing', () => {
    // Our own request contains it.
    expect(shownFor({ got: '"sink.example"' })).toBe(polled)
    expect(shownFor({ got: '{"data":[]}' })).toBe(polled)
    expect(shownFor({ got: '"y"', exchange_at: at(2) })).toBe(delivered)
    expect(shownFor({ got: '"y"', found_at: at(2) })).toBe(delivered)
  })
})
