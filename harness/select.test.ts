import { describe, expect, it } from 'vitest'
import type { Case } from './case.js'
import type { CaseResult } from './result.js'
import { selectCases, type Selection } from './select.js'
import { requirementResults, verdictOf } from './verdict.js'

const catalogue = [
  { id: 'service/webhooks/creates', title: 'A webhook is created.', level: 'must', requirements: ['WHK-001'] },
  {
    id: 'service/webhooks/deletes',
    title: 'A deleted webhook gets nothing.',
    level: 'must',
    requirements: ['WHK-002'],
    formerly: ['service/webhooks/removes'],
  },
  { id: 'service/retries/second', title: 'The second attempt is late.', level: 'should', requirements: ['RTY-001'] },
].map((testCase) => ({ ...testCase, subject: 'service' })) as unknown as readonly Case[]

function idsFor(selection: Partial<Selection>): readonly string[] {
  return selectCases(catalogue, { suites: [], cases: [], ...selection }).map(({ id }) => id)
}

describe('exclude', () => {
  it('leaves out ids, globs and earlier ids', () => {
    expect(idsFor({ exclude: ['service/webhooks/*'] })).toEqual(['service/retries/second'])
    expect(idsFor({ exclude: ['service/webhooks/removes', 'service/retries/second'] })).toEqual([
      'service/webhooks/creates',
    ])
  })

  it('wins over a pattern that selects', () => {
    expect(idsFor({ cases: ['service/webhooks/*'], exclude: ['service/webhooks/creates'] })).toEqual([
      'service/webhooks/deletes',
    ])
  })

  it('refuses a pattern that matches nothing, and suggests one that does', () => {
    expect(() => idsFor({ exclude: ['service/webhooks/create'] })).toThrow(
      '--exclude service/webhooks/create matches nothing; did you mean service/webhooks/creates',
    )
  })

  it('applies before the cases are divided into shards', () => {
    const shards = [1, 2].flatMap((index) => idsFor({ exclude: ['*/*/second'], shard: { index, count: 2 } }))
    expect(shards.toSorted()).toEqual(['service/webhooks/creates', 'service/webhooks/deletes'])
  })

  it('leaves the requirement unverified, so that the verdict is at most partial', () => {
    const passed = selectCases(catalogue, { suites: [], cases: [], exclude: ['*/*/deletes'] }).map((testCase) => ({
      ...testCase,
      status: 'passed',
    })) as unknown as CaseResult[]
    const judged = { kind: 'service', catalogue, results: passed } as const
    const statuses = requirementResults(judged)
    expect(statuses.find(({ id }) => id === 'WHK-002')?.status).toBe('unverified')
    expect(verdictOf(judged, statuses)).toBe('partial')
  })
})

describe('grep', () => {
  it('keeps the cases whose id or title contains the text, in any case', () => {
    expect(idsFor({ grep: 'WEBHOOK' })).toEqual(['service/webhooks/creates', 'service/webhooks/deletes'])
    expect(idsFor({ grep: 'second attempt' })).toEqual(['service/retries/second'])
  })

  it('narrows what the other options select', () => {
    expect(idsFor({ cases: ['service/webhooks/*'], grep: 'deleted' })).toEqual(['service/webhooks/deletes'])
  })

  it('refuses a text that no case contains', () => {
    expect(() => idsFor({ grep: 'unicorn' })).toThrow('--grep unicorn: no id or title contains it')
  })
})
