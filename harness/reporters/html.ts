import { standalonePage } from '../../pages/index.js'
import type { ReportData } from '../../pages/data.js'
import type { Report } from '../result.js'
import { annotatedBlocks } from './annotated.js'
import { pageResult } from './page-data.js'
import type { CreateReporter, Mistakes } from './reporter.js'

/** Characters of all exchanges on one page: what a phone can still open. The JSON report has them all. */
const maxExchanges = 20_000_000

/** One page without any other file: it reads no network, and its policy lets only its own script and style run. */
export const html: CreateReporter = ({ write }, { mistakes }) => ({
  onRunEnd(report) {
    write(
      standalonePage({
        page: 'report',
        title: `${report.verdict}: ${report.subject.name}`,
        data: reportData(report, mistakes),
      }),
    )
  },
})

/** Returns a report for the page. Failures are first if there is too little room for all exchanges. */
function reportData(report: Report, mistakes: Mistakes | undefined): ReportData {
  let room = maxExchanges
  const left: Record<string, number> = {}
  const cases = report.cases.map((result) => {
    const cut = pageResult(result, room)
    room -= cut.characters
    if (cut.left > 0) left[result.id] = cut.left
    return cut.result
  })
  return { kind: 'report', report: { ...report, cases }, left, blocks: annotatedBlocks(mistakes) }
}
