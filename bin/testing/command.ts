// The built command, as a person runs it in a process of its own, and called in this process.
import { execFile } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { withReports, type Written } from '../../harness/testing/hostile/command.js'
import type { OutputStream } from '../cli/invocation.js'
import type { conformance as Conformance } from '../program.js'

export const program = join(import.meta.dirname, '../conformance.js')

export interface Ended {
  /** -1 where a signal ended it. */
  readonly code: number
  readonly out: string
  readonly err: string
}

type Environment = Readonly<Record<string, string>>

/** Runs a program in a folder, with additions to the environment; its standard input is empty. */
export function executed(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Environment },
): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      file,
      args,
      { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) =>
        done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    )
    child.stdin?.end()
  })
}

/** The command in `folder`, to be called with its arguments and with what a call adds to the environment. */
export function commandIn(folder: string, environment: Environment = {}) {
  return (args: readonly string[], env: Environment = {}): Promise<Ended> =>
    executed(process.execPath, [program, ...args], { cwd: folder, env: { ...environment, ...env } })
}

const built = '../../dist/bin/program.js'

/** A call of the command that has not ended yet. */
export interface Call {
  readonly ended: Promise<Ended>
  readonly signal: (name: NodeJS.Signals) => void
}

/** Calls the command in this process; `onText` gets the whole text of a stream whenever that grows. */
function call(
  args: readonly string[],
  env: Environment,
  onText: (text: string, signal: Call['signal']) => unknown = () => {},
): Call {
  const signals = new EventEmitter()
  const signal: Call['signal'] = (name) => void signals.emit(name)
  const [out, err] = [collector((text) => onText(text, signal)), collector((text) => onText(text, signal))]
  const run = async (): Promise<Ended> => {
    const { conformance } = (await import(built)) as { conformance: typeof Conformance }
    const code = await conformance({
      args,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdin: Readable.from([]),
      stdout: out.stream,
      stderr: err.stream,
      signals,
      ownsProcess: false,
    })
    return { code, out: out.text(), err: err.text() }
  }
  return { ended: run(), signal }
}

/**
 * The same command, called in this process: without a start of Node, the exit code of a process, and the signals of the system. The working
 * directory of this process becomes `folder`: a test file has one. Output that matches `until` is answered with SIGTERM.
 */
export function commandHere(folder: string, environment: Environment = {}) {
  process.chdir(folder)
  return (
    args: readonly string[],
    env: Environment = {},
    { until }: { readonly until?: RegExp } = {},
  ): Promise<Ended> =>
    call(args, { ...environment, ...env }, (text, signal) => until?.test(text) === true && signal('SIGTERM')).ended
}

/** Starts the command in this process, whose working directory becomes `folder`; `onText` gets the whole text of a stream whenever that grows. */
export function startHere(folder: string, args: readonly string[], onText: (text: string) => unknown): Call {
  process.chdir(folder)
  return call(args, {}, onText)
}

/** How a command that judges ended, and what it wrote. */
export type Judged = Ended & Written

/** {@link commandHere} in an empty folder, with what each call wrote: its reports too. */
export function judgeHere(environment: Environment = {}) {
  const run = commandHere(mkdtempSync(join(tmpdir(), 'judge-')), environment)
  return (
    args: readonly string[],
    { env, reporters }: { readonly env?: Environment; readonly reporters?: readonly string[] } = {},
  ): Promise<Judged> => withReports(args, reporters, (all) => run(all, env))
}

function collector(onText: (text: string) => unknown): { readonly stream: OutputStream; readonly text: () => string } {
  const chunks: Buffer[] = []
  const text = () => Buffer.concat(chunks).toString('utf8')
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      onText(text())
      done()
    },
  })
  return { stream, text }
}
