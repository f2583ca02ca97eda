import type { ComparisonData } from '../../pages/data.js'
import { standalonePage } from '../../pages/index.js'
import type { Comparison } from './compare.js'

/** A comparison as one page without any other file: a column for each report, a search over the rows. */
export function comparisonHtml(comparison: Comparison): string {
  const { columns, requirements, cases, changes } = comparison
  const data: ComparisonData = {
    kind: 'comparison',
    columns,
    requirements,
    cases,
    ...(changes === undefined ? {} : { changes }),
  }
  return standalonePage({
    page: 'report',
    title: `comparison of ${columns.map((column) => column.label).join(', ')}`,
    data,
  })
}
