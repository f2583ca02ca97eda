import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { requestedReporters } from '../run/reporting.js'
import type { Settings } from '../cli/settings.js'
import { printError, rawStream, writeError, writeOutput } from '../cli/output.js'
import { UsageError } from '../cli/usage.js'
import { writeTo } from './comparison-output.js'
import { standalonePage } from '../../pages/index.js'
import { historyOf, type History } from './history.js'
import type { HistoryData } from '../../pages/data.js'
import { historyText } from './history-text.js'
import { readReport, type ReadReport } from './read-report.js'

const renderings = {
  pretty: historyText,
  html: ({ targets }: History) =>
    standalonePage({
      page: 'report',
      title: 'Conformance over time',
      data: { kind: 'history', targets } satisfies HistoryData,
    }),
  json: (history: History) => `${JSON.stringify(history, undefined, 2)}\n`,
} as const

/** Writes the history of each target over the reports of these folders and files, in the formats of `--reporter`. */
export function writeHistory(paths: readonly string[], settings: Settings): void {
  const requested = requestedReporters(settings)
  const unfit = requested.find(({ name }) => !Object.hasOwn(renderings, name))
  if (unfit !== undefined)
    throw new UsageError(`${unfit.name} cannot show a history: --history writes ${Object.keys(renderings).join(', ')}`)
  const history = historyOf(reportsBelow(paths))
  const isStdoutTaken = requested.some((reporter) => reporter.file === undefined && reporter.name !== 'pretty')
  for (const { name, file } of requested) {
    const text = renderings[name as keyof typeof renderings](history)
    if (file !== undefined) writeTo(`--reporter ${name}=${file}`, file, text)
    else if (name === 'pretty' && isStdoutTaken) writeError(text)
    else if (name === 'html') rawStream('stdout').write(text)
    else writeOutput(text)
  }
}

/** Returns whether a path is a folder; false for an unreadable one, whose reading reports why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Returns every report of the folders, and the named ones. Another JSON file in a folder is reported and skipped. */
function reportsBelow(paths: readonly string[]): readonly ReadReport[] {
  const read = paths.flatMap((path) => {
    if (!isFolder(path)) return [readReport(path)]
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    return names.toSorted().flatMap((name) => {
      try {
        return [readReport(join(path, name))]
      } catch (error) {
        printError(`passed over: ${error instanceof Error ? error.message : String(error)}`)
        return []
      }
    })
  })
  if (read.length === 0)
    throw new UsageError(`--history ${paths.join(' ')}: contains no report; --reporter json=<file> writes one`)
  return read
}
