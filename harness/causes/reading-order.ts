import { compareRanks } from './evidence.js'
import type { CaseResult, LikelyCause, Report } from '../result.js'

/**
 * Sorts failures for reading: preconditions of other cases first, then failures with a cause, must before should, set-up errors, and known
 * failures last.
 */
export function inReadingOrder(results: readonly CaseResult[], causes: readonly LikelyCause[] = []): CaseResult[] {
  const bad = results.filter((each) => each.status === 'failed' || each.status === 'errored')
  const bases = new Set(results.flatMap((each) => each.not_judged?.failed_in ?? []))
  const explained = causes.flatMap((each) => each.cases)
  const rank = (each: CaseResult): readonly number[] => [
    each.known_failure ? 1 : 0,
    each.status === 'errored' ? 1 : 0,
    bases.has(each.id) ? 0 : 1,
    each.level === 'must' ? 0 : 1,
    explained.includes(each.id) ? explained.indexOf(each.id) : explained.length,
  ]
  return bad.toSorted((a, b) => compareRanks(rank(a), rank(b)))
}

/** The failure that is best read first; none where all of them are accepted. */
export function firstToRead({ cases, likely_causes }: Report): CaseResult | undefined {
  return inReadingOrder(cases, likely_causes).find((each) => !each.known_failure)
}
