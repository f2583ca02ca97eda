// The built command as a person runs it: a process of its own in a folder of its own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'

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
