import type { RequirementId } from '../spec/index.js'
import { failureFields, isControl } from './judge.js'
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
    const causeOf = (mismatch: Mismatch) =>
      basisOf(mismatch, result).find((id) => isFoundElsewhere(basics.get(id), result.id))
    const own = result.checks.filter((mismatch) => causeOf(mismatch) === undefined)
    if (own.length === result.checks.length) return result
    if (own.length > 0) return { ...result, ...failureFields(own, result.requirements) }
    const [cause] = result.checks.flatMap((mismatch) => causeOf(mismatch) ?? [])
    if (cause === undefined) return result
    const failedIn = simplest.find(({ id }) => id !== result.id && basics.get(cause)?.has(id) === true)?.id ?? ''
    return notEvaluated(result, cause, failedIn)
  })
}

/**
 * The failure as one that was not evaluated, if other must cases among `known` have shown each sentence that it contradicts; undefined
 * else. For a failure that this machine was too busy to be sure of: another rerun could add nothing to the verdict.
 */
export function shownElsewhere(result: CaseResult, known: Iterable<CaseResult>): CaseResult | undefined {
  const violates = result.status === 'failed' ? (result.violates ?? []) : []
  const [first] = violates
  if (first === undefined) return undefined
  const others = [...known].filter(
    (other) => other.status === 'failed' && other.level === 'must' && !other.known_failure && other.id !== result.id,
  )
  const shownBy = (id: RequirementId) => others.find((other) => other.violates?.includes(id))
  const failedIn = shownBy(first)?.id
  if (failedIn === undefined || violates.some((id) => shownBy(id) === undefined)) return undefined
  return notEvaluated(result, first, failedIn)
}

function notEvaluated(result: CaseResult, cause: RequirementId, failedIn: string): CaseResult {
  const { message: _message, violates: _violates, checks: _checks, counterexample: _example, ...rest } = result
  return {
    ...rest,
    status: 'skipped',
    known_failure: false,
    reason: notJudged(cause, `failed in ${failedIn}`).reason,
    not_judged: { see: cause, failed_in: failedIn },
  }
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
    const left = open.filter((finding) => !dependsOnAnyOf(failed, finding))
    const undecided = casesOf(left)
    const causes = left.filter((finding) => !dependsOnAnyOf(undecided, finding))
    // Where each rests on another that is open: the one that rests on the least.
    const least = left.toSorted((a, b) => a.basis.length - b.basis.length).slice(0, 1)
    const next = new Set(causes.length > 0 ? causes : least)
    for (const finding of next) basics.push(finding)
    open = left.filter((finding) => !next.has(finding))
  }
  return casesOf(basics)
}

/** What a must case found, each thing once. */
function findingsOf(result: CaseResult): Finding[] {
  if (result.status !== 'failed' || result.level !== 'must') return []
  const findings = (result.checks ?? []).map((mismatch) => ({
    id: result.id,
    found: mismatch.requirement === undefined ? result.requirements : [mismatch.requirement],
    basis: basisOf(mismatch, result),
  }))
  return [
    ...new Map(
      findings.map((finding) => [`${finding.found.join(' ')} of ${finding.basis.join(' ')}`, finding]),
    ).values(),
  ]
}

/** Whether what a finding rests on was found in another case. */
function dependsOnAnyOf(cases: ReadonlyMap<RequirementId, ReadonlySet<string>>, { id, basis }: Finding): boolean {
  return basis.some((requirement) => isFoundElsewhere(cases.get(requirement), id))
}

function casesOf(findings: readonly Finding[]): Map<RequirementId, Set<string>> {
  const cases = new Map<RequirementId, Set<string>>()
  for (const { id, found } of findings)
    for (const requirement of found) cases.set(requirement, (cases.get(requirement) ?? new Set<string>()).add(id))
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
  const awaited = mismatch.depends_on ?? []
  // A requirement that the case tests itself is its own failure, whichever other waits timed out.
  const isOwn = awaited.some((id) => requirements.includes(id))
  return [...control, ...(isOwn ? [] : awaited)]
}

function isFoundElsewhere(cases: ReadonlySet<string> | undefined, id: string): boolean {
  return cases !== undefined && cases.size > (cases.has(id) ? 1 : 0)
}
