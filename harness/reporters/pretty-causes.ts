import type picocolors from 'picocolors'
import type { LikelyCause, Report } from '../result.js'
import { wrapped } from './pretty-lines.js'
import { oneLine, shortened } from './text.js'

type Paint = ReturnType<typeof picocolors.createColors>

/** Columns before the text of a cause; ids of cases, and characters, of one. */
const most = { indent: 12, ids: 3, text: 600 } as const

/** What likely went wrong, above the failures; empty where each failure stands for itself. */
export function causesText({ likely_causes: causes = [] }: Report, paint: Paint, columns: number | undefined): string {
  if (causes.length === 0) return ''
  const heading = causes.length === 1 ? 'Likely cause' : 'Likely causes'
  return `\n${[paint.bold(heading), ...causes.flatMap((each) => cause(each, paint, columns))].join('\n')}\n\n`
}

function cause({ text, remedy, cases }: LikelyCause, paint: Paint, columns: number | undefined): string[] {
  const put = (label: string, words: string, as: (line: string) => string = (line) => line) =>
    wrapped(label, oneLine(words), { indent: most.indent, columns, paint: as })
  const more = cases.length - most.ids
  return [
    ...put(paint.red('cause'), shortened(text, most.text)),
    ...(remedy ?? '').split('\n').flatMap((line, at) => (line === '' ? [] : put(at === 0 ? 'remedy' : '', line))),
    ...put('explains', [...cases.slice(0, most.ids), ...(more > 0 ? [`and ${more} more`] : [])].join(', '), paint.dim),
  ]
}
