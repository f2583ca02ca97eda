import type { CaseResult, JudgedCase, Outcome, Report } from '../../harness/index.js'
import { bySeverity } from '../report/severity.js'
import { judgedAgain } from '../report/judge-again.js'

/** The number of seeds: the first follows the last. */
const seeds = 2 ** 32

/**
 * Runs the cases `count` times, each time with the next seed, and resolves to one report in which each case has its worst outcome. A case
 * that both passed and failed is failed, with the counts.
 */
export async function runRepeatedly(
  run: (seed: number) => Promise<Report>,
  {
    seed,
    count,
    catalogue,
  }: { readonly seed: number; readonly count: number; readonly catalogue: readonly JudgedCase[] },
): Promise<Report> {
  const first = await run(seed)
  const reports = [first]
  while (reports.length < count && reports.at(-1)?.verdict !== 'none')
    reports.push(await run((seed + reports.length) % seeds))
  if (reports.length === 1) return first
  const results = first.cases.map((result) => {
    const all = reports.flatMap((report) =>
      report.cases.filter((one) => one.id === result.id && one.not_reached !== true),
    )
    return together(all) ?? result
  })
  const last = reports.at(-1) ?? first
  const whole = judgedAgain(first, results, catalogue)
  return {
    ...whole,
    duration_ms: reports.reduce((sum, report) => sum + report.duration_ms, 0),
    ...(last.verdict === 'none' ? { verdict: 'none' as const } : {}),
    ...(last.note === undefined ? {} : { note: last.note }),
  }
}

function together(all: readonly CaseResult[]): CaseResult | undefined {
  const [worst] = all.toSorted(bySeverity)
  if (worst === undefined || worst.status === 'skipped') return worst
  const count = (status: Outcome) => all.filter((result) => result.status === status).length
  return { ...worst, repeats: { passed: count('passed'), failed: count('failed'), errored: count('errored') } }
}
