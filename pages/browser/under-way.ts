import type { CaseResult, RequirementResult } from '../../harness/result.js'

/** Requirements while a round goes on: violated by what failed so far, verified where each of its cases has passed. */
export function soFar(
  requirements: readonly RequirementResult[],
  results: readonly CaseResult[],
): readonly RequirementResult[] {
  const passed = new Set(results.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])))
  const failed = results.filter(({ status }) => status === 'failed')
  return requirements.map((each) => {
    const { id, level, cases } = each
    const isBroken = (by: CaseResult) => by.violates?.includes(id) === true && (by.level === 'must' || level !== 'must')
    if (failed.some(isBroken)) return { ...each, status: 'violated' }
    if (each.status === 'untestable') return each
    const isDone = cases.length > 0 && cases.every((one) => passed.has(one))
    return { ...each, status: isDone ? 'verified' : 'unverified' }
  })
}
