import type { Report } from '../../result.js'
import { text } from './text.js'

const meanings: Readonly<Record<Report['verdict'], string>> = {
  conformant: 'Every MUST requirement was verified.',
  partial: 'Nothing failed, but some MUST requirement was not verified.',
  nonconformant: 'A MUST requirement was violated.',
  none: 'The run came to no verdict.',
}

/** What was judged, the verdict and what it means, the counts, and whatever else the reader must know first. */
export function header(report: Report): string {
  const { requirements, cases } = report.summary
  const known = cases.known_failures > 0 ? ` (${cases.known_failures} known)` : ''
  return `<header>
<p class="kind">${text(report.subject.kind)}</p>
<h1>${text(report.subject.name)}</h1>
<div class="banner ${report.verdict}">
<p><strong>${report.verdict}</strong> ${meanings[report.verdict]}</p>
${bar(report)}
<p>Requirements: ${requirements.verified} verified, ${requirements.violated} violated, ${requirements.unverified} not verified. Cases: ${cases.passed} passed, ${cases.failed} failed${known}, ${cases.errored} errored, ${cases.skipped} skipped.</p>
${report.note === undefined ? '' : `<p>${text(report.note)}</p>`}
</div>
${problems(report)}
<p class="small">${text(dateOf(report.started_at))}, ${(report.duration_ms / 1000).toFixed(1)} s, seed ${report.seed}${report.shard === undefined ? '' : `, shard ${text(report.shard)}`}, ${text(report.tool.name)} ${text(report.tool.version)}</p>
</header>
`
}

/** The requirements as one bar: verified, violated, not verified. */
function bar({ summary: { requirements } }: Report): string {
  const { total, verified, violated, unverified } = requirements
  if (total === 0) return ''
  let x = 0
  const parts = Object.entries({ verified, violated, unverified }).map(([status, count]) => {
    const rectangle = `<rect class="${status}" x="${x}" width="${count}" height="1"/>`
    x += count
    return rectangle
  })
  return `<svg class="bar" viewBox="0 0 ${total} 1" preserveAspectRatio="none" role="img" aria-label="${verified} of ${total} requirements verified">${parts.join('')}</svg>`
}

function problems({ known_failure_problems: list = [] }: Report): string {
  if (list.length === 0) return ''
  const rows = list.map((each) => `<li>${text(each.message)}</li>`)
  return `<div class="banner nonconformant"><p><strong>The known-failures file is out of date</strong> This fails the run.</p><ul>${rows.join('')}</ul></div>`
}

function dateOf(instant: string): string {
  return instant.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}
