import { makeAttempt } from './attempt.js'
import { createClock, type Clock } from './clock.js'
import type { DeliveryStore, DueDelivery } from './delivery-store.js'
import type { Directory } from './directory.js'
import type { Egress } from './egress.js'
import type { EventStore } from './event-store.js'
import type { AttemptOutcome, DeliveryStatus, Policy } from './policy.js'
import { serializer } from './policy/members.js'
import type { WebhookStore } from './webhook-store.js'

/** An attempt that was started and has not ended. Instants are on the workspace's clock unless the name says real. */
interface Flight {
  readonly due: DueDelivery
  readonly startedAt: number
  readonly startedRealMs: number
  readonly deadline: number
  readonly controller: AbortController
  timer: NodeJS.Timeout | undefined
  done: Promise<void>
}

/** One workspace: its clock, its attempts in flight, and whoever waits for an advance. */
interface Lane {
  readonly workspaceId: string
  readonly clock: Clock
  readonly flights: Set<Flight>
  timer: NodeJS.Timeout | undefined
  timerAt: number
  isWoken: boolean
  isAdvancing: boolean
  isDropped: boolean
  /** Where the clock was last moved to: what is due there or before is made at that instant, not some moments later. */
  movedTo: number
  targetOffsetMs: number
  advancedRealMs: number
  waiters: { resolve(): void; reject(reason: unknown): void }[]
  notify: () => void
}

/** Emails that wait for their time, as the engine sees them. */
export interface ScheduledEmails {
  nextDueAt(workspaceId: string): number | undefined
  /** Sends every email due by `atMs`, each at its own time. */
  release(workspaceId: string, atMs: number): void
}

/** Makes the attempts that are due, on each workspace's clock. */
export type DeliveryEngine = ReturnType<typeof createDeliveryEngine>

const longestTimerMs = 2_147_483_647

/** How long to wait with what could not be written, a full disk for instance, before it is tried again. */
const storageRetryMs = 1000

export function createDeliveryEngine(options: {
  policy: Policy
  directory: Directory
  deliveries: DeliveryStore
  webhooks: WebhookStore
  events: EventStore
  egress: Egress
}) {
  const { policy, directory, deliveries, webhooks, events, egress } = options
  const lanes = new Map<string, Lane>()
  const bodyOf = serializer(policy.bodyMembers)
  let emails: ScheduledEmails | undefined
  let isClosed = false

  function laneOf(workspaceId: string): Lane {
    let lane = lanes.get(workspaceId)
    if (lane === undefined) {
      const clock = createClock(directory.workspace(workspaceId)?.clockOffsetMs ?? 0)
      lane = {
        workspaceId,
        clock,
        flights: new Set(),
        timer: undefined,
        timerAt: Infinity,
        isWoken: false,
        isAdvancing: false,
        isDropped: false,
        movedTo: 0,
        targetOffsetMs: clock.offsetMs,
        advancedRealMs: 0,
        waiters: [],
        notify: () => undefined,
      }
      lanes.set(workspaceId, lane)
    }
    return lane
  }

  function nextDueAt(lane: Lane): number {
    return Math.min(deliveries.nextDueAt(lane.workspaceId) ?? Infinity, emails?.nextDueAt(lane.workspaceId) ?? Infinity)
  }

  function startDue(lane: Lane): void {
    if (isClosed || lane.isDropped) return
    const now = lane.clock.now()
    emails?.release(lane.workspaceId, now)
    for (const due of deliveries.claim(lane.workspaceId, lane.clock.now(), policy.maxInFlight - lane.flights.size)) {
      const at = lane.isAdvancing ? Math.min(lane.clock.now(), Math.max(due.dueAt, lane.movedTo)) : lane.clock.now()
      start(lane, due, at)
    }
  }

  function start(lane: Lane, due: DueDelivery, attemptAt: number): void {
    const controller = new AbortController()
    const flight: Flight = {
      due,
      startedAt: attemptAt,
      startedRealMs: Date.now(),
      deadline: attemptAt + policy.answerTimeMs,
      controller,
      timer: undefined,
      done: Promise.resolve(),
    }
    lane.flights.add(flight)
    armDeadline(lane, flight)
    flight.done = attempt(flight).then((outcome) => finish(lane, flight, outcome))
  }

  async function attempt(flight: Flight): Promise<AttemptOutcome> {
    const { due, startedAt, controller } = flight
    const webhook = webhooks.get(due.webhookId)
    const event = events.get(due.eventId)
    if (webhook === undefined || event === undefined) return { kind: 'connection', error: 'gone' }
    return makeAttempt({
      due,
      url: webhook.url,
      secret: webhooks.signingSecret(webhook),
      body: bodyOf(event),
      attemptAt: startedAt,
      signal: controller.signal,
      policy,
      egress,
    })
  }

  function finish(lane: Lane, flight: Flight, outcome: AttemptOutcome): void {
    clearTimeout(flight.timer)
    if (isClosed || lane.isDropped) {
      lane.flights.delete(flight)
      return
    }
    const endedAt = outcome.kind === 'timeout' ? flight.deadline : Math.min(lane.clock.now(), flight.deadline)
    keepResult(lane, flight, outcome, endedAt)
  }

  /** Until the result is kept, the attempt counts as in flight. */
  function keepResult(lane: Lane, flight: Flight, outcome: AttemptOutcome, endedAt: number): void {
    let nextAttemptAt: number | null
    try {
      nextAttemptAt = recordResult(flight, outcome, endedAt)
    } catch (error) {
      process.emitWarning(asError(error))
      flight.timer = setTimeout(() => keepResult(lane, flight, outcome, endedAt), storageRetryMs)
      return
    }
    const wasFull = lane.flights.size >= policy.maxInFlight
    lane.flights.delete(flight)
    if (lane.isAdvancing) lane.notify()
    else if (wasFull) wake(lane.workspaceId)
    else if (nextAttemptAt !== null) armTimer(lane, nextAttemptAt)
  }

  function recordResult(flight: Flight, outcome: AttemptOutcome, endedAt: number): number | null {
    const { due } = flight
    const { status, nextAttemptAt } = following(flight, outcome, endedAt)
    if (status === 'failed' && policy.failureDisables) webhooks.disable(due.webhookId)
    deliveries.record({
      id: due.id,
      status,
      attempt: due.attempt + 1,
      responseCode: outcome.kind === 'answer' ? outcome.status : null,
      snippet: outcome.kind === 'answer' ? outcome.snippet : null,
      error: policy.attemptError(outcome),
      firstAttemptAt: due.firstAttemptAt ?? flight.startedAt,
      nextAttemptAt,
    })
    return nextAttemptAt
  }

  /** State after an attempt. */
  function following(
    flight: Flight,
    outcome: AttemptOutcome,
    endedAt: number,
  ): { status: DeliveryStatus; nextAttemptAt: number | null } {
    const { due } = flight
    const attempts = due.attempt + 1
    const isSuccess = outcome.kind === 'answer' && policy.isSuccess(outcome.status, attempts, outcome.snippet)
    if (isSuccess && policy.successEnds) return { status: 'succeeded', nextAttemptAt: null }
    if (outcome.kind === 'blocked' && !policy.isRetried(outcome)) {
      return { status: policy.blockedStatus, nextAttemptAt: null }
    }
    const delayMs = policy.retryDelaysMs[attempts]
    if (delayMs === undefined || !policy.isRetried(outcome) || (due.isReplay && !policy.replayRetries)) {
      return { status: isSuccess ? 'succeeded' : policy.exhaustedStatus, nextAttemptAt: null }
    }
    if (webhooks.get(due.webhookId)?.isDeleted !== false && policy.deleteStopsInFlight) {
      return { status: policy.deletedPendingStatus, nextAttemptAt: null }
    }
    const askedMs = policy.obeysRetryAfter && outcome.kind === 'answer' ? outcome.retryAfterMs : undefined
    const origins = { 'attempt-end': endedAt, 'attempt-start': flight.startedAt, event: due.createdAt }
    return {
      status: isSuccess ? 'succeeded' : policy.retryingStatus,
      nextAttemptAt: origins[policy.delayOrigin] + (askedMs ?? delayMs),
    }
  }

  function armDeadline(lane: Lane, flight: Flight): void {
    clearTimeout(flight.timer)
    flight.timer = setTimeout(
      () => {
        if (lane.clock.now() < flight.deadline) armDeadline(lane, flight)
        else flight.controller.abort()
      },
      Math.max(0, flight.deadline - lane.clock.now()),
    )
  }

  function armTimer(lane: Lane, atMs: number): void {
    if (isClosed || lane.isDropped || atMs === Infinity || lane.timerAt <= atMs) return
    clearTimeout(lane.timer)
    lane.timerAt = atMs
    lane.timer = setTimeout(
      () => {
        lane.timerAt = Infinity
        if (!lane.isAdvancing) startAndRearm(lane)
      },
      Math.min(longestTimerMs, Math.max(0, atMs - lane.clock.now())),
    )
  }

  function startAndRearm(lane: Lane): void {
    try {
      startDue(lane)
      rearm(lane)
    } catch (error) {
      process.emitWarning(asError(error))
      armTimer(lane, lane.clock.now() + storageRetryMs)
    }
  }

  function rearm(lane: Lane): void {
    // With every place taken, the end of an attempt starts the next one.
    if (lane.flights.size < policy.maxInFlight) armTimer(lane, nextDueAt(lane))
  }

  /** Starts what is due, soon: calls of one turn are taken together. */
  function wake(workspaceId: string): void {
    const lane = laneOf(workspaceId)
    if (lane.isWoken || isClosed) return
    lane.isWoken = true
    setImmediate(() => {
      lane.isWoken = false
      if (isClosed || lane.isDropped) return
      if (lane.isAdvancing) return lane.notify()
      startAndRearm(lane)
    })
  }

  function change(lane: Lane, withinMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
      lane.notify = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Moves the clock to its target, from one due time to the next; see the contract, part 3. */
  async function pump(lane: Lane): Promise<void> {
    lane.movedTo = lane.clock.now()
    for (;;) {
      if (isClosed || lane.isDropped) return
      startDue(lane)
      if (lane.flights.size > 0) {
        const graceMs = graceLeft(lane)
        if (graceMs > 0) {
          await change(lane, graceMs)
          continue
        }
      }
      if (lane.clock.offsetMs < lane.targetOffsetMs) {
        await step(lane)
        continue
      }
      if (lane.flights.size === 0) {
        if (nextDueAt(lane) <= lane.clock.now()) continue
        break
      }
      await change(lane, undefined)
    }
  }

  /** Pumps, and goes back to real time. Errors: those of the store. */
  async function moved(lane: Lane): Promise<void> {
    try {
      await pump(lane)
    } finally {
      lane.isAdvancing = false
      if (!isClosed && !lane.isDropped) {
        directory.saveClock(lane.workspaceId, lane.clock.offsetMs)
        clearTimeout(lane.timer)
        lane.timerAt = Infinity
        rearm(lane)
      }
    }
  }

  function graceLeft(lane: Lane): number {
    const now = Date.now()
    let left = 0
    for (const { startedRealMs } of lane.flights) {
      left = Math.max(left, Math.max(startedRealMs, lane.advancedRealMs) + policy.advanceGraceMs - now)
    }
    return left
  }

  /** One step: to the next due time or the next deadline, whichever comes first, at most to the target. */
  async function step(lane: Lane): Promise<void> {
    const now = lane.clock.now()
    const target = Date.now() + lane.targetOffsetMs
    const due = nextDueAt(lane)
    let next = due > now ? due : Infinity
    for (const { deadline } of lane.flights) next = Math.min(next, deadline)
    if (next > target) lane.clock.raiseOffset(lane.targetOffsetMs)
    else lane.clock.moveTo(next)
    lane.movedTo = Math.max(now, Math.min(next, target))
    const expired: Promise<void>[] = []
    for (const flight of lane.flights) {
      if (flight.deadline <= lane.movedTo) {
        flight.controller.abort()
        expired.push(flight.done)
      } else armDeadline(lane, flight)
    }
    await Promise.all(expired)
  }

  return {
    wake,
    /** Instant on the clock of a workspace. */
    now: (workspaceId: string): number => laneOf(workspaceId).clock.now(),
    attachEmails(scheduled: ScheduledEmails): void {
      emails = scheduled
    },
    /** Advances the clock of a workspace; answers its new instant once every attempt due by then has ended. */
    async advance(workspaceId: string, byMs: number): Promise<number> {
      const lane = laneOf(workspaceId)
      lane.targetOffsetMs = Math.max(lane.targetOffsetMs, lane.clock.offsetMs) + byMs
      lane.advancedRealMs = Date.now()
      const ended = new Promise<void>((resolve, reject) => lane.waiters.push({ resolve, reject }))
      if (lane.isAdvancing) lane.notify()
      else {
        lane.isAdvancing = true
        void moved(lane).then(
          () => lane.waiters.splice(0).forEach(({ resolve }) => resolve()),
          (error: unknown) => lane.waiters.splice(0).forEach(({ reject }) => reject(error)),
        )
      }
      await ended
      return lane.clock.now()
    },
    /** Forgets a workspace; its attempts in flight are cut off. */
    drop(workspaceId: string): void {
      const lane = lanes.get(workspaceId)
      if (lane === undefined) return
      lane.isDropped = true
      lanes.delete(workspaceId)
      clearTimeout(lane.timer)
      for (const flight of lane.flights) flight.controller.abort()
      lane.notify()
    },
    /** Cuts off what is in flight; it is made again after a restart. */
    async close(): Promise<void> {
      isClosed = true
      const flights = [...lanes.values()].flatMap((lane) => [...lane.flights])
      for (const lane of lanes.values()) {
        clearTimeout(lane.timer)
        lane.notify()
      }
      for (const flight of flights) {
        clearTimeout(flight.timer)
        flight.controller.abort()
      }
      await Promise.all(flights.map((flight) => flight.done))
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
