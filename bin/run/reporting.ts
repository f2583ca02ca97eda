import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  badges,
  reporters,
  type CreateReporter,
  type Output,
  type RecordedRun,
  type Reporter,
  type ReporterName,
} from '../../harness/reporters/index.js'
import { loadMistakes } from '../report/mistakes.js'
import { emptyOutput, openOutput } from '../cli/output-file.js'
import { systemCode, systemReason, type Settings } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { rawStream, writeError } from '../cli/output.js'
import { invocation } from '../cli/invocation.js'

/** A reporter that the user chose, or the badge; without a file it writes to standard output. */
export interface RequestedReporter {
  readonly name: ReporterName | 'badge'
  readonly file: string | undefined
  /** The folder of the file, which is created if it does not exist. */
  readonly folder?: { readonly path: string; readonly mode: number }
}

/** The reports of `--output-dir`: all that a file can hold, but `har`, which keeps every exchange in memory. */
const reportFiles = {
  json: 'report.json',
  html: 'report.html',
  markdown: 'report.md',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  tap: 'report.tap',
  interface: 'interface.html',
  attestation: 'attestation.json',
} as const satisfies Partial<Record<ReporterName, string>>

/** The reporters of a run, each guarded: one that throws does not stop the others. */
export interface ReporterGroup {
  each(call: (reporter: Reporter) => void): void
  /** Whether one of them has a hook for all exchanges. */
  readonly wantsExchanges: boolean
  /** Ends the files; false when a report could not be written. */
  close(): boolean
}

/** Reads `--reporter` and `--badge`. `pretty` is always there; it leaves standard output to a reporter that a program reads. */
export function requestedReporters(settings: Pick<Settings, 'list' | 'path' | 'isOn'>): RequestedReporter[] {
  const requested: RequestedReporter[] = settings.list('reporter').map((text): RequestedReporter => {
    const [, name = '', file] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? []
    if (!Object.hasOwn(reporters, name))
      throw new UsageError(
        `--reporter ${text}: expected ${Object.keys(reporters).join(', ')}, alone or followed by =file`,
      )
    if (file === '') throw new UsageError(`--reporter ${text}: a file must follow =`)
    return { name: name as ReporterName, file: file === '-' ? undefined : file }
  })
  const outputDir = settings.path('output-dir')
  if (outputDir !== undefined)
    for (const [name, file] of Object.entries(reportFiles))
      requested.push({
        name: name as keyof typeof reportFiles,
        file: join(outputDir, file),
        folder: { path: outputDir, mode: 0o777 },
      })
  if (settings.isOn('open') && htmlFileOf(requested) === undefined) {
    const path = join(tmpdir(), `conformance-${randomUUID()}`)
    requested.push({ name: 'html', file: join(path, 'report.html'), folder: { path, mode: 0o700 } })
  }
  const badge = settings.path('badge')
  if (badge !== undefined) {
    if (badgeOf(badge) === undefined)
      throw new UsageError(`--badge ${badge}: expected a file that ends in .svg, or in .json for a shields endpoint`)
    requested.push({ name: 'badge', file: badge })
  }
  const onStdout = requested.filter((reporter) => reporter.file === undefined && reporter.name !== 'pretty')
  if (onStdout.length > 1)
    throw new UsageError(
      `--reporter ${onStdout.map((reporter) => reporter.name).join(' and ')} would share standard output: give all but one a file`,
    )
  const files = requested.flatMap((reporter) => reporter.file ?? [])
  const places = files.map((file) => resolve(file))
  const twice = files.find((_, index) => places.indexOf(places[index] ?? '') !== index)
  if (twice !== undefined) throw new UsageError(`--reporter: two reports would be written to ${twice}`)
  for (const option of ['journal', 'state', 'config', 'known-failures'] as const) {
    const own = settings.path(option)
    if (own !== undefined && places.includes(resolve(own)))
      throw new UsageError(`--${option} ${own}: a report would overwrite this file; write the report to another file`)
  }
  return requested.some((reporter) => reporter.name === 'pretty')
    ? requested
    : [{ name: 'pretty', file: undefined }, ...requested]
}

/** Returns the file of the HTML report, if one is requested. */
export function htmlFileOf(requested: readonly RequestedReporter[]): string | undefined {
  return requested.find(({ name, file }) => name === 'html' && file !== undefined)?.file
}

/** Reporters that show the interface as text. */
const showsInterface: ReadonlySet<RequestedReporter['name']> = new Set(['html', 'interface'])

/** Opens the reporters; `earlier` are known runs on the target. Throws `UsageError` for a file that cannot be opened. */
export async function openReporters(
  requested: readonly RequestedReporter[],
  settings: Pick<Settings, 'isOn'> & Partial<Pick<Settings, 'source'>>,
  earlier: readonly RecordedRun[] = [],
): Promise<ReporterGroup> {
  if (settings.source?.('quiet') === 'flag' && settings.source('verbose') === 'flag')
    throw new UsageError('--quiet and --verbose contradict each other: give one of them')
  const mistakes = requested.some((reporter) => showsInterface.has(reporter.name)) ? await loadMistakes() : undefined
  const verbosity = settings.isOn('quiet') ? 'quiet' : settings.isOn('verbose') ? 'verbose' : 'normal'
  const isStdoutTaken = requested.some((reporter) => reporter.file === undefined && reporter.name !== 'pretty')
  const descriptors = openFiles(requested)
  let isReported = true
  const guarded = requested.map(({ name, file }, index) => {
    const descriptor = descriptors[index]
    let isLost = false
    const lose = (what: string, error: unknown) => {
      if (isLost) return
      isLost = true
      isReported = false
      writeError(
        `conformance: ${name === 'badge' ? 'the badge' : `the report ${name}`}${file === undefined ? '' : `=${file}`} ${what}: ${systemCode(error)}\n`,
      )
    }
    const unwritten = (error: unknown) => lose('could not be written', error)
    const output = descriptor === undefined ? standardOutput(name, isStdoutTaken) : fileOutput(descriptor, unwritten)
    const create = name === 'badge' ? badgeOf(file) : reporters[name]
    const reporter = create?.(output, { verbosity, earlier, ...(mistakes === undefined ? {} : { mistakes }) }) ?? {}
    return {
      wantsExchanges: reporter.onExchanges !== undefined,
      call(call: (one: Reporter) => void) {
        try {
          call(reporter)
        } catch (error) {
          lose('failed', error)
        }
      },
      close() {
        try {
          if (descriptor !== undefined) closeSync(descriptor)
        } catch (error) {
          unwritten(error)
        }
      },
    }
  })
  return {
    wantsExchanges: guarded.some(({ wantsExchanges }) => wantsExchanges),
    each(call) {
      for (const reporter of guarded) reporter.call(call)
    },
    close() {
      for (const reporter of guarded.splice(0)) reporter.close()
      return isReported
    },
  }
}

function badgeOf(file: string | undefined): CreateReporter | undefined {
  return file?.endsWith('.svg') ? badges.svg : file?.endsWith('.json') ? badges.json : undefined
}

/**
 * Opens the files of the reporters, in their order; undefined for standard output. What the files hold is dropped once each is open:
 * a run that is refused for one of them leaves the reports of the run before.
 */
function openFiles(requested: readonly RequestedReporter[]): readonly (number | undefined)[] {
  const opened = requested.map(({ name, file, folder }) => {
    if (file === undefined) return undefined
    try {
      if (folder !== undefined) mkdirSync(folder.path, { recursive: true, mode: folder.mode })
      return openOutput(file, { append: isAddedTo(file) })
    } catch (error) {
      const option = folder !== undefined ? '--output-dir: ' : name === 'badge' ? '--badge ' : `--reporter ${name}=`
      throw new UsageError(`${option}${file}: cannot be written (${systemReason(error)})`)
    }
  })
  requested.forEach(({ file }, index) => {
    const descriptor = opened[index]
    if (file !== undefined && descriptor !== undefined && !isAddedTo(file)) emptyOutput(descriptor)
  })
  return opened
}

/** The summary of a GitHub job may hold what the job's own commands wrote before. */
function isAddedTo(file: string): boolean {
  return file === invocation().env['GITHUB_STEP_SUMMARY']
}

function fileOutput(descriptor: number, onError: (error: unknown) => void): Output {
  return {
    write: (text) => {
      try {
        const bytes = Buffer.from(text)
        for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
      } catch (error) {
        onError(error)
      }
    },
    isTerminal: false,
    colour: false,
  }
}

function standardOutput(name: RequestedReporter['name'], isStdoutTaken: boolean): Output {
  const stream = name === 'pretty' && isStdoutTaken ? rawStream('stderr') : rawStream('stdout')
  const isTerminal = stream.isTTY === true && name === 'pretty'
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    colour: isTerminal && (invocation().env['NO_COLOR'] ?? '') === '' && invocation().env['TERM'] !== 'dumb',
    ...(isTerminal && (stream.columns ?? 0) > 0 ? { columns: stream.columns } : {}),
  }
}
