import {
  explained,
  requirementResults,
  summarize,
  verdictOf,
  type CaseResult,
  type JudgedCase,
  type Report,
} from '../../harness/index.js'
import type { RequirementId } from '../../spec/index.js'

/** `base` with other results: requirements, counts and verdict follow from them and from the catalogue of its kind. */
export function judgedAgain(base: Report, results: readonly CaseResult[], catalogue: readonly JudgedCase[]): Report {
  const cases = inOrder(results, catalogue)
  const binds = bindingOf(base, cases)
  const judged = { kind: base.subject.kind, catalogue, results: cases, binds, scheme: base.subject.scheme }
  const requirements = requirementResults(judged)
  const { likely_causes: _causes, additions: _additions, ...rest } = base
  return {
    ...rest,
    verdict: verdictOf(judged, requirements),
    summary: summarize(cases, requirements),
    ...explained(base.subject.kind, cases, base.subject.scheme),
    requirements,
  }
}

/**
 * Returns which requirements bind: those that did not bind the target of `base`, for its profile or a missing capability, do not bind it
 * now, whatever the selection; except those of a case with a result.
 */
function bindingOf({ requirements }: Report, results: readonly CaseResult[]): (id: RequirementId) => boolean {
  const evaluated = new Set(results.flatMap((result) => (result.status === 'skipped' ? [] : result.requirements)))
  const unbound = requirements.flatMap(({ id, status }) => (status === 'untestable' && !evaluated.has(id) ? [id] : []))
  return (id) => !unbound.includes(id)
}

/** Sorts by catalogue; cases of another version of the kit are last. */
function inOrder(results: readonly CaseResult[], catalogue: readonly Pick<JudgedCase, 'id'>[]): CaseResult[] {
  const places = new Map<string, number>(catalogue.map((testCase, index) => [testCase.id, index]))
  const placeOf = ({ id }: CaseResult) => places.get(id) ?? catalogue.length
  return [...results].sort((a, b) => placeOf(a) - placeOf(b))
}
