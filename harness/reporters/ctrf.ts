import type { CaseResult, Report } from '../result.js'
import { exchangesText, failureText, headline } from './failure-text.js'
import { runProblemsOf, type CreateReporter } from './reporter.js'
import { oneLine, visible } from './text.js'

/** Writes CTRF JSON. An error is `other`, and a known failure is skipped; `rawStatus` is the outcome. */
export const ctrf: CreateReporter = (output) => ({
  onRunEnd(report) {
    const write = (text: string) => output.write(visible(text))
    const tests = [...report.cases.map(testOf), ...runProblemsOf(report).map(runProblemTest)]
    write('{\n  "reportFormat": "CTRF",\n  "specVersion": "0.0.0",\n')
    write(
      `  "timestamp": ${JSON.stringify(report.started_at)},\n  "generatedBy": ${JSON.stringify(report.tool.name)},\n`,
    )
    write(`  "results": {\n    "tool": ${JSON.stringify(report.tool)},\n`)
    write(
      `    "summary": ${JSON.stringify(summaryOf(report, tests))},\n    "extra": ${JSON.stringify(extraOf(report))},\n`,
    )
    write('    "tests": [')
    tests.forEach((test, index) => write(`${index === 0 ? '' : ','}\n      ${JSON.stringify(test)}`))
    write('\n    ]\n  }\n}\n')
  },
})

interface Test {
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'other'
  readonly duration: number
}

function testOf(result: CaseResult): Test & Readonly<Record<string, unknown>> {
  const isBad = result.status === 'failed' || result.status === 'errored'
  const output = isBad ? exchangesText(result) : ''
  return {
    testId: result.id,
    name: result.id,
    status: statusOf(result),
    duration: Math.round(result.duration_ms),
    suite: result.suite.split('/'),
    rawStatus: result.known_failure ? 'known_failure' : result.status,
    ...(result.status === 'passed' ? {} : { message: headline(result) }),
    ...(isBad ? { trace: failureText(result) } : {}),
    ...(output === '' ? {} : { stdout: output.split('\n') }),
    tags: [result.level, ...result.requirements],
    extra: { title: result.title },
  }
}

function statusOf(result: CaseResult): Test['status'] {
  if (result.known_failure) return 'skipped'
  return result.status === 'errored' ? 'other' : result.status
}

/** A missing verdict is `failed` here: with `other` alone, a run without any case would look green. */
function runProblemTest({ name, status, message }: ReturnType<typeof runProblemsOf>[number]): Test {
  const test = { testId: name, name, status: 'failed', duration: 0, suite: ['conformance'] } as const
  return Object.assign(test, { rawStatus: status, message: oneLine(message) })
}

function summaryOf(report: Report, tests: readonly Test[]): Readonly<Record<string, number>> {
  const count = (status: Test['status']) => tests.filter((test) => test.status === status).length
  const start = Date.parse(report.started_at)
  const durationMs = Math.round(report.duration_ms)
  return {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    pending: 0,
    skipped: count('skipped'),
    other: count('other'),
    suites: new Set(report.cases.map((result) => result.suite)).size,
    start,
    stop: start + durationMs,
    duration: durationMs,
  }
}

function extraOf(report: Report): Readonly<Record<string, unknown>> {
  return {
    subject: { kind: report.subject.kind, name: oneLine(report.subject.name) },
    verdict: report.verdict,
    seed: report.seed,
    cases: report.summary.cases,
    requirements: report.summary.requirements,
    ...(report.note === undefined ? {} : { note: report.note }),
    ...(report.likely_causes === undefined ? {} : { likely_causes: report.likely_causes }),
  }
}
