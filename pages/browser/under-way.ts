import { breaksRequirement } from '../../harness/breaks-requirement.js'
import type { CaseResult, RequirementResult } from '../../harness/result.js'

/** Requirements while a round goes on: violated by what failed so far, verified where each of its cases has passed. */
export function resultsSoFar(
  requirements: readonly RequirementResult[],
  results: readonly CaseResult[],
): readonly RequirementResult[] {
  const passed = new Set(results.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])))
  return requirements.map((requirement) => {
    if (results.some((by) => breaksRequirement(by, requirement))) return { ...requirement, status: 'violated' }
    if (requirement.status === 'untestable') return requirement
    const isDone = requirement.cases.length > 0 && requirement.cases.every((one) => passed.has(one))
    return { ...requirement, status: isDone ? 'verified' : 'unverified' }
  })
}
