import { existsSync, statSync, watch } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Report } from '../../harness/index.js'
import type { Rerun, WatchRound } from './round.js'
import type { Settings } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { printError, writeError } from '../cli/output.js'
import { invocation } from '../cli/invocation.js'

/** Time without another change before the cases run again, in milliseconds: an editor writes in several steps. */
const settleMs = 200
/** Time between the end of a round and the prompt, in milliseconds: it separates changes of the round from later ones. */
const restMs = 50
/** How far a time stamp of a file may lag the clock, in milliseconds. */
const stampLagMs = 20

/** `--watch`, alone or with a file or folder; undefined where it was not given. */
export function watchedPath(
  settings: Pick<Settings, 'text' | 'path'>,
): { readonly path: string | undefined } | undefined {
  const text = settings.text('watch')
  if (text === undefined || ['false', '0', 'no', 'off'].includes(text.toLowerCase())) return undefined
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return { path: undefined }
  const path = resolve(settings.path('watch') ?? text)
  if (!existsSync(path)) throw new UsageError(`--watch ${text}: there is no such file or folder`)
  return { path }
}

/**
 * Runs, then reruns the failed cases whenever a file below `path` changes or Enter is pressed. Resolves to the last round when the input
 * ends, `q` is entered, or the run is interrupted.
 */
export async function watchRounds(options: {
  readonly path: string | undefined
  /** Files this process writes: their change starts nothing. */
  readonly written: readonly string[]
  readonly signal: AbortSignal
  readonly needsEveryCase: (ids: readonly string[]) => boolean
  readonly run: (again?: Rerun) => Promise<WatchRound>
}): Promise<WatchRound> {
  const { path, signal, run } = options
  const written = new Set(options.written.map((path) => resolve(path)))
  const wishes = listen(path, written, signal)
  try {
    let round = await run()
    for (;;) {
      if (signal.aborted) return round
      const failed = failedIds(round.report)
      await pause(restMs)
      wishes.ready()
      writeError(prompt(failed.length, path))
      const command = await wishes.next()
      if (command === 'quit') return round
      const isAll = command === 'all' || failed.length === 0 || options.needsEveryCase(failed)
      round = await run(isAll ? undefined : { caseIds: failed, earlier: round.report })
    }
  } finally {
    wishes.end()
  }
}

function failedIds(report: Report): string[] {
  return report.cases
    .filter((result) => result.status === 'failed' || result.status === 'errored')
    .map((result) => result.id)
}

function prompt(failed: number, path: string | undefined): string {
  const what = failed === 0 ? 'every case' : `the ${failed} that failed`
  const change = path === undefined ? '' : `A change of ${relative(process.cwd(), path) || 'this folder'} or `
  return `\n${change}Enter reruns ${what}; a and Enter: every case; q and Enter: end.\n`
}

type WatchCommand = 'again' | 'all' | 'quit'

interface Wishes {
  /** From here on a change counts: what a round changed is the target's own (a log, a database) or this run's. */
  ready(): void
  /** Returns the next command; inputs and changes during a round count as one, lines before changes. */
  next(): Promise<WatchCommand>
  end(): void
}

function listen(path: string | undefined, written: ReadonlySet<string>, signal: AbortSignal): Wishes {
  const queue: WatchCommand[] = []
  let wake: (() => void) | undefined
  const push = (command: WatchCommand) => {
    queue.push(command)
    wake?.()
  }
  const lines = createInterface({ input: invocation().stdin })
  lines.on('line', (line) => push(watchCommandOf(line)))
  lines.on('close', () => push('quit'))
  const onAbort = () => push('quit')
  signal.addEventListener('abort', onAbort)
  let readyAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const onChange = (file: string) => {
    if (written.has(file) || changedAt(file) < readyAt - stampLagMs) return
    clearTimeout(timer)
    timer = setTimeout(() => push('again'), settleMs)
  }
  const watcher = path === undefined ? undefined : watchFiles(path, onChange)
  return {
    ready() {
      readyAt = Date.now()
    },
    async next() {
      if (queue.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      wake = undefined
      readyAt = Number.POSITIVE_INFINITY
      return queue.shift() ?? 'quit'
    },
    end() {
      clearTimeout(timer)
      watcher?.close()
      lines.close()
      invocation().stdin.destroy()
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Calls `onChange` with each file that changes: the one at `path`, or those below it but for hidden ones and node_modules. */
function watchFiles(path: string, onChange: (file: string) => void): { close(): void } {
  // An editor may replace a file by another of the same name: so the folder is watched, not the file.
  const isFile = statSync(path).isFile()
  const folder = isFile ? dirname(path) : path
  const watcher = watch(folder, { recursive: !isFile }, (_, name) => {
    if (name === null || (isFile ? name !== basename(path) : /(^|[/\\])(\.|node_modules)/.test(name))) return
    onChange(join(folder, name))
  })
  watcher.on('error', (error) => printError(`--watch ${path}: ${error.message}`))
  return watcher
}

/** When a file changed, in milliseconds since the epoch; one that is gone changed now. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
}

function watchCommandOf(line: string): WatchCommand {
  const word = line.trim().toLowerCase()
  return word === 'q' ? 'quit' : word === 'a' ? 'all' : 'again'
}
