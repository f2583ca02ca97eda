import { createHash } from 'node:crypto'
import type { Report } from '../result.js'
import { caseBlocks } from './html/case-list.js'
import { header } from './html/header.js'
import { matrix } from './html/matrix.js'
import { requirementTable } from './html/requirement-table.js'
import { script } from './html/script.js'
import { style } from './html/style.js'
import { text } from './html/text.js'
import { times } from './html/times.js'
import type { CreateReporter } from './reporter.js'

/** One page without any other file: it reads no network, and its policy lets only its own script and style run. */
export const html: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    write(documentStart(`${report.verdict}: ${report.subject.name}`))
    write('<a class="skip" href="#cases">To the cases</a>\n')
    write(header(report))
    write('<main>\n')
    write(matrix(report))
    write(filters(report))
    for (const part of caseBlocks(report)) write(part)
    write(requirementTable(report))
    write(times(report))
    write(`</main>\n<script>${script}</script>\n</body>\n</html>\n`)
  },
})

/** The head of a page that reads no network, up to the start of its body. */
export function documentStart(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
`
}

const statuses = ['failed', 'errored', 'skipped', 'passed'] as const

function filters({ summary: { cases } }: Report): string {
  const toggles = statuses
    .filter((status) => cases[status] > 0)
    .map((status) => {
      const checked = status === 'passed' && cases.failed + cases.errored > 0 ? '' : ' checked'
      return `<label class="chip ${status}"><input type="checkbox" value="${status}"${checked}>${cases[status]} ${status}</label>`
    })
  return `<form class="filters" role="search" aria-label="Cases and requirements">
<label class="search"><span>Search</span> <input id="search" type="search" placeholder="id, requirement, words" autocomplete="off" aria-keyshortcuts="/"></label>
<fieldset><legend class="hidden">Outcomes shown</legend>${toggles.join('')}</fieldset>
<span id="shown" role="status"></span>
</form>
`
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
