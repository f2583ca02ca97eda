import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseResult } from '../../harness/index.js'
import { memberOf, parseJson } from '../../harness/reading.js'
import { printError } from '../cli/output.js'
import { UsageError } from '../cli/usage.js'
import { makeJournalFolder } from './journal-folder.js'

/** What was judged, by which the next run on it is known. */
interface JudgedTarget {
  readonly kind: string
  readonly name: string
}

/**
 * The cases of `catalogue` that did not pass when this target was judged last: the user's own may be left out this time. Undefined,
 * said on standard error, where all did: then every case is asked. Throws `UsageError` where nothing is known of it.
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

/** Keeps which cases did not pass, for the next run; what was not asked this time stays as it was. */
export function rememberFailed(target: JudgedTarget, results: readonly CaseResult[]): void {
  const path = pathOf(target)
  if (path === undefined) return
  const failed = new Set(recordOf(target))
  for (const { id, status } of results)
    if (status === 'failed' || status === 'errored') failed.add(id)
    else if (status === 'passed') failed.delete(id)
  try {
    writeFileSync(path, `${JSON.stringify({ target: target.name, cases: [...failed] })}\n`, { mode: 0o600 })
  } catch {
    // The report is what matters; the next --last-failed says that it knows nothing.
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
