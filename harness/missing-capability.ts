import type { RequirementId } from '../spec/index.js'

/** Why a case is not run against a target. */
export interface MissingCapability {
  /** In one line, and what would enable it. */
  readonly reason: string
  /**
   * No capability is missing, but the case does not apply: it expects events, additions or retries of the interface, and the user tests a
   * consumer of another sender, or a sender with an unknown schedule or fewer watched attempts; or it depends on an optional feature of the
   * target. Other cases for the same requirement decide.
   */
  readonly isForOthers?: true
  /** No capability is missing: the case depends on this requirement, which failed. */
  readonly see?: RequirementId
}

/** Returns the missing capability, if any. */
export function missingCapability(reason: string | undefined): MissingCapability | undefined {
  return reason === undefined ? undefined : { reason }
}

/** Why a case that depends on a failed requirement is not evaluated; `why` follows the id: `failed in service/polling/…`. */
export function notJudged(see: RequirementId, why: string): MissingCapability {
  return { reason: `not evaluated because ${see} ${why}`, see }
}

export function depthNeeded(attempts: number): string {
  return `needs ${attempts} attempts to be watched: --retry-depth ${attempts}`
}

/** Reasons why a case does not apply to the kind of target, or to the depth the user chose. */
export const inapplicable = {
  events: (how: string): MissingCapability => ({
    reason: `expects events of the interface: ${how}`,
    isForOthers: true,
  }),
  scheme: (reason: string): MissingCapability => ({ reason, isForOthers: true }),
  profile: (how: string): MissingCapability => ({
    reason: `expects additions of the interface: ${how}`,
    isForOthers: true,
  }),
  schedule: (how: string): MissingCapability => ({ reason: `needs a schedule of retries: ${how}`, isForOthers: true }),
  depth: (attempts: number): MissingCapability => ({ reason: depthNeeded(attempts), isForOthers: true }),
}

/** What the first need of a case lacks, in the order in which the case names them. */
export function findMissingOfCase<C extends { readonly needs: readonly string[] }>(
  testCase: C,
  findMissing: (need: string, testCase: C) => MissingCapability | undefined,
): MissingCapability | undefined {
  return testCase.needs.map((need) => findMissing(need, testCase)).find((missing) => missing !== undefined)
}

/** Those of `cases` that speak of this target; all of them, where none does. */
export function applicableCases<C>(cases: readonly C[], isForOthers: (testCase: C) => boolean): readonly C[] {
  const own = cases.filter((testCase) => !isForOthers(testCase))
  return own.length > 0 ? own : cases
}
