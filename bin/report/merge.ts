import type { CaseResult, Outcome, Report } from '../../harness/result.js'
import { requirementResults, summarize, verdictOf } from '../../harness/verdict.js'
import type { CaseInfo } from '../catalogue.js'
import { UsageError } from '../usage.js'

/** Of two outcomes of one case the one further to the left counts. */
const gravity: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped']

/**
 * One report of the shards of one run, judged anew as a whole. One report alone stays as it is.
 * Throws `UsageError` when the reports judge different targets.
 */
export function mergeReports(reports: readonly Report[], catalogue: readonly CaseInfo[]): Report {
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
  const ofKind = catalogue.filter((each) => each.subject === first.subject.kind)
  const cases = inOrder(mergeCases(reports), ofKind)
  const judged = { kind: first.subject.kind, catalogue: ofKind, results: cases }
  const requirements = requirementResults(judged)
  const notes = [...new Set(reports.flatMap((each) => each.note ?? []))]
  const verdict = verdictOf(judged, requirements)
  const isCut = reports.some((each) => each.verdict === 'none')
  return {
    schema: first.schema,
    tool: first.tool,
    subject: first.subject,
    started_at: reports.map((each) => each.started_at).sort()[0] ?? first.started_at,
    duration_ms: Math.max(...reports.map((each) => each.duration_ms)),
    seed: first.seed,
    verdict: verdict === 'conformant' && isCut ? 'partial' : verdict,
    summary: summarize(cases, requirements),
    cases,
    requirements,
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
  }
}

function mergeCases(reports: readonly Report[]): CaseResult[] {
  const results = new Map<string, CaseResult>()
  for (const each of reports.flatMap((one) => one.cases)) {
    const known = results.get(each.id)
    if (known === undefined || gravity.indexOf(each.status) < gravity.indexOf(known.status)) results.set(each.id, each)
  }
  return [...results.values()]
}

/** Catalogue order; cases of another version of the kit stand at the end. */
function inOrder(cases: readonly CaseResult[], catalogue: readonly CaseInfo[]): CaseResult[] {
  const places = new Map<string, number>(catalogue.map((each, index) => [each.id, index]))
  const placeOf = ({ id }: CaseResult) => places.get(id) ?? catalogue.length
  return [...cases].sort((a, b) => placeOf(a) - placeOf(b))
}
