import { expect, test } from 'vitest'
import type { CaseResult } from './result.js'
import { requirementResults, verdictOf } from './verdict.js'

const failed: CaseResult = {
  id: 'service/a/b',
  suite: 'service/a',
  title: 'a',
  level: 'must',
  requirements: ['WHK-001'],
  status: 'failed',
  known_failure: false,
  duration_ms: 0,
  violates: ['WHK-001'],
}

/** The verdict, and what became of WHK-001. */
function judged(results: readonly CaseResult[]): [string, string | undefined] {
  const catalogue = results.map(({ id, level }) => ({
    id: id as 'service/a/b',
    level,
    requirements: ['WHK-001'] as const,
  }))
  const all = { kind: 'service' as const, catalogue, results }
  const requirements = requirementResults(all)
  return [verdictOf(all, requirements), requirements.find(({ id }) => id === 'WHK-001')?.status]
}

test('a case of what must be violates its requirement', () => {
  expect(judged([failed])).toEqual(['nonconformant', 'violated'])
})

test('a case of what should be violates no requirement that must be kept', () => {
  const advice: CaseResult = { ...failed, id: 'service/a/c', level: 'should' }
  const passed: CaseResult = { ...failed, status: 'passed', violates: [] }
  expect(judged([passed, advice])).toEqual(['partial', 'verified'])
})
