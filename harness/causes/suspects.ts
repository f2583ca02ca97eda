// Which requirement best explains a set of failures. Each failed case names the requirements it contradicts, each passed one those
// it found kept: the statistics of spectrum-based fault localization (the Ochiai coefficient), with requirements as the suspects.
import type { RequirementId } from '../../spec/index.js'
import type { CaseResult } from '../result.js'
import { compareRanks } from './evidence.js'
import { findRequirement } from './words.js'

/** A requirement, and the failures that it explains. */
export interface Suspect {
  readonly requirement: RequirementId
  readonly failed: readonly CaseResult[]
}

/** Groups the failures by one requirement each; the requirement that explains the failures best is first. */
export function groupBySuspect(
  failed: readonly CaseResult[],
  passed: readonly CaseResult[],
  wayOf: (result: CaseResult) => string,
): Suspect[] {
  const groups: Suspect[] = []
  for (let open = failed; open.length > 0;) {
    const requirement = bestSuspect(open, passed)
    if (requirement === undefined) break
    const own = open.filter((result) => result.violates?.includes(requirement) === true)
    const ways = new Set(own.map(wayOf).filter((way) => way !== ''))
    const group = open.filter(
      (result) => own.includes(result) || ways.has(wayOf(result)) || dependsOn(result, requirement),
    )
    groups.push({ requirement, failed: [...own, ...group.filter((result) => !own.includes(result))] })
    open = open.filter((result) => !group.includes(result))
  }
  return groups
}

function dependsOn({ checks = [] }: CaseResult, requirement: RequirementId): boolean {
  return checks.some((check) => check.depends_on?.includes(requirement) === true)
}

/** Must failures decide where there are any. */
function bestSuspect(failed: readonly CaseResult[], passed: readonly CaseResult[]): RequirementId | undefined {
  const must = failed.filter((result) => result.level === 'must')
  const deciding = must.length > 0 ? must : failed
  const ids = [...new Set(deciding.flatMap((result) => result.violates ?? []))]
  const rank = (id: RequirementId) => [
    // What a target need not have, such as signing by a verifier, shares its mistakes with what it must have.
    isOptional(id) ? 1 : 0,
    ...(deciding.length === 1 ? ofOneCase(id, deciding, passed) : []),
    -suspicion(id, deciding, passed),
  ]
  const ranks = new Map(ids.map((id) => [id, rank(id)]))
  return ids.toSorted((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []))[0]
}

/** Whether a target need not do it at all. A condition that names an option is one of the run. */
function isOptional(id: RequirementId): boolean {
  const { conditional } = findRequirement(id) ?? {}
  return conditional !== undefined && !conditional.includes('`--')
}

/** Of one failed case alone: a requirement that no case found kept, then the one that the case is named after. */
function ofOneCase(id: RequirementId, failed: readonly CaseResult[], passed: readonly CaseResult[]): readonly number[] {
  const isKept = passed.some((result) => result.requirements.includes(id))
  return [isKept ? 1 : 0, failed.some(({ requirements: [first] }) => first === id) ? 0 : 1]
}

/** How much a failure counts against a requirement that is not the first of its case: a case is named after its first. */
const weightOfOthers = 0.7

/**
 * The Ochiai coefficient, 0 to 1: high where most failures contradict the requirement, and few cases found it kept. A failure that
 * contradicts several requirements is weaker evidence for each.
 */
function suspicion(id: RequirementId, failed: readonly CaseResult[], passed: readonly CaseResult[]): number {
  const contradicting = failed
    .filter((result) => result.violates?.includes(id) === true)
    .reduce(
      (sum, { requirements: [first], violates = [] }) =>
        sum + (first === id ? 1 : weightOfOthers) / Math.sqrt(violates.length),
      0,
    )
  const keeping = passed.filter((result) => result.requirements.includes(id)).length
  return contradicting / Math.sqrt(failed.length * (contradicting + keeping))
}
