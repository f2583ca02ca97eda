import { loadSchema } from '../../fixtures/index.js'
import { FileProblem } from '../../harness/config/document.js'
import { validateFile } from '../../harness/config/validate.js'
import type { Report } from '../../harness/result.js'
import { memberOf } from '../../harness/wire/exchange.js'
import { readFile } from '../settings.js'

/** A report and where it came from. */
export interface ReadReport {
  readonly file: string
  readonly report: Report
}

/** Reads a report as `--reporter json` writes it; the list of requirements may be missing. */
export function readReport(file: string): ReadReport {
  const text = readFile('report', file)
  const value = parse(file, text)
  const schema = memberOf(value, 'schema')
  if (schema !== 'conformance-report/1')
    throw new FileProblem(
      `${file}: not a report of this kit${kindOf(value, schema)}; --reporter json=<file> writes one`,
    )
  validateFile(value, loadSchema('report'), (path) => (path.length === 0 ? file : `${file}: ${path.join('.')}`))
  return { file, report: { requirements: [], ...(value as Omit<Report, 'requirements'>) } }
}

function parse(file: string, text: string): unknown {
  if (text.trim() === '') throw new FileProblem(`${file}: empty; did the run that writes it end early?`)
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
