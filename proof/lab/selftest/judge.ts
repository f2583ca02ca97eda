import { requirements, type RequirementId, type SubjectKind } from '../../../spec/index.js'
import type { CaseResult } from '../../../harness/index.js'

/** `killed`: a case of a requirement it names failed. `misjudged`: only others did. `broken`: only a crash or silence did. */
export type MutantVerdict = 'killed' | 'survived' | 'misjudged' | 'broken'

export interface MutantResult {
  readonly id: string
  readonly kind: SubjectKind
  readonly title: string
  readonly breaks: readonly RequirementId[]
  readonly verdict: MutantVerdict
  /** Cases that failed on a requirement it names. */
  readonly killedBy: readonly string[]
  /** Requirements it does not name on which cases failed too. */
  readonly alsoViolates: readonly RequirementId[]
  readonly durationMs: number
}

/** Whether a case failed on a requirement the mutant names. */
export function isRight(result: CaseResult, breaks: readonly RequirementId[]): boolean {
  return result.status === 'failed' && result.violates?.some((requirement) => breaks.includes(requirement)) === true
}

/** Returns whether a check saw the deviation, and not only that no answer arrived. */
export function isSeen(result: CaseResult, breaks: readonly RequirementId[]): boolean {
  const checks = (result.checks ?? []).filter(
    (mismatch) => mismatch.requirement === undefined || breaks.includes(mismatch.requirement),
  )
  return (
    checks.some((mismatch) => mismatch.crashed !== true) || breaks.some((requirement) => isAboutCrashes(requirement))
  )
}

/** Derives the verdict on a mutant from the results of its cases. */
export function verdictOn(results: readonly CaseResult[], breaks: readonly RequirementId[]): MutantVerdict {
  const right = results.filter((result) => isRight(result, breaks))
  if (right.some((result) => isSeen(result, breaks))) return 'killed'
  if (right.length > 0) return 'broken'
  return results.some((result) => result.status === 'failed') ? 'misjudged' : 'survived'
}

/** Where a crash is what the check looks for; of a receiver every status is its answer, a 5xx too. */
function isAboutCrashes(id: RequirementId): boolean {
  return requirements[id].subject === 'receiver' || forbidsCrashes.has(id)
}

const forbidsCrashes: ReadonlySet<RequirementId> = new Set<RequirementId>(['VFY-013', 'CLI-034', 'CLI-035', 'CLI-036'])
