import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Stalls } from './stalls.js'

test('the longest stall since a moment equals the one in a list of all of them', () => {
  const lengths = fc.array(fc.integer({ min: 100, max: 5_000 }), { maxLength: 50 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 60 }), (all, since) => {
      const stalls = new Stalls()
      for (const [endedAt, ms] of all.entries()) stalls.add({ endedAt, ms })
      expect(stalls.longestSince(since)).toBe(Math.max(0, ...all.slice(since)))
    }),
  )
})

test('few are kept of a run in which each second has its stall', () => {
  const stalls = new Stalls()
  for (let second = 0; second < 100_000; second++) stalls.add({ endedAt: second, ms: 100 + ((second * 7919) % 997) })
  expect(stalls.count).toBeLessThan(50)
})
