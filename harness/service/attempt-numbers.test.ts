import { describe, expect, it } from 'vitest'
import { Attempt } from '../sink/attempt.js'
import { AttemptNumbers } from './attempt-numbers.js'
import { deliveryOf } from './answer-readers.js'

const nowMs = Date.parse('2026-01-01T00:00:00Z')
const now = { earliest: nowMs, latest: nowMs }
const ahead = new Date(nowMs + 5_000).toISOString()

function arrived(id: string, status: number): Attempt {
  const rawHeaders = ['webhook-id', id]
  const record = { method: 'POST', path: '/', rawHeaders, bodyBase64: '', arrivedAt: nowMs }
  return Attempt.received(record, { answer: { kind: 'status', status }, send: () => {} })
}

const waiting = { id: 'd', status: 'pending', attempt: 2, response_code: 500, next_attempt_at: ahead }
const first = [arrived('evt_1', 500)]
const attemptsOf = (numbers: AttemptNumbers, ...items: readonly object[]) =>
  numbers.made(items.map(deliveryOf), first, now).map(({ attempt }) => attempt)

describe('the attempts of a pending delivery', () => {
  it('are one fewer than reported where the target reports the next, once that is learnt', () => {
    const numbers = new AttemptNumbers()
    expect(attemptsOf(numbers, waiting)).toEqual([1])
    expect(attemptsOf(numbers, { ...waiting, attempt: 4 }, { ...waiting, status: 'failed', attempt: 7 })).toEqual([
      3, 7,
    ])
  })

  it('are as reported where the target reported those that were made, whatever it reports later', () => {
    const numbers = new AttemptNumbers()
    expect(attemptsOf(numbers, { ...waiting, attempt: 1 })).toEqual([1])
    expect(attemptsOf(numbers, waiting)).toEqual([2])
  })

  it('are learnt from several deliveries, of which each attempt is one that arrived', () => {
    const numbers = new AttemptNumbers()
    const arrivedAll = [...first, arrived('evt_2', 500), arrived('evt_2', 500), arrived('evt_3', 200)]
    const done = { ...waiting, status: 'succeeded', attempt: 1, response_code: 200, next_attempt_at: null }
    const reported = numbers.made(
      [waiting, { ...waiting, attempt: 3, next_attempt_at: new Date(nowMs + 300_000).toISOString() }, done].map(
        deliveryOf,
      ),
      arrivedAll,
      now,
    )
    expect(reported.map(({ attempt }) => attempt)).toEqual([1, 2, 1])
  })

  it.each([
    ['its next attempt may be under way', { ...waiting, next_attempt_at: new Date(nowMs + 1_000).toISOString() }],
    ['no next attempt is reported', { ...waiting, next_attempt_at: null }],
    ['an attempt reached no endpoint', { ...waiting, next_attempt_at: new Date(nowMs + 300_000).toISOString() }],
    ['it is neither', { ...waiting, attempt: 3 }],
  ])('are learnt from no delivery of which %s', (_, item) => {
    const numbers = new AttemptNumbers()
    expect(attemptsOf(numbers, item)).toEqual([item.attempt])
    expect(attemptsOf(numbers, waiting)).toEqual([1])
  })

  it('are not learnt where a delivery is missing from the list', () => {
    const numbers = new AttemptNumbers()
    const [reported] = numbers.made([deliveryOf(waiting)], [...first, arrived('evt_2', 500)], now)
    expect(reported?.attempt).toBe(2)
    expect(attemptsOf(numbers, waiting)).toEqual([1])
  })
})
