import type { RequirementId } from '../spec/index.js'
import { bookedOn, isControl } from './judge.js'
import { notJudged } from './missing-capability.js'
import type { CaseResult, Mismatch } from './result.js'

/**
 * Reports one bug as one failure: marks mismatches that depend on a requirement that failed in a case of its own as not evaluated. A
 * mismatch depends on the requirement of the control that failed, or of the wait that timed out before it.
 */
export function withoutConsequences(results: readonly CaseResult[]): CaseResult[] {
  const simplest = results.toSorted(bySimplicity)
  const basics = failedBasics(simplest)
  return results.map((result) => {
    if (result.status !== 'failed' || result.checks === undefined) return result
    const causeOf = (each: Mismatch) => basisOf(each, result).find((id) => isFoundElsewhere(basics.get(id), result.id))
    const own = result.checks.filter((each) => causeOf(each) === undefined)
    if (own.length === result.checks.length) return result
    if (own.length > 0) return { ...result, ...bookedOn(own, result.requirements) }
    const [cause] = result.checks.flatMap((each) => causeOf(each) ?? [])
    if (cause === undefined) return result
    const failedIn = simplest.find(({ id }) => id !== result.id && basics.get(cause)?.has(id) === true)?.id ?? ''
    const { message: _message, violates: _violates, checks: _checks, counterexample: _example, ...rest } = result
    return {
      ...rest,
      status: 'skipped',
      known_failure: false,
      reason: notJudged(cause, `failed in ${failedIn}`).reason,
      not_judged: { see: cause, failed_in: failedIn },
    }
  })
}

interface Finding {
  readonly id: string
  readonly found: readonly RequirementId[]
  readonly basis: readonly RequirementId[]
}

/**
 * The requirements that failed in must cases of their own, and not only as a consequence, with these cases. What rests on others is
 * decided once one of them has failed, or nothing undecided may still show that it did.
 */
function failedBasics(simplest: readonly CaseResult[]): ReadonlyMap<RequirementId, ReadonlySet<string>> {
  const basics: Finding[] = []
  for (let open = simplest.flatMap(findingsOf); open.length > 0;) {
    const failed = casesOf(basics)
    const left = open.filter((each) => !dependsOnAnyOf(failed, each))
    const undecided = casesOf(left)
    const causes = left.filter((each) => !dependsOnAnyOf(undecided, each))
    // Where each rests on another that is open: the one that rests on the least.
    const least = left.toSorted((a, b) => a.basis.length - b.basis.length).slice(0, 1)
    const next = new Set(causes.length > 0 ? causes : least)
    for (const each of next) basics.push(each)
    open = left.filter((each) => !next.has(each))
  }
  return casesOf(basics)
}

/** What a must case found, each thing once. */
function findingsOf(result: CaseResult): Finding[] {
  if (result.status !== 'failed' || result.level !== 'must') return []
  const findings = (result.checks ?? []).map((each) => ({
    id: result.id,
    found: each.requirement === undefined ? result.requirements : [each.requirement],
    basis: basisOf(each, result),
  }))
  return [...new Map(findings.map((each) => [`${each.found.join(' ')} of ${each.basis.join(' ')}`, each])).values()]
}

/** Whether what a finding rests on was found in another case. */
function dependsOnAnyOf(cases: ReadonlyMap<RequirementId, ReadonlySet<string>>, { id, basis }: Finding): boolean {
  return basis.some((each) => isFoundElsewhere(cases.get(each), id))
}

function casesOf(findings: readonly Finding[]): Map<RequirementId, Set<string>> {
  const cases = new Map<RequirementId, Set<string>>()
  for (const { id, found } of findings)
    for (const each of found) cases.set(each, (cases.get(each) ?? new Set<string>()).add(id))
  return cases
}

/** Sorts cases with fewer requirements and fewer mismatches first: they are the simplest evidence. */
function bySimplicity(a: CaseResult, b: CaseResult): number {
  return a.requirements.length - b.requirements.length || (a.checks?.length ?? 0) - (b.checks?.length ?? 0)
}

/** The requirements that a failure may be a consequence of: other cases check them, and not this one. */
export function listDependencies(result: CaseResult): readonly RequirementId[] {
  return [...new Set((result.checks ?? []).flatMap((mismatch) => basisOf(mismatch, result)))]
}

/** Returns the requirements that a mismatch depends on and the case does not test. */
function basisOf(mismatch: Mismatch, { requirements }: CaseResult): RequirementId[] {
  const control = isControl(mismatch, requirements) ? [mismatch.requirement as RequirementId] : []
  const awaited = mismatch.rests_on ?? []
  // A requirement that the case tests itself is its own failure, whichever other waits timed out.
  const isOwn = awaited.some((id) => requirements.includes(id))
  return [...control, ...(isOwn ? [] : awaited)]
}

function isFoundElsewhere(cases: ReadonlySet<string> | undefined, id: string): boolean {
  return cases !== undefined && cases.size > (cases.has(id) ? 1 : 0)
}
