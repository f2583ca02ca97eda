import { fork, type ChildProcess } from 'node:child_process'
import type { Reply, Request, Task, TaskResult } from './worker.js'

/** Processes that share the trials, so that every core is used and a reference that blocks holds up one of them only. */
export interface Pool {
  /** Runs a task; `make` is called at its turn. `share` is the part of a process it needs, up to 1. */
  run(make: () => Task, share: number): Promise<TaskResult>
  /** How many tasks were given, and how many of them have ended. */
  readonly progress: { readonly given: number; readonly ended: number }
  close(): void
}

interface Member {
  readonly child: ChildProcess
  free: number
}

interface Waiting {
  readonly make: () => Task
  readonly share: number
  readonly resolve: (result: TaskResult) => void
  readonly reject: (error: Error) => void
}

export function createPool(size: number): Pool {
  let queue: readonly Waiting[] = []
  const underWay = new Map<number, Waiting & { readonly member: Member }>()
  let count = 0
  let given = 0
  const members = Array.from({ length: size }, (): Member => {
    const child = fork(new URL('./worker.js', import.meta.url), { execArgv: ['--no-warnings'] })
    const member = { child, free: 1 }
    child.on('message', (reply: Reply) => {
      const done = underWay.get(reply.number)
      if (done === undefined) return
      underWay.delete(reply.number)
      member.free += done.share
      if ('result' in reply) done.resolve(reply.result)
      else done.reject(new Error(reply.error))
      next()
    })
    // A message to a process that ended meanwhile: the exit event handles it.
    child.on('error', () => undefined)
    child.on('exit', (code) => {
      member.free = Number.NEGATIVE_INFINITY
      for (const [number, task] of underWay) {
        if (task.member !== member) continue
        underWay.delete(number)
        task.reject(new Error(`a process of the selftest ended with ${code}`))
      }
      if (members.some((member) => member.free >= 0)) return next()
      for (const waiting of queue) waiting.reject(new Error('no process of the selftest is left'))
      queue = []
    })
    return member
  })

  function next(): void {
    queue = queue.filter((waiting) => !begin(waiting))
  }

  /** Gives a task to the process with the most room; false when none has enough. */
  function begin(waiting: Waiting): boolean {
    const [member] = members.toSorted((one, other) => other.free - one.free)
    if (member === undefined || member.free < waiting.share - 1e-9) return false
    const number = count++
    member.free -= waiting.share
    underWay.set(number, { ...waiting, member })
    member.child.send({ number, task: waiting.make() } satisfies Request)
    return true
  }

  return {
    get progress() {
      return { given, ended: given - queue.length - underWay.size }
    },
    run: (make, share) =>
      new Promise((resolve, reject) => {
        given++
        queue = [...queue, { make, share, resolve, reject }]
        next()
      }),
    close() {
      for (const { child } of members) if (child.connected) child.disconnect()
    },
  }
}
