import type { RequirementId } from '../../spec/index.js'
import type { CaseResult } from '../result.js'

/** Returns the failed case with the clearest evidence: one sentence, one mismatch, some exchanges, no random data. */
export function clearestCase(
  failed: readonly CaseResult[],
  requirement: RequirementId | undefined,
): CaseResult | undefined {
  const rank = (result: CaseResult): readonly number[] => [
    requirement === undefined || result.violates?.includes(requirement) === true ? 0 : 1,
    result.level === 'must' ? 0 : 1,
    result.counterexample === undefined ? 0 : 1,
    (result.exchanges ?? []).some(({ kind }) => kind !== 'control') ? 0 : 1,
    result.violates?.length ?? 0,
    result.checks?.length ?? 0,
  ]
  return failed.toSorted((a, b) => compareRanks(rank(a), rank(b)))[0]
}

/** Compares number by number. */
export function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
