import type { CaseResult, Report, RequirementResult } from '../../result.js'
import { wordOf } from './matrix.js'
import { anchorOf, sentence, text } from './text.js'

/** Requirement by verdict: every requirement of the kind, its status, and the cases that check it with theirs. */
export function requirementTable(report: Report): string {
  if (report.requirements.length === 0) return ''
  const results = new Map(report.cases.map((each) => [each.id, each]))
  const known = ['violated', 'verified', 'unverified', 'untestable'] as const
  const options = known
    .map((status) => ({ status, count: report.requirements.filter((each) => each.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `<option value="${status}">${count} ${wordOf(status)}</option>`)
  return `<section aria-labelledby="requirements">
<h2 id="requirements">Requirements</h2>
<p><label>Show <select id="status"><option value="">all ${report.requirements.length}</option>${options.join('')}</select></label></p>
<table class="requirements">
<thead><tr><th scope="col">Requirement</th><th scope="col">Status</th><th scope="col">Text</th><th scope="col">Cases</th></tr></thead>
<tbody>
${report.requirements.map((each) => row(each, results)).join('\n')}
</tbody>
</table>
</section>
`
}

function row(requirement: RequirementResult, results: ReadonlyMap<string, CaseResult>): string {
  const { id, level, status, text: words, source, cases } = requirement
  return `<tr id="${text(id)}" data-status="${status}"><th scope="row">${text(id)}<br><span class="small">${level}</span></th><td><span class="status ${status}">${wordOf(status)}</span></td><td>${sentence(words)} <span class="small">interface.md${text(source)}</span></td><td>${casesOf(cases, results)}</td></tr>`
}

/** Few cases stand as links; many, such as the vectors of a verifier, as counts by outcome. */
const fewCases = 12

function casesOf(ids: readonly string[], results: ReadonlyMap<string, CaseResult>): string {
  const asked = ids.flatMap((id) => results.get(id) ?? [])
  if (asked.length > fewCases) {
    const bad = asked.filter((each) => each.status === 'failed' || each.status === 'errored')
    const counted = (['passed', 'skipped', 'failed', 'errored'] as const)
      .map((status) => ({ status, count: asked.filter((each) => each.status === status).length }))
      .filter(({ count }) => count > 0)
      .map(({ status, count }) => `${count} ${status}`)
    return [counted.join(', '), ...bad.slice(0, fewCases).map(link)].join('<br>')
  }
  const missing = ids.length - asked.length
  return [...asked.map(link), ...(missing > 0 ? [`<span class="small">${missing} not run</span>`] : [])].join('<br>')
}

function link({ id, status }: CaseResult): string {
  return `<a class="status ${status}" href="#${anchorOf(id)}" title="${status}">${text(id)}</a>`
}
