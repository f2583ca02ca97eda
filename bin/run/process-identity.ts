import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from '../cli/settings.js'

/**
 * Identifies the process that wrote a journal. A pid alone does not: it is reused, and in a container every run has pid 1. `place` is the
 * machine since its start, and the namespace of the pid; `started` is when the process began there.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly place: string
  /** In ticks since the start of the machine; undefined on systems without it. */
  readonly started: number | undefined
}

/** A journal is touched so often by the run that writes it, in milliseconds. */
export const beatEveryMs = 10_000
/** A journal untouched for this long belongs to no running process, without better evidence, in milliseconds. */
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
