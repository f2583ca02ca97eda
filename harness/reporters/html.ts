import { createHash } from 'node:crypto'
import type { Report } from '../result.js'
import { caseBlock } from './html/case-block.js'
import { requirementTable } from './html/requirement-table.js'
import { script } from './html/script.js'
import { style } from './html/style.js'
import { text } from './html/text.js'
import type { CreateReporter } from './reporter.js'

/** One page without any other file: it reads no network, and its policy lets only its own script and style run. */
export const html: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(page(report)),
})

const statuses = ['failed', 'errored', 'skipped', 'passed'] as const

function page(report: Report): string {
  const { cases, requirements } = report.summary
  const hasTrouble = cases.failed + cases.errored > 0
  const toggles = statuses.map((status) => {
    const checked = status === 'passed' && hasTrouble ? '' : ' checked'
    return `<label class="toggle"><input type="checkbox" value="${status}"${checked}> ${cases[status]} ${status}</label>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${text(`${report.verdict}: ${report.subject.name}`)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#cases">To the cases</a>
<header>
<p class="kind">${text(report.subject.kind)}</p>
<h1>${text(report.subject.name)}</h1>
<p><strong class="verdict ${report.verdict}">${report.verdict}</strong> ${requirements.verified} requirements verified, ${requirements.violated} violated, ${requirements.unverified} not verified</p>
<p class="small">${text(report.started_at)}, ${(report.duration_ms / 1000).toFixed(1)} s, seed ${report.seed}, ${text(report.tool.name)} ${text(report.tool.version)}</p>
${report.note === undefined ? '' : `<p>${text(report.note)}</p>`}
</header>
<main>
<section class="filters" aria-label="Filters">
<label>Search <input id="search" type="search" placeholder="id, requirement, words" autocomplete="off"></label>
${toggles.join('\n')}
<span id="shown" role="status"></span>
</section>
<section aria-labelledby="cases">
<h2 id="cases" tabindex="-1">Cases</h2>
${report.cases.map(caseBlock).join('\n')}
</section>
${requirementTable(report)}
</main>
<script>${script}</script>
</body>
</html>
`
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
