// CLI-009, CLI-028 to CLI-031, CLI-033 to CLI-036, CLI-057: how a call ends, and when.

import { isDeepStrictEqual } from 'node:util'
import type { RequirementId } from '../../../spec/index.js'
import type { CallResult } from '../../../harness/authoring.js'
import { meaningOf, noBody, retryAfterOf } from './answers.js'
import { sequelOf } from './attempt-faults.js'
import { isNothing } from './expectations.js'
import {
  answeredAt,
  attemptLimitMs,
  describeCall,
  isAborted,
  timerEarlyMs,
  wasCut,
  type Exchange,
  type Fault,
  type ObservedCall,
  type Script,
} from './script.js'

/** How much later than due a call may end, in milliseconds. */
const lateMs = 30_000
/** A longer wait of `Retry-After` a client may give up at once, in milliseconds. */
const longestWaitMs = 60_000

/** How a call must end. */
interface End {
  readonly blames: readonly RequirementId[]
  readonly isError: boolean
  /** Undefined where any will do. */
  readonly status?: number
  readonly code?: string
  /** Earliest and latest end, in milliseconds of the clock of the requests. */
  readonly from?: number
  readonly to?: number
  readonly body?: unknown
  /** The client is the author of the message: no error of the API arrived. */
  readonly hasOwnMessage?: true
}

/** Returns the faults in the end of a call. */
export function findEndFaults(script: Script, call: ObservedCall): readonly Fault[] {
  const last = call.exchanges.at(-1)
  const what = describeCall(script)
  if (script.mayBeRefused === true && call.result.kind === 'error') return []
  if (last === undefined && script.options?.abort_after_ms === 0)
    return findResultFaults(what, {
      script,
      call,
      end: { blames: ['CLI-036', 'CLI-029'], isError: true, status: 0, code: 'aborted' },
    })
  if (last === undefined)
    return [{ blames: [], what: `requests of ${what}`, expected: 'at least 1', got: reportedResult(call.result) }]
  const end = endAfter(script, call, last)
  const { blames } = end
  if (sequelOf(script, last).retry === 'must' && wasCut(script, call)) return []
  if (isGivenUp(script, last, call.result)) return []
  if (isLeftOut(script, last, call.result)) return []
  if ((call.result.kind === 'error') !== end.isError || call.result.kind === 'broken')
    return [
      {
        blames,
        what: `result of ${what}`,
        expected: end.isError ? 'an error' : 'a value',
        got: reportedResult(call.result),
      },
    ]
  return [...findTimeFaults(what, call, end), ...findResultFaults(what, { script, last, call, end })]
}

function endAfter(script: Script, call: ObservedCall, last: Exchange): End {
  const meaning = meaningOf(last.reply)
  const { abort_after_ms: abortMs = 0, timeout_ms: ofCall } = script.options ?? {}
  if (isAborted(script, meaning, last.retryAfterMs)) {
    const isOpen = meaning.kind === 'half' && meaning.status > 299
    const from = call.beganAt + abortMs
    const times = isOpen ? { to: from + lateMs } : { from: from - timerEarlyMs, to: from + lateMs }
    const code = isOpen
      ? {}
      : { code: 'aborted', hasOwnMessage: true as const, ...(meaning.kind === 'half' ? {} : { status: 0 }) }
    return { blames: ['CLI-036', 'CLI-029'], isError: true, ...code, ...times }
  }
  const limitMs = attemptLimitMs(script)
  const before = call.exchanges.at(-2)
  const times = {
    from: (before === undefined ? call.beganAt : answeredAt(before)) + limitMs - timerEarlyMs,
    to: last.request.arrivedAt + limitMs + lateMs,
  }
  const ofTime: RequirementId = ofCall === undefined ? 'CLI-009' : 'CLI-030'
  switch (meaning.kind) {
    case 'value':
      return { blames: [], isError: false, body: meaning.body }
    case 'error':
      return { blames: [meaning.isFinal ? 'CLI-020' : 'CLI-057', 'CLI-031'], isError: true, status: meaning.status }
    case 'lost':
      return { blames: ['CLI-034', 'CLI-057'], isError: true, status: 0, code: 'network_error', hasOwnMessage: true }
    case 'silence':
      return { blames: ['CLI-035', ofTime], isError: true, status: 0, code: 'timeout', hasOwnMessage: true, ...times }
    case 'half':
      // A library that counts the head as the answer may report it before the time is over.
      return {
        blames: [ofTime],
        isError: true,
        to: times.to,
        ...(meaning.status > 299 ? {} : { from: times.from, hasOwnMessage: true }),
      }
  }
}

/** Whether a call that was to be aborted in a long wait of `Retry-After` ended with the error instead of the wait. */
function isGivenUp(script: Script, { reply, retryAfterMs = 0 }: Exchange, result: CallResult): boolean {
  const meaning = meaningOf(reply)
  if (!isAborted(script, meaning, retryAfterMs)) return false
  const isOfReply = meaning.kind === 'error' && result.kind === 'error' && result.error.status === meaning.status
  return isOfReply && retryAfterMs > longestWaitMs
}

/** Whether a call waited for no body: what it is answered is not shown, and it returned nothing of it. */
function isLeftOut({ method }: Script, { reply }: Exchange, result: CallResult): boolean {
  const meaning = meaningOf(reply)
  const isSuccess = meaning.kind === 'value' || (meaning.kind === 'half' && meaning.status <= 299)
  return method.isAnswerOpen === true && isSuccess && result.kind === 'value' && isNothing(result.value)
}

function findTimeFaults(what: string, { beganAt, endedAt }: ObservedCall, { blames, from, to }: End): readonly Fault[] {
  const ofTime = blames.toReversed()
  const got = Math.round(endedAt - beganAt)
  const named = { blames: ofTime, what: `milliseconds until the end of ${what}`, got }
  if (from !== undefined && endedAt < from) return [{ ...named, expected: `at least ${Math.round(from - beganAt)}` }]
  if (to !== undefined && endedAt > to) return [{ ...named, expected: `at most ${Math.round(to - beganAt)}` }]
  return []
}

function findResultFaults(
  what: string,
  {
    script,
    last,
    call,
    end,
  }: { readonly script: Script; readonly last?: Exchange; readonly call: ObservedCall; readonly end: End },
): readonly Fault[] {
  const { result } = call
  const faults: Fault[] = []
  if (result.kind === 'value') {
    const isShown = end.body !== noBody && script.method.name !== 'messages.raw'
    if (isShown && !isDeepStrictEqual(result.value, end.body))
      faults.push({
        blames: ['CLI-028', 'CLI-066'],
        what: `value of ${what}`,
        expected: { value: end.body },
        got: result.value,
      })
    return faults
  }
  if (result.kind !== 'error') return faults
  const { status, code, message, retry_after: retryAfter } = result.error
  const due = {
    ...(end.status === undefined ? {} : { status: end.status }),
    ...(end.code === undefined ? {} : { code: end.code }),
  }
  const seen = { ...(end.status === undefined ? {} : { status }), ...(end.code === undefined ? {} : { code }) }
  if (!isDeepStrictEqual(seen, due))
    faults.push({ blames: end.blames, what: `error of ${what}`, expected: { value: due }, got: seen })
  if (end.hasOwnMessage === true && (typeof message !== 'string' || message === ''))
    faults.push({ blames: ['CLI-031'], what: `message of the error of ${what}`, expected: 'a string', got: message })
  if (end.status === 429 && last !== undefined && !isRetryAfterOf(last, retryAfter, call.endedAt))
    faults.push({
      blames: ['CLI-033'],
      what: `retryAfter of the error of ${what}`,
      expected: retryAfterOf(last.reply) ?? 'none',
      got: retryAfter,
    })
  return faults
}

/** Whether `retryAfter` of an error is that of its answer. Without the header, or with 0, a language without absent numbers has 0. */
function isRetryAfterOf(exchange: Exchange, retryAfter: unknown, endedAt: number): boolean {
  const { reply, retryAfterMs } = exchange
  const isNone = [undefined, null, 0].includes(retryAfter as undefined)
  const header = retryAfterOf(reply)
  if (header === undefined || header === '0') return isNone
  if (/^\d+$/.test(header)) return retryAfter === Number(header)
  if (retryAfterMs === undefined) return true
  // However it is rounded, and however long the answer took to be read.
  const leastMs = retryAfterMs - (endedAt - answeredAt(exchange)) - 3_000
  return typeof retryAfter === 'number' && retryAfter * 1_000 >= leastMs && retryAfter * 1_000 <= retryAfterMs + 3_000
}

function reportedResult(result: CallResult): unknown {
  if (result.kind === 'broken') return result.how
  return result.kind === 'value' ? { value: result.value } : { error: result.error }
}
