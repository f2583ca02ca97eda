import type { CaseResult, Report } from '../../result.js'
import { caseBlock } from './case-block.js'
import { text } from './text.js'

/** Failures that stand open; a page with more of them is read one by one. */
const mostOpen = 10
/** Characters of all exchanges on one page: what a phone can still open. The JSON report has them all. */
const mostExchanges = 20_000_000

/** The cases: what needs attention first, then the others by suite. In parts, so that no text of the whole is ever held. */
export function* caseBlocks(report: Report): Generator<string> {
  let room = mostExchanges
  let open = 0
  const block = (result: CaseResult) => {
    const isOpen = needsAttention(result) && open < mostOpen
    if (isOpen) open++
    const { html, exchangeCharacters } = caseBlock(result, { isOpen, room })
    room -= exchangeCharacters
    return `${html}\n`
  }
  yield '<section aria-labelledby="cases">\n<h2 id="cases" tabindex="-1">Cases</h2>\n'
  if (report.cases.length === 0) yield '<p>No case was run.</p>\n'
  for (const each of report.cases) if (needsAttention(each)) yield block(each)
  for (const [suite, members] of bySuite(report.cases.filter((each) => !needsAttention(each)))) {
    yield `<section class="suite"><h3>${text(suite)} <span class="small">${members.length}</span></h3>\n`
    for (const each of members) yield block(each)
    yield '</section>\n'
  }
  yield '<p id="nothing" hidden>Nothing matches.</p>\n</section>\n'
}

function needsAttention(result: CaseResult): boolean {
  return (result.status === 'failed' || result.status === 'errored') && !result.known_failure
}

function bySuite(cases: readonly CaseResult[]): Map<string, CaseResult[]> {
  const suites = new Map<string, CaseResult[]>()
  for (const each of cases) {
    const members = suites.get(each.suite) ?? []
    suites.set(each.suite, members)
    members.push(each)
  }
  return suites
}
