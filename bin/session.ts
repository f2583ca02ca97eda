import type { SubjectKind } from '../spec/index.js'
import type { Case } from '../harness/case.js'
import { createKnownFailures } from '../harness/known-failures.js'
import type { Report } from '../harness/result.js'
import { runSuite } from '../harness/run.js'
import { selectCases } from '../harness/select.js'
import type { Subject } from '../harness/subject.js'
import { requirementResults, summarize } from '../harness/verdict.js'
import { readKnownFailures, writeKnownFailures } from './known-failures-file.js'
import { tool } from './package.js'
import { printPlan } from './plan.js'
import { askedReporters, openReporters } from './reporting.js'
import { limitsOf, reproductionLine, selectionOf } from './run-options.js'
import type { Settings } from './settings.js'
import { isStandardOutputBroken } from './standard-output.js'
import { exitCodes, UsageError } from './usage.js'

export interface SessionOptions<Context> {
  readonly settings: Settings
  readonly catalogue: readonly Case<Context>[]
  /** What is judged, as it is called before it says its own name; without secrets. */
  readonly target: { readonly kind: SubjectKind; readonly name: string }
  /** Connects to the target; called only when the arguments make sense. */
  readonly connect: () => Promise<Subject<Context>>
  /** The command line that reaches the same target, without secrets. */
  readonly again: string
  /** What stands at the end of that command line. */
  readonly after?: string
  /** What a run of this kind sends, for the plan. */
  readonly sends: string
}

/** Runs the selected cases, reports, and resolves to the exit code. */
export async function runSession<Context>(options: SessionOptions<Context>): Promise<number> {
  const { settings, catalogue, target, connect, sends } = options
  const selection = selectionOf(settings)
  const cases = selectCases(catalogue, selection)
  const limits = limitsOf(settings)
  const { seed } = limits
  const knownPath = settings.path('known-failures')
  const entries = knownPath === undefined ? [] : readKnownFailures(knownPath, catalogue)
  const known = createKnownFailures(entries, new Date().toISOString().slice(0, 10))
  const asked = askedReporters(settings)
  const isStrict = settings.isOn('strict')
  if (settings.isOn('dry-run')) return dryRun({ cases, connect, sends, limits })

  const sheets = openReporters(asked, settings)
  const interrupt = watchSignals()
  const onRunStart = (name: string) =>
    sheets.each((reporter) =>
      reporter.onRunStart?.({ subject: { kind: target.kind, name }, cases: cases.length, seed }),
    )
  const onRunEnd = (report: Report) => sheets.each((reporter) => reporter.onRunEnd?.(report))
  let subject: Subject<Context> | undefined
  try {
    const connected = await connectOr(connect, interrupt.signal)
    if ('failure' in connected) {
      onRunStart(target.name)
      onRunEnd(emptyReport({ target, catalogue, seed, note: connected.failure }))
      process.stderr.write(`conformance: ${connected.failure}\n`)
      return sheets.close() ? exitCodes.noVerdict : exitCodes.usage
    }
    subject = connected
    onRunStart(subject.secrets.redact(subject.name))
    const report = await runSuite(catalogue, subject, {
      ...limits,
      selection,
      tool: tool(),
      knownFailures: known,
      signal: interrupt.signal,
      reproduce: (caseId) => reproductionLine({ ...options, after: options.after, caseId, seed }),
      onCaseEnd: (result) => sheets.each((reporter) => reporter.onCaseEnd?.(result)),
    })
    onRunEnd(report)
    const complaints = known.complaints(report.cases, new Set(catalogue.map((each) => each.id)))
    for (const complaint of complaints) process.stderr.write(`conformance: ${complaint}\n`)
    const writePath = settings.path('write-known-failures')
    if (writePath !== undefined) writeKnownFailures(writePath, report, entries)
    const isReported = sheets.close() && !isStandardOutputBroken()
    return exitCodeOf(report, { isStrict, hasComplaints: complaints.length > 0, isReported })
  } finally {
    interrupt.end()
    sheets.close()
    await subject?.close()
  }
}

/** Exit codes of contract section 1. */
export function exitCodeOf(
  report: Pick<Report, 'verdict'>,
  { isStrict, hasComplaints, isReported }: { isStrict: boolean; hasComplaints: boolean; isReported: boolean },
): number {
  if (!isReported) return exitCodes.usage
  if (report.verdict === 'none') return exitCodes.noVerdict
  const isBad = report.verdict === 'nonconformant' || hasComplaints || (isStrict && report.verdict !== 'conformant')
  return isBad ? exitCodes.nonconformant : exitCodes.conformant
}

interface Interrupt {
  readonly signal: AbortSignal
  end(): void
}

/** The first SIGINT or SIGTERM ends the run in order; the second ends the process at once. */
function watchSignals(): Interrupt {
  const interrupt = new AbortController()
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.noVerdict)
    interrupt.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return { signal: interrupt.signal, end: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal) }
}

/** The subject, or one line that says why there is none. */
async function connectOr<Context>(
  connect: () => Promise<Subject<Context>>,
  signal: AbortSignal,
): Promise<Subject<Context> | { readonly failure: string }> {
  const interrupted = new Promise<{ failure: string }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ failure: 'the run was interrupted before it began' }))
  })
  const connecting = connect()
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

/** The report of a run that asked nothing. */
function emptyReport(options: {
  readonly target: SessionOptions<never>['target']
  readonly catalogue: readonly Pick<Case, 'id' | 'level' | 'requirements'>[]
  readonly seed: number
  readonly note: string
}): Report {
  const { target, catalogue, seed, note } = options
  const requirements = requirementResults({ kind: target.kind, catalogue, results: [] })
  return {
    schema: 'conformance-report/1',
    tool: tool(),
    subject: target,
    started_at: new Date().toISOString(),
    duration_ms: 0,
    seed,
    verdict: 'none',
    summary: summarize([], requirements),
    cases: [],
    requirements,
    note,
  }
}

/** Asks the target only what it offers, and prints what a run would do. */
async function dryRun<Context>(options: {
  readonly cases: readonly Case<Context>[]
  readonly connect: () => Promise<Subject<Context>>
  readonly sends: string
  readonly limits: { readonly concurrency?: number }
}): Promise<number> {
  const subject = await options.connect()
  try {
    printPlan({ ...options, subject, concurrency: options.limits.concurrency ?? subject.concurrency })
    return exitCodes.conformant
  } finally {
    await subject.close()
  }
}
