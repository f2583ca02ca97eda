import { inReadingOrder } from '../causes/reading-order.js'
import { causeText, counterexampleText, headline, remedyText } from './failure-text.js'
import { subjectOf, runProblemsOf, type CreateReporter } from './reporter.js'
import { oneLine } from './text.js'
import { besideVerdict, casesText, requirementsText } from './summary-text.js'

/** Characters of a counterexample that an annotation shows. */
const maxCharacters = 500

/**
 * Annotations of a GitHub workflow; text of a target can make no command of its own. The verdict comes first, then what fails
 * the run, then the rest: GitHub shows ten errors and ten warnings of a step.
 */
export const github: CreateReporter = ({ write }) => ({
  onRunEnd(report) {
    const counted = `requirements: ${requirementsText(report)}; cases: ${casesText(report)}`
    const note = report.note === undefined ? '' : `; ${oneLine(report.note)}`
    const isBad = report.verdict === 'nonconformant' || report.verdict === 'none'
    write(
      `::${isBad ? 'error' : 'notice'} title=conformance::${data(`${report.verdict}${besideVerdict(report)}: ${counted}${note}`)}\n`,
    )
    for (const { name, message } of runProblemsOf(report))
      if (name !== 'run') write(`::error title=${property(name)}::${data(oneLine(message))}\n`)
    for (const each of report.likely_causes ?? [])
      write(`::${isBad ? 'error' : 'warning'} title=conformance likely cause::${data(causeText(each))}\n`)
    const bad = inReadingOrder(report.cases, report.likely_causes)
    const isError = (each: (typeof bad)[number]) =>
      each.status === 'failed' && each.level === 'must' && !each.known_failure
    for (const each of [...bad.filter(isError), ...bad.filter((one) => !isError(one))]) {
      const found = each.counterexample === undefined ? '' : `\n${counterexampleText(each, maxCharacters)}`
      const again = each.reproduce === undefined ? '' : `\nagain: ${oneLine(each.reproduce)}`
      const remedy = each.remedy === undefined ? '' : `\nremedy: ${remedyText(each.remedy)}`
      const text = `${subjectOf(each).join(', ')}: ${headline(each)}${found}${remedy}${again}`
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
