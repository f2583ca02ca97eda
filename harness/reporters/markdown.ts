import type { Report } from '../result.js'
import { headline } from './failure-text.js'
import { escaped, oneLine, shortened, subjectOf, type CreateReporter } from './reporter.js'

/** Rows of the table of failures, and characters of one cell: a job summary holds one megabyte. */
const most = { rows: 200, cell: 400 }

/** A summary for a job page. */
export const markdown: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(`${lines(report).join('\n')}\n`),
})

function lines(report: Report): string[] {
  const { cases, requirements } = report.summary
  const known = cases.known_failures > 0 ? ` (${cases.known_failures} known)` : ''
  return [
    `## ${report.verdict}: ${code(report.subject.name)} (${report.subject.kind})`,
    '',
    ...(report.note === undefined ? [] : [cell(report.note), '']),
    '| | |',
    '|---|---|',
    `| Cases | ${cases.passed} passed, ${cases.failed} failed${known}, ${cases.errored} errored, ${cases.skipped} skipped |`,
    `| Requirements | ${requirements.verified} verified, ${requirements.violated} violated, ${requirements.unverified} not verified |`,
    `| Seed | ${report.seed} |`,
    `| Duration | ${(report.duration_ms / 1000).toFixed(1)} s |`,
    '',
    ...failures(report),
    ...skipped(report),
  ]
}

function failures(report: Report): string[] {
  const failed = report.cases.filter((each) => each.status === 'failed' || each.status === 'errored')
  if (failed.length === 0) return []
  const rows = failed.slice(0, most.rows).map((each) => {
    const mark = each.known_failure ? ' (known)' : each.status === 'errored' ? ' (errored)' : ''
    return `| ${code(each.id)}${mark} | ${subjectOf(each).join(', ')} | ${cell(headline(each))} |`
  })
  const more = failed.length - rows.length
  const again = failed.flatMap((each) => each.reproduce ?? []).slice(0, 1)
  return [
    '| Case | Requirement | What was seen |',
    '|---|---|---|',
    ...rows,
    '',
    ...(more > 0 ? [`And ${more} more.`, ''] : []),
    ...again.flatMap((line) => ['The first one again:', '', `    ${oneLine(line)}`, '']),
  ]
}

function skipped(report: Report): string[] {
  const reasons = new Map<string, number>()
  for (const { status, reason = '' } of report.cases)
    if (status === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  if (reasons.size === 0) return []
  const rows = [...reasons].map(([reason, count]) => `- ${count}: ${cell(reason)}`)
  return ['<details><summary>Not asked</summary>', '', ...rows, '', '</details>', '']
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

function cell(text: string): string {
  const short = shortened(oneLine(text), most.cell)
  return escaped(short).replace(/[|\\`*_[\]~@]/g, (character) => `\\${character}`)
}
