import { basename } from 'node:path'
import type { CaseResult, Outcome, Report, RequirementStatus } from '../../harness/index.js'
import { UsageError } from '../cli/usage.js'
import type { ReadReport } from './read-report.js'

/** The status of a case in one report; `absent`: the report does not have it. */
export type Seen = Outcome | 'known failure' | 'absent'

/** Reports side by side, plain data: what every rendering of a comparison shows. */
export interface Comparison {
  readonly schema: 'conformance-comparison/1'
  readonly columns: readonly {
    /** The target's name; where two reports judge the same target, the file's. */
    readonly label: string
    readonly file: string
    readonly subject: Report['subject']
    readonly tool: Report['tool']
    readonly started_at: string
    readonly verdict: Report['verdict']
    readonly requirements: Report['summary']['requirements']
    readonly cases: Report['summary']['cases']
  }[]
  /** A row for each requirement that any of the reports lists, a status for each column. */
  readonly requirements: readonly {
    readonly id: string
    readonly text: string
    readonly statuses: readonly (RequirementStatus | 'absent')[]
  }[]
  /** A row for each case, an outcome for each column. */
  readonly cases: readonly { readonly id: string; readonly outcomes: readonly Seen[] }[]
  /** Of two reports on one target: case ids by what became of them. */
  readonly changes?: Readonly<Record<'fixed' | 'broken' | 'new' | 'gone', readonly string[]>>
}

/** Puts reports of one kind side by side. Throws `UsageError` for fewer than two, or for different kinds. */
export function compareReports(read: readonly ReadReport[]): Comparison {
  const reports = read.map((loaded) => loaded.report)
  const [first, second] = reports
  if (first === undefined || second === undefined)
    throw new UsageError('--compare needs at least two reports: conformance report --compare before.json after.json')
  const unrelated = read.find(({ report }) => report.subject.kind !== first.subject.kind)
  if (unrelated !== undefined)
    throw new UsageError(
      `${unrelated.file} judges a ${unrelated.report.subject.kind}, ${read[0]?.file} a ${first.subject.kind}: only reports of one kind can be compared`,
    )
  const names = new Set(reports.map((report) => report.subject.name))
  const labels = labelsOf(read)
  const cases = caseRows(reports)
  return {
    schema: 'conformance-comparison/1',
    columns: read.map(({ file, report }, index) => ({
      label: labels[index] ?? file,
      file,
      subject: report.subject,
      tool: report.tool,
      started_at: report.started_at,
      verdict: report.verdict,
      requirements: report.summary.requirements,
      cases: report.summary.cases,
    })),
    requirements: requirementRows(reports),
    cases,
    ...(reports.length === 2 && names.size === 1 ? { changes: changesOf(cases) } : {}),
  }
}

/** Returns whether the columns of a row differ. */
export function isDifferent(values: readonly string[]): boolean {
  return new Set(values).size > 1
}

/** How each report is called: by its target, or by its file where two judge the same target. */
export function labelsOf(read: readonly ReadReport[]): readonly string[] {
  const isDistinct = new Set(read.map(({ report }) => report.subject.name)).size === read.length
  return read.map(({ file, report }) => (isDistinct ? report.subject.name : labelOf(file, read)))
}

function labelOf(file: string, read: readonly ReadReport[]): string {
  const short = basename(file)
  return read.filter((loaded) => basename(loaded.file) === short).length > 1 ? file : short
}

function caseRows(reports: readonly Report[]): Comparison['cases'] {
  const seen = reports.map((report) => new Map(report.cases.map((one) => [one.id, seenOf(one)])))
  const ids = new Set(reports.flatMap((report) => report.cases.map((one) => one.id)))
  return [...ids].map((id) => ({ id, outcomes: seen.map((ofReport) => ofReport.get(id) ?? 'absent') }))
}

function seenOf({ status, known_failure }: CaseResult): Seen {
  return known_failure ? 'known failure' : status
}

function requirementRows(reports: readonly Report[]): Comparison['requirements'] {
  const statuses = reports.map(
    (report) => new Map<string, RequirementStatus>(report.requirements.map((one) => [one.id, one.status])),
  )
  const texts = new Map<string, string>(
    reports.flatMap((report) => report.requirements.map((one) => [one.id, one.text])),
  )
  return [...texts].map(([id, text]) => ({
    id,
    text,
    statuses: statuses.map((ofReport) => ofReport.get(id) ?? 'absent'),
  }))
}

function changesOf(cases: Comparison['cases']): NonNullable<Comparison['changes']> {
  const isBad = (seen: Seen | undefined) => seen === 'failed' || seen === 'errored' || seen === 'known failure'
  const where = (belongs: (before: Seen | undefined, after: Seen | undefined) => boolean) =>
    cases.filter(({ outcomes: [before, after] }) => belongs(before, after)).map((testCase) => testCase.id)
  return {
    fixed: where((before, after) => isBad(before) && after === 'passed'),
    broken: where((before, after) => before !== 'absent' && !isBad(before) && isBad(after)),
    new: where((before) => before === 'absent'),
    gone: where((_, after) => after === 'absent'),
  }
}
