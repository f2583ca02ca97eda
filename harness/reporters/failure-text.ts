import { describeMismatch } from '../check.js'
import type { CaseResult } from '../result.js'
import { oneLine, sentenceOf, subjectOf } from './reporter.js'

/** The first mismatch in one line, for reporters that have room for one. */
export function headline(result: CaseResult): string {
  const [first] = result.checks ?? []
  return oneLine(first === undefined ? (result.message ?? result.reason ?? '') : describeMismatch(first))
}

/** A failure as plain lines: the sentences, every mismatch, and the command that asks again. */
export function failureText(result: CaseResult): string {
  const sentences = subjectOf(result).map((id) => {
    const { text, place } = sentenceOf(id)
    return `${id} "${text}" ${place}`
  })
  const checks = (result.checks ?? []).map((each) =>
    oneLine(`${each.what}: expected ${each.expected}, got ${each.got}`),
  )
  return [
    ...sentences,
    ...checks,
    ...(result.reason === undefined ? [] : [oneLine(result.reason)]),
    ...(result.reproduce === undefined ? [] : [`again: ${oneLine(result.reproduce)}`]),
  ].join('\n')
}
