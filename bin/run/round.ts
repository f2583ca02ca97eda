import {
  requirementResults,
  runSuite,
  selectCases,
  summarize,
  type Case,
  type CaseResult,
  type KnownFailure,
  type KnownFailures,
  type Report,
  type ReportedSelection,
  type Selection,
  type Subject,
} from '../../harness/index.js'
import { estimateRun } from '../../harness/planning.js'
import type { RecordedRun, Reporter } from '../../harness/reporters/index.js'
import type { SubjectKind } from '../../spec/index.js'
import { printError } from '../cli/output.js'
import { writeKnownFailures } from './known-failures-file.js'
import { tool } from '../cli/package.js'
import { judgedAgain } from '../report/judge-again.js'
import { runRepeatedly } from './repeat.js'
import { openReporters, type RequestedReporter } from './reporting.js'
import { emptySelectionLine, type RunLimits } from './run-options.js'
import type { Settings } from '../cli/settings.js'
import { isStandardOutputBroken } from '../cli/standard-output.js'
import { UsageError } from '../cli/usage.js'

/** The plan of a run, once all user input has been read and validated. */
export interface RunPlan<Context> {
  readonly settings: Settings
  readonly catalogue: readonly Case<Context>[]
  readonly target: { readonly kind: SubjectKind; readonly name: string }
  readonly connect: (signal: AbortSignal) => Promise<Subject<Context>>
  readonly selection: Selection
  /** Cases selected. */
  readonly count: number
  readonly limits: RunLimits
  readonly known: KnownFailures
  readonly entries: readonly KnownFailure[]
  readonly requested: readonly RequestedReporter[]
  /** Known runs on the target, the newest first. */
  readonly earlier: readonly RecordedRun[]
  readonly reproduce: (caseId: string, seed: number, replayPath?: string) => string
}

/** The result of one round. */
export interface WatchRound {
  readonly report: Report
  /** False when a report could not be written. */
  readonly isReported: boolean
}

/** A round of a `--watch` run: the cases that run again, and the report with the other results. */
export interface Rerun {
  readonly caseIds: readonly string[]
  readonly earlier: Report
}

/** Connects, runs the selected cases, writes the reports. An unreachable target, or a selection without a case, gets a report with the reason. */
export async function runRound<Context>(
  plan: RunPlan<Context>,
  signal: AbortSignal,
  again?: Rerun,
  /** A reporter next to those of the user. */
  follower: Reporter = {},
): Promise<WatchRound> {
  const { settings, catalogue, target, limits, known, entries } = plan
  const { seed } = limits
  const reporters = await openReporters(plan.requested, settings, plan.earlier)
  const notify = (call: (reporter: Reporter) => void) => {
    reporters.each(call)
    call(follower)
  }
  const onRunStart = (name: string, expected: { readonly expectedMs?: number } = {}) => {
    const run = {
      subject: { kind: target.kind, name },
      cases: again?.caseIds.length ?? plan.count * (limits.repeat ?? 1),
      seed,
      ...expected,
    }
    notify((reporter) => reporter.onRunStart?.(run))
  }
  const onRunEnd = (report: Report): WatchRound => {
    notify((reporter) => reporter.onRunEnd?.(report))
    return { report, isReported: reporters.close() && !isStandardOutputBroken() }
  }
  const annotated = (result: CaseResult): CaseResult => {
    const reason = result.known_failure ? known.reasonFor(result.id) : undefined
    return reason === undefined ? result : { ...result, known_failure_reason: reason }
  }
  let subject: Subject<Context> | undefined
  try {
    const connected =
      plan.count === 0 ? { failure: emptySelectionLine(settings) } : await connectOr(plan.connect, signal)
    if ('failure' in connected) {
      onRunStart(target.name)
      printError(connected.failure)
      return onRunEnd(emptyReport({ plan, note: connected.failure }))
    }
    subject = connected
    const selected = again === undefined ? plan.selection : { suites: [], cases: again.caseIds }
    const { runMs } = estimateRun(
      selectCases(catalogue, selected),
      subject.findMissing.bind(subject),
      limits.concurrency ?? subject.concurrency,
    )
    onRunStart(subject.secrets.redact(subject.name), { expectedMs: runMs * (limits.repeat ?? 1) })
    const ask = (seedOfRound: number) =>
      runSuite(catalogue, connected, {
        ...limits,
        seed: seedOfRound,
        selection: selected,
        tool: tool(),
        knownFailures: known,
        signal,
        reproduce: (caseId, replayPath) => plan.reproduce(caseId, seedOfRound, replayPath),
        onCaseStart: (id) => notify((reporter) => reporter.onCaseStart?.(id)),
        onCaseHeld: (result) => notify((reporter) => reporter.onCaseHeld?.(annotated(result))),
        ...(reporters.wantsExchanges
          ? {
              onExchanges: (exchanges, ofCase) =>
                reporters.each((reporter) => reporter.onExchanges?.(exchanges, ofCase)),
            }
          : {}),
        onCaseEnd: (result) => notify((reporter) => reporter.onCaseEnd?.(annotated(result))),
      })
    const ran = await runRepeatedly(ask, {
      seed,
      count: limits.repeat ?? 1,
      catalogue,
    })
    const report = completed({ ...ran, cases: ran.cases.map(annotated) }, plan, again)
    const round = onRunEnd(report)
    const writePath = settings.path('write-known-failures')
    if (writePath !== undefined) writeKnownFailures(writePath, report, entries)
    return round
  } finally {
    reporters.close()
    await subject?.close()
  }
}

/** The report with what the command line knows: earlier results, the shard, stale known failures, an early end. */
function completed<Context>(ran: Report, plan: RunPlan<Context>, again: Rerun | undefined): Report {
  const { catalogue, known, selection } = plan
  // Cases that were not reached this time keep their earlier result.
  const reached = again === undefined ? ran.cases : ran.cases.filter((result) => result.not_reached !== true)
  const fresh = new Set(reached.map((result) => result.id))
  const kept = again?.earlier.cases.filter((result) => !fresh.has(result.id)) ?? []
  const whole = kept.length === 0 ? ran : judgedAgain(ran, [...kept, ...reached], catalogue)
  const report = ran.verdict === 'none' && ran.note !== undefined ? { ...whole, verdict: 'none' as const } : whole
  const problems = known.problems(report.cases, new Set(catalogue.map((testCase) => testCase.id)))
  const left = ran.summary.cases.not_reached ?? 0
  const { maxFailures } = plan.limits
  const isCut = maxFailures !== undefined && left > 0 && report.verdict !== 'none'
  const where =
    maxFailures === 1 ? 'at the first failure, because of --bail or --max-failures 1' : `after ${maxFailures} failures`
  const cut = `stopped ${where}; ${left} more cases were not run`
  return {
    ...report,
    ...shardOf(selection),
    selection: reportedSelection(selection),
    ...(problems.length === 0 ? {} : { known_failure_problems: problems }),
    ...(isCut ? { note: report.note === undefined ? cut : `${cut}; ${report.note}` } : {}),
  }
}

function shardOf({ shard }: Selection): Pick<Report, 'shard'> {
  return shard === undefined ? {} : { shard: `${shard.index}/${shard.count}` }
}

/** Returns the selection for the report; the shard is a field of its own. */
function reportedSelection({
  suites,
  cases,
  requirements = [],
  exclude = [],
  grep,
  only,
  level,
}: Selection): ReportedSelection {
  return {
    ...(suites.length === 0 ? {} : { suites }),
    ...(cases.length === 0 ? {} : { cases }),
    ...(requirements.length === 0 ? {} : { requirements }),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(grep === undefined ? {} : { grep }),
    ...(level === undefined ? {} : { level }),
    ...(only === undefined ? {} : { only: [...only] }),
  }
}

/** Resolves to the subject, or to one line with the reason why there is none. */
async function connectOr<Context>(
  connect: (signal: AbortSignal) => Promise<Subject<Context>>,
  signal: AbortSignal,
): Promise<Subject<Context> | { readonly failure: string }> {
  const interrupted = new Promise<{ failure: string }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ failure: 'the run was interrupted before it began' }))
  })
  const connecting = connect(signal)
  const connected = await Promise.race([connecting.catch(failureOf), interrupted])
  if (signal.aborted)
    connecting.then(
      (subject) => subject.close(),
      () => {},
    )
  return connected
}

function failureOf(error: unknown): { readonly failure: string } {
  if (error instanceof UsageError || !(error instanceof Error)) throw error
  return { failure: error.message }
}

/** Returns the report of a run without cases. */
function emptyReport<Context>({ plan, note }: { readonly plan: RunPlan<Context>; readonly note: string }): Report {
  const { target, catalogue, selection } = plan
  const requirements = requirementResults({ kind: target.kind, catalogue, results: [] })
  return {
    schema: 'conformance-report/1',
    tool: tool(),
    subject: target,
    started_at: new Date().toISOString(),
    duration_ms: 0,
    seed: plan.limits.seed,
    ...shardOf(selection),
    selection: reportedSelection(selection),
    verdict: 'none',
    summary: summarize([], requirements),
    cases: [],
    requirements,
    note,
  }
}
