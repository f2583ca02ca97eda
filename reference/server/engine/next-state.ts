import type { AttemptOutcome, DeliveryStatus, Policy } from '../policy.js'

/** An attempt that has ended, and what its delivery is. Instants are on the clock of the workspace. */
export interface EndedAttempt {
  /** Counts from 1. */
  readonly attempt: number
  readonly outcome: AttemptOutcome
  readonly startedAt: number
  readonly endedAt: number
  readonly isWebhookDeleted: boolean
}

/** What becomes of a delivery. */
export interface NextState {
  readonly status: DeliveryStatus
  /** Null: no other attempt. */
  readonly nextAttemptAt: number | null
}

/** The parts of the policy that decide it. */
export type RetryRules = Pick<
  Policy,
  'isSuccess' | 'isRetried' | 'retryDelaysMs' | 'delayOrigin' | 'exhaustedStatus' | 'retryingStatus' | 'blockedStatus'
> &
  Pick<Policy, 'deletedPendingStatus'>

/** The state of a delivery after an attempt: the table "Webhook delivery status" of the interface. */
export function nextState(ended: EndedAttempt, rules: RetryRules): NextState {
  const { attempt, outcome, isWebhookDeleted } = ended
  if (outcome.kind === 'answer' && rules.isSuccess(outcome.status, attempt, outcome.snippet)) {
    return { status: 'succeeded', nextAttemptAt: null }
  }
  if (!rules.isRetried(outcome)) {
    return { status: outcome.kind === 'blocked' ? rules.blockedStatus : rules.exhaustedStatus, nextAttemptAt: null }
  }
  const delayMs = rules.retryDelaysMs[attempt]
  if (delayMs === undefined) return { status: rules.exhaustedStatus, nextAttemptAt: null }
  if (isWebhookDeleted) return { status: rules.deletedPendingStatus, nextAttemptAt: null }
  const origin = rules.delayOrigin === 'attempt-start' ? ended.startedAt : ended.endedAt
  return { status: rules.retryingStatus, nextAttemptAt: origin + delayMs }
}
