import { openSync, closeSync, writeSync, writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { loadSchema } from '../fixtures/index.js'
import type { Case } from '../harness/case.js'
import { validateFile } from '../harness/config/validate.js'
import { parseText } from '../harness/config/document.js'
import { createKnownFailures, type KnownFailure, type KnownFailures } from '../harness/known-failures.js'
import { reporters, type Output, type Reporter, type ReporterName } from '../harness/reporters/index.js'
import type { Report } from '../harness/result.js'
import { runSuite } from '../harness/run.js'
import { selectCases, type Selection } from '../harness/select.js'
import type { Subject } from '../harness/subject.js'
import { tool } from './package.js'
import { printPlan } from './plan.js'
import { readFile, type Settings } from './settings.js'
import { exitCodes, UsageError, wholeNumber } from './usage.js'

export interface SessionOptions<Context> {
  readonly settings: Settings
  readonly catalogue: readonly Case<Context>[]
  /** Connects to the target; called only when the arguments make sense. */
  readonly connect: () => Promise<Subject<Context>>
  /** The command line that reaches the same target, without secrets. */
  readonly again: string
  /** What stands at the end of that command line. */
  readonly after?: string
  /** What a run of this kind sends, for the plan. */
  readonly sends: string
}

/** Runs the selected cases, reports, and resolves to the exit code. */
export async function runSession<Context>({
  settings,
  catalogue,
  connect,
  again,
  after,
  sends,
}: SessionOptions<Context>): Promise<number> {
  const selection = selectionOf(settings)
  const cases = selectCases(catalogue, selection)
  const seed = seedOf(settings)
  const limits = {
    ...number(settings, 'runs', 1),
    ...number(settings, 'concurrency', 1),
    ...timeout(settings),
  }
  const known = knownFailuresOf(settings)
  const sheets = openReporters(settings)
  const interrupt = new AbortController()
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.noVerdict)
    interrupt.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  let subject: Subject<Context> | undefined
  try {
    subject = await connect()
    const connected = subject
    if (settings.isOn('dry-run')) {
      printPlan(cases, connected, sends)
      return exitCodes.conformant
    }
    sheets.each((reporter) =>
      reporter.onRunStart?.({
        subject: { kind: connected.kind, name: connected.secrets.redact(connected.name) },
        cases: cases.length,
        seed,
      }),
    )
    const report = await runSuite(catalogue, connected, {
      ...limits,
      seed,
      selection,
      tool: tool(),
      bail: settings.isOn('bail'),
      knownFailures: known.list,
      signal: interrupt.signal,
      reproduce: (caseId) => [reproduction(again, caseId, seed), ...(after === undefined ? [] : [after])].join(' '),
      onCaseEnd: (result) => sheets.each((reporter) => reporter.onCaseEnd?.(result)),
    })
    sheets.each((reporter) => reporter.onRunEnd?.(report))
    const complaints = known.list.complaints(report.cases, new Set(catalogue.map((each) => each.id)))
    for (const complaint of complaints) process.stderr.write(`conformance: ${complaint}\n`)
    writeKnownFailures(settings, report)
    return exitCodeOf(report, {
      isStrict: settings.isOn('strict'),
      hasComplaints: complaints.length > 0,
      isReported: sheets.close(),
    })
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await subject?.close()
  }
}

/** Exit codes of contract section 1. */
export function exitCodeOf(
  report: Report,
  { isStrict, hasComplaints, isReported }: { isStrict: boolean; hasComplaints: boolean; isReported: boolean },
): number {
  if (!isReported) return exitCodes.usage
  if (report.verdict === 'none') return exitCodes.noVerdict
  const isBad = report.verdict === 'nonconformant' || hasComplaints || (isStrict && report.verdict !== 'conformant')
  return isBad ? exitCodes.nonconformant : exitCodes.conformant
}

function reproduction(again: string, caseId: string, seed: number): string {
  const needed = caseId.includes('/always/') ? '' : ` --case ${caseId}`
  return `${again}${needed} --seed ${seed}`
}

function selectionOf(settings: Settings): Selection {
  const level = settings.text('level')
  if (level !== undefined && level !== 'must' && level !== 'should')
    throw new UsageError(`--level ${level}: expected must or should`)
  const shard = settings.text('shard')
  const match = shard === undefined ? undefined : /^([1-9]\d*)\/([1-9]\d*)$/.exec(shard)
  if (match === null || (match !== undefined && Number(match[1]) > Number(match[2])))
    throw new UsageError(`--shard ${shard}: expected i/n with i from 1 to n, such as 2/4`)
  return {
    suites: settings.list('suite'),
    cases: settings.list('case'),
    ...(level === undefined ? {} : { level }),
    ...(match === undefined ? {} : { shard: { index: Number(match[1]), count: Number(match[2]) } }),
  }
}

function seedOf(settings: Settings): number {
  const text = settings.text('seed')
  return text === undefined
    ? Math.floor(Math.random() * 0x7fffffff)
    : wholeNumber('--seed', text, -0x80000000, 0xffffffff)
}

function number<Name extends string>(settings: Settings, name: Name, min: number): { readonly [key in Name]?: number } {
  const text = settings.text(name)
  return (text === undefined ? {} : { [name]: wholeNumber(`--${name}`, text, min) }) as {
    readonly [key in Name]?: number
  }
}

function timeout(settings: Settings): { readonly timeoutMs?: number } {
  const text = settings.text('timeout')
  return text === undefined ? {} : { timeoutMs: wholeNumber('--timeout', text, 1) }
}

const openReason = 'TODO: say why'

function knownFailuresOf(settings: Settings): { list: KnownFailures } {
  const path = settings.text('known-failures')
  const today = new Date().toISOString().slice(0, 10)
  if (path === undefined) return { list: createKnownFailures([], today) }
  const entries = parseText(path, readFile('--known-failures', path)) ?? []
  validateFile(path, entries, loadSchema('known-failures'))
  const list = entries as readonly KnownFailure[]
  const open = list.find((entry) => entry.reason === openReason)
  if (open !== undefined) throw new UsageError(`${path}: the reason of ${open.case} is left open: say why it fails`)
  return { list: createKnownFailures(list, today) }
}

function writeKnownFailures(settings: Settings, report: Report): void {
  const path = settings.text('write-known-failures')
  if (path === undefined) return
  const entries = report.cases
    .filter((each) => each.status === 'failed')
    .map((each) => ({ case: each.id, reason: openReason }))
  writeFileSync(path, entries.length === 0 ? '[]\n' : stringify(entries))
}

/** The reporters of a run, each guarded: one that throws does not stop the others. */
export interface Sheets {
  each(call: (reporter: Reporter) => void): void
  /** Ends the files; false when a report could not be written. */
  close(): boolean
}

/** Opens the reporters the user asked for. Throws `UsageError` for an unknown name or a file that cannot be written. */
export function openReporters(settings: Pick<Settings, 'list' | 'isOn'>): Sheets {
  const verbosity = settings.isOn('quiet') ? 'quiet' : settings.isOn('verbose') ? 'verbose' : 'normal'
  const asked = settings.list('reporter').map((text) => {
    const [name = '', ...file] = text.split('=')
    if (!(name in reporters))
      throw new UsageError(`--reporter ${name}: expected one of ${Object.keys(reporters).join(', ')}`)
    return {
      name: name as ReporterName,
      file: file.length === 0 || file.join('=') === '-' ? undefined : file.join('='),
    }
  })
  const usesStdout = asked.some((each) => each.file === undefined && each.name !== 'pretty')
  if (!asked.some((each) => each.name === 'pretty')) asked.unshift({ name: 'pretty', file: undefined })
  let isReported = true
  const descriptors: number[] = []
  const list = asked.map(({ name, file }) => {
    const output = outputOf(name, file, usesStdout, descriptors, (error) => {
      isReported = false
      process.stderr.write(
        `conformance: the report ${name}${file === undefined ? '' : `=${file}`} could not be written: ${error}\n`,
      )
    })
    return { name, reporter: reporters[name](output, { verbosity }) }
  })
  return {
    each(call) {
      for (const { name, reporter } of list)
        try {
          call(reporter)
        } catch (error) {
          isReported = false
          process.stderr.write(
            `conformance: the reporter ${name} failed: ${error instanceof Error ? error.message : String(error)}\n`,
          )
        }
    },
    close() {
      for (const descriptor of descriptors) closeSync(descriptor)
      return isReported
    },
  }
}

function outputOf(
  name: ReporterName,
  file: string | undefined,
  usesStdout: boolean,
  descriptors: number[],
  onError: (error: string) => void,
): Output {
  if (file !== undefined) {
    let descriptor: number
    try {
      descriptor = openSync(file, 'w')
    } catch (error) {
      throw new UsageError(
        `--reporter ${name}=${file}: cannot be written (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`,
      )
    }
    descriptors.push(descriptor)
    const write = (text: string) => {
      try {
        writeSync(descriptor, text)
      } catch (error) {
        onError(error instanceof Error ? error.message : String(error))
      }
    }
    return { write, isTerminal: false, colour: false }
  }
  const stream = name === 'pretty' && usesStdout ? process.stderr : process.stdout
  const isTerminal = stream.isTTY === true && name === 'pretty'
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    colour: isTerminal && (process.env['NO_COLOR'] ?? '') === '',
  }
}
