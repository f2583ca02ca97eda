import type { CaseResult, Report } from '../result.js'
import { causeText, failureText, headline } from './failure-text.js'
import { subjectOf, runProblemsOf, type CreateReporter } from './reporter.js'
import { oneLine } from './text.js'
import { verdictAddition, casesText, seedText } from './summary-text.js'

/** TAP version 14. A known failure is a TODO, a skipped case a SKIP; a run without a verdict bails out. */
export const tap: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const problems = runProblemsOf(report).filter((problem) => problem.status === 'failed')
    const points = [
      ...report.cases.map(casePoint),
      ...problems.map(({ name, message }) => ({
        isOk: false,
        name: plain(name),
        detail: [`message: ${JSON.stringify(oneLine(message))}`, 'severity: fail'],
      })),
    ]
    write(`TAP version 14\n${plan(report, points.length)}`)
    for (const cause of report.likely_causes ?? [])
      write(`# likely cause: ${causeText(cause).replaceAll('\n', '\n#   ')}\n`)
    points.forEach(({ isOk, name, detail }, index) => {
      write(`${isOk ? 'ok' : 'not ok'} ${index + 1} - ${name}\n`)
      if (detail.length > 0) write(['  ---', ...detail.map((line) => `  ${line}`), '  ...\n'].join('\n'))
    })
    const note = report.note === undefined ? '' : `, ${oneLine(report.note)}`
    write(
      `# verdict ${report.verdict}${verdictAddition(report)}; ${casesText(report)}${seedText(report).replace(',', ';')}${note}\n`,
    )
    if (report.verdict === 'none') write(`Bail out! ${oneLine(report.note ?? 'no case was completed')}\n`)
  },
})

/** Returns the plan; none for a run without cases, since an empty plan means that everything was skipped on purpose. */
function plan(report: Report, points: number): string {
  return points === 0 && report.verdict === 'none' ? '' : `1..${points}\n`
}

function casePoint(result: CaseResult): { isOk: boolean; name: string; detail: string[] } {
  const isOk = result.status === 'passed' || result.status === 'skipped'
  return {
    isOk,
    name: `${plain(result.id)}${directive(result)}`,
    detail: isOk
      ? []
      : [
          `message: ${JSON.stringify(headline(result))}`,
          `severity: ${result.status === 'failed' ? 'fail' : 'error'}`,
          `requirements: ${JSON.stringify(subjectOf(result))}`,
          `detail: ${JSON.stringify(failureText(result))}`,
          `duration_ms: ${result.duration_ms}`,
        ],
  }
}

function directive(result: CaseResult): string {
  if (result.status === 'skipped') return ` # SKIP ${plain(result.reason ?? '')}`
  return result.known_failure ? ` # TODO ${plain(result.known_failure_reason ?? 'known failure')}` : ''
}

/** Text that makes no directive of its own. */
function plain(text: string): string {
  return oneLine(text).replace(/[\\#]/g, (character) => `\\${character}`)
}
