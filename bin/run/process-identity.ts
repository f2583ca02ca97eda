import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from '../cli/settings.js'

/**
 * Which process wrote a journal. A pid alone does not say: it is given again, and in a container every run has pid 1.
 * `place` is the machine since its start, and the namespace the pid counts in; `started` is when the process began there.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly place: string
  /** In ticks since the start of the machine; undefined where the system does not tell. */
  readonly started: number | undefined
}

/** A journal is touched so often by the run that writes it, in milliseconds. */
export const beatEveryMs = 10_000
/** A journal that was not touched for so long belongs to no run any more, where nothing better tells, in milliseconds. */
const silentMs = 90_000

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, place: place(), started: startOf('self') }
}

/** Whether the process is still there; `beatAt` is when its journal was touched last, in milliseconds since the epoch. */
export function isAlive({ pid, place: itsPlace, started }: ProcessIdentity, beatAt: number): boolean {
  const isFresh = Date.now() - beatAt < silentMs
  if (itsPlace !== place()) return isFresh
  if (started !== undefined && existsSync('/proc/self/stat')) return startOf(String(pid)) === started
  return isFresh && exists(pid)
}

function place(): string {
  return [hostname(), textOf('/proc/sys/kernel/random/boot_id'), linkOf('/proc/self/ns/pid')].join(' ').trim()
}

/** Field 22 of `/proc/<pid>/stat`; the second field is the program's name, which may hold anything. */
function startOf(pid: string): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  const started = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  return stat === '' || !Number.isFinite(started) ? undefined : started
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
