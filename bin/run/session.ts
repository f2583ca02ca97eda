import type { SubjectKind } from '../../spec/index.js'
import {
  createKnownFailures,
  profileWaits,
  selectCases,
  type Case,
  type Report,
  type Subject,
} from '../../harness/index.js'
import { entriesOfRun, readKnownFailures } from './known-failures-file.js'
import { earlierRuns, lastFailed, rememberRun } from './last-runs.js'
import { ownCasesOf } from './own-cases.js'
import { printPlan, type Planned } from './plan.js'
import { isWatched, openReport } from './open-report.js'
import { htmlFileOf, requestedReporters, type RequestedReporter } from './reporting.js'
import { runRound, type RunPlan } from './round.js'
import { emptySelectionLine, limitsOf, needsEveryCase, reproductionLine, selectionOf } from './run-options.js'
import { watchSignals } from '../cli/interrupt.js'
import { writeError } from '../cli/output.js'
import type { Settings } from '../cli/settings.js'
import { exitCodes, UsageError } from '../cli/usage.js'
import { waitsText } from './waits-text.js'
import { watchedPath, watchRounds } from './watch.js'

export interface SessionOptions<Context> {
  readonly settings: Settings
  readonly catalogue: readonly Case<Context>[]
  /** The target, with a provisional name; without secrets. */
  readonly target: { readonly kind: SubjectKind; readonly name: string }
  /** Connects to the target, or gives up at the signal; called only when the arguments make sense. */
  readonly connect: (signal: AbortSignal) => Promise<Subject<Context>>
  /** The command line that reaches the same target, without secrets. */
  readonly again: string
  /** The end of that command line. */
  readonly after?: string
  /** Returns the cases that could run, for the plan, without contacting the target. */
  readonly planned: () => Planned
  /** What a run of this kind sends, for the plan. */
  readonly sends: string
  /** The seed of the run that is resumed. */
  readonly seed?: number
  /** Called once all user input is valid, with the seed. */
  readonly onBegin?: (seed: number) => void
}

/** Runs the selected cases, reports, and resolves to the exit code. */
export async function runSession<Context>(given: SessionOptions<Context>): Promise<number> {
  const { settings, target, connect } = given
  const { own, ofOtherKinds } = await ownCases(given)
  const catalogue = [...given.catalogue, ...own]
  const options = { ...given, catalogue }
  const named = selectionOf(settings)
  const only = settings.isOn('last-failed') ? lastFailed(target, catalogue) : undefined
  const selection = only === undefined ? named : { ...named, only }
  const cases = selectCases(catalogue, selection)
  const asGiven = limitsOf(settings)
  const limits = options.seed === undefined ? asGiven : { ...asGiven, seed: options.seed }
  const knownPath = settings.path('known-failures')
  const entries = knownPath === undefined ? [] : readKnownFailures(knownPath, catalogue)
  const requested = requestedReporters(settings)
  const isStrict = settings.isOn('strict')
  const watched = watchedPath(settings)
  const hasPage = settings.isOn('ui')
  if (hasPage && watched !== undefined)
    throw new UsageError('--watch: the page of `conformance ui` runs cases again itself; leave it out')
  if (settings.isOn('dry-run')) {
    if (cases.length === 0) writeError(`${emptySelectionLine(settings)}\n`)
    return dryRun({ ...options, cases, limits })
  }

  const plan: RunPlan<Context> = {
    settings,
    catalogue,
    target,
    connect,
    selection,
    count: cases.length,
    limits,
    known: createKnownFailures(
      await entriesOfRun(entries, catalogue, ofOtherKinds),
      new Date().toISOString().slice(0, 10),
    ),
    entries,
    requested,
    earlier: earlierRuns(target),
    reproduce: (caseId, seed, replayPath) =>
      reproductionLine({ ...options, after: options.after, caseId, seed, replayPath }),
  }
  options.onBegin?.(limits.seed)
  const isProfiled = settings.isOn('profile-waits')
  if (isProfiled) profileWaits()
  const interrupt = watchSignals()
  try {
    const round = hasPage
      ? await (await import('../ui/session.js')).uiSession(plan, cases, interrupt.signal)
      : watched === undefined
        ? await runRound(plan, interrupt.signal)
        : await watchRounds({
            path: watched.path,
            written: [...requested.flatMap((reporter) => reporter.file ?? []), ...journalsOf(settings)],
            signal: interrupt.signal,
            needsEveryCase: (ids) => needsEveryCase(catalogue, ids),
            run: (again) => runRound(plan, interrupt.signal, again),
          })
    rememberRun(target, round.report)
    if (isProfiled) writeError(waitsText(round.report))
    if (round.isReported) await showReports(settings, requested)
    return exitCodeOf(round.report, { isStrict, isReported: round.isReported })
  } finally {
    interrupt.end()
  }
}

/** Prints where the reports are, and opens the HTML report if the user wants that. */
async function showReports(settings: Settings, requested: readonly RequestedReporter[]): Promise<void> {
  const folder = settings.path('output-dir')
  if (folder !== undefined) writeError(`Reports: ${folder}\n`)
  const file = htmlFileOf(requested)
  if (!settings.isOn('open') || file === undefined) return
  const problem = await openReport(file, { platform: process.platform, isByPerson: isWatched() })
  writeError(problem === undefined ? `Opened ${file}\n` : `--open: ${problem}: ${file}\n`)
}

/** What a run touches between two rounds too. */
function journalsOf(settings: Settings): readonly string[] {
  const journal = settings.path('journal')
  return journal === undefined ? [] : [journal, `${journal}-second`]
}

/** The cases of `--cases`, those of this kind by themselves. */
async function ownCases<Context>({ settings, catalogue, target }: SessionOptions<Context>): Promise<{
  readonly own: readonly Case<Context>[]
  readonly ofOtherKinds: readonly Case[]
}> {
  // A dry run starts nothing, and to load a module is to run it.
  if (settings.isOn('dry-run')) {
    if (settings.path('cases') !== undefined)
      writeError('The plan is without the cases of --cases: a dry run loads no module.\n')
    return { own: [], ofOtherKinds: [] }
  }
  const all = await ownCasesOf(settings, catalogue)
  const own = all.filter((testCase) => testCase.subject === target.kind)
  if (all.length > 0 && own.length === 0)
    throw new UsageError(`--cases ${settings.text('cases') ?? ''}: it contains no case for a ${target.kind}`)
  return { own, ofOtherKinds: all.filter((testCase) => testCase.subject !== target.kind) }
}

/** Exit codes of docs/contract.md, section 1. */
export function exitCodeOf(
  report: Pick<Report, 'verdict' | 'known_failure_problems'> & Partial<Pick<Report, 'cases'>>,
  { isStrict, isReported }: { isStrict: boolean; isReported: boolean },
): number {
  if (!isReported) return exitCodes.usage
  if (report.verdict === 'none') return exitCodes.noVerdict
  const isBad =
    report.verdict === 'nonconformant' ||
    (report.known_failure_problems ?? []).length > 0 ||
    (isStrict && report.verdict !== 'conformant')
  if (isBad) return exitCodes.nonconformant
  // A case that could not run has not passed.
  const isOpen = report.cases?.some((result) => result.status === 'errored' && result.level === 'must') === true
  return isOpen ? exitCodes.noVerdict : exitCodes.conformant
}

/** Prints what a run would do, without any connection. */
function dryRun<Context>(
  options: Pick<SessionOptions<Context>, 'catalogue' | 'target' | 'planned' | 'sends' | 'settings'> & {
    readonly cases: readonly Case<Context>[]
    readonly limits: { readonly concurrency?: number }
  },
): number {
  const planned = options.planned()
  printPlan({
    ...options,
    planned,
    concurrency: options.limits.concurrency ?? planned.concurrency,
    isShort: options.settings.isOn('quiet'),
  })
  return exitCodes.conformant
}
