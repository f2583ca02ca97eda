import picocolors from 'picocolors'
import type { CaseResult, ExchangeRecord, Report } from '../result.js'
import { oneLine, sentenceOf, shortened, subjectOf, type CreateReporter } from './reporter.js'

/** Mismatches, exchanges and characters printed of one failure; the JSON report has them all. */
const most = { checks: 6, exchanges: 4, value: 1_000, sent: 240, answer: 200, counterexample: 500 }
/** In a log a line of progress is written each time so many cases have ended. */
const logEvery = 50

/** For people: live progress, failures one can act on, and a summary. */
export const pretty: CreateReporter = ({ write, isTerminal, colour }, { verbosity }) => {
  const paint = picocolors.createColors(colour)
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  let total = 0
  let ended = 0
  const clear = () => {
    if (isTerminal) write('\r\u001b[K')
  }
  const progress = () =>
    [
      `${ended}/${total}`,
      paint.green(`${counts.passed} passed`),
      counts.failed > 0 ? paint.red(`${counts.failed} failed`) : '0 failed',
      ...(counts.errored > 0 ? [paint.yellow(`${counts.errored} errored`)] : []),
      `${counts.skipped} skipped`,
    ].join('  ')

  return {
    onRunStart({ subject, cases, seed }) {
      total = cases
      if (verbosity === 'quiet') return
      write(`${paint.bold(`Judging the ${subject.kind} ${oneLine(subject.name)}`)}  ${cases} cases, seed ${seed}\n`)
    },
    onCaseEnd(result) {
      ended++
      counts[result.status]++
      if (verbosity === 'quiet') return
      clear()
      if (result.status === 'failed' || result.status === 'errored') write(`\n${failure(result, paint)}`)
      else if (verbosity === 'verbose') write(`${quietLine(result, paint)}\n`)
      if (isTerminal) write(progress())
      else if (verbosity !== 'verbose' && ended % logEvery === 0) write(`${progress()}\n`)
    },
    onRunEnd(report) {
      if (verbosity !== 'quiet') clear()
      write(summary(report, paint, verbosity))
    },
  }
}

type Paint = ReturnType<typeof picocolors.createColors>

function quietLine({ status, id, reason, duration_ms }: CaseResult, paint: Paint): string {
  if (status === 'skipped') return `${paint.dim('skipped')}  ${id}  ${paint.dim(oneLine(reason ?? ''))}`
  return `${paint.green('passed ')}  ${id}  ${paint.dim(`${duration_ms} ms`)}`
}

function failure(result: CaseResult, paint: Paint): string {
  const lines = [`${outcome(result, paint)}  ${paint.bold(result.id)}   ${result.level}`]
  for (const id of subjectOf(result)) {
    const { text, place } = sentenceOf(id)
    lines.push(`  ${paint.cyan(id)}   "${text}"`, `            ${paint.dim(place)}`)
  }
  if (result.status === 'errored')
    lines.push(`  ${paint.yellow('could not ask')}  ${oneLine(result.reason ?? result.message ?? '')}`)
  for (const check of (result.checks ?? []).slice(0, most.checks))
    lines.push(
      `  ${oneLine(check.what)}`,
      `    expected  ${paint.green(shortened(oneLine(check.expected), most.value))}`,
      `    got       ${paint.red(shortened(oneLine(check.got), most.value))}`,
    )
  const more = (result.checks?.length ?? 0) - most.checks
  if (more > 0) lines.push(`  and ${more} more`)
  if (result.counterexample !== undefined)
    lines.push(
      `  smallest counterexample  ${shortened(oneLine(JSON.stringify(result.counterexample) ?? ''), most.counterexample)}`,
    )
  const exchanges = (result.exchanges ?? []).filter((each) => each.kind !== 'control').slice(-most.exchanges)
  for (const each of exchanges) lines.push(`  ${paint.dim(exchangeLine(each))}`)
  if (result.reproduce !== undefined) lines.push(`  again     ${oneLine(result.reproduce)}`)
  return `${lines.join('\n')}\n\n`
}

function outcome(result: CaseResult, paint: Paint): string {
  if (result.known_failure) return paint.yellow('KNOWN FAILURE')
  return result.status === 'failed' ? paint.red('FAILED') : paint.yellow('ERRORED')
}

function exchangeLine({ direction, request, response, note }: ExchangeRecord): string {
  const signed = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'))
  const headers = signed.map(([name, value]) => `${name}: ${value}  `).join('')
  const sent = oneLine(`${request.method} ${request.url}  ${headers}${request.body ?? ''}`)
  const answer = oneLine(response === undefined ? (note ?? 'no answer') : `${response.status} ${response.body ?? ''}`)
  return `${direction === 'sent' ? 'sent    ' : 'received'}  ${shortened(sent, most.sent)}  ->  ${shortened(answer, most.answer)}`
}

function summary(report: Report, paint: Paint, verbosity: string): string {
  const { cases, requirements } = report.summary
  const known = cases.known_failures > 0 ? ` (${cases.known_failures} known)` : ''
  const lines = [
    '',
    ...(verbosity === 'quiet' ? [] : notAsked(report, paint)),
    ...violated(report, paint),
    `Cases         ${cases.passed} passed, ${cases.failed} failed${known}, ${cases.errored} errored, ${cases.skipped} skipped`,
    `Requirements  ${requirements.verified} verified, ${requirements.violated} violated, ${requirements.unverified} not verified`,
    ...(report.note === undefined ? [] : [`Note          ${oneLine(report.note)}`]),
    `Verdict       ${verdict(report, paint)}  (${(report.duration_ms / 1000).toFixed(1)} s, seed ${report.seed})`,
    '',
  ]
  return lines.join('\n')
}

/** The skipped cases, counted by the one line that would enable them. */
function notAsked(report: Report, paint: Paint): string[] {
  const reasons = new Map<string, number>()
  for (const { status, reason = '' } of report.cases)
    if (status === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  if (reasons.size === 0) return []
  const rows = [...reasons].map(([reason, count]) => `  ${String(count).padStart(4)}  ${oneLine(reason)}`)
  return [paint.bold('Not asked'), ...rows, '']
}

function violated(report: Report, paint: Paint): string[] {
  const rows = report.requirements.filter((each) => each.status === 'violated')
  if (rows.length === 0) return []
  return [paint.bold('Violated'), ...rows.map((each) => `  ${paint.red(each.id)}  ${oneLine(each.text)}`), '']
}

function verdict({ verdict: word }: Report, paint: Paint): string {
  const colour = word === 'conformant' ? paint.green : word === 'nonconformant' ? paint.red : paint.yellow
  return colour(paint.bold(word))
}
