import { cpus, loadavg } from 'node:os'

/** Where and when: figures of two machines are not comparable, their ratios are, roughly. */
export interface Machine {
  readonly node: string
  readonly cpu: string
  readonly cores: number
  /** Load of the last minute, before and after: above the number of cores something else was running. */
  readonly load: readonly [number, number]
  readonly at: string
}

/** This machine now; `loadBefore` is the load of the last minute before anything was measured. */
export function machineSince(loadBefore: number): Machine {
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    load: [loadBefore, loadavg()[0] ?? 0],
    at: new Date().toISOString(),
  }
}
