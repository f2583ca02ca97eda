import type { CaseResult } from '../result.js'
import { failureText, headline } from './failure-text.js'
import { oneLine, type CreateReporter } from './reporter.js'

/** CTRF JSON. An error is `other`, and a known failure is skipped; `rawStatus` tells the outcome. */
export const ctrf: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const tests = report.cases.map((each) => ({
      name: each.id,
      status: statusOf(each),
      duration: each.duration_ms,
      suite: [each.suite],
      rawStatus: each.status,
      ...(each.status === 'passed' ? {} : { message: headline(each) }),
      ...(each.status === 'failed' || each.status === 'errored' ? { trace: failureText(each) } : {}),
      tags: [each.level, ...each.requirements],
    }))
    const count = (status: string) => tests.filter((each) => each.status === status).length
    const start = Date.parse(report.started_at)
    const document = {
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      results: {
        tool: report.tool,
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
        extra: {
          subject: { kind: report.subject.kind, name: oneLine(report.subject.name) },
          verdict: report.verdict,
          seed: report.seed,
          requirements: report.summary.requirements,
        },
      },
    }
    write(`${JSON.stringify(document, null, 2)}\n`)
  },
})

function statusOf(result: CaseResult): 'passed' | 'failed' | 'skipped' | 'other' {
  if (result.known_failure) return 'skipped'
  return result.status === 'errored' ? 'other' : result.status
}
