import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SeenIds } from './seen-ids.js'

it('recognizes an id again, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 60 }), (ids) => {
      const [seen, known] = [new SeenIds(), new Set<number>()]
      for (const id of ids) {
        expect(seen.add(id)).toBe(!known.has(id))
        known.add(id)
      }
    }),
    { seed: 7, numRuns: 2_000 },
  )
})
