import { loadSchema } from '../../fixtures/index.js'
import { FileProblem } from '../../harness/config/document.js'
import { validateFile } from '../../harness/config/validate.js'
import type { Report } from '../../harness/result.js'
import { catalogue } from '../catalogue.js'
import { compareReports } from '../report/compare.js'
import { mergeReports } from '../report/merge.js'
import { askedReporters, openReporters } from '../reporting.js'
import { exitCodeOf } from '../session.js'
import { readFile } from '../settings.js'
import { isStandardOutputBroken } from '../standard-output.js'
import { exitCodes } from '../usage.js'

/** `conformance report`: merges the shards of a run, converts, or compares. Resolves to the exit code. */
export async function report(files: readonly string[], flags: Readonly<Record<string, unknown>>): Promise<number> {
  const reports = files.map(readReport)
  if (flags['compare'] === true) {
    process.stdout.write(compareReports(files, reports))
    return exitCodes.conformant
  }
  const list = Array.isArray(flags['reporter']) ? flags['reporter'].map(String) : []
  const merged = mergeReports(reports, catalogue)
  const sheets = openReporters(askedReporters({ list: () => list }), { isOn: () => false })
  sheets.each((reporter) => {
    reporter.onRunStart?.({ subject: merged.subject, cases: merged.cases.length, seed: merged.seed })
    for (const each of merged.cases) reporter.onCaseEnd?.(each)
    reporter.onRunEnd?.(merged)
  })
  const isReported = sheets.close() && !isStandardOutputBroken()
  return exitCodeOf(merged, { isStrict: flags['strict'] === true, hasComplaints: false, isReported })
}

/** A report as `--reporter json` writes it; the list of requirements may be missing. */
function readReport(file: string): Report {
  const text = readFile('report', file)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new FileProblem(`${file}: not JSON (${cause instanceof Error ? cause.message : String(cause)})`)
  }
  validateFile(value, loadSchema('report'), (path) => (path.length === 0 ? file : `${file}: ${path.join('.')}`))
  return { requirements: [], ...(value as Omit<Report, 'requirements'>) }
}
