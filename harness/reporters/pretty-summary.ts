import type picocolors from 'picocolors'
import type { CaseResult, Report } from '../result.js'
import { additionLines } from '../forecast.js'
import { wrapped } from './pretty-lines.js'
import { oneLine, shortened } from './text.js'
import { verdictAddition, casesText, requirementsText, seedText } from './summary-text.js'

type Paint = ReturnType<typeof picocolors.createColors>

interface SummaryOptions {
  readonly paint: Paint
  readonly verbosity: 'quiet' | 'normal' | 'verbose'
  readonly columns: number | undefined
}

/** Case ids below one requirement; characters of a reason. */
const most = { ids: 5, reason: 300 }
/** Columns before a requirement's sentence. */
const indent = 11

/** Formats the end of a run: skipped cases, counts, verdict; after a failure, the other parts are folded. */
export function summary(report: Report, options: SummaryOptions): string {
  const { paint, verbosity } = options
  const isFolded = verbosity === 'normal' && report.likely_causes !== undefined
  const isWhole = verbosity !== 'quiet' && !isFolded
  const lines = [
    ...(isWhole ? [...notRun(report, options), ...additions(report, options)] : []),
    ...(isFolded ? folded(report, options) : errored(report, options)),
    ...knownFailures(report, options),
    ...(isFolded ? [] : violated(report, options)),
    ...staleEntries(report, options),
    `Cases         ${casesText(report)}`,
    `Requirements  ${requirementsText(report)}`,
    ...(report.note === undefined ? [] : [`Note          ${oneLine(report.note)}`]),
    `Verdict       ${verdict(report, paint)}  (${(report.duration_ms / 1000).toFixed(1)} s${seedText(report)})`,
    '',
  ]
  return lines.join('\n')
}

/** Counts the parts that only --verbose prints. */
function folded({ cases, additions: more = [] }: Report, { paint }: SummaryOptions): string[] {
  const count = (isOne: (result: CaseResult) => boolean) => cases.filter(isOne).length
  const rows = [
    [count((result) => result.not_judged !== undefined), 'not evaluated because another failed'],
    [
      count((result) => result.status === 'skipped' && result.not_judged === undefined),
      'skipped, with what each needs',
    ],
    [count((result) => result.status === 'errored'), 'errored'],
    [more.length, more.length === 1 ? 'option would verify more' : 'options would verify more'],
  ] as const
  const shown = rows.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  return shown.length === 0 ? [] : [paint.dim(`Not shown (--verbose prints them): ${shown.join('; ')}`), '']
}

/** The skipped cases, counted by the one line that would enable them. */
function notRun(report: Report, { paint, columns }: SummaryOptions): string[] {
  const reasons = new Map<string, number>()
  for (const { status, reason = '' } of report.cases)
    if (status === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  if (reasons.size === 0) return []
  const rows = [...reasons].sort(([, a], [, b]) => b - a)
  return [
    paint.bold('Not asked'),
    ...rows.flatMap(([reason, count]) =>
      wrapped(String(count).padStart(4), oneLine(reason), { indent: 8, columns, paint: (line) => line }),
    ),
    '',
  ]
}

/** What would verify more than this run did. */
function additions({ additions: list = [] }: Report, { paint }: SummaryOptions): string[] {
  if (list.length === 0) return []
  return [paint.bold('Would verify more'), ...additionLines(list).map((line) => `    ${line}`), '']
}

/** Lists the cases that could not run; of many with one reason the first few by name. */
function errored(report: Report, options: SummaryOptions): string[] {
  const byReason = new Map<string, CaseResult[]>()
  for (const result of report.cases.filter(({ status }) => status === 'errored')) {
    const reason = result.reason ?? result.message ?? ''
    byReason.set(reason, [...(byReason.get(reason) ?? []), result])
  }
  if (byReason.size === 0) return []
  const { paint, columns, verbosity } = options
  const rows = [...byReason].flatMap(([reason, cases]) => {
    const shown = verbosity === 'verbose' ? cases : cases.slice(0, most.ids)
    const text = shortened(oneLine(reason), most.reason)
    return [
      ...shown.map((result) => `  ${paint.yellow(oneLine(result.id))}`),
      ...(shown.length < cases.length ? [`  ${paint.yellow(`and ${cases.length - shown.length} more`)}`] : []),
      ...(text === '' ? [] : wrapped('', text, { indent: 6, columns, paint: paint.dim })),
    ]
  })
  return [paint.bold('Could not ask'), ...rows, '']
}

function knownFailures(report: Report, options: SummaryOptions): string[] {
  const known = report.cases.filter((result) => result.known_failure)
  return listed('Known failures', known, (result) => result.known_failure_reason ?? '', options)
}

function listed(
  title: string,
  cases: readonly CaseResult[],
  reasonOf: (result: CaseResult) => string,
  { paint, columns }: SummaryOptions,
): string[] {
  if (cases.length === 0) return []
  const rows = cases.flatMap((result) => {
    const reason = shortened(oneLine(reasonOf(result)), most.reason)
    const text = reason === '' ? [] : wrapped('', reason, { indent: 6, columns, paint: paint.dim })
    return [`  ${paint.yellow(oneLine(result.id))}`, ...text]
  })
  return [paint.bold(title), ...rows, '']
}

function violated(report: Report, { paint, columns }: SummaryOptions): string[] {
  const rows = report.requirements.filter((requirement) => requirement.status === 'violated')
  if (rows.length === 0) return []
  return [
    paint.bold('Violated'),
    ...rows.flatMap(({ id, text }) => {
      const by = report.cases.filter((result) => result.status === 'failed' && result.violates?.includes(id) === true)
      const more = by.length - most.ids
      return [
        ...wrapped(paint.red(id), oneLine(text), { indent, columns, paint: (line) => line }),
        ...by.slice(0, most.ids).map((result) => `${' '.repeat(indent)}${paint.dim(oneLine(result.id))}`),
        ...(more > 0 ? [`${' '.repeat(indent)}${paint.dim(`and ${more} more`)}`] : []),
      ]
    }),
    '',
  ]
}

function staleEntries({ known_failure_problems: problems = [] }: Report, { paint }: SummaryOptions): string[] {
  if (problems.length === 0) return []
  return [
    paint.bold('The known-failures file is out of date'),
    ...problems.map((problem) => `  ${paint.red(oneLine(problem.message))}`),
    '',
  ]
}

function verdict(report: Report, paint: Paint): string {
  const { verdict: word, known_failure_problems: problems = [] } = report
  const colour = word === 'conformant' ? paint.green : word === 'nonconformant' ? paint.red : paint.yellow
  const stale = problems.length === 0 ? '' : `, but ${paint.red('the known-failures file is out of date')}`
  return `${colour(paint.bold(word))}${verdictAddition(report)}${stale}`
}
