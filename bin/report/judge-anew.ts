import type { Case } from '../../harness/case.js'
import type { CaseResult, Report } from '../../harness/result.js'
import { requirementResults, summarize, verdictOf } from '../../harness/verdict.js'

/** `base` with other results: requirements, counts and verdict follow from them and from the catalogue of its kind. */
export function judgedAnew(
  base: Report,
  results: readonly CaseResult[],
  catalogue: readonly Pick<Case, 'id' | 'level' | 'requirements'>[],
): Report {
  const cases = inOrder(results, catalogue)
  const judged = { kind: base.subject.kind, catalogue, results: cases }
  const requirements = requirementResults(judged)
  return {
    ...base,
    verdict: verdictOf(judged, requirements),
    summary: summarize(cases, requirements),
    cases,
    requirements,
  }
}

/** Catalogue order; cases of another version of the kit stand at the end. */
function inOrder(results: readonly CaseResult[], catalogue: readonly Pick<Case, 'id'>[]): CaseResult[] {
  const places = new Map<string, number>(catalogue.map((each, index) => [each.id, index]))
  const placeOf = ({ id }: CaseResult) => places.get(id) ?? catalogue.length
  return [...results].sort((a, b) => placeOf(a) - placeOf(b))
}
