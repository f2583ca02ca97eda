import { describeMismatch } from '../check.js'
import { counted } from '../counted.js'
import type { CaseResult, ExchangeRecord, LikelyCause } from '../result.js'
import { memberOf } from '../wire/exchange.js'
import { leftOutText, shownExchanges } from './exchanges-shown.js'
import { sentenceOf, subjectOf } from './reporter.js'
import { oneLine, shortened, visible } from './text.js'

/** Exchanges of one case, and characters of one body, in a text; the JSON report has them all. */
const most = { exchanges: 20, body: 2_000 }

/** The first mismatch in one line, for reporters that have room for one. */
export function headline(result: CaseResult): string {
  const [first] = result.checks ?? []
  const text = first === undefined ? (result.message ?? result.reason ?? '') : describeMismatch(first)
  const known = result.known_failure ? `known failure (${result.known_failure_reason ?? 'no reason given'}): ` : ''
  return oneLine(`${known}${flakyText(result)}${text}`)
}

/** Returns `flaky, failed 2 of 5 times: ` if a case ran several times with different outcomes; else nothing. */
export function flakyText({ repeats }: CaseResult): string {
  if (repeats === undefined) return ''
  const { passed, failed, errored } = repeats
  const runs = passed + failed + errored
  const isMixed = [passed, failed, errored].filter((count) => count > 0).length > 1
  return isMixed ? `flaky, passed ${passed} of ${runs} times: ` : ''
}

/** What a property failed on, in one line headed by whether a smaller one was looked for to the end; empty where there is none. */
export function counterexampleText({ counterexample }: CaseResult, characters = most.body): string {
  if (counterexample === undefined) return ''
  return `${counterexampleHeading(counterexample)}: ${shortened(oneLine(JSON.stringify(counterexample) ?? ''), characters)}`
}

/** Returns a heading that claims "smallest" only if every smaller value was tried. */
export function counterexampleHeading(counterexample: unknown): string {
  return memberOf(counterexample, 'is_smallest') === true ? 'smallest counterexample' : 'counterexample'
}

/** Formats a failure as plain lines: the sentences, every mismatch, and the command that reruns it. */
export function failureText(result: CaseResult): string {
  const sentences = subjectOf(result).map((id) => {
    const { text, place } = sentenceOf(id, result)
    return `${id} "${text}" ${place}`
  })
  const checks = (result.checks ?? []).map((mismatch) =>
    oneLine(`${mismatch.what}: expected ${mismatch.expected}, got ${mismatch.got}`),
  )
  return [
    ...sentences,
    ...(flakyText(result) === '' ? [] : [flakyText(result).replace(/: $/, '')]),
    ...checks,
    ...(checks.length === 0 && result.status === 'failed' ? [oneLine(result.message ?? '')] : []),
    ...(result.reason === undefined ? [] : [oneLine(result.reason)]),
    ...(result.counterexample === undefined ? [] : [counterexampleText(result)]),
    ...(result.remedy === undefined ? [] : [`remedy: ${remedyText(result.remedy)}`]),
    ...(result.reproduce === undefined ? [] : [`rerun: ${oneLine(result.reproduce)}`]),
  ].join('\n')
}

/** Formats a remedy as lines, all but the first indented. */
export function remedyText(remedy: string): string {
  return remedy.split('\n').map(oneLine).join('\n  ')
}

/** What likely made several cases fail, with its remedy and how many cases it explains. */
export function causeText({ text, remedy, cases }: LikelyCause): string {
  const explained = `explains ${counted(cases.length, 'case')}`
  return [`${oneLine(text)} (${explained})`, ...(remedy === undefined ? [] : [`remedy: ${remedyText(remedy)}`])].join(
    '\n',
  )
}

/** What went over the wire until the first mismatch, as plain lines; empty where nothing was recorded. */
export function exchangesText(result: CaseResult): string {
  const shown = shownExchanges(result, most.exchanges)
  const left = leftOutText(shown)
  return [...(left === '' ? [] : [`(${left})`]), ...shown.kept.map(exchangeText)].join('\n\n')
}

function exchangeText({ direction, request, response, note }: ExchangeRecord): string {
  const answer =
    response === undefined
      ? [`< ${oneLine(note ?? 'no answer')}`]
      : [`< ${response.status}`, ...part('<', response.headers, response)]
  return [
    `${direction} ${oneLine(`${request.method} ${request.url}`)}`,
    ...part('>', request.headers, request),
    ...answer,
  ].join('\n')
}

function part(
  mark: string,
  headers: Readonly<Record<string, string>>,
  { body, body_base64 }: { readonly body?: string; readonly body_base64?: string },
): string[] {
  const content = body ?? (body_base64 === undefined ? '' : `base64 ${body_base64}`)
  const lines = content === '' ? [] : visible(shortened(content, most.body)).split('\n')
  return [
    ...Object.entries(headers).map(([name, value]) => oneLine(`${mark} ${name}: ${value}`)),
    ...(lines.length === 0 ? [] : [mark, ...lines.map((line) => `${mark} ${line}`)]),
  ]
}
