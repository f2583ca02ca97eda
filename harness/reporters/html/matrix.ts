import type { Report, RequirementResult, RequirementStatus } from '../../result.js'
import { text } from './text.js'

const marks: Readonly<Record<RequirementStatus, string>> = {
  verified: '✓',
  violated: '✕',
  unverified: '?',
  untestable: '–',
}

/** Every requirement as one cell, by area: what is verified and what is violated, at a glance. */
export function matrix(report: Report): string {
  if (report.requirements.length === 0) return ''
  const areas = new Map<string, RequirementResult[]>()
  for (const each of report.requirements) {
    const area = each.id.slice(0, each.id.indexOf('-'))
    areas.set(area, [...(areas.get(area) ?? []), each])
  }
  const rows = [...areas].map(
    ([area, members]) =>
      `<tr><th scope="row">${text(area)}</th><td class="small">${members.filter((each) => each.status === 'verified').length}/${members.length}</td><td class="cells">${members.map(cell).join('')}</td></tr>`,
  )
  const seen = (Object.keys(marks) as RequirementStatus[]).filter((status) =>
    report.requirements.some((each) => each.status === status),
  )
  const legend = seen.map((status) => `<span><i class="cell ${status}">${marks[status]}</i> ${wordOf(status)}</span>`)
  return `<section aria-labelledby="matrix">
<h2 id="matrix">Requirements by area</h2>
<table class="matrix"><thead class="hidden"><tr><th scope="col">Area</th><th scope="col">Verified</th><th scope="col">Requirements</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<p class="legend small">${legend.join(' ')}</p>
</section>
`
}

function cell({ id, status, text: sentence }: RequirementResult): string {
  const label = `${id} ${wordOf(status)}`
  return `<a class="cell ${status}" href="#${text(id)}" title="${text(`${label}: ${sentence}`)}" aria-label="${text(label)}">${marks[status]}</a>`
}

/** A status as it is shown. */
export function wordOf(status: RequirementStatus): string {
  return status === 'unverified' ? 'not verified' : status === 'untestable' ? 'not testable' : status
}
