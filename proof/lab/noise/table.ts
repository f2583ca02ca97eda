import type { CaseResult } from '../../../harness/index.js'

/** The result of one run. */
export interface Cell {
  readonly disturbance: string
  readonly subject: string
  /** How often the disturbance struck. */
  readonly hits: number
  readonly seconds: number
  readonly code: number
  /** Absent where the run gave no report. */
  readonly results?: readonly Pick<CaseResult, 'id' | 'level' | 'status' | 'message' | 'reason'>[]
  readonly problem?: string
  /** The failed checks of what observed the run, one line each; absent where nothing did. */
  readonly observed?: readonly string[]
  /** The output of a run that ended early. */
  readonly stderrText?: string
}

/** What a result is here: a right service may leave advice. */
export function outcomeOf({ status, level }: Pick<CaseResult, 'status' | 'level'>): string {
  return status === 'failed' && level === 'should' ? 'advice left' : status
}

/** Disturbances by subjects, each with passed/failed/errored. */
export function textTable(
  rows: readonly { readonly id: string; readonly title: string }[],
  cells: readonly Cell[],
): string {
  const columns = [...new Set(cells.map((cell) => cell.subject))].sort()
  const lines = rows
    .filter(({ id }) => cells.some(({ disturbance }) => disturbance === id))
    .map(({ id, title }) => {
      const shown = columns.map((subject) =>
        shownCell(cells.find((cell) => cell.disturbance === id && cell.subject === subject)),
      )
      return [id, ...shown, title]
    })
  return aligned([['passed/failed/errored', ...columns, ''], ...lines])
}

function shownCell(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  const { results } = cell
  if (results === undefined) return `exit ${cell.code}`
  const counts = ['passed', 'failed', 'errored'].map(
    (outcome) => results.filter((result) => outcomeOf(result) === outcome).length,
  )
  return counts.join('/')
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
