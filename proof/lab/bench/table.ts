import type { Figure, Sample } from './figure.js'
import type { RowResult } from './main.js'

/** The figures for a terminal: two lines each, the verdict on its bar in front. */
export function listing(results: readonly RowResult[]): string {
  return results
    .map(({ row, figures, failure }) => {
      const lines = failure === undefined ? figures.map(entry) : [`  FAILED   ${failure}\n`]
      return `${row.name}: ${row.title}\n${lines.join('')}`
    })
    .join('\n')
}

function entry({ what, unit, value, yardstick, ratio, bar, note }: Figure): string {
  const verdict = bar === undefined ? '' : bar.isMet ? 'met' : 'NOT MET'
  const measured = value === undefined ? 'skipped' : shown(value, unit)
  const compared =
    yardstick === undefined || ratio === undefined
      ? []
      : [`${shown(ratio, 'x')}, against ${shown(yardstick.value, unit)} of ${yardstick.name}`]
  const more = [...compared, ...(bar === undefined ? [] : [`bar: ${bar.text}`]), ...(note === undefined ? [] : [note])]
  const second = more.length === 0 ? '' : `${' '.repeat(11)}${more.join('; ')}\n`
  return `  ${verdict.padEnd(8)} ${what}: ${measured}\n${second}`
}

/** The figures as a Markdown table. */
export function table(results: readonly RowResult[]): string {
  const head = ['What', 'Measured', 'Yardstick', 'Ratio', 'Bar', '']
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
function shown({ median, least, most, values }: Sample, unit: string): string {
  const name = unit.startsWith('/') || unit === 'x' ? unit.replace('x', ' x') : ` ${unit}`
  return `${rounded(median)}${name}${values.length > 1 ? ` (${rounded(least)}-${rounded(most)})` : ''}`
}

/** Three digits that mean something. */
export function rounded(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}
