import type { CaseResult } from './result.js'

/** One entry of a known-failures file: a case that is allowed to fail, and why. */
export interface KnownFailure {
  /** Case id, written out. */
  readonly case: string
  readonly reason: string
  readonly issue?: string
  /** Last day the entry holds, `YYYY-MM-DD`, UTC. */
  readonly until?: string
}

/** Forgives `failed`, never `errored`; and tells which entries are stale. */
export interface KnownFailures {
  readonly forgives: (caseId: string) => boolean
  /** One line for each entry that passed, matched no case that ran, or expired; such a line fails the run. */
  readonly complaints: (results: readonly CaseResult[], catalogueIds: ReadonlySet<string>) => string[]
}

/** Known failures as of `today` (an ISO date); an expired entry forgives nothing. */
export function createKnownFailures(entries: readonly KnownFailure[], today: string): KnownFailures {
  const isExpired = (entry: KnownFailure) => entry.until !== undefined && entry.until < today
  return {
    forgives: (caseId) => entries.some((entry) => entry.case === caseId && !isExpired(entry)),
    complaints: (results, catalogueIds) =>
      entries.flatMap((entry) => {
        if (!catalogueIds.has(entry.case)) return [`known failure ${entry.case} matches no case`]
        if (isExpired(entry)) return [`known failure ${entry.case} expired on ${entry.until}`]
        const result = results.find((each) => each.id === entry.case)
        return result?.status === 'passed' ? [`known failure ${entry.case} passed: remove its entry`] : []
      }),
  }
}
