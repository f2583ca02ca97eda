import type { Case } from '../harness/case.js'
import { oneLine } from '../harness/reporters/reporter.js'
import { readableMs } from '../harness/service/powers.js'
import type { Subject } from '../harness/subject.js'

export interface PlanOptions<Context> {
  readonly cases: readonly Case<Context>[]
  readonly subject: Subject<Context>
  /** Cases side by side. */
  readonly concurrency: number
  /** What a run of this kind sends, in a sentence. */
  readonly sends: string
}

/** What a case takes beside its waits, in milliseconds: what most take on a target of the same network. */
const usualMs = 300

/** Prints which cases would run, which would be skipped and why, what is sent, and how long it takes about. */
export function printPlan<Context>({ cases, subject, concurrency, sends }: PlanOptions<Context>): void {
  const lines = [`Plan for the ${subject.kind} ${oneLine(subject.secrets.redact(subject.name))}`, '']
  const skipped = new Map<string, string[]>()
  const waitsMs: number[] = []
  for (const each of cases) {
    const lack = each.needs.map((need) => subject.lacks(need, each)).find((reason) => reason !== undefined)
    if (lack === undefined) {
      waitsMs.push(waitOf(each, subject))
      lines.push(`run      ${each.level.padEnd(6)}  ${each.id}`)
    } else skipped.set(lack, [...(skipped.get(lack) ?? []), each.id])
  }
  for (const [reason, ids] of skipped)
    lines.push('', `skip     ${oneLine(reason)}`, ...ids.map((id) => `         ${id}`))
  const longestMs = Math.max(0, ...waitsMs)
  const totalMs = waitsMs.reduce((sum, each) => sum + each + usualMs, 0)
  const estimateMs = Math.max(longestMs, totalMs / concurrency)
  lines.push(
    '',
    `${waitsMs.length} cases would run, ${cases.length - waitsMs.length} would be skipped.`,
    `It takes about ${readableMs(Math.max(1000, estimateMs))}, ${concurrency} cases side by side${longestMs > 0 ? `; the longest wait in real time is ${readableMs(longestMs)}` : ''}.`,
    sends,
    '',
  )
  process.stdout.write(lines.join('\n'))
}

/** Real time the case waits, in milliseconds; none where the clock can be moved. */
function waitOf<Context>(each: Case<Context>, subject: Subject<Context>): number {
  if (subject.lacks('clock', each) === undefined) return 0
  return Math.max(0, ...each.needs.map((need) => (need.startsWith('time:') ? Number(need.slice('time:'.length)) : 0)))
}
