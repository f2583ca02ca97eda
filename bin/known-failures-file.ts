import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { loadSchema } from '../fixtures/index.js'
import type { Case } from '../harness/case.js'
import { parseFile } from '../harness/config/document.js'
import { validateFile } from '../harness/config/validate.js'
import type { KnownFailure } from '../harness/known-failures.js'
import type { Report } from '../harness/result.js'
import { readFile, systemCode } from './settings.js'
import { UsageError } from './usage.js'

/** What stands for the reason in a file this run writes; a file that still holds it is refused. */
const openReason = 'TODO: say why'

/** The entries of a known-failures file; an id a case had before counts as its present one. */
export function readKnownFailures(path: string, catalogue: readonly Pick<Case, 'id' | 'formerly'>[]): KnownFailure[] {
  const { value, placeOf } = parseFile(path, readFile('--known-failures', path))
  validateFile(value ?? [], loadSchema('known-failures'), placeOf)
  const entries = (value ?? []) as readonly KnownFailure[]
  const open = entries.findIndex((entry) => entry.reason.trim() === openReason)
  if (open !== -1)
    throw new UsageError(
      `${placeOf([String(open)])}: the reason of ${entries[open]?.case ?? ''} is left open: say why it may fail`,
    )
  return entries.map((entry) => {
    const now = catalogue.find((each) => each.formerly?.includes(entry.case) === true)
    return now === undefined ? entry : { ...entry, case: now.id }
  })
}

/** Writes an entry for each failure; one that was known keeps its entry. Throws `UsageError` when it cannot. */
export function writeKnownFailures(path: string, report: Report, known: readonly KnownFailure[]): void {
  const entries = report.cases
    .filter((each) => each.status === 'failed')
    .map((each) => known.find((entry) => entry.case === each.id) ?? { case: each.id, reason: openReason })
  try {
    writeFileSync(path, path.endsWith('.json') ? `${JSON.stringify(entries, null, 2)}\n` : stringify(entries))
  } catch (error) {
    throw new UsageError(`--write-known-failures ${path}: cannot be written (${systemCode(error)})`)
  }
}
