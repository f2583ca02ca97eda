import type { RequirementId } from '../spec/index.js'

/** Why a case is not asked of a target. */
export interface Lack {
  /** In one line, and what would enable it. */
  readonly reason: string
  /**
   * Nothing is wanting: the case speaks of the events of the interface, of what the interface adds, or of retries, and the user
   * judges a consumer of another sender, or a sender of which no schedule is known or fewer attempts are watched; or what a right target need not take, or
   * tell, is what the case rests on. Where other cases ask the same sentence of it, those decide.
   */
  readonly isForOthers?: true
  /** Nothing is wanting: the case rests on this requirement, which failed. */
  readonly see?: RequirementId
}

/** What is wanting, where something is. */
export function wanting(reason: string | undefined): Lack | undefined {
  return reason === undefined ? undefined : { reason }
}

/** Why a case that depends on a failed requirement is not evaluated; `why` follows the id: `failed in service/polling/…`. */
export function notJudged(see: RequirementId, why: string): Lack {
  return { reason: `not evaluated because ${see} ${why}`, see }
}

export function depthNeeded(attempts: number): string {
  return `needs ${attempts} attempts to be watched: --retry-depth ${attempts}`
}

/** Cases that the target is not asked because of what it is, or of how deep the user looks. */
export const forOthers = {
  events: (how: string): Lack => ({ reason: `expects events of the interface: ${how}`, isForOthers: true }),
  scheme: (reason: string): Lack => ({ reason, isForOthers: true }),
  profile: (how: string): Lack => ({ reason: `expects additions of the interface: ${how}`, isForOthers: true }),
  schedule: (how: string): Lack => ({ reason: `needs a schedule of retries: ${how}`, isForOthers: true }),
  depth: (attempts: number): Lack => ({ reason: depthNeeded(attempts), isForOthers: true }),
}

/** What the first need of a case lacks, in the order in which the case names them. */
export function lackOfCase<Each extends { readonly needs: readonly string[] }>(
  each: Each,
  lacks: (need: string, each: Each) => Lack | undefined,
): Lack | undefined {
  return each.needs.map((need) => lacks(need, each)).find((lack) => lack !== undefined)
}

/** Those of `cases` that speak of this target; all of them, where none does. */
export function ofThisTarget<Each>(cases: readonly Each[], isForOthers: (each: Each) => boolean): readonly Each[] {
  const own = cases.filter((each) => !isForOthers(each))
  return own.length > 0 ? own : cases
}
