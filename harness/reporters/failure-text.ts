import { describeMismatch } from '../check.js'
import type { CaseResult, ExchangeRecord } from '../result.js'
import { oneLine, sentenceOf, shortened, subjectOf, visible } from './reporter.js'

/** Exchanges of one case, and characters of one body, that stand in a text; the JSON report has them all. */
const most = { exchanges: 20, body: 2_000 }

/** The first mismatch in one line, for reporters that have room for one. */
export function headline(result: CaseResult): string {
  const [first] = result.checks ?? []
  const text = first === undefined ? (result.message ?? result.reason ?? '') : describeMismatch(first)
  const known = result.known_failure ? `known failure (${result.known_failure_reason ?? 'no reason given'}): ` : ''
  return oneLine(`${known}${text}`)
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
    ...(checks.length === 0 && result.status === 'failed' ? [oneLine(result.message ?? '')] : []),
    ...(result.reason === undefined ? [] : [oneLine(result.reason)]),
    ...(result.reproduce === undefined ? [] : [`again: ${oneLine(result.reproduce)}`]),
  ].join('\n')
}

/** What went over the wire, as plain lines; empty where nothing was recorded. The newest exchanges are kept. */
export function exchangesText(result: CaseResult): string {
  const all = result.exchanges ?? []
  const kept = all.slice(-most.exchanges)
  const left = all.length - kept.length
  return [...(left > 0 ? [`(${left} earlier exchanges left out)`] : []), ...kept.map(exchangeText)].join('\n\n')
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
