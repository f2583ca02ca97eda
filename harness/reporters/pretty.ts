import picocolors from 'picocolors'
import { requirements, type RequirementId } from '../../spec/index.js'
import { describeMismatch } from '../check.js'
import type { CaseResult, ExchangeRecord, Report } from '../result.js'
import { oneLine, type CreateReporter } from './reporter.js'

/** Mismatches and exchanges printed of one failure; the JSON report has them all. */
const mostChecks = 6
const mostExchanges = 4
/** In a log a line of progress is written each time so many cases have ended. */
const logEvery = 50

/** For people: live progress, failures one can act on, and a summary. */
export const pretty: CreateReporter = ({ write, isTerminal, colour }, { verbosity }) => {
  const paint = picocolors.createColors(colour)
  let total = 0
  let ended = 0
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0 }
  const clear = () => {
    if (isTerminal) write('\r\u001b[K')
  }
  const progress = (): string =>
    `${ended}/${total}  ${paint.green(`${counts.passed} passed`)}  ${counts.failed > 0 ? paint.red(`${counts.failed} failed`) : '0 failed'}  ${counts.errored > 0 ? `${paint.yellow(`${counts.errored} errored`)}  ` : ''}${counts.skipped} skipped`

  return {
    onRunStart(run) {
      total = run.cases
      if (verbosity !== 'quiet')
        write(
          `${paint.bold(`Judging the ${run.subject.kind} ${oneLine(run.subject.name)}`)}  ${run.cases} cases, seed ${run.seed}\n`,
        )
    },
    onCaseEnd(result) {
      ended++
      counts[result.status]++
      if (verbosity === 'quiet') return
      clear()
      if (result.status === 'failed' || result.status === 'errored') write(`\n${failure(result, paint)}`)
      else if (verbosity === 'verbose')
        write(
          `${result.status === 'passed' ? paint.green('passed ') : paint.dim('skipped')}  ${result.id}  ${paint.dim(`${result.duration_ms} ms`)}\n`,
        )
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

function failure(result: CaseResult, paint: Paint): string {
  const head = result.known_failure
    ? paint.yellow('KNOWN FAILURE')
    : result.status === 'failed'
      ? paint.red('FAILED')
      : paint.yellow('ERRORED')
  const lines = [`${head}  ${paint.bold(result.id)}   ${result.level}`]
  for (const id of result.violates ?? result.requirements) lines.push(...quoted(id, paint))
  if (result.status === 'errored')
    lines.push(`  ${paint.yellow('could not ask')}  ${oneLine(result.reason ?? result.message ?? '')}`)
  for (const check of (result.checks ?? []).slice(0, mostChecks)) {
    lines.push(`  ${oneLine(check.what)}`)
    lines.push(`    expected  ${paint.green(oneLine(check.expected))}`)
    lines.push(`    got       ${paint.red(oneLine(check.got))}`)
  }
  const more = (result.checks?.length ?? 0) - mostChecks
  if (more > 0) lines.push(`  and ${more} more`)
  if (result.counterexample !== undefined)
    lines.push(`  smallest counterexample  ${oneLine(JSON.stringify(result.counterexample)).slice(0, 500)}`)
  const exchanges = (result.exchanges ?? []).filter((each) => each.kind !== 'control').slice(-mostExchanges)
  for (const exchange of exchanges) lines.push(`  ${paint.dim(describeExchange(exchange))}`)
  if (result.reproduce !== undefined) lines.push(`  again     ${oneLine(result.reproduce)}`)
  return `${lines.join('\n')}\n\n`
}

function quoted(id: RequirementId, paint: Paint): string[] {
  const { text, source } = requirements[id]
  return [`  ${paint.cyan(id)}   "${text}"`, `            ${paint.dim(`interface.md${source}`)}`]
}

function describeExchange({ direction, request, response, note }: ExchangeRecord): string {
  const answer = response === undefined ? (note ?? 'no answer') : `${response.status} ${response.body ?? ''}`
  return (
    oneLine(
      `${direction === 'sent' ? 'sent    ' : 'received'}  ${request.method} ${request.url} ${request.body ?? ''}`,
    ).slice(0, 240) + oneLine(`  ->  ${answer}`).slice(0, 200)
  )
}

function summary(report: Report, paint: Paint, verbosity: string): string {
  const { cases, requirements: counted } = report.summary
  const lines: string[] = ['']
  const skipped = report.cases.filter((each) => each.status === 'skipped')
  if (skipped.length > 0 && verbosity !== 'quiet') {
    lines.push(paint.bold('Not asked'))
    const byReason = new Map<string, number>()
    for (const each of skipped) byReason.set(each.reason ?? '', (byReason.get(each.reason ?? '') ?? 0) + 1)
    for (const [reason, count] of byReason) lines.push(`  ${String(count).padStart(4)}  ${oneLine(reason)}`)
    lines.push('')
  }
  const violated = report.requirements.filter((each) => each.status === 'violated')
  if (violated.length > 0) {
    lines.push(paint.bold('Violated'))
    for (const each of violated) lines.push(`  ${paint.red(each.id)}  ${each.text}`)
    lines.push('')
  }
  lines.push(
    `Cases         ${cases.passed} passed, ${cases.failed} failed${cases.known_failures > 0 ? ` (${cases.known_failures} known)` : ''}, ${cases.errored} errored, ${cases.skipped} skipped`,
  )
  lines.push(
    `Requirements  ${counted.verified} verified, ${counted.violated} violated, ${counted.unverified} not verified`,
  )
  if (report.note !== undefined) lines.push(oneLine(report.note))
  lines.push(
    `Verdict       ${verdict(report, paint)}  (${(report.duration_ms / 1000).toFixed(1)} s, seed ${report.seed})`,
    '',
  )
  return lines.join('\n')
}

function verdict(report: Report, paint: Paint): string {
  switch (report.verdict) {
    case 'conformant':
      return paint.green(paint.bold('conformant'))
    case 'nonconformant':
      return paint.red(paint.bold('nonconformant'))
    default:
      return paint.yellow(paint.bold(report.verdict))
  }
}

/** The first mismatch in one line, for reporters that have room for one. */
export function headline(result: CaseResult): string {
  const [first] = result.checks ?? []
  return oneLine(first === undefined ? (result.message ?? result.reason ?? '') : describeMismatch(first))
}
