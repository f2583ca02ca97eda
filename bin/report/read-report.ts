import { loadSchema } from '../../fixtures/index.js'
import { summarize, type Report } from '../../harness/index.js'
import { admitReported } from '../../harness/own-cases.js'
import { FileProblem, memberOf, validateFile } from '../../harness/parsing.js'
import { readFile } from '../cli/settings.js'

/** A report and where it came from. */
export interface ReadReport {
  readonly file: string
  readonly report: Report
}

/** A report of a run that failed everywhere has some ten megabytes. */
const maxBytes = 64 * 1024 * 1024

/** Reads a report as `--reporter json` writes it; the list of requirements may be missing. */
export function readReport(file: string, option = 'report'): ReadReport {
  // PowerShell writes a byte order mark in front.
  const text = readFile(option, file, maxBytes).replace(/^\uFEFF/, '')
  const value = parse(file, text, option)
  const schema = memberOf(value, 'schema')
  if (schema !== 'conformance-report/1')
    throw new FileProblem(
      `${file}: not a report of this kit${kindOf(value, schema)}; --reporter json=<file> writes one`,
    )
  validateFile(value, loadSchema('report'), (path) => (path.length === 0 ? file : `${file}: ${path.join('.')}`))
  const report = counted(file, { requirements: [], ...(value as Omit<Report, 'requirements'>) })
  admitReported(report.subject.kind, report.requirements)
  return { file, report }
}

/**
 * The report with the counts of its own cases: no summary is believed. Throws where its verdict contradicts the cases. A run
 * that was interrupted has no verdict, whatever it learnt.
 */
function counted(file: string, report: Report): Report {
  const { cases, verdict, summary, requirements } = report
  const isFailed = cases.some(
    (result) => result.status === 'failed' && result.level === 'must' && !result.known_failure,
  )
  const isAnswered = cases.some((result) => result.status === 'passed' || result.status === 'failed')
  const isOpen = requirements.some(({ level, status }) => level === 'must' && /^(?:violated|unverified)$/.test(status))
  const contradiction =
    verdict === 'none'
      ? undefined
      : isFailed !== (verdict === 'nonconformant')
        ? `${isFailed ? 'a' : 'no'} must case failed`
        : !isAnswered
          ? 'no case was completed'
          : verdict === 'conformant' && isOpen
            ? 'a must requirement was not verified'
            : undefined
  if (contradiction !== undefined)
    throw new FileProblem(
      `${file}: its verdict is ${verdict}, but ${contradiction}: the file was changed after the run`,
    )
  const own = summarize(cases, requirements)
  return { ...report, summary: requirements.length === 0 ? { ...summary, cases: own.cases } : own }
}

function parse(file: string, text: string, option: string): unknown {
  if (text.trim() === '')
    throw new FileProblem(`${option} ${file}: the file is empty; did the run that writes it end early?`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    const isCut = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}')
    const why = isCut ? 'it is cut short' : cause instanceof Error ? cause.message : String(cause)
    throw new FileProblem(`${file}: not a JSON report (${why})`)
  }
}

function kindOf(value: unknown, schema: unknown): string {
  if (typeof schema === 'string' && /^conformance-report\/\d+$/.test(schema))
    return ` that this version reads (${schema}, expected conformance-report/1)`
  if (memberOf(value, 'reportFormat') === 'CTRF') return ' but CTRF'
  return typeof schema === 'string' && /^[\w./-]{1,60}$/.test(schema) ? ` but ${schema}` : ''
}
