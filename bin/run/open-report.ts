import { spawn } from 'node:child_process'
import { isTerminal } from '../cli/standard-output.js'
import { invocation } from '../cli/invocation.js'

/** The program that opens a file in the user's browser, and its arguments before the file, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

/** Whether a person watches: a terminal, and no CI system. */
export function isWatched(): boolean {
  return isTerminal() && (invocation().env['CI'] ?? '') === ''
}

/** Opens the report in the browser. Resolves to why not; undefined once the opener was started. */
export function openReport(
  file: string,
  { platform, isByPerson }: { readonly platform: NodeJS.Platform; readonly isByPerson: boolean },
): Promise<string | undefined> {
  if (!isByPerson) return Promise.resolve('a browser is opened only from a terminal, and not in CI')
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  return new Promise((done) => {
    const child = spawn(program, [...args, file], { detached: true, stdio: 'ignore' })
    child.once('error', (error: NodeJS.ErrnoException) =>
      done(`${program} cannot be started (${error.code}); open the file yourself`),
    )
    child.once('spawn', () => {
      child.unref()
      done(undefined)
    })
  })
}
