import { loadSchema } from '../../fixtures/index.js'
import type { CaseResult, KnownFailure, Report } from '../../harness/index.js'
import { parseFile, validateFile, yaml } from '../../harness/parsing.js'
import { oneLine, shortened } from '../../harness/safe-text.js'
import { writeOutputFile } from '../cli/output-file.js'
import { readFile, systemReason } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import type { CaseInfo } from './catalogue.js'
import { writeError } from '../cli/output.js'

/** The placeholder of the reason in a file this run writes; a file that still contains it is refused. */
const openReason = 'TODO: say why'

/** The entries of a known-failures file; an id a case had before counts as its present one. */
export function readKnownFailures(
  path: string,
  catalogue: readonly Pick<CaseInfo, 'id' | 'formerly'>[],
): KnownFailure[] {
  const { value, placeOf } = parseFile(path, readFile('--known-failures', path))
  validateFile(value ?? [], loadSchema('known-failures'), placeOf)
  const entries = (value ?? []) as readonly KnownFailure[]
  const open = entries.findIndex((entry) => entry.reason.trim() === openReason)
  if (open !== -1)
    throw new UsageError(
      `${placeOf([String(open)])}: the reason of ${entries[open]?.case ?? ''} is empty: explain why it may fail`,
    )
  const renamed = entries.map((entry) => {
    const now = catalogue.find((testCase) => testCase.formerly?.includes(entry.case) === true)
    return now === undefined ? entry : { ...entry, case: now.id }
  })
  const twice = renamed.findIndex((entry, index) =>
    renamed.slice(0, index).some((earlier) => earlier.case === entry.case),
  )
  if (twice !== -1)
    throw new UsageError(`${placeOf([String(twice)])}: ${renamed[twice]?.case ?? ''} is listed twice: keep one entry`)
  return renamed
}

/**
 * Returns the entries without those whose case is, or was, of another kind of target: one file may serve them all. `own` are the cases of
 * the run, `others` the known ones outside the kit.
 */
export async function entriesOfRun(
  entries: readonly KnownFailure[],
  own: readonly Pick<CaseInfo, 'id'>[],
  others: readonly Pick<CaseInfo, 'id'>[],
): Promise<readonly KnownFailure[]> {
  const judged = new Set(own.map((testCase) => testCase.id))
  if (entries.every((entry) => judged.has(entry.case))) return entries
  const { catalogue } = await import('./catalogue.js')
  const all: readonly Pick<CaseInfo, 'id' | 'formerly'>[] = [...catalogue, ...others]
  const foreign = new Set(all.flatMap(({ id, formerly = [] }) => (judged.has(id) ? [] : [id, ...formerly])))
  return entries.filter((entry) => judged.has(entry.case) || !foreign.has(entry.case))
}

/**
 * Writes an entry for each failure, its reason left open; one that was known keeps its entry. Entries of cases that were not
 * judged this time stay as well; those that passed, or name no case, do not. Throws `UsageError` when it cannot.
 */
export function writeKnownFailures(path: string, report: Report, known: readonly KnownFailure[]): void {
  const results = new Map(report.cases.map((result) => [result.id, result]))
  const unmatched = (report.known_failure_problems ?? [])
    .filter((problem) => problem.problem === 'unmatched')
    .map((problem) => problem.case)
  const kept = known.filter((entry) => results.get(entry.case)?.status !== 'passed' && !unmatched.includes(entry.case))
  const added = report.cases
    .filter((result) => result.status === 'failed' && !kept.some((entry) => entry.case === result.id))
    .map((result): KnownFailure => ({ case: result.id, reason: openReason }))
  const entries = [...kept, ...added]
  const text = path.endsWith('.json') ? `${JSON.stringify(entries, null, 2)}\n` : yamlOf(entries, results)
  try {
    writeOutputFile(path, text)
  } catch (error) {
    throw new UsageError(`--write-known-failures ${path}: cannot be written (${systemReason(error)})`)
  }
  const open =
    added.length === 0
      ? ''
      : `; say why in ${added.length === 1 ? 'the one' : `the ${added.length}`} whose reason is left open`
  writeError(`conformance: ${entries.length} known failures written to ${path}${open}\n`)
}

/** Characters of the comment above an entry. */
const maxComment = 200

/** Formats YAML with the observations above each entry, which help to write the reason. */
function yamlOf(entries: readonly KnownFailure[], results: ReadonlyMap<string, CaseResult>): string {
  const { Document, isNode } = yaml()
  const document = new Document(entries)
  entries.forEach((entry, index) => {
    const seen = results.get(entry.case)?.message
    const node: unknown = document.getIn([index], true)
    if (seen !== undefined && isNode(node)) node.commentBefore = ` ${shortened(oneLine(seen), maxComment)}`
  })
  return document.toString({ lineWidth: 0 })
}
