import picocolors from 'picocolors'
import { explained } from '../causes/likely-causes.js'
import { counted } from '../counted.js'
import { inReadingOrder } from '../causes/reading-order.js'
import type { CaseResult, ExchangeRecord, Report } from '../result.js'
import { exchangeOfCheck } from './exchange-of-check.js'
import { leftOutText, shownExchanges } from './exchanges-shown.js'
import { counterexampleHeading, flakyText, headline } from './failure-text.js'
import { causesText } from './pretty-causes.js'
import { commandLines, wrapped } from './pretty-lines.js'
import { summary } from './pretty-summary.js'
import { progressLine } from './progress-line.js'
import { isSigned, sentenceOf, subjectOf, type CreateReporter } from './reporter.js'
import { seedText } from './summary-text.js'
import { oneLine, shortened } from './text.js'

/** Mismatches, exchanges and characters printed of one failure; the JSON report has them all. */
const most = {
  checks: 6,
  exchanges: 4,
  value: 1_000,
  sent: 240,
  answer: 200,
  counterexample: 500,
  told: 160,
  sameReason: 2,
}
/** Failures shown before they are confirmed; the others are counted. */
const mostUnconfirmed = 5
/** Lines of an end without --verbose, on a screen that the causes do not leave. */
const maxLines = 60
/** Shortest time between two lines of progress in a log, in milliseconds. */
const logEveryMs = 15_000
/** Time between two looks at the progress while no case ends, in milliseconds. */
const beatMs = 1_000

/** For people: live progress, then what likely went wrong, failures one can act on, the simplest first, and a summary. */
export const pretty: CreateReporter = ({ write, isTerminal, colour, columns }, { verbosity }) => {
  const paint = picocolors.createColors(colour)
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  let total = 0
  /** Cases that run now, the oldest first. */
  const running = new Set<string>()
  let endsAt = -Infinity
  let loggedAt = performance.now()
  let isLineOpen = false
  const unconfirmed = new Set<string>()
  let unconfirmedShown = 0
  /** How often each reason for errored cases was printed: one lost target is the reason of all remaining cases. */
  const reasons = new Map<string, number>()
  const isShown = (result: CaseResult) => {
    if (result.status !== 'errored' || verbosity === 'verbose') return /^(failed|errored)$/.test(result.status)
    return countUp(reasons, headline(result)) <= most.sameReason
  }
  const clear = () => {
    if (isLineOpen) write('\r\u001b[K')
    isLineOpen = false
  }
  const progress = () => {
    const leftMs = endsAt - performance.now()
    const [waitsFor] = running
    return progressLine({ total, ...counts, unconfirmed: unconfirmed.size, leftMs, waitsFor }, { paint, columns })
  }

  const showProgress = () => {
    write(progress())
    isLineOpen = true
  }
  const beat = () => {
    if (isTerminal) {
      clear()
      showProgress()
    } else if (verbosity !== 'verbose' && performance.now() - loggedAt >= logEveryMs) {
      loggedAt = performance.now()
      write(`${progress()}\n`)
    }
  }
  let beats: NodeJS.Timeout | undefined

  return {
    onRunStart({ subject, cases, seed, expectedMs = 0 }) {
      total = cases
      endsAt = performance.now() + expectedMs
      if (verbosity === 'quiet') return
      const target = `Testing ${subject.kind}: ${oneLine(subject.name)}`
      const size = `${counted(cases, 'case')}${seedText({ subject, seed })}`
      const gap = columns !== undefined && target.length + size.length + 2 > columns ? '\n' : '  '
      write(`${paint.bold(target)}${gap}${size}\n\n`)
      beats = setInterval(beat, beatMs).unref()
    },
    onCaseStart(id) {
      running.add(id)
      if (!isTerminal || verbosity === 'quiet') return
      clear()
      showProgress()
    },
    onCaseHeld(result) {
      unconfirmed.add(result.id)
      running.delete(result.id)
      if (verbosity === 'quiet') return
      clear()
      if (unconfirmedShown++ < mostUnconfirmed) write(`${unconfirmedLine(result, paint)}\n`)
      if (isTerminal) showProgress()
    },
    onCaseEnd(result) {
      unconfirmed.delete(result.id)
      running.delete(result.id)
      counts[result.status]++
      if (verbosity === 'quiet') return
      clear()
      if (isShown(result)) write(`${lineAtOnce(result, paint)}\n`)
      else if (verbosity === 'verbose') write(`${quietLine(result, paint)}\n`)
      beat()
    },
    onRunEnd(ended) {
      clearInterval(beats)
      clear()
      // A report of an earlier version has causes for some failures only.
      const report = { ...ended, ...explained(ended.subject.kind, ended.cases, ended.subject.scheme) }
      if (verbosity === 'verbose') write(failures(report, { paint, columns }))
      const end = summary(report, { paint, verbosity, columns })
      const room = verbosity === 'verbose' ? Infinity : maxLines - end.split('\n').length
      write(causesText(report, { paint, columns }, room))
      write(end)
    },
  }
}

type Paint = ReturnType<typeof picocolors.createColors>

/** Formats the line printed at once, so that a long run shows progress. All other lines are at the end. */
function lineAtOnce(result: CaseResult, paint: Paint): string {
  const word = result.known_failure
    ? paint.yellow('known  ')
    : result.status === 'failed'
      ? paint.red('failed ')
      : paint.yellow('errored')
  return `${word}  ${oneLine(result.id)}  ${paint.dim(shortened(headline(result), most.told))}`
}

/** A failure as it was first seen: it is run again, or may follow from another one. */
function unconfirmedLine(result: CaseResult, paint: Paint): string {
  return `${paint.yellow('unconfirmed')}  ${oneLine(result.id)}  ${paint.dim(`failed once: ${shortened(headline(result), most.told)}`)}`
}

/** Each failure with everything that is known of it. */
function failures(report: Report, options: FailureOptions): string {
  const blocks = inReadingOrder(report.cases, report.likely_causes).map((result) => failure(result, options))
  return blocks.length === 0 ? '' : `\n${blocks.join('')}`
}

function quietLine({ status, id, reason, duration_ms }: CaseResult, paint: Paint): string {
  if (status === 'skipped') return `${paint.dim('skipped')}  ${id}  ${paint.dim(oneLine(reason ?? ''))}`
  return `${paint.green('passed ')}  ${id}  ${paint.dim(`${duration_ms} ms`)}`
}

/** Columns before the text of a labelled line: `  sent      `. */
const indent = 12
/** The same for the expected and the actual value, two columns more. */
const checkIndent = 14

interface FailureOptions {
  readonly paint: Paint
  readonly columns: number | undefined
}

function failure(result: CaseResult, { paint, columns }: FailureOptions): string {
  const put = (label: string, text: string, as: (line: string) => string = (line) => line) =>
    wrapped(label, text, { indent, columns, paint: as })
  const putCheck = (label: string, text: string, as: (line: string) => string) =>
    wrapped(`  ${label}`, shortened(oneLine(text), most.value), { indent: checkIndent, columns, paint: as })
  const lines = [`${outcome(result, paint)}  ${paint.bold(oneLine(result.id))}   ${result.level}`]
  if (flakyText(result) !== '') lines.push(`  ${paint.yellow(flakyText(result).replace(/: $/, ''))}`)
  if (result.known_failure_reason !== undefined) lines.push(...put('known', oneLine(result.known_failure_reason)))
  for (const id of subjectOf(result)) {
    const { text, place } = sentenceOf(id, result)
    lines.push(...put(paint.cyan(id), `"${text}"`), ...put('', place, paint.dim))
  }
  if (result.status === 'errored')
    lines.push(...put(paint.yellow('reason'), oneLine(result.reason ?? result.message ?? '')))
  for (const check of (result.checks ?? []).slice(0, most.checks))
    lines.push(
      `  ${oneLine(check.what)}`,
      ...putCheck('expected', check.expected, paint.green),
      ...putCheck('got', check.got, paint.red),
    )
  const more = (result.checks?.length ?? 0) - most.checks
  if (more > 0) lines.push(`  and ${more} more`)
  if (result.counterexample !== undefined)
    lines.push(
      `  ${counterexampleHeading(result.counterexample)}`,
      ...put('', shortened(oneLine(JSON.stringify(result.counterexample) ?? ''), most.counterexample)),
    )
  const exchanges = (result.exchanges ?? []).filter(({ kind }) => kind !== 'control')
  const shown = shownExchanges({ ...result, exchanges }, most.exchanges)
  const left = leftOutText(shown)
  if (left !== '') lines.push(paint.dim(`  (${left})`))
  for (const exchange of shown.kept) lines.push(...exchangeLines(exchange, put, paint))
  const checked = exchangeOfCheck(result.checks?.[0], { exchanges })
  if (checked !== undefined) lines.push(...commandLines(checked.exchange, paint))
  if (result.remedy !== undefined)
    lines.push(...result.remedy.split('\n').flatMap((line, at) => put(at === 0 ? 'remedy' : '', oneLine(line))))
  // Never broken: it is there to be copied.
  if (result.reproduce !== undefined) lines.push(`  rerun     ${oneLine(result.reproduce)}`)
  return `${lines.join('\n')}\n\n`
}

function outcome(result: CaseResult, paint: Paint): string {
  if (result.known_failure) return paint.yellow('KNOWN FAILURE')
  return result.status === 'failed' ? paint.red('FAILED') : paint.yellow('ERRORED')
}

type Put = (label: string, text: string, as?: (line: string) => string) => string[]

function exchangeLines({ direction, request, response, note }: ExchangeRecord, put: Put, paint: Paint): string[] {
  const signed = Object.entries(request.headers).filter(([name]) => isSigned(name))
  const answer = response === undefined ? (note ?? 'no answer') : `${response.status} ${response.body ?? ''}`
  return [
    ...put(direction, oneLine(`${request.method} ${request.url}`), paint.dim),
    ...signed.flatMap(([name, value]) => put('', oneLine(`${name}: ${value}`), paint.dim)),
    ...(request.body === undefined ? [] : put('', shortened(oneLine(request.body), most.sent), paint.dim)),
    ...put('answer', shortened(oneLine(answer), most.answer), paint.dim),
  ]
}

/** Counts `key` once more; returns how often that is now. */
function countUp<Key>(counts: Map<Key, number>, key: Key): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
