import type { CaseResult, Report, Waited } from '../../harness/index.js'

interface Waits {
  readonly ms: number
  readonly causes: Readonly<Record<string, Waited>>
}

/** The number of slowest cases that are listed. */
const maxCases = 15

/** What the cases of a run waited for, as `--profile-waits` prints it: the sums by cause, then the cases that took longest. */
export function waitsText({ cases, duration_ms: wallMs }: Pick<Report, 'cases' | 'duration_ms'>): string {
  const profiled = cases.flatMap((result) => {
    const waits = waitsOf(result)
    return waits === undefined ? [] : [{ result, waits }]
  })
  const sums = new Map<string, { ms: number; count: number; cases: number }>()
  for (const { waits } of profiled)
    for (const [cause, { ms, count }] of Object.entries(waits.causes)) {
      const sum = sums.get(cause) ?? { ms: 0, count: 0, cases: 0 }
      sums.set(cause, { ms: sum.ms + ms, count: sum.count + count, cases: sum.cases + 1 })
    }
  const wholeMs = profiled.reduce((sum, { result }) => sum + result.duration_ms, 0)
  const waitedMs = profiled.reduce((sum, { waits }) => sum + waits.ms, 0)
  const byCause = [...sums].filter(([, { ms }]) => ms > 4).toSorted(([, a], [, b]) => b.ms - a.ms)
  const longest = profiled.toSorted((a, b) => b.result.duration_ms - a.result.duration_ms).slice(0, maxCases)
  return [
    `Waits         ${profiled.length} cases took ${seconds(wholeMs)} in all, ${side(wholeMs, wallMs)} side by side; of these they waited ${seconds(waitedMs)} for`,
    ...byCause.map(
      ([cause, { ms, count, cases: inCases }]) =>
        `  ${seconds(ms).padStart(9)}   ${cause}: ${count} times in ${inCases} cases, ${Math.round(ms / count)} ms each`,
    ),
    `  ${seconds(Math.max(0, wholeMs - waitedMs)).padStart(9)}   none of these: work of the run itself, and turns taken by other cases`,
    'The longest cases',
    ...longest.map(
      ({ result, waits }) => `  ${seconds(result.duration_ms).padStart(9)}   ${result.id}: ${line(waits)}`,
    ),
    '',
  ].join('\n')
}

/** What a case waited for, the longest first; causes that are side by side are more than the whole. */
function line({ causes }: Waits): string {
  const all = Object.entries(causes).toSorted(([, a], [, b]) => b.ms - a.ms)
  const shown = all.filter(([, { ms }]) => ms > 4).map(([cause, { ms, count }]) => `${seconds(ms)} ${cause} (${count})`)
  return shown.length === 0 ? 'nothing' : shown.join(', ')
}

function waitsOf({ measurements }: CaseResult): Waits | undefined {
  return measurements?.['waits'] as Waits | undefined
}

function side(wholeMs: number, wallMs: number): string {
  return (wholeMs / Math.max(1, wallMs)).toFixed(1)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
