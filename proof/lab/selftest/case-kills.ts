import type { CaseResult } from '../../../harness/index.js'
import { isRight, isSeen } from './judge.js'
import { roundsFor, type MutantTrial } from './mutants.js'
import { watchingCases } from './watching-cases.js'

/** What one case makes of a mutant. */
export interface CaseKill {
  readonly mutant: string
  readonly title: string
  readonly isKilled: boolean
  /** The first other cases that kill it too; empty if only this case does. */
  readonly others: readonly string[]
}

/** Puts a case to a mutant, and if it kills it every other case until one does too. */
export async function tryCaseOn(trial: MutantTrial, caseId: string): Promise<CaseKill> {
  const { id, title, breaks } = trial
  const isKill = (result: CaseResult) => isRight(result, breaks) && isSeen(result, breaks)
  const started = await trial.start()
  try {
    const isWatching = started.catalogue.some((testCase) => testCase.id === caseId && testCase.phase === 'last')
    const first = await started.runCases(isWatching ? [...watchingCases, caseId] : [caseId], { maxRepeats: 0 })
    if (!first.some((result) => result.id === caseId && isKill(result)))
      return { mutant: id, title, isKilled: false, others: [] }
    const others = new Set<string>()
    for (const { cases } of roundsFor(started.catalogue, breaks, new Set())) {
      const end = new AbortController()
      await started.runCases(
        cases.map((testCase) => testCase.id).filter((id) => id !== caseId),
        {
          maxRepeats: 0,
          signal: end.signal,
          onCaseEnd(result) {
            if (!isKill(result)) return
            others.add(result.id)
            end.abort()
          },
        },
      )
      if (others.size > 0) break
    }
    return { mutant: id, title, isKilled: true, others: [...others] }
  } finally {
    await started.close()
  }
}
