import { describe, expect, it } from 'vitest'
import type { MutantResult } from './judge.js'
import { furtherViolations, killedAlone, linesOfWhole } from './whole-run-figures.js'

function result(
  id: string,
  killedBy: readonly string[],
  alsoViolates: MutantResult['alsoViolates'] = [],
): MutantResult {
  const verdict = killedBy.length > 0 ? 'killed' : 'survived'
  return { id, kind: 'service', title: id, breaks: ['DLV-001'], verdict, killedBy, alsoViolates, durationMs: 1 }
}

const results = [
  result('server/a', ['service/x/one']),
  result('server/b', ['service/x/one', 'service/x/two'], ['DLV-002', 'DLV-003']),
  result('server/c', [], ['DLV-002']),
]

describe('a whole selftest', () => {
  it('names the mutants that one case alone kills', () => {
    expect(killedAlone(results)).toEqual([{ mutant: 'server/a', case: 'service/x/one' }])
  })

  it('counts the requirements that mutants violate in addition to their own', () => {
    expect(furtherViolations(results)).toEqual({ median: 1, p95: 2, worst: 2, mutant: 'server/b' })
    expect(furtherViolations([])).toBeUndefined()
  })

  it('prints both in lines', () => {
    expect(linesOfWhole(results)).toEqual([
      'ALONE  server/a  by service/x/one',
      '1 mutants killed by one case alone',
      'other requirements violated: 1 at the median, 2 at the 95th percentile, 2 at worst (server/b)',
    ])
  })
})
