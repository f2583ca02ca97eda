import type { CallName } from '../operations.js'
import { readRetryAfter } from '../retry-after.js'

/** Why no answer arrived. */
export type FailureCode = 'network_error' | 'timeout' | 'aborted'

/** What a decision on the key of one attempt is made from. */
export interface KeyContext {
  /** A dotted method name; also those whose path is not shown. */
  readonly operation: string
  readonly isAutomatic: boolean
  /** The caller's. */
  readonly given: string | undefined
  /** Made once a call. */
  readonly ofCall: string
  /** Counts from 1. */
  readonly attempt: number
  readonly body: string | undefined
  /** Makes a new one. */
  readonly newKey: () => string
}

/** What a wait is made from. */
export interface WaitContext {
  /** The wait of `Retry-After`. */
  readonly askedMs: number | undefined
  readonly backoffMs: number
  /** The attempt that failed; counts from 1. */
  readonly attempt: number
  /** The wait before that attempt; 0 for the first. */
  readonly previousMs: number
}

/** Which calls are made again, when, and under which key. */
export interface RetryPolicy {
  /** Attempts of one call, the first included. Source: CLI-007. */
  readonly attempts: (maxRetries: number) => number
  /** Source: CLI-013, CLI-014, CLI-020. */
  readonly retriedStatus: (status: number, operation: CallName) => boolean
  /** Source: CLI-015; a time-out: open point `timeout-retry`. */
  readonly retriedFailures: readonly FailureCode[]
  /** POSTs that create something and go without an automatic key. Source: CLI-027. */
  readonly creatingOperations: readonly string[]
  /**
   * Returns whether such a request is retried after this status; `undefined` means that no answer arrived. Source: CLI-027; open point
   * `retry-after-on-post`.
   */
  readonly retriedCreation: (status: number | undefined) => boolean
  /** Wait before the first retry, in milliseconds. */
  readonly backoffBaseMs: number
  /** Growth from one wait to the next. Source: CLI-016. */
  readonly backoffFactor: number
  /** Longest wait that the client chooses itself. */
  readonly backoffCapMs: number
  /** The share of a wait that chance takes away, from 0 to 1. Below one half the waits still grow. Source: CLI-017. */
  readonly jitter: number
  /** The wait of `Retry-After`, on any answer that is retried. Source: CLI-018, CLI-019. */
  readonly askedWaitMs: (header: string | null, nowMs: number) => number | undefined
  /** The requested wait, if any. Source: CLI-016, CLI-018. */
  readonly waitMs: (waits: WaitContext) => number
  /** Operations with an automatic key. Source: CLI-021 to CLI-024. */
  readonly keyedOperations: readonly string[]
  /** Source: CLI-021, CLI-022. */
  readonly keyHeader: string
  /** Source: CLI-025, CLI-026, CLI-052. */
  readonly key: (context: KeyContext) => string | undefined
}

export const retryPolicy: RetryPolicy = {
  attempts: (maxRetries) => maxRetries + 1,
  retriedStatus: (status) => status === 429 || status >= 500,
  retriedFailures: ['network_error', 'timeout'],
  creatingOperations: ['webhooks.create', 'webhooks.replay', 'inboxes.create', 'domains.create', 'keys.create'],
  retriedCreation: (status) => status === 429,
  backoffBaseMs: 500,
  backoffFactor: 2,
  backoffCapMs: 8_000,
  jitter: 0.25,
  askedWaitMs: readRetryAfter,
  waitMs: ({ askedMs, backoffMs }) => askedMs ?? backoffMs,
  keyedOperations: ['emails.send', 'emails.batch', 'messages.send', 'messages.reply'],
  keyHeader: 'idempotency-key',
  key: ({ isAutomatic, given, ofCall }) => given ?? (isAutomatic ? ofCall : undefined),
}
