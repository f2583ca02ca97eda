import type { RequirementId } from '../spec/index.js'
import { bookedOn, isControl } from './judge.js'
import { notJudged } from './lack.js'
import type { CaseResult, Mismatch } from './result.js'

/**
 * One bug, one failure: what rests on a requirement that failed in a case of its own is not judged, and says so. A mismatch
 * rests on the requirement of the control that failed, or on what was waited for in vain before it.
 */
export function withoutConsequences(results: readonly CaseResult[]): CaseResult[] {
  const basics = failedBasics(results)
  return results.map((result) => {
    if (result.status !== 'failed' || result.checks === undefined) return result
    const causeOf = (each: Mismatch) => basisOf(each, result).find((id) => isFailedElsewhere(basics.get(id), result.id))
    const own = result.checks.filter((each) => causeOf(each) === undefined)
    if (own.length === result.checks.length) return result
    if (own.length > 0) return { ...result, ...bookedOn(own, result.requirements) }
    const [cause] = result.checks.flatMap((each) => causeOf(each) ?? [])
    if (cause === undefined) return result
    const failedIn = basics.get(cause)?.find((id) => id !== result.id) ?? ''
    const { message: _message, violates: _violates, checks: _checks, counterexample: _example, ...rest } = result
    return {
      ...rest,
      status: 'skipped',
      known_failure: false,
      reason: notJudged(cause, `which failed in ${failedIn}`).reason,
      not_judged: { see: cause, failed_in: failedIn },
    }
  })
}

/** The requirements that failed in must cases of their own, and not only as a consequence, with these cases: the simplest first. */
function failedBasics(results: readonly CaseResult[]): Map<RequirementId, string[]> {
  const basics = new Map<RequirementId, string[]>()
  for (const result of results.toSorted(bySimplicity)) {
    if (result.status !== 'failed' || result.level !== 'must') continue
    const checks = (result.checks ?? []).filter((each) => basisOf(each, result).length === 0)
    for (const id of new Set(checks.flatMap((each) => each.requirement ?? result.requirements)))
      basics.set(id, [...(basics.get(id) ?? []), result.id])
  }
  return basics
}

/** What asks one sentence and misses once is read sooner than what asks many of many. */
function bySimplicity(a: CaseResult, b: CaseResult): number {
  return a.requirements.length - b.requirements.length || (a.checks?.length ?? 0) - (b.checks?.length ?? 0)
}

/** What a mismatch takes for granted and the case does not ask itself. */
function basisOf(mismatch: Mismatch, { requirements }: CaseResult): RequirementId[] {
  const control = isControl(mismatch, requirements) ? [mismatch.requirement as RequirementId] : []
  const awaited = mismatch.rests_on ?? []
  // What the case asks itself is its own failure, whatever else was missed.
  const isOwn = awaited.some((id) => requirements.includes(id))
  return [...control, ...(isOwn ? [] : awaited)]
}

function isFailedElsewhere(cases: readonly string[] | undefined, id: string): boolean {
  return cases?.some((each) => each !== id) === true
}
