import { compareRanks } from './evidence.js'
import type { CaseResult, LikelyCause, Report } from '../result.js'

/**
 * Sorts failures for reading: preconditions of other cases first, then failures with a cause, must before should, set-up errors, and known
 * failures last.
 */
export function inReadingOrder(results: readonly CaseResult[], causes: readonly LikelyCause[] = []): CaseResult[] {
  const bad = results.filter((result) => result.status === 'failed' || result.status === 'errored')
  const bases = new Set(results.flatMap((result) => result.not_judged?.failed_in ?? []))
  const explained = causes.flatMap((cause) => cause.cases)
  const rank = (result: CaseResult): readonly number[] => [
    result.known_failure ? 1 : 0,
    result.status === 'errored' ? 1 : 0,
    bases.has(result.id) ? 0 : 1,
    result.level === 'must' ? 0 : 1,
    explained.includes(result.id) ? explained.indexOf(result.id) : explained.length,
  ]
  return bad.toSorted((a, b) => compareRanks(rank(a), rank(b)))
}

/** The failure that is best read first; none where all of them are accepted. */
export function firstToRead({ cases, likely_causes }: Report): CaseResult | undefined {
  return inReadingOrder(cases, likely_causes).find((result) => !result.known_failure)
}
