import type { CaseResult, RequirementResult } from './result.js'

/** Whether a result contradicts a requirement: what must be is broken by a case of what must be alone. */
export function breaksRequirement(
  { status, level, violates }: CaseResult,
  requirement: Pick<RequirementResult, 'id' | 'level'>,
): boolean {
  const mayBreak = level === 'must' || requirement.level !== 'must'
  return status === 'failed' && mayBreak && violates?.includes(requirement.id) === true
}
