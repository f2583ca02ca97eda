import { headline } from './failure-text.js'
import { oneLine, subjectOf, troublesOf, type CreateReporter } from './reporter.js'

/**
 * Annotations of a GitHub workflow; text of a target can make no command of its own. The verdict comes first, then what fails
 * the run, then the rest: GitHub shows ten errors and ten warnings of a step.
 */
export const github: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const { verified, violated, unverified } = report.summary.requirements
    const counted = `${verified} requirements verified, ${violated} violated, ${unverified} not verified`
    const note = report.note === undefined ? '' : `; ${oneLine(report.note)}`
    const isBad = report.verdict === 'nonconformant' || report.verdict === 'none'
    write(`::${isBad ? 'error' : 'notice'} title=conformance::${data(`${report.verdict}: ${counted}${note}`)}\n`)
    for (const { name, message } of troublesOf(report))
      if (name !== 'run') write(`::error title=${property(name)}::${data(oneLine(message))}\n`)
    const bad = report.cases.filter((each) => each.status === 'failed' || each.status === 'errored')
    const isError = (each: (typeof bad)[number]) =>
      each.status === 'failed' && each.level === 'must' && !each.known_failure
    for (const each of [...bad.filter(isError), ...bad.filter((one) => !isError(one))]) {
      const again = each.reproduce === undefined ? '' : `\nagain: ${oneLine(each.reproduce)}`
      const text = `${subjectOf(each).join(', ')}: ${headline(each)}${again}`
      write(`::${isError(each) ? 'error' : 'warning'} title=${property(each.id)}::${data(text)}\n`)
    }
  },
})

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(oneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
