import type { LoopWatch } from './loop-watch.js'

/** Tasks at the same time at the beginning. */
const firstWidth = 4
/** A recent stall above `late` lowers the number of lanes, one above `calm` keeps it from growing; in milliseconds. */
const stallMs = { calm: 120, late: 300 } as const
/** How far back is looked, in milliseconds. */
const lookBackMs = 1_500
/** Time between two changes, in milliseconds. */
const changeEveryMs = 150

export interface LanesOptions {
  readonly max: number
  /** As many as `max` from the beginning: the user wants it so. */
  readonly isFixed: boolean
  readonly watch: Pick<LoopWatch, 'longestSince'>
}

export interface Task {
  readonly run: () => Promise<void>
  /** The most tasks that may run while this one does, itself included. */
  readonly company: number
}

/**
 * Returns the task to start next, out of those for which `mayStart(company)` is true; undefined where none is ready. With nothing
 * running every task may start, and undefined ends the run.
 */
export type NextTask = (mayStart: (company: number) => boolean) => Task | undefined

/**
 * Runs tasks concurrently until there are no more: few at first, more as long as this process is on time, fewer where it is not.
 * The number doubles until the process was late once, and grows slowly from then on. Too many for a machine make our own answers
 * late, and nothing can be learnt from these.
 */
export async function runInLanes(next: NextTask, { max, isFixed, watch }: LanesOptions): Promise<void> {
  let width = isFixed ? max : Math.min(firstWidth, max)
  let changedAt = performance.now()
  let wasLate = false
  const running = new Set<Task>()
  const mayStart = (company: number): boolean => {
    const most = Math.min(width, company, ...[...running].map((task) => task.company))
    return running.size === 0 || running.size < most
  }
  await new Promise<void>((resolve, reject) => {
    const fill = (): void => {
      for (let task = next(mayStart); task !== undefined; task = next(mayStart)) start(task)
      if (running.size > 0) return
      clearInterval(timer)
      resolve()
    }
    const start = (task: Task): void => {
      running.add(task)
      task.run().then(
        () => {
          running.delete(task)
          fill()
        },
        (error: unknown) => {
          clearInterval(timer)
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    }
    const adapt = (): void => {
      const now = performance.now()
      const longestMs = watch.longestSince(Math.max(changedAt, now - lookBackMs))
      if (longestMs > stallMs.late) width = Math.max(Math.min(2, max), Math.floor(width / 2))
      else if (longestMs < stallMs.calm) width = Math.min(max, wasLate ? width + 2 : width * 2)
      if (longestMs > stallMs.late) {
        wasLate = true
        changedAt = now
      }
      fill()
    }
    const timer = isFixed ? undefined : setInterval(adapt, changeEveryMs)
    fill()
  })
}
