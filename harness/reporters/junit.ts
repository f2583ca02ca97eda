import type { CaseResult, Report } from '../result.js'
import { causeText, exchangesText, failureText, headline } from './failure-text.js'
import { runProblemsOf, type CreateReporter } from './reporter.js'
import { escaped, oneLine } from './text.js'
import { verdictAddition, casesText } from './summary-text.js'

/** Characters of all exchanges in one file: GitLab reads no more than 30 MB of it. */
const maxOutput = 10_000_000

/**
 * Writes JUnit XML as Jenkins, GitLab and the actions for GitHub read it: a failure is the target's, an error is ours; a known failure
 * counts as skipped. The name of a case is its id. The body repeats the text: GitLab reads no attribute.
 */
export const junit: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const suites = suitesOf(report)
    const all = suites.flatMap((suite) => suite.rows)
    const name = escaped(oneLine(`${report.tool.name} ${report.subject.kind} ${report.subject.name}`))
    write('<?xml version="1.0" encoding="UTF-8"?>\n')
    // Jenkins accepts no `skipped` here.
    write(`<testsuites name="${name}" ${counts(all)} time="${seconds(report.duration_ms)}">\n`)
    let room = maxOutput
    suites.forEach((suite, id) => {
      write(`${suiteStart(report, suite, id)}\n`)
      for (const row of suite.rows) {
        const output = room > 0 ? row.output() : ''
        room -= output.length
        write(`${testcase(row, output)}\n`)
      }
      write('  </testsuite>\n')
    })
    write('</testsuites>\n')
  },
})

interface Row {
  readonly className: string
  readonly name: string
  readonly durationMs: number
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
  readonly message: string
  readonly text: string
  readonly output: () => string
}

interface Suite {
  readonly name: string
  readonly rows: readonly Row[]
}

function suitesOf(report: Report): Suite[] {
  const suites = new Map<string, Row[]>()
  for (const result of report.cases) {
    const rows = suites.get(result.suite) ?? []
    suites.set(result.suite, rows)
    rows.push(rowOf(result))
  }
  const troubles = runProblemsOf(report).map(({ name, status, message }): Row => ({
    className: 'conformance',
    name,
    durationMs: 0,
    kind: status === 'failed' ? 'failure' : 'error',
    message: oneLine(message),
    text: oneLine(message),
    output: () => '',
  }))
  if (troubles.length > 0) suites.set('conformance', troubles)
  return [...suites].map(([name, rows]) => ({ name, rows }))
}

function rowOf(result: CaseResult): Row {
  const isBad = result.status === 'failed' || result.status === 'errored'
  return {
    className: result.suite.replaceAll('/', '.'),
    name: result.id,
    durationMs: result.duration_ms,
    kind: kindOf(result),
    message: headline(result),
    text: isBad ? `${oneLine(result.title)}\n${failureText(result)}` : '',
    output: () => (isBad ? exchangesText(result) : ''),
  }
}

function kindOf(result: CaseResult): Row['kind'] {
  if (result.known_failure || result.status === 'skipped') return 'skipped'
  if (result.status === 'passed') return 'passed'
  return result.status === 'failed' ? 'failure' : 'error'
}

function suiteStart(report: Report, { name, rows }: Suite, id: number): string {
  const durationMs = rows.reduce((sum, row) => sum + row.durationMs, 0)
  const startedAt = report.started_at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
  const skipped = rows.filter((row) => row.kind === 'skipped').length
  const causes = id === 0 ? (report.likely_causes ?? []) : []
  const properties = [
    ['target', oneLine(report.subject.name)],
    ['verdict', `${report.verdict}${verdictAddition(report)}`],
    ['cases', casesText(report)],
    ...(report.subject.kind === 'traffic' ? [] : [['seed', String(report.seed)]]),
    ['version', report.tool.version],
    ...(report.note === undefined ? [] : [['note', oneLine(report.note)]]),
    ...causes.map((cause) => ['likely cause', causeText(cause).split(/\n */).join('; ')]),
  ].map(([key, value = '']) => `      <property name="${key}" value="${escaped(value)}"/>`)
  return [
    `  <testsuite name="${escaped(name)}" id="${id}" package="${escaped(name.replaceAll('/', '.'))}" hostname="localhost" timestamp="${startedAt}" ${counts(rows)} skipped="${skipped}" time="${seconds(durationMs)}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
  ].join('\n')
}

function counts(rows: readonly Row[]): string {
  const count = (kind: Row['kind']) => rows.filter((row) => row.kind === kind).length
  return `tests="${rows.length}" failures="${count('failure')}" errors="${count('error')}"`
}

function testcase({ className, name, durationMs, kind, message, text }: Row, output: string): string {
  const open = `    <testcase classname="${escaped(className)}" name="${escaped(oneLine(name))}" time="${seconds(durationMs)}"`
  if (kind === 'passed') return `${open}/>`
  const type = { failure: 'failed', error: 'errored', skipped: 'skipped' }[kind]
  const content = kind === 'skipped' ? message : `${message}\n${text}`
  return [
    `${open}>`,
    `      <${kind} message="${escaped(message)}" type="${type}">${escaped(content)}</${kind}>`,
    ...(output === '' ? [] : [`      <system-out>${escaped(output)}</system-out>`]),
    '    </testcase>',
  ].join('\n')
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}
