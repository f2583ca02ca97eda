import { AnswerLost } from '../check.js'
import type { Exchange } from '../wire/exchange.js'
import { waiting } from '../waits.js'
import { pause } from '../wire/pace.js'
import { retryAfterMs } from '../wire/retry-after.js'

/**
 * Pauses before a request is repeated, in milliseconds, if the answer names none. A service gets enough requests to show that its answer
 * stays the same; a gateway before it may take longer until there is room.
 */
const pausesMs = { usual: [100, 400], gateway: [100, 400, 1_500] } as const
/** Longest wait after a 5xx, in milliseconds, where it names a longer one. */
const longestPauseMs = 10_000
/** No gateway is without room for longer, in milliseconds: a 5xx that names a longer wait is repeated as one that names none. */
const longestNamedMs = 3_600_000
/** Methods that change nothing, so that the same request may be repeated (RFC 9110, 9.2.1). */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Whether asking twice does no more than asking once (RFC 9110, 9.2.2): the one PATCH of the interface sets a time. */
const isIdempotent = (method: string) => safe.has(method) || method === 'DELETE' || method === 'PATCH'
/** Statuses which show that nothing was made, whatever an earlier try did. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 405, 413, 415, 422, 431])
/** Answered by the service itself. */
const ofTheService: ReadonlySet<number> = new Set([500, 501])
/** Returns whether a gateway may have given this answer instead of the service. */
export const mayBeOfGateway = (status: number) => status >= 500 && !ofTheService.has(status)
const creating = /\/v1\/(?:webhooks|emails|emails\/batch)$/
/** A replayed delivery keeps its place, so that a replay which finds nothing found nothing before. */
const replaying = /\/v1\/webhooks\/[^/]+\/deliveries\/[^/]+\/replay$/
const replayRefusals: ReadonlySet<number> = new Set([...refusals, 404])

/** After so many 500s that stayed the same, and none that did not, the next one is not repeated. */
const convincing = 2

/** What the repeats of a case have shown about 500 and 501. */
export interface OwnErrors {
  /** How many stayed the same; -Infinity once another answer followed. */
  stayed: number
}

/**
 * Repeats a request until an answer shows something of the service: a gateway's 503 or a broken connection does not. A repeated 5xx does,
 * and so does a 500 to a delete that was carried out anyway, as the next answer shows. Throws {@link AnswerLost} if no answer arrived, and
 * if one arrived but the request may have been carried out twice. `mayBeTwice`: that does no harm, for example where created things are not
 * counted. `ownErrors`: of all requests of a case; after two that stayed the same, a 500 is not repeated.
 */
export async function requestPersistently(
  send: () => Promise<Exchange>,
  {
    signal,
    mayBeTwice = false,
    ownErrors,
  }: { readonly signal: AbortSignal | undefined; readonly mayBeTwice?: boolean; readonly ownErrors: OwnErrors },
): Promise<Exchange> {
  let trouble: string | undefined
  let first: Exchange | undefined
  for (let round = 0; ; round++) {
    const exchange = await send()
    const { status, label, failure } = exchange
    const { method } = exchange.request
    if (status !== undefined && status < 500) {
      if (ofTheService.has(first?.status ?? 0)) ownErrors.stayed = -Infinity
      // A second delete may find nothing; a successful one means the same as a first one.
      const isSame = safe.has(method) || ((mayBeTwice || isIdempotent(method)) && status < 300)
      if (trouble === undefined || isSame || didNothing(exchange)) return exchange
      if (method === 'DELETE' && status === 404 && ofTheService.has(first?.status ?? 0)) return first ?? exchange
      throw new AnswerLost(`${label}: ${trouble} at first, so that it may have been carried out twice`)
    }
    const pauseMs = pausesMs[mayBeOfGateway(status ?? 0) ? 'gateway' : 'usual'][round]
    if (status === undefined) {
      // A request that timed out, or that may have been carried out before the connection broke, is not repeated.
      if (exchange.isLate || !(mayBeTwice || isIdempotent(method)) || pauseMs === undefined)
        throw new AnswerLost(`${label}: no answer (${failure ?? 'unknown'})`, { wasLate: exchange.isLate })
    } else if (ofTheService.has(status) && (pauseMs === undefined || ownErrors.stayed >= convincing)) {
      ownErrors.stayed++
      return exchange
    } else if (pauseMs === undefined) return exchange
    first ??= exchange
    trouble ??= status === undefined ? 'no answer' : `${status}`
    const namedMs = (status === undefined ? undefined : retryAfterMs(exchange.header('retry-after'))) ?? 0
    const waitMs = namedMs > longestNamedMs ? pauseMs : Math.min(Math.max(namedMs, pauseMs), longestPauseMs)
    await waiting('pauses before a request is sent again', pause(waitMs, signal))
  }
}

function didNothing({ status, request }: Exchange): boolean {
  if (status === undefined) return false
  const { pathname } = new URL(request.url)
  return (refusals.has(status) && creating.test(pathname)) || (replayRefusals.has(status) && replaying.test(pathname))
}
