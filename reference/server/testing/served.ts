import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReferenceServer } from '../index.js'

/** What `conformance serve --json` prints. */
export type Facts = Omit<ReferenceServer, 'close'>

export interface Served extends Facts {
  readonly process: ChildProcess
  /** Ends the process with a signal and waits for its end; the exit code, or null after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const program = resolve(import.meta.dirname, '../../../bin/conformance.js')

/** Starts `conformance serve` as a process of its own. Errors: `Error` with what it wrote when it ends before it serves. */
export async function serveProcess(
  flags: readonly string[],
  { wrap = [] }: { readonly wrap?: readonly string[] } = {},
): Promise<Served> {
  const words = [...wrap, process.execPath, program, 'serve', '--json', ...flags]
  const child = spawn(words[0] ?? '', words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  const lines = createInterface(child.stdout)
  const first = await Promise.race([once(lines, 'line') as Promise<[string]>, once(lines, 'close')])
  if (typeof first[0] !== 'string') {
    const [code] = await ended
    throw new Error(`serve ended with ${code}: ${stderr}`)
  }
  return {
    ...(JSON.parse(first[0]) as Facts),
    process: child,
    async end(signal) {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
