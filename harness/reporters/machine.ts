// Reporters that write one document at the end of the run.
import { requirements, type RequirementId } from '../../spec/index.js'
import type { CaseResult, Report } from '../result.js'
import { headline } from './pretty.js'
import { escaped, oneLine, type CreateReporter } from './reporter.js'

/** The report itself (contract section 6). */
export const json: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(`${JSON.stringify(report, null, 2)}\n`),
})

/** JUnit XML: a failure is the target's, an error is ours. */
export const junit: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const suites = group(report.cases)
    const count = (cases: readonly CaseResult[], status: CaseResult['status']) =>
      cases.filter((each) => each.status === status && !each.known_failure).length
    const attributes = (cases: readonly CaseResult[], durationMs: number) =>
      `tests="${cases.length}" failures="${count(cases, 'failed')}" errors="${count(cases, 'errored')}" skipped="${cases.filter((each) => each.status === 'skipped' || each.known_failure).length}" time="${(durationMs / 1000).toFixed(3)}"`
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="${escaped(`${report.tool.name} ${report.subject.kind} ${report.subject.name}`)}" ${attributes(report.cases, report.duration_ms)}>`,
    ]
    for (const [suite, cases] of suites) {
      const durationMs = cases.reduce((sum, each) => sum + each.duration_ms, 0)
      lines.push(
        `  <testsuite name="${escaped(suite)}" timestamp="${report.started_at.slice(0, 19)}" ${attributes(cases, durationMs)}>`,
      )
      for (const each of cases) lines.push(...testcase(each))
      lines.push('  </testsuite>')
    }
    write(`${lines.join('\n')}\n</testsuites>\n`)
  },
})

function testcase(result: CaseResult): string[] {
  const open = `    <testcase classname="${escaped(result.suite.replaceAll('/', '.'))}" name="${escaped(`${result.id.slice(result.suite.length + 1)}: ${result.title}`)}" time="${(result.duration_ms / 1000).toFixed(3)}"`
  if (result.status === 'passed') return [`${open}/>`]
  const body =
    result.status === 'skipped' || result.known_failure
      ? `      <skipped message="${escaped(oneLine(result.known_failure ? `known failure: ${headline(result)}` : (result.reason ?? '')))}"/>`
      : `      <${result.status === 'failed' ? 'failure' : 'error'} message="${escaped(headline(result))}" type="${result.status}">${escaped(details(result))}</${result.status === 'failed' ? 'failure' : 'error'}>`
  return [`${open}>`, body, '    </testcase>']
}

function details(result: CaseResult): string {
  const quotes = (result.violates ?? result.requirements).map(
    (id) => `${id} "${requirements[id].text}" interface.md${requirements[id].source}`,
  )
  const checks = (result.checks ?? []).map((each) =>
    oneLine(`${each.what}: expected ${each.expected}, got ${each.got}`),
  )
  return [
    ...quotes,
    ...checks,
    ...(result.reason === undefined ? [] : [oneLine(result.reason)]),
    ...(result.reproduce === undefined ? [] : [`again: ${result.reproduce}`]),
  ].join('\n')
}

/** CTRF JSON. */
export const ctrf: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const statusOf = (each: CaseResult) =>
      each.known_failure ? 'skipped' : each.status === 'errored' ? 'other' : each.status
    const tests = report.cases.map((each) => ({
      name: each.id,
      status: statusOf(each),
      duration: each.duration_ms,
      suite: [each.suite],
      rawStatus: each.status,
      ...(each.status === 'passed' ? {} : { message: headline(each) }),
      ...(each.status === 'failed' || each.status === 'errored' ? { trace: details(each) } : {}),
      tags: [each.level, ...each.requirements],
    }))
    const count = (status: string) => tests.filter((each) => each.status === status).length
    const start = Date.parse(report.started_at)
    const document = {
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      results: {
        tool: { name: report.tool.name, version: report.tool.version },
        summary: {
          tests: tests.length,
          passed: count('passed'),
          failed: count('failed'),
          pending: 0,
          skipped: count('skipped'),
          other: count('other'),
          start,
          stop: start + report.duration_ms,
        },
        tests,
      },
    }
    write(`${JSON.stringify(document, null, 2)}\n`)
  },
})

/** TAP version 14. */
export const tap: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const lines = ['TAP version 14', `1..${report.cases.length}`]
    report.cases.forEach((each, index) => {
      const directive =
        each.status === 'skipped'
          ? ` # SKIP ${tapText(each.reason ?? '')}`
          : each.known_failure
            ? ' # TODO known failure'
            : ''
      const isOk = each.status === 'passed' || each.status === 'skipped'
      lines.push(`${isOk ? 'ok' : 'not ok'} ${index + 1} - ${tapText(each.id)}${directive}`)
      if (!isOk)
        lines.push(
          '  ---',
          `  message: ${JSON.stringify(headline(each))}`,
          `  severity: ${each.status === 'failed' ? 'fail' : 'error'}`,
          `  requirements: ${JSON.stringify(each.violates ?? each.requirements)}`,
          '  ...',
        )
    })
    write(`${lines.join('\n')}\n`)
  },
})

function tapText(text: string): string {
  return oneLine(text).replace(/[\\#]/g, (character) => `\\${character}`)
}

/** A summary for a job page. */
export const markdown: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(markdownOf(report)),
})

function markdownOf(report: Report): string {
  const { cases, requirements: counted } = report.summary
  const lines = [
    `## ${report.verdict}: ${code(report.subject.name)} (${report.subject.kind})`,
    '',
    '| | |',
    '|---|---|',
    `| Cases | ${cases.passed} passed, ${cases.failed} failed, ${cases.errored} errored, ${cases.skipped} skipped |`,
    `| Requirements | ${counted.verified} verified, ${counted.violated} violated, ${counted.unverified} not verified |`,
    `| Seed | ${report.seed} |`,
    `| Duration | ${(report.duration_ms / 1000).toFixed(1)} s |`,
    '',
  ]
  const failed = report.cases.filter((each) => each.status === 'failed' || each.status === 'errored')
  if (failed.length > 0) {
    lines.push('| Case | Requirement | What was seen |', '|---|---|---|')
    for (const each of failed)
      lines.push(
        `| ${code(each.id)}${each.known_failure ? ' (known)' : ''} | ${ids(each).join(', ')} | ${cell(headline(each))} |`,
      )
    lines.push('')
  }
  const skipped = new Map<string, number>()
  for (const each of report.cases)
    if (each.status === 'skipped') skipped.set(each.reason ?? '', (skipped.get(each.reason ?? '') ?? 0) + 1)
  if (skipped.size > 0)
    lines.push(
      '<details><summary>Not asked</summary>',
      '',
      ...[...skipped].map(([reason, count]) => `- ${count}: ${cell(reason)}`),
      '',
      '</details>',
      '',
    )
  return `${lines.join('\n')}\n`
}

function ids(result: CaseResult): readonly RequirementId[] {
  return result.violates ?? result.requirements
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

function cell(text: string): string {
  return escaped(oneLine(text))
    .replace(/[|\\`*_[\]]/g, (character) => `\\${character}`)
    .slice(0, 400)
}

/** Annotations of a GitHub workflow; text of a target can make no command of its own. */
export const github: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    for (const each of report.cases) {
      if (each.status !== 'failed' && each.status !== 'errored') continue
      const kind = each.status === 'failed' && each.level === 'must' && !each.known_failure ? 'error' : 'warning'
      write(`::${kind} title=${property(each.id)}::${data(`${ids(each).join(', ')}: ${headline(each)}`)}\n`)
    }
    write(
      `::notice title=conformance::${data(`${report.verdict}: ${report.summary.requirements.verified} requirements verified, ${report.summary.requirements.violated} violated, ${report.summary.requirements.unverified} not verified`)}\n`,
    )
  },
})

function data(text: string): string {
  return oneLine(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function group(cases: readonly CaseResult[]): Map<string, CaseResult[]> {
  const suites = new Map<string, CaseResult[]>()
  for (const each of cases) suites.set(each.suite, [...(suites.get(each.suite) ?? []), each])
  return suites
}
