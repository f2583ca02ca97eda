import { documentStart } from '../../harness/reporters/html.js'
import { script } from '../../harness/reporters/html/script.js'
import { sentence, text } from '../../harness/reporters/html/text.js'
import { isDifferent, type Comparison } from './compare.js'

/** A comparison as one page without any other file: a column for each report, a search over the rows. */
export function comparisonHtml(comparison: Comparison): string {
  const { columns, changes } = comparison
  const [requirements, alikeRequirements] = parted(comparison.requirements, (each) => each.statuses)
  const [cases, alikeCases] = parted(comparison.cases, (each) => each.outcomes)
  const requirementRow = (each: Comparison['requirements'][number]) =>
    row(`${text(each.id)} <span class="small">${sentence(each.text)}</span>`, each.statuses)
  const caseRow = (each: Comparison['cases'][number]) => row(`<code>${text(each.id)}</code>`, each.outcomes)
  const moved = Object.entries(changes ?? {}).map(
    ([name, ids]) =>
      `<h3>${name.charAt(0).toUpperCase()}${name.slice(1)}: ${ids.length}</h3>${ids.length === 0 ? '' : `<ul>${ids.map((id) => `<li><code>${text(id)}</code></li>`).join('')}</ul>`}`,
  )
  return `${documentStart(`comparison of ${columns.map((each) => each.label).join(', ')}`)}<header>
<p class="kind">${text(columns[0]?.subject.kind ?? '')}, side by side</p>
<h1>${columns.map((each) => text(each.label)).join(' · ')}</h1>
</header>
<main>
<form class="filters" role="search" aria-label="Rows"><label class="search"><span>Search</span> <input id="search" type="search" placeholder="id, words" autocomplete="off" aria-keyshortcuts="/"></label></form>
<table class="comparison"><thead>${head(comparison)}</thead><tbody>
${row(
  'verdict',
  columns.map((each) => each.verdict),
)}
${row(
  'requirements verified',
  columns.map((each) => `${each.requirements.verified} of ${each.requirements.total}`),
)}
${row(
  'requirements violated',
  columns.map((each) => String(each.requirements.violated)),
)}
${row(
  'cases failed',
  columns.map((each) => String(each.cases.failed)),
)}
</tbody></table>
${moved.length === 0 ? '' : `<section><h2>What changed</h2>${moved.join('')}</section>`}
${table('Requirements that differ', head(comparison), requirements.map(requirementRow))}
${table('Cases that differ', head(comparison), cases.map(caseRow))}
<details><summary>${alikeRequirements.length} requirements and ${alikeCases.length} cases are alike</summary>
${table('Requirements that are alike', head(comparison), alikeRequirements.map(requirementRow))}
${table('Cases that are alike', head(comparison), alikeCases.map(caseRow))}
</details>
</main>
<script>${script}</script>
</body>
</html>
`
}

function parted<T>(rows: readonly T[], valuesOf: (row: T) => readonly string[]): readonly [T[], T[]] {
  return [rows.filter((each) => isDifferent(valuesOf(each))), rows.filter((each) => !isDifferent(valuesOf(each)))]
}

function head({ columns }: Comparison): string {
  return `<tr><th></th>${columns.map((each) => `<th scope="col">${text(each.label)} <span class="small">${text(each.file)}</span></th>`).join('')}</tr>`
}

function table(title: string, headRow: string, rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return `<h2>${title}</h2>\n<table class="comparison filtered"><thead>${headRow}</thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

const colours: Readonly<Record<string, string>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  'known failure': 'errored',
}

function row(first: string, values: readonly string[]): string {
  const cells = values.map(
    (each) =>
      `<td><span class="status ${text((colours[each] ?? each).replaceAll(' ', '-'))}">${text(each)}</span></td>`,
  )
  return `<tr><th scope="row">${first}</th>${cells.join('')}</tr>`
}
