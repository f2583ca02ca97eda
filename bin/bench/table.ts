import type { Figure, Sample } from './figure.js'
import type { RowResult } from './main.js'

/** The figures as a Markdown table, which reads well on a terminal too. */
export function table(results: readonly RowResult[]): string {
  const head = ['What', 'Measured', 'Beside', 'Ratio', 'Bar', '']
  const lines = results.flatMap(({ row, figures, failure }) =>
    failure === undefined
      ? figures.map((figure, index) => cells(index === 0 ? row.title : '', figure))
      : [[`**${row.title}**`, `failed: ${failure}`, '', '', '', 'not met']],
  )
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)))
  const written = [head, widths.map((width) => '-'.repeat(width)), ...lines].map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  return `${written.join('\n')}\n`
}

function cells(title: string, { what, unit, value, yardstick, ratio, bar, note }: Figure): string[] {
  const text = [title === '' ? '' : `**${title}**: `, what, note === undefined ? '' : ` (${note})`].join('')
  return [
    text,
    value === undefined ? 'skipped' : shown(value, unit),
    yardstick === undefined ? '' : `${shown(yardstick.value, unit)} ${yardstick.name}`,
    ratio === undefined ? '' : shown(ratio, 'x'),
    bar?.text ?? '',
    bar === undefined ? '' : bar.isMet ? 'met' : 'NOT MET',
  ]
}

/** `12.3 ms (11.9-14.0)`: the median, and the least and the most. */
export function shown({ median, least, most, values }: Sample, unit: string): string {
  const name = unit.startsWith('/') || unit === 'x' ? unit.replace('x', ' x') : ` ${unit}`
  return `${rounded(median)}${name}${values.length > 1 ? ` (${rounded(least)}-${rounded(most)})` : ''}`
}

/** Three digits that mean something. */
export function rounded(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
