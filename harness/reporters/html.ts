import { standalonePage } from '../../pages/index.js'
import type { ReportData } from '../../pages/data.js'
import type { Report } from '../result.js'
import { annotatedBlocks } from './annotated.js'
import { pageResult } from './page-data.js'
import type { CreateReporter, ReporterOptions } from './reporter.js'
import { historyOf } from './run-history.js'

/** Characters of all exchanges on one page: what a phone can still open. The JSON report has them all. */
const maxExchanges = 20_000_000

/** One page without any other file: it reads no network, and its policy lets only its own script and style run. */
export const html: CreateReporter = ({ write }, options) => ({
  onRunEnd(report) {
    write(
      standalonePage({
        page: 'report',
        title: `${report.verdict}: ${report.subject.name}`,
        data: reportData(report, options),
      }),
    )
  },
})

/** Returns a report for the page. Failures are first if there is too little room for all exchanges. */
function reportData(report: Report, { mistakes, earlier }: ReporterOptions): ReportData {
  let room = maxExchanges
  const left: Record<string, number> = {}
  const cases = report.cases.map((result) => {
    const cut = pageResult(result, room)
    room -= cut.characters
    if (cut.left > 0) left[result.id] = cut.left
    return cut.result
  })
  const history = historyOf(report, earlier)
  const blocks = annotatedBlocks(mistakes)
  return { kind: 'report', report: { ...report, cases }, left, blocks, ...(history === undefined ? {} : { history }) }
}
