import { contradicts } from '../../harness/contradicts.js'
import type { CaseResult, RequirementResult } from '../../harness/result.js'

/** Requirements while a round goes on: violated by what failed so far, verified where each of its cases has passed. */
export function soFar(
  requirements: readonly RequirementResult[],
  results: readonly CaseResult[],
): readonly RequirementResult[] {
  const passed = new Set(results.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])))
  return requirements.map((each) => {
    if (results.some((by) => contradicts(by, each))) return { ...each, status: 'violated' }
    if (each.status === 'untestable') return each
    const isDone = each.cases.length > 0 && each.cases.every((one) => passed.has(one))
    return { ...each, status: isDone ? 'verified' : 'unverified' }
  })
}
