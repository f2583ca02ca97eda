import type { Report } from '../../harness/result.js'
import { catalogue } from '../catalogue.js'
import { compareReports } from '../report/compare.js'
import { writeComparison } from '../report/comparison-output.js'
import { mergeReports } from '../report/merge.js'
import { readReport } from '../report/read-report.js'
import { askedReporters, openReporters } from '../reporting.js'
import { exitCodeOf } from '../session.js'
import { isStandardOutputBroken } from '../standard-output.js'
import { exitCodes } from '../usage.js'

/** `conformance report`: merges the shards of a run, converts, or compares. Resolves to the exit code. */
export async function report(files: readonly string[], flags: Readonly<Record<string, unknown>>): Promise<number> {
  const read = files.map(readReport)
  const isStrict = flags['strict'] === true
  const settings = settingsOf(flags)
  if (flags['compare'] === true) {
    const comparison = compareReports(read)
    writeComparison(comparison, settings)
    const isBad = isStrict && comparison.columns.some((each) => each.verdict !== 'conformant')
    return isBad ? exitCodes.nonconformant : exitCodes.conformant
  }
  const merged = mergeReports(read, catalogue)
  const isReported = write(merged, settings)
  return exitCodeOf(merged, { isStrict, isReported })
}

type ReportSettings = Parameters<typeof askedReporters>[0] & Parameters<typeof openReporters>[1]

function settingsOf(flags: Readonly<Record<string, unknown>>): ReportSettings {
  return {
    list: (name) => {
      const value = flags[name]
      return Array.isArray(value) ? value.map(String) : []
    },
    path: (name) => (typeof flags[name] === 'string' ? flags[name] : undefined),
    isOn: (name) => flags[name] === true,
  }
}

function write(merged: Report, settings: ReportSettings): boolean {
  const sheets = openReporters(askedReporters(settings), settings)
  sheets.each((reporter) => {
    reporter.onRunStart?.({ subject: merged.subject, cases: merged.cases.length, seed: merged.seed })
    for (const each of merged.cases) reporter.onCaseEnd?.(each)
    reporter.onRunEnd?.(merged)
  })
  return sheets.close() && !isStandardOutputBroken()
}
