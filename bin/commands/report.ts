import type { Report } from '../../harness/index.js'
import { writeComparison } from '../report/comparison-output.js'
import { writeHistory } from '../report/history-output.js'
import { mergeReports } from '../report/merge.js'
import { readReport } from '../report/read-report.js'
import { requestedReporters, openReporters } from '../run/reporting.js'
import { exitCodeOf } from '../run/session.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { isStandardOutputBroken } from '../cli/standard-output.js'
import { exitCodes, UsageError } from '../cli/usage.js'

/** `conformance report`: merges the shards of a run, converts, or compares. Resolves to the exit code. */
export async function report(files: readonly string[], flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('report', flags)
  if (settings.isOn('history')) {
    if (settings.isOn('compare')) throw new UsageError('--history and --compare are two views: give one')
    if (settings.source('strict') === 'flag')
      throw new UsageError('--strict: --history shows verdicts and has none of its own; leave it out')
    writeHistory(files, settings)
    return exitCodes.conformant
  }
  const read = files.map((file) => readReport(file))
  const isStrict = settings.isOn('strict')
  if (settings.isOn('compare')) {
    await writeComparison(read, settings)
    const isBad = isStrict && read.some(({ report }) => report.verdict !== 'conformant')
    return isBad ? exitCodes.nonconformant : exitCodes.conformant
  }
  const { catalogue } = await import('../run/catalogue.js')
  const merged = mergeReports(read, catalogue)
  const isReported = await write(merged, settings)
  return exitCodeOf(merged, { isStrict, isReported })
}

async function write(merged: Report, settings: Settings): Promise<boolean> {
  const requested = requestedReporters(settings)
  // A user who wants files gets only these; the default text is a summary.
  const isFiled = requested.length > 1 && !settings.list('reporter').some((name) => name === 'pretty')
  const reporters = await openReporters(requested, isFiled ? { isOn: (name) => name === 'quiet' } : settings)
  reporters.each((reporter) => {
    reporter.onRunStart?.({ subject: merged.subject, cases: merged.cases.length, seed: merged.seed })
    for (const result of merged.cases) reporter.onCaseEnd?.(result)
    reporter.onRunEnd?.(merged)
  })
  return reporters.close() && !isStandardOutputBroken()
}
