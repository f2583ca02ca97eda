import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Belonging, Journal } from '../harness/service/belongings.js'
import { memberOf } from '../harness/wire/exchange.js'
import { systemCode } from './settings.js'
import { UsageError } from './usage.js'

/** Where journals are kept when the user names none. */
export const journalFolder = join(tmpdir(), 'conformance-journals')

/** The journal of one run, as read from its file. */
export interface JournalContent {
  readonly path: string
  readonly baseUrl: string
  readonly pid: number
  /** When the run began and when it last wrote, in milliseconds since the epoch. */
  readonly beganAt: number
  readonly wroteAt: number
  /** What was made and not removed. */
  readonly left: readonly Belonging[]
}

export interface JournalFile extends Journal {
  /** Removes the file if nothing is left on the target; else says how to remove it. */
  end(): void
}

/** A journal that is written line by line, so that a kill loses nothing. It holds ids, and no secret. */
export function openJournal(path: string | undefined, baseUrl: string): JournalFile {
  const file = path ?? join(journalFolder, `${Date.now()}-${process.pid}.jsonl`)
  const left = new Set<string>()
  let isBegun = false
  const write = (line: object) => {
    try {
      if (!isBegun) mkdirSync(dirname(file), { recursive: true })
      isBegun = true
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch (error) {
      throw new UsageError(`--journal ${file}: cannot be written (${systemCode(error)})`)
    }
  }
  const end = () => {
    if (!isBegun) return
    if (left.size === 0 && readJournal(file).left.length === 0) rmSync(file, { force: true })
    else process.stderr.write(`conformance: left on the target: ${left.size}; conformance cleanup --journal ${file}\n`)
    isBegun = false
  }
  write({ journal: 1, base_url: baseUrl, pid: process.pid, began_at: Date.now() })
  process.once('exit', end)
  return {
    made: (thing) => {
      left.add(`${thing.kind} ${thing.id}`)
      write({ made: thing })
    },
    removed: (thing) => {
      left.delete(`${thing.kind} ${thing.id}`)
      write({ removed: thing })
    },
    end,
  }
}

/** The journals of runs on this target that are over; `path` alone where it is given. */
export function journalsOf(baseUrl: string, path: string | undefined): JournalContent[] {
  if (path !== undefined) return [readJournal(path)]
  if (!existsSync(journalFolder)) return []
  return readdirSync(journalFolder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readJournal(join(journalFolder, name)))
    .filter((each) => each.baseUrl === baseUrl && !isAlive(each.pid))
}

function readJournal(path: string): JournalContent {
  let lines: string[]
  try {
    lines = readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    throw new UsageError(`--journal ${path}: cannot be read (${systemCode(error)})`)
  }
  const left = new Map<string, Belonging>()
  let [baseUrl, pid, beganAt] = ['', 0, Number.POSITIVE_INFINITY]
  for (const line of lines) {
    const entry = parsed(line)
    if (memberOf(entry, 'journal') === 1) {
      baseUrl = String(memberOf(entry, 'base_url'))
      pid = Number(memberOf(entry, 'pid'))
      beganAt = Math.min(beganAt, Number(memberOf(entry, 'began_at')))
    }
    const made = memberOf(entry, 'made') as Belonging | undefined
    const removed = memberOf(entry, 'removed') as Belonging | undefined
    if (made !== undefined) left.set(`${made.kind} ${made.id}`, made)
    if (removed !== undefined) left.delete(`${removed.kind} ${removed.id}`)
  }
  if (baseUrl === '') throw new UsageError(`--journal ${path}: this is no journal of a run`)
  return { path, baseUrl, pid, beganAt, wroteAt: statSync(path).mtimeMs, left: [...left.values()] }
}

/** A line that a kill cut short says nothing. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
