import { expect, test } from 'vitest'
import type { CaseResult, Report } from '../../harness/index.js'
import { exitCodeOf } from './session.js'

const passed: CaseResult = {
  id: 'service/a/b',
  suite: 'service/a',
  title: 'a',
  level: 'must',
  requirements: ['WHK-001'],
  status: 'passed',
  known_failure: false,
  duration_ms: 0,
}
const errored: CaseResult = { ...passed, id: 'service/a/c', status: 'errored', reason: 'no answer' }

function codeOf(verdict: Report['verdict'], cases: readonly CaseResult[], isStrict = false): number {
  return exitCodeOf({ verdict, cases }, { isStrict, isReported: true })
}

test('a must case that errored is not a pass, even if nothing failed', () => {
  expect(codeOf('partial', [passed, errored])).toBe(3)
  expect(codeOf('partial', [passed])).toBe(0)
  expect(codeOf('partial', [passed, { ...errored, level: 'should' }])).toBe(0)
})

test('a failure weighs more, and so does a partial verdict if conformant is required', () => {
  expect(codeOf('nonconformant', [{ ...passed, status: 'failed' }, errored])).toBe(1)
  expect(codeOf('partial', [passed, errored], true)).toBe(1)
})
