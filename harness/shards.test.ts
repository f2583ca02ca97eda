import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOfShard } from './shards.js'

const cases = Array.from({ length: 310 }, (_, index) => ({ id: `service/suite/case-${index}` }))
const shardsOf = (count: number, durations?: ReadonlyMap<string, number>) =>
  Array.from({ length: count }, (_, index) =>
    casesOfShard(cases, { index: index + 1, count, ...(durations === undefined ? {} : { durations }) }),
  )

describe('shards', () => {
  it('have as many cases as each other where nothing is known of them', () => {
    expect(shardsOf(4).map(({ length }) => length)).toEqual([78, 78, 77, 77])
  })

  it('are the whole, each case once and in order, with any known durations', () => {
    const known = fc.dictionary(fc.constantFrom(...cases.map(({ id }) => id)), fc.nat({ max: 60_000 }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), known, (count, durations) => {
        const shards = shardsOf(count, new Map(Object.entries(durations)))
        const places = shards.map((shard) => shard.map((testCase) => cases.indexOf(testCase)))
        for (const shard of places) expect(shard).toEqual(shard.toSorted((a, b) => a - b))
        expect(places.flat().toSorted((a, b) => a - b)).toEqual(cases.map((_, place) => place))
      }),
      { numRuns: 30 },
    )
  })

  it('take at most a fifth longer than the mean, as far as no single case does', () => {
    const duration = fc.integer({ min: 0, max: 2_000 })
    fc.assert(
      fc.property(fc.array(duration, { minLength: 310, maxLength: 310 }), (reported) => {
        const durations = new Map(cases.map(({ id }, index) => [id, reported[index] ?? 0]))
        const sums = shardsOf(8, durations).map((shard) =>
          shard.reduce((sum, { id }) => sum + 1 + (durations.get(id) ?? 0), 0),
        )
        const mean = sums.reduce((a, b) => a + b) / sums.length
        expect(Math.max(...sums)).toBeLessThanOrEqual(Math.max(1.2 * mean, mean + 2_001))
      }),
      { numRuns: 30 },
    )
  })
})
