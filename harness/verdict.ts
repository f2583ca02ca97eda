import { isOwnRequirement, requirementIds, requirements, type ReportKind, type RequirementId } from '../spec/index.js'
import type { Case } from './case.js'
import { breaksRequirement } from './breaks-requirement.js'
import { applicableCases } from './missing-capability.js'
import { sentenceUnder, type SchemeWords } from './schemes/words.js'
import { memberOf } from './wire/exchange.js'
import { decideRequirement, type CaseState } from './requirement-decision.js'
import type { CaseResult, RequirementResult, RequirementStatus, Report, Verdict } from './result.js'

/** The facts about a case that a verdict needs. */
export interface JudgedCase extends Pick<Case, 'level' | 'requirements' | 'decides'> {
  readonly id: string
}

/** What a run is judged by: every case of the subject's catalogue, whether it was selected or not, and the results. */
export interface Judged {
  readonly kind: ReportKind
  readonly catalogue: readonly JudgedCase[]
  readonly results: readonly CaseResult[]
  /** False for a requirement that does not bind this target, such as one of another profile. */
  readonly binds?: ((id: RequirementId) => boolean) | undefined
  /** The names of the signature scheme, if it is not that of the interface. */
  readonly scheme?: SchemeWords | undefined
}

/** Each requirement of the kind with its status: violated by a failure, verified when all its cases passed. */
export function requirementResults({ kind, catalogue, results, binds, scheme }: Judged): RequirementResult[] {
  const byCase = new Map(results.map((result) => [result.id, result]))
  return requirementIds
    .filter((id) =>
      kind === 'traffic' || isOwnRequirement(id)
        ? catalogue.some((testCase) => testCase.requirements.includes(id))
        : requirements[id].subject === kind,
    )
    .map((id) => {
      const { level, source, untestable, conditional } = requirements[id]
      const isOfScheme = scheme !== undefined && binds?.(id) !== false
      const text = (isOfScheme ? sentenceUnder(scheme, id) : undefined) ?? requirements[id].text
      const cases = applicableCases(
        catalogue.filter((testCase) => testCase.requirements.includes(id)),
        (testCase) => byCase.get(testCase.id)?.for_others === true,
      )
      const isViolated = results.some((result) => breaksRequirement(result, { id, level }))
      const isOutOfReach =
        untestable !== undefined ||
        binds?.(id) === false ||
        (conditional !== undefined && cases.length > 0 && cases.every((testCase) => wasNotRun(byCase.get(testCase.id))))
      const { isVerified, notRun } = decideRequirement(id, cases, (testCase) => statusOf(byCase.get(testCase.id)))
      const usual = () => (kind === 'traffic' ? seenStatus(id, results) : isVerified ? 'verified' : 'unverified')
      const status = isViolated ? 'violated' : isOutOfReach ? 'untestable' : usual()
      const more = status === 'verified' && notRun > 0 ? { not_run: notRun } : {}
      return { id, level, text, source, status, ...more, cases: cases.map((testCase) => testCase.id) }
    })
}

/** Returns whether a case was skipped for a reason of its own; a run that ended early might have run the others. */
function wasNotRun(result: CaseResult | undefined): boolean {
  return result?.status === 'skipped' && result.not_reached !== true
}

/** Of traffic, only the sentences that were seen are verified. */
function seenStatus(id: RequirementId, results: readonly CaseResult[]): RequirementStatus {
  const isSeen = results.some(({ measurements }) => Number(memberOf(measurements?.['seen'], id) ?? 0) > 0)
  return isSeen ? 'verified' : 'unverified'
}

function statusOf(result: CaseResult | undefined): CaseState {
  if (result?.status === 'passed') return 'passed'
  return wasNotRun(result) ? 'lacking' : 'open'
}

/**
 * Derives the verdict (docs/contract.md, section 1) from the results alone. A target that did not run every case is not called
 * conformant.
 */
export function verdictOf(judged: Judged, requirementsJudged: readonly RequirementResult[]): Verdict {
  const { results, kind } = judged
  if (!results.some((result) => result.status === 'passed' || result.status === 'failed')) return 'none'
  if (results.some((result) => result.status === 'failed' && result.level === 'must' && !result.known_failure))
    return 'nonconformant'
  const open = requirementsJudged.some(
    (requirement) =>
      requirement.level === 'must' &&
      (requirement.status === 'unverified' || requirement.status === 'violated' || requirement.not_run !== undefined),
  )
  // Watching proves no conformance.
  return open || kind === 'traffic' ? 'partial' : 'conformant'
}

/** The counts of the report's summary. */
export function summarize(results: readonly CaseResult[], judged: readonly RequirementResult[]): Report['summary'] {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length
  const byCase = new Map(results.map((result) => [result.id, result.status]))
  const inPart = judged.filter(
    (requirement) => requirement.status === 'unverified' && isInPart(requirement.cases, byCase),
  ).length
  const decidedOnly = judged.filter((requirement) => requirement.not_run !== undefined).length
  const notReached = results.filter((result) => result.not_reached === true).length
  const of = (status: RequirementStatus) => judged.filter((requirement) => requirement.status === status).length
  return {
    cases: {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      errored: count('errored'),
      known_failures: results.filter((result) => result.known_failure).length,
      ...(notReached === 0 ? {} : { not_reached: notReached }),
    },
    requirements: {
      total: judged.filter((requirement) => requirement.status !== 'untestable').length,
      verified: of('verified'),
      violated: of('violated'),
      unverified: of('unverified'),
      ...(decidedOnly === 0 ? {} : { not_in_depth: decidedOnly }),
      ...(inPart === 0 ? {} : { in_part: inPart }),
    },
  }
}

/** Returns whether some of the cases passed and all others were skipped. */
function isInPart(cases: readonly string[], statuses: ReadonlyMap<string, CaseResult['status']>): boolean {
  const ranStatuses = cases.map((id) => statuses.get(id) ?? 'skipped').filter((status) => status !== 'skipped')
  return ranStatuses.length > 0 && ranStatuses.every((status) => status === 'passed')
}
