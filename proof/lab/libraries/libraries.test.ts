// The page of libraries: its text for a report, and that the things it names exist.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CaseResult, Decision, Report } from '../../../harness/index.js'
import { requirementIds } from '../../../spec/index.js'
import { catalogue } from '../../../bin/run/catalogue.js'
import { root } from '../../../bin/testing/source-tree.js'
import { findingsOf } from './findings.js'
import { libraries } from './packages.js'
import { librariesPage } from './page.js'
import { providerLibraries } from './providers.js'

const failed = (id: string, requirement: string, expected: Decision, got: Decision): CaseResult => ({
  id,
  suite: 'verifier/vectors',
  title: `title of ${id} (invalid)`,
  level: 'must',
  requirements: [requirement as 'VFY-001'],
  violates: [requirement as 'VFY-001'],
  status: 'failed',
  known_failure: false,
  duration_ms: 1,
  checks: [
    { kind: 'compared', what: 'verdict', expected: `{"kind":"${expected}"}`, got: `{"kind":"${got}"}`, decided: got },
  ],
})
const cases = [
  failed('verifier/vectors/0002-b', 'VFY-002', 'accepted', 'refused'),
  failed('verifier/vectors/0001-a', 'VFY-001', 'refused', 'accepted'),
  failed('verifier/vectors/0003-c', 'VFY-001', 'refused', 'accepted'),
  // It was accepted: no refusal could reveal a signature.
  failed('verifier/spellings/d', 'VFY-022', 'refused', 'accepted'),
  { ...failed('verifier/vectors/0004-e', 'VFY-003', 'refused', 'accepted'), status: 'passed' as const },
]

it('failures are grouped by sentence and direction', () => {
  expect(findingsOf({ cases }).map(({ requirement, side, cases: all }) => [requirement, side, all.length])).toEqual([
    ['VFY-001', 'accepts', 2],
    ['VFY-002', 'refuses', 1],
  ])
})

it('the page has each with its sentence, a case, and how many', () => {
  const [library] = libraries
  if (library === undefined) throw new Error('no library')
  const report = { cases, verdict: 'conformant', summary: { cases: { passed: 1 } } } as unknown as Report
  const page = librariesPage([{ library, version: '9.9.9', report }], { date: '2026-01-02', node: '20' })
  expect(page).toContain(
    '| [standardwebhooks](#standardwebhooks) | 9.9.9 | conformant | 1 of 5 | VFY-001 | VFY-002 | nothing |',
  )
  expect(page).toMatch(
    /\| VFY-001 The signed string .* \| title of verifier\/vectors\/0001-a \| `verifier\/vectors\/0001-a` \| 2 \|/,
  )
})

it('docs/libraries.md has every library, and names what there is', () => {
  const page = readFileSync(join(root, 'docs/libraries.md'), 'utf8')
  for (const { name, scheme } of providerLibraries)
    expect(page).toMatch(new RegExp(`\\n\\| ${name} +\\| \\d+\\.\\S+ +\\| ${scheme} +\\| partial +\\| `))
  for (const { name } of libraries) expect(page).toContain(`\n## ${name}\n`)
  const known = new Set<string>([...requirementIds, ...catalogue.map((testCase) => testCase.id)])
  const named = page.match(/VFY-\d+|verifier\/[a-z]+\/[a-z0-9-]+/g) ?? []
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((id) => !known.has(id))).toEqual([])
})
