import pLimit from 'p-limit'
import type { RequirementId, SubjectKind } from '../../spec/index.js'
import type { CaseResult, Report } from '../../harness/result.js'

/** A mutant as the matrix sees it: what it breaks, and how its cases are run. */
export interface Trial {
  readonly id: string
  readonly kind: SubjectKind
  readonly title: string
  readonly breaks: readonly RequirementId[]
  readonly run: () => Promise<Report>
}

/** `killed`: a case of a requirement it names failed. `misjudged`: only others did. `broken`: only a crash or silence did. */
export type TrialVerdict = 'killed' | 'survived' | 'misjudged' | 'broken'

export interface TrialResult {
  readonly id: string
  readonly kind: SubjectKind
  readonly title: string
  readonly breaks: readonly RequirementId[]
  readonly verdict: TrialVerdict
  /** Cases that failed on a requirement it names. */
  readonly killedBy: readonly string[]
  readonly durationMs: number
}

/** Mismatches that say only that nothing came back. */
const noAnswer = /^(no answer|broken|the driver)/

/** Runs every trial, several side by side, and judges each. */
export async function runTrials(
  trials: readonly Trial[],
  atOnce: number,
  onEnd: (result: TrialResult) => void,
): Promise<TrialResult[]> {
  return pLimit(atOnce).map([...trials], async (trial) => {
    const startedAt = performance.now()
    const report = await trial.run()
    const result = judge(trial, report, Math.round(performance.now() - startedAt))
    onEnd(result)
    return result
  })
}

function judge({ id, kind, title, breaks }: Trial, report: Report, durationMs: number): TrialResult {
  const failed = report.cases.filter((each) => each.status === 'failed')
  const rightly = failed.filter((each) => each.violates?.some((requirement) => breaks.includes(requirement)) === true)
  const bySight = rightly.filter((each) => isSeen(each, breaks))
  const verdict =
    bySight.length > 0 ? 'killed' : rightly.length > 0 ? 'broken' : failed.length > 0 ? 'misjudged' : 'survived'
  return { id, kind, title, breaks, verdict, killedBy: rightly.map((each) => each.id), durationMs }
}

/** Whether a check saw the deviation, and not only that no answer came. */
function isSeen(result: CaseResult, breaks: readonly RequirementId[]): boolean {
  const checks = (result.checks ?? []).filter(
    (each) => each.requirement === undefined || breaks.includes(each.requirement),
  )
  return checks.some((each) => !noAnswer.test(each.got)) || breaks.some((each) => crashes.has(each))
}

/** Requirements that forbid crashes themselves: there a crash is what the check looks for. */
const crashes: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'VFY-013',
  'RCV-015',
  'RCV-002',
  'CLI-034',
  'CLI-035',
  'CLI-036',
])
