import { oneLine } from '../../harness/safe-text.js'
import type { History, PastRun, TargetHistory } from './history.js'

/** Cases that are named of one change. */
const maxNamed = 5

/** A history as plain lines. */
export function historyText({ targets }: History): string {
  return `${targets.map(targetText).join('\n\n')}\n`
}

function targetText({ kind, name, runs, unsteady }: TargetHistory): string {
  return [
    `${kind} ${oneLine(name)}  ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`,
    ...runs.flatMap((run) => [
      `  ${dayOf(run)}  ${run.verdict.padEnd(13)}  ${countsOf(run)}${run.shard === undefined ? '' : `  shard ${run.shard}`}`,
      ...named('broke', run.broke),
      ...named('fixed', run.fixed),
    ]),
    ...(unsteady.length === 0 ? [] : ['  changed back and forth']),
    ...unsteady.map(({ id, changes }) => `    ${id}  ${changes} times`),
  ].join('\n')
}

function named(word: string, ids: readonly string[]): string[] {
  const more = ids.length > maxNamed ? [`${' '.repeat(27)}and ${ids.length - maxNamed} more`] : []
  return [...ids.slice(0, maxNamed).map((id) => `${' '.repeat(20)}${word}  ${id}`), ...more]
}

/** `2026-01-02 03:04`. */
function dayOf({ started_at: at }: Pick<PastRun, 'started_at'>): string {
  return at.slice(0, 16).replace('T', ' ')
}

function countsOf({ requirements: { total, verified, violated }, version }: PastRun): string {
  return `${verified} of ${total} requirements verified, ${violated} violated  (${version})`
}
