import { requirementIds, requirements, type RequirementId, type SubjectKind } from '../spec/index.js'
import type { Case } from './case.js'
import type { CaseResult, RequirementResult, RequirementStatus, Report, Verdict } from './result.js'

/** What a run is judged by: every case of the subject's catalogue, whether it was selected or not, and the results. */
export interface Judged {
  readonly kind: SubjectKind
  readonly catalogue: readonly Pick<Case, 'id' | 'level' | 'requirements'>[]
  readonly results: readonly CaseResult[]
}

/** Each requirement of the kind with its status: violated by a failure, verified when all its cases passed. */
export function requirementResults({ kind, catalogue, results }: Judged): RequirementResult[] {
  const byCase = new Map(results.map((each) => [each.id, each]))
  return requirementIds
    .filter((id) => requirements[id].subject === kind)
    .map((id) => {
      const { level, text, source, untestable, conditional } = requirements[id]
      const cases = catalogue.filter((each) => each.requirements.includes(id))
      const isViolated = results.some((each) => each.status === 'failed' && each.violates?.includes(id) === true)
      const isOutOfReach =
        untestable !== undefined ||
        (conditional !== undefined &&
          cases.length > 0 &&
          cases.every((each) => byCase.get(each.id)?.status === 'skipped'))
      const status = isViolated ? 'violated' : isOutOfReach ? 'untestable' : statusOf(cases, byCase)
      return { id, level, text, source, status, cases: cases.map((each) => each.id) }
    })
}

function statusOf(
  cases: readonly Pick<Case, 'id' | 'level'>[],
  results: ReadonlyMap<string, CaseResult>,
): RequirementStatus {
  const must = cases.filter((each) => each.level === 'must')
  const deciding = must.length > 0 ? must : cases
  const isVerified = deciding.length > 0 && deciding.every((each) => results.get(each.id)?.status === 'passed')
  return isVerified ? 'verified' : 'unverified'
}

/** The verdict of contract section 1, from the results alone. */
export function verdictOf(judged: Judged, requirementsJudged: readonly RequirementResult[]): Verdict {
  const { results } = judged
  if (!results.some((each) => each.status === 'passed' || each.status === 'failed')) return 'none'
  if (results.some((each) => each.status === 'failed' && each.level === 'must' && !each.known_failure))
    return 'nonconformant'
  const open = requirementsJudged.some(
    (each) => each.level === 'must' && (each.status === 'unverified' || each.status === 'violated'),
  )
  return open ? 'partial' : 'conformant'
}

/** The counts of the report's summary. */
export function summarize(results: readonly CaseResult[], judged: readonly RequirementResult[]): Report['summary'] {
  const count = (status: CaseResult['status']) => results.filter((each) => each.status === status).length
  const of = (status: RequirementStatus) => judged.filter((each) => each.status === status).length
  return {
    cases: {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      errored: count('errored'),
      known_failures: results.filter((each) => each.known_failure).length,
    },
    requirements: {
      total: judged.filter((each) => each.status !== 'untestable').length,
      verified: of('verified'),
      violated: of('violated'),
      unverified: of('unverified'),
    },
  }
}

/** Ids of the requirements a result contradicts. */
export function violatedBy(results: readonly CaseResult[]): RequirementId[] {
  return [...new Set(results.flatMap((each) => (each.status === 'failed' ? (each.violates ?? []) : [])))]
}
