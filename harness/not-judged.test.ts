import { expect, it } from 'vitest'
import { Findings } from './findings.js'
import { withoutConsequences } from './not-judged.js'
import type { CaseResult, Mismatch } from './result.js'

function failed(name: string, rest: Pick<CaseResult, 'requirements' | 'checks'>): CaseResult {
  const base = {
    suite: 'receiver/timestamp',
    title: name,
    level: 'must',
    known_failure: false,
    duration_ms: 1,
  } as const
  return { ...base, id: `receiver/timestamp/${name}`, status: 'failed', ...rest }
}

it('what rests on a failure names the simplest case that found it, whichever ended first', () => {
  const taken: Mismatch = { kind: 'compared', what: 'answer', expected: 'a refusal', got: '200' }
  const many = failed('many', { requirements: ['RCV-006', 'RCV-007'], checks: [taken, taken, taken] })
  const simple = failed('simple', { requirements: ['RCV-006'], checks: [taken] })
  const control: Mismatch = { ...taken, requirement: 'RCV-006' }
  const resting = failed('resting', { requirements: ['RCV-017'], checks: [control] })
  const reported = withoutConsequences([many, resting, simple])
  expect(reported.map((result) => result.reason)).toEqual([
    undefined,
    'not evaluated because RCV-006 failed in receiver/timestamp/simple',
    undefined,
  ])
})

it('the assumption a case begins with is in each of its mismatches', () => {
  const findings = new Findings(['WHK-018'])
  const given: Mismatch = { kind: 'compared', what: 'attempts', expected: '1', got: '2' }
  findings.add(given)
  findings.add({ ...given, depends_on: ['RTY-002'] }, true)
  findings.miss(['DLV-004'], false)
  findings.add(given)
  expect(findings.mismatches.map((mismatch) => mismatch.depends_on)).toEqual([
    ['WHK-018'],
    ['RTY-002', 'WHK-018'],
    ['WHK-018', 'DLV-004'],
  ])
})

it('what rests on something that held is a cause itself, whatever order the cases ended in', () => {
  const missing: Mismatch = { kind: 'measured', what: 'attempts', expected: 'at least 2', got: '1' }
  const second = failed('second', { requirements: ['RTY-002'], checks: [{ ...missing, depends_on: ['DLV-003'] }] })
  const replay = failed('replay', { requirements: ['RPL-006'], checks: [{ ...missing, depends_on: ['RTY-002'] }] })
  const list = failed('list', {
    requirements: ['DLV-012'],
    checks: [{ ...missing, depends_on: ['RPL-006', 'RTY-002'] }],
  })
  for (const results of [
    [second, replay, list],
    [list, replay, second],
  ])
    expect(withoutConsequences(results).flatMap((result) => (result.status === 'failed' ? result.id : []))).toEqual([
      'receiver/timestamp/second',
    ])
})

it('reports one of several that depend on each other', () => {
  const missing: Mismatch = { kind: 'measured', what: 'attempts', expected: 'at least 2', got: '1' }
  const one = failed('one', { requirements: ['RTY-002'], checks: [{ ...missing, depends_on: ['RPL-006'] }] })
  const other = failed('other', { requirements: ['RPL-006'], checks: [{ ...missing, depends_on: ['RTY-002'] }] })
  expect(withoutConsequences([one, other]).map((result) => result.status)).toEqual(['failed', 'skipped'])
})
