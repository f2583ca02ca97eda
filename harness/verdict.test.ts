import { describe, expect, test } from 'vitest'
import type { CaseResult } from './result.js'
import { requirementResults, summarize, verdictOf } from './verdict.js'

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

describe('a requirement whose deeper cases did not run', () => {
  const shallow: CaseResult = { ...failed, status: 'passed', violates: [] }
  const skipped: CaseResult = { ...shallow, id: 'service/a/deep', status: 'skipped', reason: 'needs a clock' }
  const of = (results: readonly CaseResult[], decides: readonly 'WHK-001'[]) => {
    const catalogue = results.map(({ id, level }) => ({
      id: id as 'service/a/b',
      level,
      requirements: ['WHK-001'] as const,
      ...(id === shallow.id ? { decides } : {}),
    }))
    const all = { kind: 'service' as const, catalogue, results }
    const requirements = requirementResults(all)
    const found = requirements.find(({ id }) => id === 'WHK-001')
    return [found?.status, found?.not_run, summarize(results, requirements).requirements.not_in_depth]
  }

  test('is verified where a case that settles it passed', () => {
    expect(of([shallow, skipped], ['WHK-001'])).toEqual(['verified', 1, 1])
  })

  test('is verified by the others where one speaks of the events of another target', () => {
    const ofAnother = { ...skipped, for_others: true as const }
    expect(of([shallow, ofAnother], [])).toEqual(['verified', undefined, undefined])
    expect(of([ofAnother], [])[0]).toBe('unverified')
    expect(of([{ ...shallow, status: 'errored' }, ofAnother], [])[0]).toBe('unverified')
  })

  test('is not where nothing settles it', () => {
    expect(of([shallow, skipped], [])).toEqual(['unverified', undefined, undefined])
  })

  test('is not where the case that settles it did not run, errored, or was not reached', () => {
    for (const status of ['skipped', 'errored'] as const)
      expect(of([{ ...shallow, status }, skipped], ['WHK-001'])[0]).toBe('unverified')
    expect(of([shallow, { ...skipped, not_reached: true }], ['WHK-001'])[0]).toBe('unverified')
    expect(of([shallow, { ...skipped, status: 'errored' }], ['WHK-001'])[0]).toBe('unverified')
  })

  test('keeps the verdict from conformant', () => {
    const judgedAs = (not_run: object) =>
      verdictOf({ kind: 'service', catalogue: [], results: [shallow] }, [
        { id: 'WHK-001', level: 'must', text: '', source: '#', status: 'verified', cases: [], ...not_run },
      ])
    expect(judgedAs({})).toBe('conformant')
    expect(judgedAs({ not_run: 1 })).toBe('partial')
  })
})

test('a case of what should be violates no requirement that must be kept', () => {
  const advice: CaseResult = { ...failed, id: 'service/a/c', level: 'should' }
  const passed: CaseResult = { ...failed, status: 'passed', violates: [] }
  expect(judged([passed, advice])).toEqual(['partial', 'verified'])
})
