import type { RequirementId, SubjectKind } from '../../../spec/index.js'
import { withoutConsequences, type CaseResult } from '../../../harness/index.js'
import type { CaseInfo } from '../../../bin/run/catalogue.js'
import type { StartedSubject } from './started-subject.js'
import { isRight, isSeen, verdictOn, type MutantResult } from './judge.js'
import { watchingCases } from './watching-cases.js'

/** A mutant as the matrix sees it: what it breaks, and how it is started. */
export interface MutantTrial {
  readonly id: string
  readonly kind: SubjectKind
  readonly title: string
  readonly breaks: readonly RequirementId[]
  readonly start: () => Promise<StartedSubject>
}

export interface MutantOptions {
  /** Cases that killed it before: they are tried first. */
  readonly likely: readonly string[]
  /** Cases that have killed nothing yet: they are tried on every mutant that breaks a requirement of theirs. */
  readonly idle: ReadonlySet<string>
  /** Every case of the kind, to the end. */
  readonly isWhole: boolean
  /** Tried again, one case after the other with nothing else running: one without a verdict is repeated, as in a run. */
  readonly isAlone: boolean
}

/**
 * Runs cases on a mutant: those that killed it before, and those of the requirements it breaks, first the ones that have killed nothing
 * yet, then the others until one kills it. Only a mutant that survives these meets every other case, which separates a survivor from a
 * misjudged one.
 */
export async function tryMutant(
  trial: MutantTrial,
  { likely, idle, isWhole, isAlone }: MutantOptions,
): Promise<MutantResult> {
  const startedAt = performance.now()
  const { id, kind, title, breaks } = trial
  const started = await trial.start()
  const results: CaseResult[] = []
  const isKilled = () => results.some((result) => isRight(result, breaks) && isSeen(result, breaks))
  try {
    const rounds = isWhole
      ? [{ cases: started.catalogue, isToTheEnd: true }]
      : [...likelyRound(started.catalogue, likely), ...roundsFor(started.catalogue, breaks, idle)]
    for (const { cases, isToTheEnd, isExpected } of rounds) {
      if (isKilled() && isExpected !== true) break
      const end = new AbortController()
      await started.runCases(
        cases.map((testCase) => testCase.id),
        {
          ...(isAlone ? {} : { maxRepeats: 0 }),
          signal: end.signal,
          onCaseEnd(result) {
            results.push(result)
            if (!isToTheEnd && isKilled()) end.abort()
          },
        },
      )
    }
  } finally {
    await started.close()
  }
  const failed = results.filter((result) => result.status === 'failed')
  const violated = new Set(
    withoutConsequences(results).flatMap((result) => (result.status === 'failed' ? (result.violates ?? []) : [])),
  )
  return {
    id,
    kind,
    title,
    breaks,
    verdict: verdictOn(results, breaks),
    killedBy: [...new Set(failed.filter((result) => isRight(result, breaks)).map((result) => result.id))],
    alsoViolates: [...violated].filter((requirement) => !breaks.includes(requirement)),
    durationMs: Math.round(performance.now() - startedAt),
  }
}

interface Round {
  readonly cases: readonly CaseInfo[]
  /** Whether the round goes on after a kill. */
  readonly isToTheEnd: boolean
  /** Runs although the mutant is killed already: its cases have killed nothing yet. */
  readonly isExpected?: boolean
}

/** The cases that killed a mutant before, with those that show something to the checks that are always on where they need it. */
function likelyRound(catalogue: readonly CaseInfo[], likely: readonly string[]): readonly Round[] {
  const named = catalogue.filter(({ id }) => likely.includes(id))
  const watching = named.some(({ phase }) => phase === 'last') ? watchingCases : []
  const cases = catalogue.filter(({ id }) => likely.includes(id) || watching.includes(id))
  return cases.length === 0 ? [] : [{ cases, isToTheEnd: true }]
}

/** The cases in the order in which a kill is looked for: the likeliest first. */
export function roundsFor(
  catalogue: readonly CaseInfo[],
  breaks: readonly RequirementId[],
  idle: ReadonlySet<string>,
): readonly Round[] {
  const isNamed = (testCase: CaseInfo) => testCase.requirements.some((requirement) => breaks.includes(requirement))
  const own = catalogue.filter((testCase) => isNamed(testCase) && testCase.phase !== 'last').sort(bySpecificity)
  const last = catalogue.filter((testCase) => isNamed(testCase) && testCase.phase === 'last')
  const shown = catalogue.filter((testCase) => watchingCases.includes(testCase.id) && !own.includes(testCase))
  const watching = last.length === 0 ? [] : [...shown, ...last]
  const isWatchingAwaited = last.some((testCase) => idle.has(testCase.id))
  const awaited = [...own.filter((testCase) => idle.has(testCase.id)), ...(isWatchingAwaited ? watching : [])]
  const others = own.filter((testCase) => !idle.has(testCase.id))
  const rest = catalogue.filter((testCase) => !own.includes(testCase) && !watching.includes(testCase))
  return [
    { cases: awaited, isToTheEnd: true, isExpected: true },
    // One after the other: trials run concurrently, and cases that run with the one that kills are wasted.
    ...[...others.map((testCase) => [testCase]), isWatchingAwaited ? [] : watching].map((cases) => ({
      cases,
      isToTheEnd: false,
    })),
    { cases: rest, isToTheEnd: true },
  ].filter(({ cases }) => cases.length > 0)
}

/** Cases of few requirements first: they are the most likely to see the deviation, and mostly short. */
function bySpecificity(one: CaseInfo, other: CaseInfo): number {
  return one.requirements.length - other.requirements.length || (one.timeoutMs ?? 0) - (other.timeoutMs ?? 0)
}
