import type { CaseResult } from '../result.js'
import { failureText, headline } from './failure-text.js'
import { escaped, oneLine, type CreateReporter } from './reporter.js'

/** JUnit XML: a failure is the target's, an error is ours; a known failure counts as skipped. */
export const junit: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const name = `${report.tool.name} ${report.subject.kind} ${oneLine(report.subject.name)}`
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="${escaped(name)}" ${counts(report.cases, report.duration_ms)}>`,
    ]
    for (const [suite, cases] of bySuite(report.cases)) {
      const durationMs = cases.reduce((sum, each) => sum + each.duration_ms, 0)
      const startedAt = report.started_at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
      lines.push(`  <testsuite name="${escaped(suite)}" timestamp="${startedAt}" ${counts(cases, durationMs)}>`)
      for (const each of cases) lines.push(...testcase(each))
      lines.push('  </testsuite>')
    }
    write(`${lines.join('\n')}\n</testsuites>\n`)
  },
})

function counts(cases: readonly CaseResult[], durationMs: number): string {
  const count = (kind: ReturnType<typeof kindOf>) => cases.filter((each) => kindOf(each) === kind).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(durationMs)}"`
}

function kindOf(result: CaseResult): 'passed' | 'failure' | 'error' | 'skipped' {
  if (result.known_failure || result.status === 'skipped') return 'skipped'
  if (result.status === 'passed') return 'passed'
  return result.status === 'failed' ? 'failure' : 'error'
}

function testcase(result: CaseResult): string[] {
  const name = `${result.id.slice(result.suite.length + 1)}: ${result.title}`
  const open = `    <testcase classname="${escaped(result.suite.replaceAll('/', '.'))}" name="${escaped(oneLine(name))}" time="${seconds(result.duration_ms)}"`
  const kind = kindOf(result)
  if (kind === 'passed') return [`${open}/>`]
  const message = result.known_failure ? `known failure: ${headline(result)}` : headline(result)
  const body =
    kind === 'skipped'
      ? `<skipped message="${escaped(message)}"/>`
      : `<${kind} message="${escaped(message)}" type="${result.status}">${escaped(failureText(result))}</${kind}>`
  return [`${open}>`, `      ${body}`, '    </testcase>']
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}

function bySuite(cases: readonly CaseResult[]): Map<string, CaseResult[]> {
  const suites = new Map<string, CaseResult[]>()
  for (const each of cases) suites.set(each.suite, [...(suites.get(each.suite) ?? []), each])
  return suites
}
