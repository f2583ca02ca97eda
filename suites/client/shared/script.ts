// One call of a client as data, the record of it, and the words for both.

import { clientTimeoutMs, type RequirementId } from '../../../spec/index.js'
import type { CallResult, ReceivedRequest, Reply } from '../../../harness/authoring.js'
import { describeAnswer, type Answer, type Meaning } from './answers.js'
import type { Method } from './methods.js'

/** One call, and the answers to its requests. */
export interface Script {
  readonly method: Method
  /** In the order of the requests; the last one is repeated. */
  readonly answers: readonly [Answer, ...Answer[]]
  /** Of the client; the defaults of the interface if left out. */
  readonly maxRetries?: number
  readonly timeoutMs?: number
  /** Of the call. */
  readonly options?: {
    readonly timeout_ms?: number
    readonly abort_after_ms?: number
    readonly batch_validation?: string
  }
  /** The caller gives an idempotency key: one of the usual length, or one of more letters than a column of 255 takes. */
  readonly ownKey?: 'usual' | 'long'
  /** The interface does not show whether the client takes these arguments: it may refuse them. */
  readonly mayBeRefused?: true
  /** More that must arrive: parameters of the query, and texts anywhere in a request. */
  readonly more?: { readonly query?: Readonly<Record<string, unknown>>; readonly texts?: readonly string[] }
}

/** A request, and the reply that it got. */
export interface Exchange {
  readonly request: ReceivedRequest
  readonly reply: Reply
  /** The wait of `Retry-After` when the reply was sent, in milliseconds. */
  readonly retryAfterMs: number | undefined
}

/** The requests and the result of a call; times in milliseconds of the clock of the requests. */
export interface ObservedCall {
  readonly exchanges: readonly Exchange[]
  readonly result: CallResult
  readonly beganAt: number
  readonly endedAt: number
  readonly ownKey: string | undefined
}

/** A difference between a call and the model. */
export interface Fault {
  /** The requirements that it breaks, the nearest first; without one, those of the case. */
  readonly blames: readonly RequirementId[]
  readonly what: string
  readonly expected: string | DueValue
  readonly got: unknown
  /** It is about a time that was too long, which a busy machine may have caused. */
  readonly isMeasured?: boolean
}

/** A value that must be equal, where `expected` is not a text for a message. */
export interface DueValue {
  readonly value: unknown
}

/** Describes a call for messages. */
export function describeCall({ method, answers, maxRetries, timeoutMs, options = {}, ownKey }: Script): string {
  const parts = [
    `${method.name}${method.form === undefined ? '' : ` ${method.form}`} answered ${answers.map(describeAnswer).join(', ')}`,
    maxRetries === undefined ? '' : `with maxRetries ${maxRetries}`,
    timeoutMs === undefined ? '' : `with timeoutMs ${timeoutMs} of the client`,
    options.timeout_ms === undefined ? '' : `with timeoutMs ${options.timeout_ms} of the call`,
    options.abort_after_ms === undefined ? '' : `aborted after ${options.abort_after_ms} ms`,
    options.batch_validation === undefined ? '' : `with batchValidation ${options.batch_validation}`,
    ownKey === undefined ? '' : 'with a key of its caller',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Returns the limit of each attempt, in milliseconds. */
export function attemptLimitMs({ timeoutMs = clientTimeoutMs, options = {} }: Script): number {
  return options.timeout_ms ?? timeoutMs
}

/** Whether a method may make requests other than its own: its path is not shown. */
export function hasOpenRequests({ reportedUnder }: Method): boolean {
  return reportedUnder === 'CLI-060'
}

/** Whether the call is aborted while it waits for this answer, or after it. */
export function isAborted(script: Script, meaning: Meaning, retryAfterMs: number | undefined): boolean {
  const abortMs = script.options?.abort_after_ms
  if (abortMs === undefined || meaning.kind === 'value') return false
  const isUnanswered = meaning.kind === 'silence' || meaning.kind === 'half'
  return isUnanswered ? abortMs < attemptLimitMs(script) : (retryAfterMs ?? 0) >= abortMs
}

/** Whether the call was aborted in a wait of its own, as it had to be. */
export function wasCut({ options = {} }: Script, { result, beganAt, endedAt }: ObservedCall): boolean {
  const { abort_after_ms: abortMs = Infinity } = options
  return endedAt >= beganAt + abortMs - timerEarlyMs && result.kind === 'error' && result.error.code === 'aborted'
}

/** A timer may fire this much early against the clock of another process, in milliseconds. */
export const timerEarlyMs = 50

/** When the answer to a request was sent, or the request arrived that got none. */
export function answeredAt({ request }: Exchange): number {
  return request.answeredAt ?? request.arrivedAt
}
