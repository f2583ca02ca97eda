import { inReadingOrder } from '../causes/reading-order.js'
import type { CaseResult } from '../result.js'
import { causeText, counterexampleText, headline, remedyText } from './failure-text.js'
import { subjectOf, runProblemsOf, type CreateReporter } from './reporter.js'
import { oneLine } from './text.js'
import { verdictAddition, casesText, requirementsText } from './summary-text.js'

/** Failures annotated as soon as they are confirmed; the verdict and the others follow at the end. */
const mostAtOnce = 3
/** Characters of a counterexample that an annotation shows. */
const maxCharacters = 500

/**
 * Writes annotations of a GitHub workflow; text of a target cannot inject commands. The verdict is first, then failures, then the others:
 * GitHub shows ten errors and ten warnings of a step.
 */
export const github: CreateReporter = ({ write }) => {
  const annotated = new Set<string>()
  const annotate = (result: CaseResult) => {
    const found = result.counterexample === undefined ? '' : `\n${counterexampleText(result, maxCharacters)}`
    const rerun = result.reproduce === undefined ? '' : `\nrerun: ${oneLine(result.reproduce)}`
    const remedy = result.remedy === undefined ? '' : `\nremedy: ${remedyText(result.remedy)}`
    const text = `${subjectOf(result).join(', ')}: ${headline(result)}${found}${remedy}${rerun}`
    write(`::${isError(result) ? 'error' : 'warning'} title=${property(result.id)}::${data(text)}\n`)
  }
  return {
    onCaseEnd(result) {
      if (!isError(result) || annotated.size >= mostAtOnce) return
      annotated.add(result.id)
      annotate(result)
    },
    onRunEnd(report) {
      const counted = `requirements: ${requirementsText(report)}; cases: ${casesText(report)}`
      const note = report.note === undefined ? '' : `; ${oneLine(report.note)}`
      const isBad = report.verdict === 'nonconformant' || report.verdict === 'none'
      write(
        `::${isBad ? 'error' : 'notice'} title=conformance::${data(`${report.verdict}${verdictAddition(report)}: ${counted}${note}`)}\n`,
      )
      for (const { name, message } of runProblemsOf(report))
        if (name !== 'run') write(`::error title=${property(name)}::${data(oneLine(message))}\n`)
      for (const cause of report.likely_causes ?? [])
        write(`::${isBad ? 'error' : 'warning'} title=conformance likely cause::${data(causeText(cause))}\n`)
      const bad = inReadingOrder(report.cases, report.likely_causes)
      for (const result of [...bad.filter(isError), ...bad.filter((other) => !isError(other))])
        if (!annotated.has(result.id)) annotate(result)
    },
  }
}

function isError({ status, level, known_failure }: CaseResult): boolean {
  return status === 'failed' && level === 'must' && !known_failure
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(oneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
