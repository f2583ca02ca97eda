import { additionLines } from '../forecast.js'
import { counted } from '../counted.js'
import { inReadingOrder } from '../causes/reading-order.js'
import type { CaseResult, Report } from '../result.js'
import { shellLines } from './curl.js'
import { exchangeOfCheck } from './exchange-of-check.js'
import { counterexampleText, headline } from './failure-text.js'
import { sentenceOf, subjectOf, type CreateReporter } from './reporter.js'
import { escaped, oneLine, shortened } from './text.js'
import { verdictAddition, casesText, requirementsText } from './summary-text.js'

/** Rows of the table of failures, failures in full, mismatches of one, reasons, characters of one cell: a job summary holds one megabyte. */
const most = { rows: 200, details: 20, checks: 6, reasons: 50, cell: 400 }

/** A summary for a job page; text of a target breaks no table and makes no HTML. */
export const markdown: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(`${lines(report).join('\n')}\n`),
})

function lines(report: Report): string[] {
  return [
    `## ${report.verdict}${verdictAddition(report)}: ${code(report.subject.name)} (${report.subject.kind})`,
    '',
    ...(report.note === undefined ? [] : [cell(report.note), '']),
    ...staleKnownFailures(report),
    '| | |',
    '|---|---|',
    `| Cases | ${casesText(report)} |`,
    `| Requirements | ${requirementsText(report)} |`,
    ...(report.subject.kind === 'traffic' ? [] : [`| Seed | ${report.seed} |`]),
    `| Duration | ${(report.duration_ms / 1000).toFixed(1)} s |`,
    '',
    ...causes(report),
    ...failures(report),
    ...skipped(report),
    ...additions(report),
  ]
}

function staleKnownFailures({ known_failure_problems: problems = [] }: Report): string[] {
  if (problems.length === 0) return []
  return [
    '**The known-failures file is out of date:**',
    '',
    ...problems.map((problem) => `- ${cell(problem.message)}`),
    '',
  ]
}

function causes({ likely_causes: list = [] }: Report): string[] {
  return list.flatMap(({ text, remedy = '', cases }) => [
    `**Likely cause** (${counted(cases.length, 'case')}): ${cell(text)}`,
    '',
    ...(remedy === '' ? [] : preformatted(remedy.split('\n').map(line))),
  ])
}

function failures(report: Report): string[] {
  const failed = inReadingOrder(report.cases, report.likely_causes)
  if (failed.length === 0) return []
  const rows = failed.slice(0, most.rows).map((result) => {
    const mark = result.known_failure ? ' (known)' : result.status === 'errored' ? ' (errored)' : ''
    return `| ${code(result.id)}${mark} | ${subjectOf(result).join(', ')} | ${cell(headline(result))} |`
  })
  const more = failed.length - rows.length
  return [
    '| Case | Requirement | Evidence |',
    '|---|---|---|',
    ...rows,
    '',
    ...(more > 0 ? [`And ${more} more.`, ''] : []),
    ...failed.slice(0, most.details).flatMap(details),
  ]
}

/** Formats one failure in full, folded. Text of the target is in HTML elements, which Markdown does not interpret. */
function details(result: CaseResult): string[] {
  const checks = result.checks ?? []
  const more = checks.length - most.checks
  const seen = [
    ...checks
      .slice(0, most.checks)
      .flatMap((mismatch) => [
        line(mismatch.what),
        `  expected  ${line(mismatch.expected)}`,
        `  got       ${line(mismatch.got)}`,
      ]),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(result.reason === undefined ? [] : [line(result.reason)]),
    ...(result.counterexample === undefined ? [] : [line(counterexampleText(result))]),
  ]
  return [
    `<details><summary><code>${escaped(oneLine(result.id))}</code></summary>`,
    '',
    cell(result.title),
    '',
    ...subjectOf(result).map((id) => `- **${cell(id)}** ${sentence(sentenceOf(id, result).text)}`),
    '',
    ...preformatted(seen),
    ...(result.remedy === undefined ? [] : ['Remedy:', '', ...preformatted(result.remedy.split('\n').map(line))]),
    ...(result.reproduce === undefined ? [] : ['Rerun:', '', ...preformatted([oneLine(result.reproduce)])]),
    ...deliveryCommands(result),
    '</details>',
    '',
  ]
}

/** The commands that send a failed delivery again, which are too long for a cell. */
function deliveryCommands(result: CaseResult): string[] {
  const checked = exchangeOfCheck(result.checks?.[0], result)
  if (checked?.exchange.resend === undefined) return []
  const { resend, valid } = shellLines(checked.exchange)
  return [
    ...(resend === undefined
      ? []
      : ['The delivery:', '', ...preformatted([oneLine(resend.replaceAll(' \\\n  ', ' '))])]),
    ...(valid === undefined
      ? []
      : ['The valid delivery that it was made from:', '', ...preformatted([oneLine(valid)])]),
  ]
}

function preformatted(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`<pre>${escaped(lines.join('\n')).replace(command, '$1&#58;')}</pre>`, '']
}

/** Formats a sentence of the interface; text between backticks stays code. */
function sentence(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : cell(part)))
    .join('')
}

function line(text: string): string {
  return shortened(oneLine(text), most.cell)
}

function additions({ additions: list = [] }: Report): string[] {
  return list.length === 0
    ? []
    : ['Would verify more:', '', ...additionLines(list).map((addition) => `- ${cell(addition)}`), '']
}

function skipped(report: Report): string[] {
  const reasons = new Map<string, number>()
  for (const { status, reason = '' } of report.cases)
    if (status === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  if (reasons.size === 0) return []
  const rows = [...reasons].slice(0, most.reasons).map(([reason, count]) => `- ${count}: ${cell(reason)}`)
  const more = reasons.size - rows.length
  return [
    '<details><summary>Not asked</summary>',
    '',
    ...rows,
    ...(more > 0 ? [`- and ${more} more reasons`] : []),
    '',
    '</details>',
    '',
  ]
}

/** Code in backticks where nothing in it could end them or the cell; else as HTML. */
function code(text: string): string {
  return /^[\w ./:@{}-]{1,200}$/.test(text) ? `\`${text}\`` : `<code>${cell(text)}</code>`
}

function cell(text: string): string {
  const plain = line(text).replace(/[|\\`*_[\]~@#]/g, (character) => `\\${character}`)
  return escaped(plain.replace(command, '$1\\:'))
}

/** The first colon of what a build log that shows the page would take for a command. */
const command = /^(\s*):(?=:)/gm
