import { createClock, type Clock } from './clock.js'
import type { Advance } from './advance.js'
import type { InFlightAttempt } from './attempts.js'
import type { Directory } from '../store/directory.js'

/** One workspace: its clock, its attempts in flight, and the one timer that gives it its turn. */
export interface WorkspaceQueue {
  readonly workspaceId: string
  readonly clock: Clock
  readonly inFlight: Set<InFlightAttempt>
  /** The advance under way; undefined in real time. */
  advance: Advance | undefined
  /** The workspace was dropped, or the server is closed: nothing is started or recorded any more. */
  readonly isEnded: boolean
  /** A turn soon: calls of one turn of the event loop are taken together. */
  wake(): void
  /** Requests a turn in `delayMs` of real time at the latest. An early one does no harm. */
  wakeIn(delayMs: number): void
  end(): void
}

/** The waiting work of a workspace. */
export interface DueSource {
  /** Instant of the earliest on the workspace's clock; Infinity when there is none. */
  nextDueAt(queue: WorkspaceQueue): number
  /** Starts all due work, each at its own time. */
  startDue(queue: WorkspaceQueue): void
}

/** The clocks and timers of all workspaces: when it is a workspace's turn, not the work itself. */
export type WorkspaceQueues = ReturnType<typeof createWorkspaceQueues>

const longestTimerMs = 2_147_483_647

export function createWorkspaceQueues(directory: Pick<Directory, 'workspace'>) {
  const queues = new Map<string, WorkspaceQueue>()
  let takeTurn: (queue: WorkspaceQueue) => void = () => undefined
  let isClosed = false

  function createQueue(workspaceId: string): WorkspaceQueue {
    let timer: NodeJS.Timeout | undefined
    let timerAt = Infinity
    let isWoken = false
    let isEnded = isClosed
    const queue: WorkspaceQueue = {
      workspaceId,
      clock: createClock(directory.workspace(workspaceId)?.clockOffsetMs ?? 0),
      inFlight: new Set(),
      advance: undefined,
      get isEnded() {
        return isEnded
      },
      wake() {
        if (isWoken) return
        isWoken = true
        setImmediate(() => {
          isWoken = false
          if (!isEnded) takeTurn(queue)
        })
      },
      wakeIn(delayMs) {
        if (isEnded || delayMs === Infinity) return
        const waitMs = Math.min(longestTimerMs, Math.max(0, delayMs))
        const at = Date.now() + waitMs
        if (timerAt <= at) return
        clearTimeout(timer)
        timerAt = at
        timer = setTimeout(() => {
          timerAt = Infinity
          takeTurn(queue)
        }, waitMs)
      },
      end() {
        isEnded = true
        clearTimeout(timer)
      },
    }
    return queue
  }

  function queueOf(workspaceId: string): WorkspaceQueue {
    let queue = queues.get(workspaceId)
    if (queue === undefined) queues.set(workspaceId, (queue = createQueue(workspaceId)))
    return queue
  }

  return {
    of: queueOf,
    /** Instant on the clock of a workspace. */
    now: (workspaceId: string): number => queueOf(workspaceId).clock.now(),
    /** How far the clock of a workspace is ahead of real time, in milliseconds. */
    offsetMs: (workspaceId: string): number => queueOf(workspaceId).clock.offsetMs,
    /** Gives a workspace its turn soon: something of it may be due. */
    wake: (workspaceId: string): void => queueOf(workspaceId).wake(),
    /** `turn` is the work of a workspace's turn. */
    onTurn(turn: (queue: WorkspaceQueue) => void): void {
      takeTurn = turn
    },
    /** Ends the turns of a workspace; undefined when it had none. */
    end(workspaceId: string): WorkspaceQueue | undefined {
      const queue = queues.get(workspaceId)
      queues.delete(workspaceId)
      queue?.end()
      return queue
    },
    /** Ends the turns of every workspace, and all later ones. */
    close(): readonly WorkspaceQueue[] {
      isClosed = true
      for (const queue of queues.values()) queue.end()
      return [...queues.values()]
    },
  }
}
