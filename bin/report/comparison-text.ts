import { oneLine, shortened } from '../../harness/safe-text.js'
import { isDifferent, type Comparison } from './compare.js'

/** Characters of a column's head; a longer one is cut in front, since URLs and paths differ at their ends. */
const maxLabel = 32

/** A comparison for a terminal: one column for each report, a row for each line that is not alike in all. */
export function comparisonText(comparison: Comparison): string {
  const { columns } = comparison
  const requirements = comparison.requirements.filter((requirement) => isDifferent(requirement.statuses))
  const cases = comparison.cases.filter((testCase) => isDifferent(testCase.outcomes))
  const counted = columns.map(({ requirements: { verified, violated, unverified } }) =>
    [verified, violated, unverified].join(' / '),
  )
  const table = [
    ['', ...columns.map((column) => label(column.label))],
    ['verdict', ...columns.map((column) => column.verdict)],
    ['requirements verified / violated / not', ...counted],
    ...block(
      'Requirements that differ',
      columns.length,
      requirements.map((requirement) => [requirement.id, ...requirement.statuses]),
    ),
    ...block(
      'Cases that differ',
      columns.length,
      cases.map((testCase) => [testCase.id, ...testCase.outcomes]),
    ),
  ]
  const equal = comparison.cases.length - cases.length
  return [
    ...aligned(table),
    '',
    `${equal} cases are alike${cases.length === 0 ? ': nothing differs' : `, ${cases.length} differ`}.`,
    ...changeLines(comparison),
    '',
  ].join('\n')
}

function changeLines({ changes }: Comparison): string[] {
  if (changes === undefined) return []
  return Object.entries(changes).flatMap(([name, ids]) => [
    '',
    `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${ids.length}`,
    ...ids.map((id) => `  ${oneLine(id)}`),
  ])
}

function block(title: string, columns: number, rows: readonly (readonly string[])[]): (readonly string[])[] {
  if (rows.length === 0) return []
  const empty = Array.from({ length: columns }, () => '')
  return [[''], [title, ...empty], ...rows.map(([head = '', ...rest]) => [`  ${oneLine(head)}`, ...rest])]
}

function aligned(table: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of table)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
    })
  return table.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function label(text: string): string {
  const clean = oneLine(text)
  return clean.length <= maxLabel ? clean : `…${clean.slice(clean.length - maxLabel + 1)}`
}

/** A comparison as Markdown, for a job page or a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { columns, changes } = comparison
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const requirements = comparison.requirements.filter((requirement) => isDifferent(requirement.statuses))
  const cases = comparison.cases.filter((testCase) => isDifferent(testCase.outcomes))
  const lines = [
    row(['', ...columns.map((column) => code(column.label))]),
    row(['---', ...columns.map(() => '---')]),
    row(['verdict', ...columns.map((column) => `**${column.verdict}**`)]),
    row([
      'requirements verified / violated / not verified',
      ...columns.map(
        ({ requirements: { verified, violated, unverified } }) => `${verified} / ${violated} / ${unverified}`,
      ),
    ]),
    ...requirements.map((requirement) => row([code(requirement.id), ...requirement.statuses])),
    ...cases.map((testCase) => row([code(testCase.id), ...testCase.outcomes])),
    '',
    `${comparison.cases.length - cases.length} cases are alike, ${cases.length} differ.`,
  ]
  for (const [name, ids] of Object.entries(changes ?? {}))
    lines.push('', `${name}: ${ids.length}`, '', ...ids.map((id) => `- ${code(id)}`))
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`
}

function code(text: string): string {
  return `\`${shortened(oneLine(text), 200).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}
