import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../harness/index.js'
import { memberOf, parseJson } from '../../harness/parsing.js'
import { recordedRun, type RecordedRun } from '../../harness/reporters/index.js'
import { printError } from '../cli/output.js'
import { writePrivate } from '../cli/private-file.js'
import { UsageError } from '../cli/usage.js'
import { makeJournalFolder } from './journal-folder.js'

/** Identifies the judged target, for the next run on it. */
interface JudgedTarget {
  readonly kind: string
  readonly name: string
}

/**
 * Returns the cases of `catalogue` that did not pass in the last run on this target: the user's own may be left out this time. Undefined,
 * with a note on standard error, if all passed: then every case runs. Throws `UsageError` without an earlier run.
 */
export function lastFailed(
  target: JudgedTarget,
  catalogue: readonly { readonly id: string }[],
): ReadonlySet<string> | undefined {
  const known = failedIn(recordOf(target))
  if (known === undefined)
    throw new UsageError(`--last-failed: no earlier run on ${target.name} is known here; run once without it`)
  const cases = new Set(catalogue.flatMap(({ id }) => (known.has(id) ? [id] : [])))
  if (cases.size > 0) return cases
  printError('--last-failed: nothing failed the last time, so every case is run')
  return undefined
}

/** Returns the known runs on this target, the newest first. */
export function earlierRuns(target: JudgedTarget): readonly RecordedRun[] {
  return runsIn(recordOf(target))
}

function runsIn(record: unknown): readonly RecordedRun[] {
  const runs = memberOf(record, 'runs')
  return Array.isArray(runs) ? runs.filter(isRecordedRun) : []
}

function isRecordedRun(value: unknown): value is RecordedRun {
  const [passed, ...lists] = [
    memberOf(memberOf(value, 'cases'), 'passed'),
    ...['failing', 'broke', 'fixed'].map((name) => memberOf(value, name)),
  ]
  return typeof memberOf(value, 'started_at') === 'string' && typeof passed === 'number' && lists.every(Array.isArray)
}

/** Runs that are kept: of one selection, and of all. */
const mostRuns = { sameSelection: 10, all: 50 } as const

/** Saves a run and which cases did not pass, for the next run; cases that did not run keep their state. */
export function rememberRun(target: JudgedTarget, report: Report): void {
  const path = pathOf(target)
  if (path === undefined) return
  const known = recordOf(target)
  const failed = new Set(failedIn(known))
  for (const { id, status } of report.cases)
    if (status === 'failed' || status === 'errored') failed.add(id)
    else if (status === 'passed') failed.delete(id)
  const record = { target: target.name, cases: [...failed], runs: runsWith(report, runsIn(known)) }
  try {
    writePrivate(path, `${JSON.stringify(record)}\n`)
  } catch {
    // The report is what counts; the next --last-failed reports that it knows nothing.
  }
}

/** A run without a verdict is not kept: it showed nothing, or was interrupted. */
function runsWith(report: Report, earlier: readonly RecordedRun[]): readonly RecordedRun[] {
  if (report.verdict === 'none') return earlier
  const run = recordedRun(report, earlier)
  const isOfSameSelection = ({ selection }: RecordedRun) => selection === run.selection
  // Only the newest run is compared with the next one.
  const sameSelection = [run, ...earlier.filter(isOfSameSelection).map((older) => ({ ...older, failing: [] }))].slice(
    0,
    mostRuns.sameSelection,
  )
  return [...sameSelection, ...earlier.filter((other) => !isOfSameSelection(other))].slice(0, mostRuns.all)
}

function failedIn(record: unknown): ReadonlySet<string> | undefined {
  const cases = memberOf(record, 'cases')
  return Array.isArray(cases) ? new Set(cases.map(String)) : undefined
}

function recordOf(target: JudgedTarget): unknown {
  const path = pathOf(target)
  try {
    return path === undefined ? undefined : parseJson(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function pathOf({ kind, name }: JudgedTarget): string | undefined {
  const folder = makeJournalFolder()
  if (folder === undefined) return undefined
  const own = join(folder, 'last-failed')
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 })
  } catch {
    return undefined
  }
  return join(own, `${createHash('sha256').update(`${kind} ${name}`).digest('hex').slice(0, 24)}.json`)
}
