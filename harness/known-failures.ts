import type { CaseResult, KnownFailureProblem } from './result.js'

/** One entry of a known-failures file: a case that is allowed to fail, and why. */
export interface KnownFailure {
  /** Case id, written out. */
  readonly case: string
  readonly reason: string
  readonly issue?: string
  /** Last day the entry holds, `YYYY-MM-DD`, UTC. */
  readonly until?: string
}

/** Forgives `failed`, never `errored`, and finds stale entries. */
export interface KnownFailures {
  readonly forgives: (caseId: string) => boolean
  /** The reason in the entry that forgives a case, as one text; undefined without an entry. */
  readonly reasonFor: (caseId: string) => string | undefined
  /** The entries that name no case, expired, or whose case passed; each of them fails the run. */
  readonly problems: (results: readonly CaseResult[], catalogueIds: ReadonlySet<string>) => KnownFailureProblem[]
}

/** Known failures as of `today` (an ISO date); an expired entry forgives nothing. */
export function createKnownFailures(entries: readonly KnownFailure[], today: string): KnownFailures {
  const isExpired = (entry: KnownFailure) => entry.until !== undefined && entry.until < today
  const entryFor = (caseId: string) => entries.find((entry) => entry.case === caseId && !isExpired(entry))
  return {
    forgives: (caseId) => entryFor(caseId) !== undefined,
    reasonFor: (caseId) => {
      const entry = entryFor(caseId)
      return entry === undefined ? undefined : inWords(entry)
    },
    problems: (results, catalogueIds) => {
      const statuses = new Map(results.map((result) => [result.id, result.status]))
      return entries.flatMap((entry): KnownFailureProblem[] => {
        const of = (problem: KnownFailureProblem['problem'], says: string) => [
          { case: entry.case, problem, message: `known failure ${entry.case} ${says}` },
        ]
        if (!catalogueIds.has(entry.case)) return of('unmatched', 'matches no case: correct or remove its entry')
        if (statuses.get(entry.case) === 'passed') return of('passed', 'passed: remove its entry')
        return isExpired(entry) ? of('expired', `expired on ${entry.until}: repair it, or set a later date`) : []
      })
    },
  }
}

function inWords({ reason, issue, until }: KnownFailure): string {
  return [
    reason,
    ...(issue === undefined ? [] : [`issue ${issue}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ].join('; ')
}
