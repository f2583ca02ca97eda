import { expect, it } from 'vitest'
import type { CaseResult, RequirementResult } from '../../harness/result.js'
import { resultsSoFar } from '../browser/under-way.js'

it('a requirement is violated as soon as one case fails on it, and verified when all its cases passed', () => {
  const cases = ['receiver/a', 'receiver/b'] as const
  const requested = { level: 'must', text: '', source: '', status: 'unverified' } as const
  const requirements: RequirementResult[] = [
    { ...requested, id: 'RCV-001', cases },
    { ...requested, id: 'RCV-006', cases: ['receiver/c'] },
  ]
  const base = {
    suite: 'receiver',
    title: '',
    level: 'must',
    requirements: [],
    known_failure: false,
    duration_ms: 1,
  } as const
  const passed = (id: string): CaseResult => ({ ...base, id, status: 'passed' })
  const failed: CaseResult = { ...base, id: 'receiver/c', status: 'failed', violates: ['RCV-006'] }
  const statuses = (...results: CaseResult[]) =>
    resultsSoFar(requirements, results).map((requirement) => requirement.status)
  expect(statuses()).toEqual(['unverified', 'unverified'])
  expect(statuses(passed('receiver/a'), failed)).toEqual(['unverified', 'violated'])
  expect(statuses(passed('receiver/a'), passed('receiver/b'))).toEqual(['verified', 'unverified'])
})
