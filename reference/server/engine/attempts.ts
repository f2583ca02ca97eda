import { makeAttempt } from './attempt.js'
import { nextState } from './next-state.js'
import type { DueSource, WorkspaceQueue } from './queues.js'
import { codeOf } from '../egress/resolver.js'
import type { DeliveryStore, DueDelivery } from '../store/delivery-store.js'
import type { Egress } from '../egress/egress.js'
import type { EventStore } from '../store/event-store.js'
import type { AttemptOutcome, Policy } from '../policy.js'
import { serializer } from '../policy/members.js'
import type { WebhookStore } from '../store/webhook-store.js'

/** An attempt in flight. Instants are on the workspace's clock unless the name has real in it. */
export interface InFlightAttempt {
  readonly due: DueDelivery
  readonly startedAt: number
  readonly startedRealMs: number
  /** When its answer time is over. */
  readonly deadline: number
  readonly controller: AbortController
  /** The sent request; undefined if there was none. */
  sent?: Sent
  /** Settles when the attempt has ended; never rejects. */
  ended: Promise<void>
}

/** The request of an attempt. */
export interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One ended attempt: its time on the workspace's clock, its request and its result. */
export interface EndedAttempt {
  readonly deliveryId: string
  readonly attempt: number
  readonly startedAt: number
  readonly sent: Sent | undefined
  readonly outcome: AttemptOutcome
}

/** The deliveries that are due, and the attempts that are made of them. */
export interface Attempts extends DueSource {
  /** Cuts off the attempts whose answer time is over at `now`, an instant on the workspace's clock. */
  expire(queue: WorkspaceQueue, now: number): void
  /** Cuts off all that is in flight; it is made again after a restart. */
  abort(queue: WorkspaceQueue): void
}

/** How long to wait with a result that could not be written, on a full disk for instance, before it is tried again. */
const storageRetryMs = 1000

export function createAttempts(options: {
  policy: Policy
  deliveries: DeliveryStore
  webhooks: WebhookStore
  events: EventStore
  egress: Egress
  /** Called with each attempt that has ended. */
  onEnded?: ((ended: EndedAttempt) => void) | undefined
}): Attempts {
  const { policy, deliveries, webhooks, events, egress } = options
  const bodyOf = serializer(policy.bodyMembers)

  function start(queue: WorkspaceQueue, due: DueDelivery): void {
    const startedAt = instantOf(queue, due.dueAt)
    const attempt: InFlightAttempt = {
      due,
      startedAt,
      startedRealMs: Date.now(),
      deadline: startedAt + policy.answerTimeMs,
      controller: new AbortController(),
      ended: Promise.resolve(),
    }
    queue.inFlight.add(attempt)
    attempt.ended = outcomeOf(attempt).then((outcome) => end(queue, attempt, outcome))
  }

  async function outcomeOf(attempt: InFlightAttempt): Promise<AttemptOutcome> {
    const { due, startedAt, controller } = attempt
    try {
      const webhook = webhooks.get(due.webhookId)
      const event = events.get(due.eventId)
      if (webhook === undefined || event === undefined) return { kind: 'connection', error: 'gone' }
      const { url, secret } = webhook
      const body = bodyOf(event)
      const { signal } = controller
      const onSigned = (headers: Sent['headers']) => void (attempt.sent = { url, headers, body })
      return await makeAttempt({ due, url, secret, body, attemptAt: startedAt, signal, policy, egress, onSigned })
    } catch (error) {
      process.emitWarning(asError(error))
      return { kind: 'connection', error: codeOf(error) }
    }
  }

  function end(queue: WorkspaceQueue, attempt: InFlightAttempt, outcome: AttemptOutcome): void {
    const { deadline } = attempt
    record(queue, attempt, outcome, outcome.kind === 'timeout' ? deadline : Math.min(queue.clock.now(), deadline))
  }

  /** Until its result is written, an attempt counts as in flight. */
  function record(queue: WorkspaceQueue, attempt: InFlightAttempt, outcome: AttemptOutcome, endedAt: number): void {
    const { inFlight, clock } = queue
    let nextAttemptAt: number | null = null
    try {
      if (!queue.isEnded) nextAttemptAt = write(attempt, outcome, endedAt)
    } catch (error) {
      process.emitWarning(asError(error))
      setTimeout(() => record(queue, attempt, outcome, endedAt), storageRetryMs).unref()
      return
    }
    const wasFull = inFlight.size >= policy.maxInFlight
    inFlight.delete(attempt)
    if (wasFull || queue.advance !== undefined) queue.wake()
    else if (nextAttemptAt !== null) queue.wakeIn(nextAttemptAt - clock.now())
  }

  function write({ due, startedAt, sent }: InFlightAttempt, outcome: AttemptOutcome, endedAt: number): number | null {
    const attempt = due.attempt + 1
    const isWebhookDeleted = webhooks.get(due.webhookId)?.isDeleted !== false
    const { status, nextAttemptAt } = nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)
    deliveries.record({
      id: due.id,
      status,
      attempt,
      responseCode: outcome.kind === 'answer' ? outcome.status : null,
      snippet: outcome.kind === 'answer' ? outcome.snippet : null,
      error: policy.attemptError(outcome),
      nextAttemptAt,
    })
    options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })
    return nextAttemptAt
  }

  return {
    nextDueAt: ({ workspaceId, inFlight }) =>
      inFlight.size < policy.maxInFlight ? (deliveries.nextDueAt(workspaceId) ?? Infinity) : Infinity,
    startDue(queue) {
      const { workspaceId, clock, inFlight } = queue
      for (const due of deliveries.claim(workspaceId, clock.now(), policy.maxInFlight - inFlight.size)) {
        start(queue, due)
      }
    },
    expire({ inFlight }, now) {
      for (const { deadline, controller } of inFlight) if (deadline <= now) controller.abort()
    },
    abort({ inFlight }) {
      for (const { controller } of inFlight) controller.abort()
    },
  }
}

/** The instant of an attempt that starts now: while a clock is advanced its due time, exactly, and else now. */
function instantOf({ clock, advance }: WorkspaceQueue, dueAt: number): number {
  const now = clock.now()
  return advance === undefined ? now : Math.min(now, Math.max(dueAt, advance.movedTo))
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
