import type picocolors from 'picocolors'
import { knownLibraryCause } from '../causes/known-libraries.js'
import { counted } from '../counted.js'
import { inReadingOrder } from '../causes/reading-order.js'
import type { CaseResult, LikelyCause, Mismatch, Report } from '../result.js'
import { differenceInWords, exchangeOfCheck, placesOf, type CheckedExchange } from './exchange-of-check.js'
import { flakyText } from './failure-text.js'
import { commandLines, wrapped } from './pretty-lines.js'
import { isSigned, sentenceOf } from './reporter.js'
import { oneLine, shortened, shortenedAround } from './text.js'

type Paint = ReturnType<typeof picocolors.createColors>

interface View {
  readonly paint: Paint
  readonly columns: number | undefined
}

/** `whole`: with its evidence. `short`: the expected and the actual value. `line`: the sentence alone. */
type Detail = 'whole' | 'short' | 'line'

/** Columns before a text. */
const indent = 12
/** Characters of a value, by detail; of a body; lines of a remedy. */
const most = { whole: 300, short: 150, line: 100, body: 200, remedy: 12 } as const

/** How much to show of each cause: the first that fits, else the last. */
const layouts: readonly (readonly Detail[])[] = [
  ['whole', 'whole', 'whole', 'whole', 'whole'],
  ['whole', 'short', 'short', 'short', 'short'],
  ['whole', 'short', 'short', 'line', 'line'],
  ['whole', 'line', 'line', 'line', 'line'],
  ['short', 'line', 'line', 'line', 'line'],
]

/** What went wrong, the cause to read first at the start, in about `room` lines; empty where nothing did. */
export function causesText(report: Report, view: View, room: number): string {
  const causes = report.likely_causes ?? []
  if (causes.length === 0) return ''
  const texts = layouts.map((layout) => {
    const blocks = causes.flatMap((cause, at) => [
      ...causeLines(cause, report, { ...view, detail: layout[at] ?? 'line' }),
      '',
    ])
    return ['', ...blocks, ...unexplained(report, view)]
  })
  const lines = texts.find((text) => text.length <= room) ?? texts.at(-1) ?? []
  return `${lines.join('\n')}\n`
}

/** The failures that belong to none of the causes shown. */
function unexplained({ cases, likely_causes: causes = [] }: Report, { paint }: View): string[] {
  const shown = new Set(causes.flatMap((cause) => cause.cases))
  const others = inReadingOrder(cases).filter(({ id, status, known_failure: isKnown }) => {
    return status === 'failed' && !isKnown && !shown.has(id)
  })
  if (others.length === 0) return []
  return [
    paint.dim(`${counted(others.length, 'more failure')} of other causes: --verbose shows each, as every report does`),
    '',
  ]
}

function causeLines(
  cause: LikelyCause,
  { cases, likely_causes: causes = [] }: Report,
  { paint, columns, detail }: View & { readonly detail: Detail },
): string[] {
  const own = cases.filter(({ id }) => cause.cases.includes(id))
  if (cause.cause === knownLibraryCause) return libraryLines(cause, own, { paint, columns })
  const evidence = own.find(({ id }) => id === cause.evidence)
  const put = (label: string, text: string, as: (line: string) => string = (line) => line) =>
    text === '' ? [] : wrapped(label, oneLine(text), { indent, columns, paint: as })
  const remedy = (cause.remedy ?? evidence?.remedy ?? '').split('\n').slice(0, detail === 'whole' ? most.remedy : 1)
  return [
    ...heading(cause, evidence, { paint, columns }),
    ...(detail === 'line'
      ? []
      : put(
          'explains',
          `${extentOf(own)}${othersOf(own, cause.evidence)}${alsoBroken(cause, own, causes)}`,
          paint.dim,
        )),
    ...(evidence === undefined || detail === 'line' ? [] : evidenceLines(evidence, put, { paint, detail })),
    ...(detail === 'line' ? [] : remedy.flatMap((line, at) => put(at === 0 ? 'remedy' : '', line))),
    ...againLine(evidence),
  ]
}

/** What a library is known for, a line for each sentence: nothing of it needs evidence. */
function libraryLines(
  { text, remedy = '' }: LikelyCause,
  own: readonly CaseResult[],
  { paint, columns }: View,
): string[] {
  const put = (label: string, words: string, as: (line: string) => string = (line) => line) =>
    wrapped(label, oneLine(words), { indent, columns, paint: as })
  const broken = [...new Set(own.flatMap(({ violates = [] }) => violates))].toSorted()
  return [
    ...put('', text, paint.bold).map((line, at) => (at === 0 ? `${paint.yellow('ADVICE')}${line.slice(6)}` : line)),
    ...broken.map((id) => {
      const [sentence = ''] = sentenceOf(id).text.split(/: |, such as/)
      return `${' '.repeat(indent)}${paint.dim(id)} ${sentence}`
    }),
    ...put('remedy', remedy),
  ]
}

/** `BROKEN      Attempt 2 is made 5 seconds after attempt 1.`, with the place of the sentence. */
function heading(
  { cause, requirement, text }: LikelyCause,
  evidence: CaseResult | undefined,
  { paint, columns }: View,
): string[] {
  const [word, colour] =
    evidence === undefined
      ? (['UNCLEAR', paint.yellow] as const)
      : evidence.level === 'must'
        ? (['BROKEN', paint.red] as const)
        : (['ADVICE', paint.yellow] as const)
  const put = (label: string, words: string, as: (line: string) => string = (line) => line) =>
    wrapped(label, oneLine(words), { indent, columns, paint: as })
  const headed = (words: string) =>
    put('', words, paint.bold).map((line, at) => (at === 0 ? `${colour(word)}${line.slice(word.length)}` : line))
  if (requirement === undefined) return headed(text)
  const sentence = sentenceOf(requirement, evidence)
  const source = put('', `${sentence.id} ${sentence.place}`, paint.dim)
  if (cause === 'broken-requirement') return [...headed(sentence.text), ...source]
  return [...headed(text), ...put('', `"${sentence.text}"`), ...source]
}

/** The other failed cases, if there are few. */
function othersOf(cases: readonly CaseResult[], evidence: string | undefined): string {
  const others = cases.filter(({ id, status }) => status === 'failed' && id !== evidence)
  return others.length === 0 || others.length > 3 ? '' : ` (also ${others.map(({ id }) => id).join(', ')})`
}

/** The requirements that its cases break besides its own, and that lead no other cause. */
function alsoBroken(
  { requirement }: LikelyCause,
  cases: readonly CaseResult[],
  causes: readonly LikelyCause[],
): string {
  const others = new Set(cases.flatMap(({ violates = [] }) => violates))
  for (const id of [requirement, ...causes.map((cause) => cause.requirement)]) if (id !== undefined) others.delete(id)
  return others.size === 0 ? '' : `; also broken: ${[...others].toSorted().join(', ')}`
}

/** `35 failed, 6 not evaluated`. */
function extentOf(cases: readonly CaseResult[]): string {
  const count = (isOne: (result: CaseResult) => boolean) => cases.filter(isOne).length
  const [failed, errored] = [count(({ status }) => status === 'failed'), count(({ status }) => status === 'errored')]
  const skipped = count(({ status }) => status === 'skipped')
  return [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errored > 0 ? [`${errored} could not be run`] : []),
    ...(skipped > 0 ? [`${skipped} not evaluated`] : []),
  ].join(', ')
}

type Put = (label: string, text: string, as?: (line: string) => string) => string[]

/** Formats one case: each comparison with its expected and actual value, and the exchange of the failed check. */
function evidenceLines(
  result: CaseResult,
  put: Put,
  { paint, detail }: { readonly paint: Paint; readonly detail: Detail },
): string[] {
  const check = clearestCheck(result)
  const value = (text: string) => shortened(text, most[detail])
  const found = exchangeOfCheck(check, result)
  return [
    ...put('case', `${result.id}: ${shortened(result.title, most.line)}`),
    ...put(paint.yellow('repeats'), flakyText(result).replace(/: $/, ''), paint.yellow),
    ...(check === undefined
      ? put('found', value(result.message ?? ''))
      : [
          ...put('check', value(check.what)),
          ...put('expected', value(check.expected), paint.green),
          ...put('got', value(check.got), paint.red),
        ]),
    ...(found === undefined || detail !== 'whole'
      ? []
      : [
          ...exchangeLines(found, check, put, paint),
          ...put(paint.yellow('differs'), differenceInWords(found) ?? '', paint.yellow),
          ...commandLines(found.exchange, paint),
        ]),
  ]
}

/** The first check of the sentence that the case is named after, else the first. */
function clearestCheck({ checks = [], requirements: [main] }: CaseResult): Mismatch | undefined {
  return checks.find(({ requirement }) => requirement === undefined || requirement === main) ?? checks[0]
}

function exchangeLines(
  { exchange: { direction, request, response, note }, isOnlyLast }: CheckedExchange,
  check: Mismatch | undefined,
  put: Put,
  paint: Paint,
): string[] {
  const signed = Object.entries(request.headers).filter(([name]) => isSigned(name))
  const answer = response === undefined ? (note ?? 'no answer') : `${response.status} ${response.body ?? ''}`
  const places = check === undefined ? [] : placesOf(check)
  return [
    ...put(isOnlyLast && direction === 'sent' ? 'last sent' : direction, `${request.method} ${request.url}`, paint.dim),
    ...signed.flatMap(([name, value]) => put('', `${name}: ${value}`, paint.dim)),
    ...put('', shortenedAround(request.body ?? '', most.body, places), paint.dim),
    ...put('answer', shortenedAround(answer, most.body, places), paint.dim),
  ]
}

function againLine(result: CaseResult | undefined): string[] {
  return result?.reproduce === undefined ? [] : [`  rerun     ${oneLine(result.reproduce)}`]
}
