import type { Case, Subject } from '../../harness/index.js'
import {
  additionLines,
  verifiable,
  countVerifiableInPart,
  bestAdditions,
  estimateRun,
  findMissingOfCase,
  readableMs,
  type CoverageForecast,
} from '../../harness/planning.js'
import { oneLine } from '../../harness/safe-text.js'
import type { SubjectKind } from '../../spec/index.js'
import { writeOutput } from '../cli/output.js'

/** The cases that could run on the target, from the command line and the configuration, without contacting it. */
export interface Planned {
  readonly findMissing: Subject<never>['findMissing']
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
  let count = 0
  for (const testCase of cases) {
    const missing = findMissingOfCase(testCase, planned.findMissing)
    if (missing === undefined) {
      count++
      listed.push(`run      ${testCase.level.padEnd(6)}  ${testCase.id}`)
    } else skipped.set(missing.reason, [...(skipped.get(missing.reason) ?? []), testCase.id])
  }
  for (const [reason, ids] of skipped)
    listed.push('', `skip     ${oneLine(reason)}`, ...ids.map((id) => `         ${id}`))
  const { runMs, longestWaitMs } = estimateRun(cases, planned.findMissing, concurrency)
  const longest = longestWaitMs > 0 ? `; the longest wait in real time is ${readableMs(longestWaitMs)}` : ''
  const lines = [
    `Plan for the ${target.kind} ${oneLine(target.name)}`,
    ...(isShort ? [] : ['', ...listed]),
    '',
    `${count} cases would run, ${cases.length - count} would be skipped.`,
    `It takes about ${readableMs(runMs)}, ${concurrency} cases side by side${longest}.`,
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
  { findMissing, forecast }: Planned,
): string[] {
  const all = verifiable(kind, catalogue, () => undefined).size
  const part = countVerifiableInPart(kind, catalogue, findMissing)
  const additions = forecast === undefined ? [] : bestAdditions(kind, catalogue, { forecast })
  return [
    `${verifiable(kind, catalogue, findMissing).size} of ${all} requirements could be verified${part === 0 ? '' : `, ${part} more in part`}.`,
    ...additionLines(additions).map((line) => `  ${line}`),
  ]
}
