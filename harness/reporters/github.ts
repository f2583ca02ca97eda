import { headline } from './failure-text.js'
import { oneLine, subjectOf, type CreateReporter } from './reporter.js'

/** Annotations of a GitHub workflow; text of a target can make no command of its own. */
export const github: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    for (const each of report.cases) {
      if (each.status !== 'failed' && each.status !== 'errored') continue
      const kind = each.status === 'failed' && each.level === 'must' && !each.known_failure ? 'error' : 'warning'
      const again = each.reproduce === undefined ? '' : `\nagain: ${oneLine(each.reproduce)}`
      write(
        `::${kind} title=${property(each.id)}::${data(`${subjectOf(each).join(', ')}: ${headline(each)}${again}`)}\n`,
      )
    }
    const { verified, violated, unverified } = report.summary.requirements
    const counted = `${verified} requirements verified, ${violated} violated, ${unverified} not verified`
    const note = report.note === undefined ? '' : `; ${oneLine(report.note)}`
    write(`::notice title=conformance::${data(`${report.verdict}: ${counted}${note}`)}\n`)
  },
})

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(oneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
