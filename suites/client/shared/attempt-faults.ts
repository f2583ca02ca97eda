// CLI-007, CLI-008, CLI-013 to CLI-015, CLI-018 to CLI-020, CLI-027, CLI-029, CLI-053, CLI-061: which requests follow each answer, and when.
//
// Open: whether a client retries its own time-outs (retry-of-timeouts), or a create after a 429 or a lost connection (retry-after-on-post),
// and the requests that an HTTP library sends again by itself (resends-of-http).

import { clientMaxRetries, type RequirementId } from '../../../spec/index.js'
import { asText, type ReceivedRequest } from '../../../harness/authoring.js'
import { meaningOf, retryAfterOf } from './answers.js'
import {
  answeredAt,
  attemptLimitMs,
  describeCall,
  hasOpenRequests,
  isAborted,
  wasCut,
  type Exchange,
  type Fault,
  type ObservedCall,
  type Script,
} from './script.js'

/** How early a retry may be, in milliseconds: a timer against the clock of another process; a date is read with another clock. */
const early = { secondsMs: 30, dateMs: 80 } as const
/** How much later than `Retry-After` a first retry may be, in milliseconds. */
const lateMs = 12_000
/** Time in which an HTTP library sends a request again by itself, in milliseconds; a wait of the client is one of backoff. */
const resentWithinMs = 100

/** Returns the attempts of a call. Where a method may make other requests too, those of each request by themselves. */
export function groupsOf({ method }: Script, exchanges: readonly Exchange[]): readonly (readonly Exchange[])[] {
  if (!hasOpenRequests(method)) return [exchanges]
  const nameOf = ({ request }: Exchange) => `${request.method} ${request.path}`
  return [...new Set(exchanges.map(nameOf))].map((name) => exchanges.filter((exchange) => nameOf(exchange) === name))
}

/** What may follow a reply. */
interface Sequel {
  readonly retry: 'must' | 'may' | 'never'
  /** What a missing retry breaks, or one that is forbidden. */
  readonly blames: readonly RequirementId[]
}

/** Returns what may follow a reply. */
export function sequelOf(script: Script, { reply, retryAfterMs }: Exchange): Sequel {
  const meaning = meaningOf(reply)
  const { effect } = script.method
  // The head of an error may be enough for a retry.
  if (meaning.kind === 'half' && meaning.status > 299) return { retry: 'may', blames: [] }
  if (isAborted(script, meaning, retryAfterMs)) return { retry: 'never', blames: ['CLI-029'] }
  if (meaning.kind === 'value') return { retry: hasOpenRequests(script.method) ? 'may' : 'never', blames: ['CLI-053'] }
  if (meaning.kind === 'error' && meaning.isFinal) return { retry: 'never', blames: ['CLI-020'] }
  if (meaning.kind === 'half' || meaning.kind === 'silence') return { retry: 'may', blames: [] }
  const isServerError = meaning.kind === 'error' && meaning.status !== 429
  if (effect === 'creates')
    return isServerError ? { retry: 'never', blames: ['CLI-027', 'CLI-061'] } : { retry: 'may', blames: [] }
  const cause = isServerError ? 'CLI-014' : meaning.kind === 'lost' ? 'CLI-015' : 'CLI-013'
  return { retry: effect === 'open' ? 'may' : 'must', blames: [cause] }
}

/** Returns the first fault in a group of attempts: a missing or an extra one, or a wait. */
export function findAttemptFaults(script: Script, call: ObservedCall, group: readonly Exchange[]): readonly Fault[] {
  const { maxRetries = clientMaxRetries } = script
  const countBlames: readonly RequirementId[] = [script.maxRetries === undefined ? 'CLI-008' : 'CLI-007']
  const what = `requests of ${describeCall(script)}`
  const faults: Fault[] = []
  let attempts = 1
  let wasResent = false
  for (const [index, exchange] of group.slice(0, -1).entries()) {
    const { request } = group[index + 1] ?? exchange
    const { retry, blames } = sequelOf(script, exchange)
    const isAtOnce: boolean = !wasResent && mayBeResent(exchange, request)
    wasResent = isAtOnce && request.arrivedAt - answeredAt(exchange) < resentWithinMs
    if (wasResent) continue
    attempts++
    const wait = findWaitFault(script, exchange, { request, attempt: attempts })
    if (wait !== undefined) faults.push(wait)
    else if (retry === 'never') faults.push({ blames, what, expected: String(index + 1), got: group.length })
    else if (attempts > maxRetries + 1)
      faults.push({
        blames: countBlames,
        what,
        expected: `at most ${maxRetries + 1}`,
        got: group.length,
        isMeasured: isAtOnce,
      })
  }
  const last = group.at(-1)
  if (last === undefined || last !== call.exchanges.at(-1)) return faults.slice(0, 1)
  const { retry, blames } = sequelOf(script, last)
  if (retry === 'must' && group.length <= maxRetries && !wasCut(script, call))
    faults.push({
      blames: [...blames, ...findBlamesOfStop(script, call, group.length)],
      what,
      expected: `at least ${group.length + 1}`,
      got:
        call.result.kind === 'error'
          ? `${group.length}, and the error ${asText(call.result.error.code)}`
          : group.length,
    })
  return faults.slice(0, 1)
}

/** What else a missing retry breaks: without any retry, their number proves nothing. */
function findBlamesOfStop(script: Script, { beganAt, endedAt }: ObservedCall, made: number): readonly RequirementId[] {
  if (made === 1) return []
  const ofCount: RequirementId = script.maxRetries === undefined ? 'CLI-008' : 'CLI-007'
  // The limit is one of each attempt, not of the call.
  const ofLimit: RequirementId = script.options?.timeout_ms === undefined ? 'CLI-009' : 'CLI-030'
  return endedAt - beganAt > attemptLimitMs(script) ? [ofLimit, ofCount] : [ofCount]
}

function findWaitFault(
  script: Script,
  { reply, retryAfterMs, ...exchange }: Exchange,
  next: { readonly request: ReceivedRequest; readonly attempt: number },
): Fault | undefined {
  if (retryAfterMs === undefined || retryAfterMs <= 0) return undefined
  const isDate = !/^\d+$/.test(retryAfterOf(reply) ?? '')
  const leastMs = retryAfterMs - (isDate ? early.dateMs : early.secondsMs)
  const waitMs = next.request.arrivedAt - answeredAt({ reply, retryAfterMs, ...exchange })
  const what = `milliseconds before attempt ${next.attempt} of ${describeCall(script)}`
  const blames: readonly RequirementId[] = [isDate ? 'CLI-019' : 'CLI-018']
  const got = Math.round(waitMs)
  if (waitMs < leastMs) return { blames, what, expected: `at least ${Math.round(retryAfterMs)}`, got }
  // Later waits of the client's own may have grown beyond it.
  const mostMs = Math.round(retryAfterMs + lateMs)
  if (next.attempt > 2 || waitMs <= mostMs) return undefined
  return { blames, what, expected: `at most ${mostMs}`, got, isMeasured: true }
}

/** Whether an HTTP library may have sent a request again whose connection was lost: it changes nothing, or carries a key. */
function mayBeResent({ request: before, reply }: Exchange, request: ReceivedRequest): boolean {
  const key = request.headers['idempotency-key']
  return (
    meaningOf(reply).kind === 'lost' &&
    (['GET', 'HEAD'].includes(request.method) || key !== undefined) &&
    request.method === before.method &&
    request.path === before.path &&
    request.body === before.body &&
    before.headers['idempotency-key'] === key
  )
}
