import type { CaseResult } from '../result.js'
import { headline } from './failure-text.js'
import { oneLine, subjectOf, type CreateReporter } from './reporter.js'

/** TAP version 14. A known failure is a TODO. */
export const tap: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const lines = ['TAP version 14', `1..${report.cases.length}`]
    report.cases.forEach((each, index) => {
      const isOk = each.status === 'passed' || each.status === 'skipped'
      lines.push(`${isOk ? 'ok' : 'not ok'} ${index + 1} - ${plain(each.id)}${directive(each)}`)
      if (!isOk)
        lines.push(
          '  ---',
          `  message: ${JSON.stringify(headline(each))}`,
          `  severity: ${each.status === 'failed' ? 'fail' : 'error'}`,
          `  requirements: ${JSON.stringify(subjectOf(each))}`,
          ...(each.reproduce === undefined ? [] : [`  again: ${JSON.stringify(oneLine(each.reproduce))}`]),
          '  ...',
        )
    })
    lines.push(
      `# verdict ${report.verdict}, seed ${report.seed}${report.note === undefined ? '' : `, ${oneLine(report.note)}`}`,
    )
    write(`${lines.join('\n')}\n`)
  },
})

function directive(result: CaseResult): string {
  if (result.status === 'skipped') return ` # SKIP ${plain(result.reason ?? '')}`
  return result.known_failure ? ' # TODO known failure' : ''
}

function plain(text: string): string {
  return oneLine(text).replace(/[\\#]/g, (character) => `\\${character}`)
}
