// A report is compared with the catalogue of this version: what a case is, and which cases a run has, is known without the file.
import { isDeepStrictEqual } from 'node:util'
import { selectCases, type CaseResult, type Report } from '../../harness/index.js'
import { packageVersion } from '../cli/package.js'
import { UsageError } from '../cli/usage.js'
import type { CaseInfo } from '../run/catalogue.js'
import type { ReadReport } from './read-report.js'

const changed = 'the file was changed after the run'

/** Throws `UsageError` for a case that is not as the catalogue of the version that wrote the report has it. */
export function refuseChangedCases(read: readonly ReadReport[], catalogue: readonly CaseInfo[]): void {
  const known = new Map(catalogue.map((testCase) => [testCase.id, testCase]))
  for (const { file, report } of read.filter(isOfThisVersion))
    for (const result of report.cases) {
      const testCase = known.get(result.id)
      if (testCase === undefined) continue
      for (const field of ['level', 'title', 'requirements'] as const)
        if (!isDeepStrictEqual(result[field], testCase[field]))
          throw new UsageError(
            `${file}: the ${field} of ${result.id} is ${JSON.stringify(result[field])}, but this version has ${JSON.stringify(testCase[field])}: ${changed}`,
          )
    }
}

/** Throws `UsageError` where the reports of a whole run lack a case that it selected. */
export function refuseMissingCases(
  read: readonly ReadReport[],
  results: readonly CaseResult[],
  catalogue: readonly CaseInfo[],
): void {
  const [first] = read
  if (first === undefined || !read.every(isOfThisVersion)) return
  const { report } = first
  const ofKind = catalogue.filter(({ subject }) => subject === report.subject.kind)
  const found = new Set(results.map(({ id }) => id))
  const missing = expectedOf(report, ofKind).filter((id) => !found.has(id))
  if (missing.length > 0)
    throw new UsageError(
      `${read.map(({ file }) => file).join(', ')}: ${missing.length} of the selected cases ${missing.length === 1 ? 'is' : 'are'} missing, such as ${missing[0] ?? ''}: ${changed}`,
    )
}

/** Ids of the cases that a run reports. One that calls itself conformant has them all. */
function expectedOf({ selection, verdict }: Report, ofKind: readonly CaseInfo[]): readonly string[] {
  if (selection === undefined) return verdict === 'conformant' ? ofKind.map(({ id }) => id) : []
  const { only, ...rest } = selection
  try {
    const chosen = selectCases(ofKind, {
      suites: [],
      cases: [],
      ...rest,
      ...(only === undefined ? {} : { only: new Set(only) }),
    })
    return chosen.map(({ id }) => id)
  } catch (error) {
    // A pattern for cases of the user's own, which are known by their results alone.
    if (error instanceof Error && error.name === 'UnmatchedPattern') return []
    throw error
  }
}

function isOfThisVersion({ report }: ReadReport): boolean {
  return report.tool.version === packageVersion()
}
