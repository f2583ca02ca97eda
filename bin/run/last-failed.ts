import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseResult } from '../../harness/index.js'
import { memberOf, parseJson } from '../../harness/parsing.js'
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
  const known = recordOf(target)
  if (known === undefined)
    throw new UsageError(`--last-failed: no earlier run on ${target.name} is known here; run once without it`)
  const cases = new Set(catalogue.flatMap(({ id }) => (known.has(id) ? [id] : [])))
  if (cases.size > 0) return cases
  printError('--last-failed: nothing failed the last time, so every case is run')
  return undefined
}

/** Saves which cases did not pass, for the next run; cases that did not run keep their state. */
export function rememberFailed(target: JudgedTarget, results: readonly CaseResult[]): void {
  const path = pathOf(target)
  if (path === undefined) return
  const failed = new Set(recordOf(target))
  for (const { id, status } of results)
    if (status === 'failed' || status === 'errored') failed.add(id)
    else if (status === 'passed') failed.delete(id)
  try {
    writePrivate(path, `${JSON.stringify({ target: target.name, cases: [...failed] })}\n`)
  } catch {
    // The report is what counts; the next --last-failed reports that it knows nothing.
  }
}

function recordOf(target: JudgedTarget): ReadonlySet<string> | undefined {
  const path = pathOf(target)
  try {
    const cases = path === undefined ? undefined : memberOf(parseJson(readFileSync(path, 'utf8')), 'cases')
    return Array.isArray(cases) ? new Set(cases.map(String)) : undefined
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
