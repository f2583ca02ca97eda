import { loadSchema } from '../../fixtures/index.js'
import { parseText } from '../../harness/config/document.js'
import { validateFile } from '../../harness/config/validate.js'
import type { CaseResult, Outcome, Report } from '../../harness/result.js'
import { requirementResults, summarize, verdictOf } from '../../harness/verdict.js'
import { catalogue } from '../catalogue.js'
import { openReporters } from '../session.js'
import { readFile } from '../settings.js'
import { exitCodes, UsageError } from '../usage.js'

/** `conformance report`: merges the shards of a run, converts, or compares. Resolves to the exit code. */
export async function report(files: readonly string[], flags: Readonly<Record<string, unknown>>): Promise<number> {
  const reports = files.map((file) => {
    const value = parseText(file, readFile('report', file))
    validateFile(file, value, loadSchema('report'))
    return value as Report
  })
  if (flags['compare'] === true) {
    process.stdout.write(comparison(files, reports))
    return exitCodes.conformant
  }
  const asked = Array.isArray(flags['reporter']) ? flags['reporter'].map(String) : []
  const sheets = openReporters({ list: () => asked, isOn: () => false })
  const merged = mergeReports(reports)
  sheets.each((reporter) => {
    reporter.onRunStart?.({ subject: merged.subject, cases: merged.cases.length, seed: merged.seed })
    for (const each of merged.cases) reporter.onCaseEnd?.(each)
    reporter.onRunEnd?.(merged)
  })
  if (!sheets.close()) return exitCodes.usage
  if (merged.verdict === 'none') return exitCodes.noVerdict
  return merged.verdict === 'nonconformant' ? exitCodes.nonconformant : exitCodes.conformant
}

const worst: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped']

/** One report of the shards of one run. Throws `UsageError` when they judge different targets. */
export function mergeReports(reports: readonly Report[]): Report {
  const [first] = reports
  if (first === undefined) throw new UsageError('report needs at least one file')
  if (reports.length === 1) return first
  const other = reports.find(
    (each) => each.subject.kind !== first.subject.kind || each.subject.name !== first.subject.name,
  )
  if (other !== undefined)
    throw new UsageError(
      `the reports judge different targets (${first.subject.name}, ${other.subject.name}): --compare shows them side by side`,
    )
  const results = new Map<string, CaseResult>()
  for (const each of reports.flatMap((one) => one.cases)) {
    const known = results.get(each.id)
    if (known === undefined || worst.indexOf(each.status) < worst.indexOf(known.status)) results.set(each.id, each)
  }
  const order = new Map(catalogue.map((each, index) => [each.id as string, index]))
  const cases = [...results.values()].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
  const judged = {
    kind: first.subject.kind,
    catalogue: catalogue.filter((each) => each.subject === first.subject.kind),
    results: cases,
  }
  const requirements = requirementResults(judged)
  return {
    ...first,
    started_at: reports.map((each) => each.started_at).sort()[0] ?? first.started_at,
    duration_ms: Math.max(...reports.map((each) => each.duration_ms)),
    verdict: verdictOf(judged, requirements),
    summary: summarize(cases, requirements),
    cases,
    requirements,
  }
}

/** A column for each report, a row for each case whose outcome is not the same in all. */
function comparison(files: readonly string[], reports: readonly Report[]): string {
  const ids = [...new Set(reports.flatMap((each) => each.cases.map((one) => one.id)))]
  const outcome = (one: Report, id: string) => one.cases.find((each) => each.id === id)?.status ?? 'absent'
  const lines = [
    '| | ' + files.map((file, index) => `${index + 1}: ${file}`).join(' | ') + ' |',
    `|---|${files.map(() => '---').join('|')}|`,
  ]
  lines.push(
    `| target | ${reports.map((each) => each.subject.name).join(' | ')} |`,
    `| verdict | ${reports.map((each) => each.verdict).join(' | ')} |`,
  )
  const counted = (each: Report) =>
    `${each.summary.requirements.verified} verified, ${each.summary.requirements.violated} violated, ${each.summary.requirements.unverified} not verified`
  lines.push(`| requirements | ${reports.map(counted).join(' | ')} |`)
  const differing = ids.filter((id) => new Set(reports.map((each) => outcome(each, id))).size > 1)
  for (const id of differing) lines.push(`| ${id} | ${reports.map((each) => outcome(each, id)).join(' | ')} |`)
  const [before, after] = reports
  if (
    reports.length === 2 &&
    before !== undefined &&
    after !== undefined &&
    before.subject.name === after.subject.name
  ) {
    const count = (from: readonly string[], to: readonly string[]) =>
      differing.filter((id) => from.includes(outcome(before, id)) && to.includes(outcome(after, id))).length
    lines.push(
      '',
      `Fixed ${count(['failed'], ['passed'])}, broken ${count(['passed', 'skipped', 'errored', 'absent'], ['failed'])}, new ${count(['absent'], ['passed', 'failed', 'errored', 'skipped'])}.`,
    )
  }
  return `${lines.join('\n')}\n`
}
