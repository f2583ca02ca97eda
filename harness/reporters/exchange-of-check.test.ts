import { describe, expect, it } from 'vitest'
import type { ExchangeRecord, Mismatch } from '../result.js'
import { exchangeOfCheck, placesOf } from './exchange-of-check.js'
import { shortenedAround } from './text.js'

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

  it('is the one in which the other side sent the most values of a failed list', () => {
    expect(shownFor({ got: '["whk_123456"]' })).toBe(created)
    expect(shownFor({ got: '["whk_123456","sink.example"]' })).toBe(created)
    expect(shownFor({ got: '["2026-11-29T13:53:06Z","another one"]' })).toBe(delivered)
  })

  it('is only the last one where nothing connects it with the check', () => {
    const isOnlyLast = (check: Partial<Mismatch>) =>
      exchangeOfCheck(
        { kind: 'compared', what: 'count', expected: '1', got: '2', found_at: at(4), ...check },
        { exchanges },
      )?.isOnlyLast
    expect(isOnlyLast({})).toBe(true)
    expect(isOnlyLast({ exchange_at: at(3) })).toBe(false)
    expect(isOnlyLast({ what: 'GET /v1/events: status' })).toBe(false)
  })

  it('is the one of its time, or the last before the check, where the value shows nothing', () => {
    // Our own request contains it.
    expect(shownFor({ got: '"sink.example"' })).toBe(polled)
    expect(shownFor({ got: '{"data":[]}' })).toBe(polled)
    expect(shownFor({ got: '"y"', exchange_at: at(2) })).toBe(delivered)
    expect(shownFor({ got: '"y"', found_at: at(2) })).toBe(delivered)
  })
})

describe('the shown part of a long answer', () => {
  const long = `{"id":"whk_123456","list":["${'x'.repeat(300)}"],"status":"failed","attempt":7}`

  it('contains the failed value, or the field that the check names', () => {
    const places = placesOf({ what: 'status of the delivery', got: '"failed"' })
    expect(shortenedAround(long, 100, places)).toMatch(/^\{"id":"whk_123456".*… .*"status":"failed"/)
    expect(shortenedAround(long, 100, placesOf({ what: 'id', got: '"whk_123456"' }))).toBe(`${long.slice(0, 100)}…`)
  })

  it('is the beginning where neither occurs, and the whole where it fits', () => {
    expect(shortenedAround(long, 100, placesOf({ what: 'number of requests', got: '3' }))).toBe(
      `${long.slice(0, 100)}…`,
    )
    expect(shortenedAround(long, 1_000, ['failed'])).toBe(long)
  })
})
