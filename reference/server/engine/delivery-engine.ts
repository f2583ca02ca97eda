import { nextMove } from './advance.js'
import { asError, type Attempts } from './attempts.js'
import type { DueSource, WorkspaceQueue, WorkspaceQueues } from './queues.js'
import type { Directory } from '../store/directory.js'
import type { Policy } from '../policy.js'

/** Makes due attempts in each workspace, on its clock. */
export type DeliveryEngine = ReturnType<typeof createDeliveryEngine>

/** How long to wait when the store fails, on a full disk for instance, before the next try. */
const storageRetryMs = 1000

export function createDeliveryEngine(options: {
  policy: Pick<Policy, 'advanceGraceMs'>
  directory: Pick<Directory, 'saveClock'>
  queues: WorkspaceQueues
  attempts: Attempts
  /** Other due work; it may create deliveries that are due at once. */
  sources: readonly DueSource[]
}) {
  const { policy, directory, queues, attempts } = options
  const sources = [...options.sources, attempts]

  /** The one motor, of real and of virtual time: makes due attempts, then waits for the next instant or moves to it. */
  function turn(queue: WorkspaceQueue): void {
    try {
      for (;;) {
        // One instant for both: an attempt whose time ended between them would count as cut off, and never be.
        const realNowMs = Date.now()
        attempts.expire(queue, realNowMs + queue.clock.offsetMs)
        for (const source of sources) source.startDue(queue)
        const move = nextMove({
          realNowMs,
          offsetMs: queue.clock.offsetMs,
          nextDueAt: Math.min(...sources.map((source) => source.nextDueAt(queue))),
          inFlight: queue.inFlight,
          advance: queue.advance,
          graceMs: policy.advanceGraceMs,
        })
        if (move.kind === 'move') {
          queue.clock.raiseOffset(move.offsetMs)
          if (queue.advance !== undefined) queue.advance.movedTo = move.toMs
        } else {
          if (move.kind === 'arrived') arrive(queue)
          return queue.wakeIn(move.waitMs)
        }
      }
    } catch (error) {
      if (queue.advance === undefined) process.emitWarning(asError(error))
      else giveUp(queue, error)
      queue.wakeIn(storageRetryMs)
    }
  }

  function arrive(queue: WorkspaceQueue): void {
    directory.saveClock(queue.workspaceId, queue.clock.offsetMs)
    const waiters = queue.advance?.waiters ?? []
    queue.advance = undefined
    for (const { resolve } of waiters) resolve()
  }

  /** The advance ends where it is: the store failed. */
  function giveUp(queue: WorkspaceQueue, error: unknown): void {
    const waiters = queue.advance?.waiters ?? []
    queue.advance = undefined
    for (const { reject } of waiters) reject(error)
  }

  /** Aborts attempts in flight in a workspace that has no other turn. */
  function cutOff(queue: WorkspaceQueue): readonly Promise<void>[] {
    const ended = [...queue.inFlight].map((attempt) => attempt.ended)
    attempts.abort(queue)
    for (const { resolve } of queue.advance?.waiters ?? []) resolve()
    return ended
  }

  queues.onTurn(turn)

  return {
    /** Advances the clock of a workspace; answers its new instant once every attempt due by then has ended. */
    async advance(workspaceId: string, byMs: number): Promise<number> {
      const queue = queues.of(workspaceId)
      const { clock } = queue
      if (queue.isEnded) return clock.now()
      const advance = (queue.advance ??= {
        targetOffsetMs: clock.offsetMs,
        sinceRealMs: 0,
        movedTo: clock.now(),
        waiters: [],
      })
      advance.targetOffsetMs += byMs
      advance.sinceRealMs = Date.now()
      await new Promise<void>((resolve, reject) => {
        advance.waiters.push({ resolve, reject })
        queue.wake()
      })
      return clock.now()
    },
    /** Forgets a workspace; its attempts in flight are cut off. */
    drop(workspaceId: string): void {
      const queue = queues.end(workspaceId)
      if (queue !== undefined) void Promise.all(cutOff(queue))
    },
    /** Aborts attempts in flight; they are repeated after a restart. */
    async close(): Promise<void> {
      await Promise.all(queues.close().flatMap(cutOff))
    },
  }
}
