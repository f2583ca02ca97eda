import { expect, test } from 'vitest'
import { requirementResults, summarize, type CaseResult, type Report } from '../../harness/index.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { judgedAgain } from './judge-again.js'

const answered = 'receiver/timestamp/refuses-stale'
const effects = receiverCases.filter((testCase) => testCase.id.startsWith('receiver/effects/'))
const ofEffects = effects.flatMap((testCase) => testCase.requirements)

const resultOf = (id: string, requirements: CaseResult['requirements']): CaseResult => ({
  id,
  suite: id.replace(/\/[^/]+$/, ''),
  title: id,
  level: 'must',
  requirements,
  known_failure: false,
  duration_ms: 1,
  status: 'passed',
})

/** Returns the report of some cases on an endpoint that does not report its handled events: the requirements for that do not bind it. */
function partOf(results: readonly CaseResult[]): Report {
  const binds = (id: string) => !ofEffects.some((requirement) => requirement === id)
  const requirements = requirementResults({ kind: 'receiver', catalogue: receiverCases, results, binds })
  return {
    schema: 'conformance-report/1',
    tool: { name: 'webhook-conformance', version: '0.0.0' },
    subject: { kind: 'receiver', name: 'http://127.0.0.1:1/' },
    started_at: '2030-01-01T00:00:00.000Z',
    duration_ms: 1,
    seed: 1,
    verdict: 'partial',
    summary: summarize(results, requirements),
    cases: results,
    requirements,
  }
}

test('a requirement that did not bind the target of a part does not bind that of the whole', () => {
  const part = partOf([resultOf(answered, ['RCV-004'])])
  expect(judgedAgain(part, part.cases, receiverCases).summary).toEqual(part.summary)
})

test('a requirement that a case of another part decided binds the target', () => {
  const [effect] = effects
  if (effect === undefined) throw new Error('no case of effects')
  const part = partOf([resultOf(answered, ['RCV-004'])])
  const whole = judgedAgain(part, [...part.cases, resultOf(effect.id, effect.requirements)], receiverCases)
  const bound = whole.requirements.filter((requirement) => effect.requirements.includes(requirement.id))
  expect(bound.map((requirement) => requirement.status)).not.toContain('untestable')
})
