import type { PastRun } from '../../pages/data.js'
import type { Report } from '../result.js'

/** A run as the next one on the same target knows it. */
export interface RecordedRun extends PastRun {
  /** Identifies the selection: runs with another one are not comparable. */
  readonly selection: string
  /** Ids of the cases that failed when they last passed or failed. */
  readonly failing: readonly string[]
}

/** Returns the record of a run, compared with the last of `earlier` that had the same selection. */
export function recordedRun(report: Report, earlier: readonly RecordedRun[]): RecordedRun {
  const selection = JSON.stringify([report.selection ?? {}, report.shard ?? ''])
  const last = earlier.find((run) => run.selection === selection)
  const idsOf = (status: string) => report.cases.flatMap((result) => (result.status === status ? [result.id] : []))
  const [failed, passed] = [idsOf('failed'), idsOf('passed')]
  const known = last?.failing ?? []
  return {
    selection,
    started_at: report.started_at,
    verdict: report.verdict,
    cases: report.summary.cases,
    failing: [...new Set([...failed, ...known])].filter((id) => !passed.includes(id)),
    broke: last === undefined ? [] : failed.filter((id) => !known.includes(id)),
    fixed: passed.filter((id) => known.includes(id)),
  }
}

/** Returns a run and the earlier ones with its selection, the newest first; undefined where there are none. */
export function historyOf(report: Report, earlier: readonly RecordedRun[] = []): readonly PastRun[] | undefined {
  const run = recordedRun(report, earlier)
  const before = earlier.filter(({ selection }) => selection === run.selection)
  if (before.length === 0) return undefined
  return [run, ...before].map(({ started_at, verdict, cases, broke, fixed }) => ({
    started_at,
    verdict,
    cases,
    broke,
    fixed,
  }))
}
