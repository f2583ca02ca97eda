import type { CaseResult } from '../../harness/index.js'
import type { HistoryData } from '../../pages/data.js'
import { portless } from './portless.js'
import type { ReadReport } from './read-report.js'

/** The runs of one target, oldest first. */
export type TargetHistory = HistoryData['targets'][number]

/** One run of a target. */
export type PastRun = TargetHistory['runs'][number]

/** What `conformance report --history` shows. */
export interface History {
  readonly schema: 'conformance-history/1'
  readonly targets: readonly TargetHistory[]
}

/** Puts reports in the order of time, target by target. */
export function historyOf(read: readonly ReadReport[]): History {
  const byTarget = new Map<string, ReadReport[]>()
  for (const loaded of read) {
    const key = `${loaded.report.subject.kind} ${portless(loaded.report.subject.name)}`
    byTarget.set(key, [...(byTarget.get(key) ?? []), loaded])
  }
  const targets = [...byTarget.values()].map(targetHistory)
  return {
    schema: 'conformance-history/1',
    targets: targets.toSorted((a, b) => inOrder(a.kind, b.kind) || inOrder(a.name, b.name)),
  }
}

/** By code units: what a machine's language makes of letters would put the same reports in another order elsewhere. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function targetHistory(read: readonly ReadReport[]): TargetHistory {
  const oldestFirst = read.toSorted((a, b) => inOrder(a.report.started_at, b.report.started_at))
  const last = new Map<string, CaseResult['status']>()
  const changes = new Map<string, number>()
  const runs = oldestFirst.map(({ file, report }): PastRun => {
    const moved: Record<'broke' | 'fixed', string[]> = { broke: [], fixed: [] }
    for (const { id, status } of report.cases) {
      if (status !== 'passed' && status !== 'failed') continue
      const before = last.get(id)
      last.set(id, status)
      if (before === undefined || before === status) continue
      moved[status === 'failed' ? 'broke' : 'fixed'].push(id)
      changes.set(id, (changes.get(id) ?? 0) + 1)
    }
    const { started_at, verdict, tool, summary, shard } = report
    const about = { file, started_at, verdict, version: tool.version, ...(shard === undefined ? {} : { shard }) }
    return { ...about, requirements: summary.requirements, cases: summary.cases, ...moved }
  })
  const [first] = oldestFirst
  const unsteady = [...changes].filter(([, count]) => count >= 2).map(([id, count]) => ({ id, changes: count }))
  return {
    kind: first?.report.subject.kind ?? 'service',
    name: first === undefined ? '' : portless(first.report.subject.name),
    runs,
    unsteady: unsteady.toSorted((a, b) => b.changes - a.changes || inOrder(a.id, b.id)),
  }
}
