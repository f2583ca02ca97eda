// The program in processes of its own, for tests of the pages that `serve` has.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { program } from './program.js'

/** What `serve --json` prints first. */
export interface Facts {
  readonly url: string
  readonly pageUrl?: string
  readonly page_url?: string
  readonly apiKey: string
  readonly secret: string
}

const started: ChildProcess[] = []

/** Starts `serve --json` and resolves to what it printed once it listens. */
export async function serve(args: readonly string[]): Promise<Facts> {
  const child = spawn(process.execPath, [program, 'serve', ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    // What it prints later is read, so that it never waits.
    child.stdout.resume()
    return JSON.parse(line) as Facts
  }
  throw new Error('serve printed nothing')
}

/** Starts `listen`, and resolves to its address and its page once it listens. */
export async function startListening(
  args: readonly string[],
): Promise<{ readonly url: string; readonly page: string }> {
  const child = spawn(process.execPath, [program, 'listen', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  let place = ''
  for await (const line of createInterface({ input: child.stdout })) {
    place = /^Listening on https:\/\/(\S+) /.exec(line)?.[1] ?? place
    const page = /^Page: (\S+)$/.exec(line)?.[1]
    if (page === undefined) continue
    child.stdout.resume()
    return { url: `http://${place}/`, page }
  }
  throw new Error('listen ended')
}

/** Ends the started programs. */
export async function endServing(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
}
