import { expect, test } from 'vitest'
import { callEnd, Patience } from './patience.js'

test('a call is ended by its signal, its time-out, or a short one of a client that does not retry', () => {
  expect(callEnd({ timeout_ms: 40_000 }, { abort_after_ms: 400 })).toEqual({ by: 'signal', afterMs: 400 })
  expect(callEnd({ timeout_ms: 40_000 }, { timeout_ms: 400 })).toEqual({ by: 'time-out', afterMs: 400 })
  expect(callEnd({ timeout_ms: 2_000, max_retries: 0 }, {})).toEqual({ by: 'time-out', afterMs: 2_000 })
  expect(callEnd({ timeout_ms: 2_000 }, {})).toBeUndefined()
  expect(callEnd({ timeout_ms: 40_000, max_retries: 0 }, {})).toBeUndefined()
  expect(callEnd({}, {})).toBeUndefined()
})

test('half a minute is waited for the first calls that an option does not end, and less for those after them', () => {
  const patience = new Patience()
  const end = { by: 'time-out', afterMs: 400 } as const
  const limits = Array.from({ length: 10 }, () => {
    const limitMs = patience.limitMs(end)
    patience.missed(end)
    return limitMs
  })
  expect(limits.slice(0, 3)).toEqual([31_400, 31_400, 8_400])
  expect(limits.slice(7)).toEqual([8_400, 3_400, 3_400])
  expect(patience.limitMs({ by: 'signal', afterMs: 400 })).toBe(31_400)
})

test('a call that nothing but its answer ends is waited for in less time once many of them were left open', () => {
  const patience = new Patience()
  const limits = Array.from({ length: 12 }, () => {
    const limitMs = patience.openLimitMs
    patience.leftOpen()
    return limitMs
  })
  expect([limits[0], limits[3], limits[4], limits[9], limits[10]]).toEqual([45_000, 45_000, 20_000, 20_000, 10_000])
})
