import type { Case, Subject } from '../../harness/index.js'
import {
  additionLines,
  askable,
  askableInPart,
  bestAdditions,
  findMissingOfCase,
  readableMs,
  type CoverageForecast,
} from '../../harness/planning.js'
import { oneLine } from '../../harness/showing.js'
import type { SubjectKind } from '../../spec/index.js'
import { writeOutput } from '../cli/output.js'

/** The cases that could run on the target, from the command line and the configuration, without contacting it. */
export interface Planned {
  readonly lacks: Subject<never>['lacks']
  /** Concurrent cases if the user gives no number. */
  readonly concurrency: number
  readonly forecast?: CoverageForecast
  /** The assumption of the plan, since no target is contacted. */
  readonly assumes?: string
}

export interface PlanOptions<Context> {
  readonly target: { readonly kind: SubjectKind; readonly name: string }
  /** Every case of the kind, and those that are selected. */
  readonly catalogue: readonly Case<Context>[]
  readonly cases: readonly Case<Context>[]
  readonly planned: Planned
  /** Cases side by side. */
  readonly concurrency: number
  /** What a run of this kind sends, in a sentence. */
  readonly sends: string
  /** Whether the cases are counted and not listed. */
  readonly isShort: boolean
}

/** The usual time of a case besides its waits, in milliseconds, on a target of the same network. */
const usualMs = 300

/** Prints which cases would run, which would be skipped and why, the requests, and the approximate time. */
export function printPlan<Context>({
  target,
  catalogue,
  cases,
  planned,
  concurrency,
  sends,
  isShort,
}: PlanOptions<Context>): void {
  const listed: string[] = []
  const skipped = new Map<string, string[]>()
  const waitsMs: number[] = []
  for (const each of cases) {
    const missing = findMissingOfCase(each, planned.lacks)
    if (missing === undefined) {
      waitsMs.push(waitOf(each, planned))
      listed.push(`run      ${each.level.padEnd(6)}  ${each.id}`)
    } else skipped.set(missing.reason, [...(skipped.get(missing.reason) ?? []), each.id])
  }
  for (const [reason, ids] of skipped)
    listed.push('', `skip     ${oneLine(reason)}`, ...ids.map((id) => `         ${id}`))
  const longestMs = Math.max(0, ...waitsMs)
  const totalMs = waitsMs.reduce((sum, each) => sum + each + usualMs, 0)
  const estimateMs = Math.max(longestMs, totalMs / concurrency)
  const lines = [
    `Plan for the ${target.kind} ${oneLine(target.name)}`,
    ...(isShort ? [] : ['', ...listed]),
    '',
    `${waitsMs.length} cases would run, ${cases.length - waitsMs.length} would be skipped.`,
    `It takes about ${readableMs(Math.max(1000, estimateMs))}, ${concurrency} cases side by side${longestMs > 0 ? `; the longest wait in real time is ${readableMs(longestMs)}` : ''}.`,
    ...(planned.assumes === undefined ? [] : [planned.assumes]),
    ...(cases.length === catalogue.length ? forecastLines(target.kind, catalogue, planned) : []),
    sends,
    '',
  ]
  writeOutput(lines.join('\n'))
}

/** How much of the interface the plan verifies, and what would verify more. */
function forecastLines<Context>(
  kind: SubjectKind,
  catalogue: readonly Case<Context>[],
  { lacks, forecast }: Planned,
): string[] {
  const all = askable(kind, catalogue, () => undefined).size
  const part = askableInPart(kind, catalogue, lacks)
  const additions = forecast === undefined ? [] : bestAdditions(kind, catalogue, { forecast })
  return [
    `${askable(kind, catalogue, lacks).size} of ${all} requirements could be verified${part === 0 ? '' : `, ${part} more in part`}.`,
    ...additionLines(additions).map((line) => `  ${line}`),
  ]
}

/** Real time the case waits, in milliseconds; none where the clock can be moved. */
function waitOf<Context>(each: Case<Context>, planned: Planned): number {
  if (planned.lacks('clock', each) === undefined) return 0
  return Math.max(0, ...each.needs.map((need) => (need.startsWith('time:') ? Number(need.slice('time:'.length)) : 0)))
}
