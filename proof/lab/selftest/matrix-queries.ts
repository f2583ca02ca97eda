// Questions to the kill matrix that need only a part of it.
import picomatch from 'picomatch'
import { nearest } from '../../../harness/parsing.js'
import { writeOutput } from '../../../bin/cli/output.js'
import { exitCodes, UsageError } from '../../../bin/cli/usage.js'
import { catalogue, type CaseInfo } from '../../../bin/run/catalogue.js'
import type { CaseKill } from './case-kills.js'
import { mistakesOf } from './mistakes.js'
import type { MutantTrial } from './mutants.js'
import { createPool } from './pool.js'

type Format = 'text' | 'json'

/** `selftest --mutant <id> --diff`: prints the change of each mutant. Runs nothing. */
export function printMistakes(
  trials: readonly MutantTrial[],
  { isNamed, format }: { readonly isNamed: boolean; readonly format: Format },
): number {
  if (!isNamed) throw new UsageError('--diff: name the mutants by --mutant <id or glob>')
  const mistakes = mistakesOf(trials.map(({ id }) => id))
  const texts = mistakes.map(
    ({ id, title, breaks, diff }) => `${id}  breaks ${breaks.join(' ')}\n  ${title}\n\n${diff}\n`,
  )
  writeOutput(format === 'json' ? `${JSON.stringify(mistakes, null, 2)}\n` : texts.join('\n'))
  return exitCodes.conformant
}

/** What one case kills of the mutants that break a requirement of its own. */
interface CaseKills {
  readonly case: string
  readonly kills: readonly CaseKill[]
}

/**
 * `selftest --case <id>`: which mutants each case kills of those that break a requirement of it, and which of them no
 * other case kills. Exit code 1 where a case kills none.
 */
export async function printCaseKills(
  patterns: readonly string[],
  options: {
    readonly mutants: readonly MutantTrial[]
    readonly jobs: number
    readonly seed: number
    readonly format: Format
    readonly shareOf: (trial: MutantTrial) => number
  },
): Promise<number> {
  const { mutants, jobs, seed, format, shareOf } = options
  const requested = casesNamed(patterns)
  const pool = createPool(jobs)
  try {
    const kill = async (trial: MutantTrial, testCase: CaseInfo): Promise<CaseKill> => {
      const task = { kind: 'case', mutant: trial.id, caseId: testCase.id, seed } as const
      return (await pool.run(() => task, shareOf(trial))) as CaseKill
    }
    const all = await Promise.all(
      requested.map(async (testCase): Promise<CaseKills> => {
        const own = mutants.filter(
          ({ kind, breaks }) => kind === testCase.subject && breaks.some((id) => testCase.requirements.includes(id)),
        )
        return { case: testCase.id, kills: await Promise.all(own.map((trial) => kill(trial, testCase))) }
      }),
    )
    writeOutput(format === 'json' ? `${JSON.stringify(all, null, 2)}\n` : all.map(textOf).join('\n'))
    return all.every(({ kills }) => kills.some(({ isKilled }) => isKilled))
      ? exitCodes.conformant
      : exitCodes.nonconformant
  } finally {
    pool.close()
  }
}

function casesNamed(patterns: readonly string[]): readonly CaseInfo[] {
  return patterns.flatMap((pattern) => {
    const isMatch = picomatch(pattern)
    const matching = catalogue.filter(({ id, subject }) => subject !== 'traffic' && (id === pattern || isMatch(id)))
    if (matching.length > 0) return matching
    const [near] = nearest(
      pattern,
      catalogue.map(({ id }) => id),
    )
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    throw new UsageError(`--case ${pattern}: matches no case${hint} (conformance list shows every id)`)
  })
}

function textOf({ case: id, kills }: CaseKills): string {
  const killed = kills.filter(({ isKilled }) => isKilled)
  const alone = killed.filter(({ others }) => others.length === 0)
  return [
    id,
    ...killed.map(({ mutant, others }) =>
      others.length === 0 ? `ALONE   ${mutant}` : `KILLED  ${mutant}  as does ${others.join(' ')}`,
    ),
    `${killed.length} of the ${kills.length} mutants that break its requirements, ${alone.length} of them by this case alone`,
    '',
  ].join('\n')
}
