import { AnswerLost } from '../check.js'
import type { Exchange } from '../wire/exchange.js'
import { pause } from '../wire/pace.js'
import { retryAfterMs } from '../wire/retry-after.js'

/**
 * Pauses before a request is asked again, in milliseconds, where the answer names none. A service is asked so often as
 * shows that it says the same each time; what stands before it may take longer until there is room.
 */
const pausesMs = { usual: [100, 400], gateway: [100, 400, 1_500] } as const
/** Longest wait a 5xx may ask for, in milliseconds. */
const longestWaitMs = 10_000
/** Methods that change nothing, so that they may be asked again as they are (RFC 9110, 9.2.1). */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Whether asking twice does no more than asking once (RFC 9110, 9.2.2): the one PATCH of the interface sets a time. */
const isIdempotent = (method: string) => safe.has(method) || method === 'DELETE' || method === 'PATCH'
/** Answers that say: nothing was made, whatever an earlier try did. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 405, 413, 415, 422, 431])
/** Answered by the service itself. */
const ofTheService: ReadonlySet<number> = new Set([500, 501])
/** Whether a gateway may have said it in the place of the service. */
export const mayBeOfGateway = (status: number) => status >= 500 && !ofTheService.has(status)
const creating = /\/v1\/(?:webhooks|emails|emails\/batch)$/
/** What is replayed stays where it is, so that a replay which finds nothing found nothing before. */
const replaying = /\/v1\/webhooks\/[^/]+\/deliveries\/[^/]+\/replay$/
const replayRefusals: ReadonlySet<number> = new Set([...refusals, 404])

/**
 * Asks until there is an answer that tells something of the service: a gateway's 503, or a connection that broke, does not.
 * A 5xx that repeats is one, and so is a 500 to a delete that was carried out all the same, as the one after it shows.
 * Throws {@link AnswerLost} where no answer came, and where one came at last but the request may have been carried out
 * twice. `mayBeTwice`: that does no harm, as where what is made is not counted.
 */
export async function askPersistently(
  send: () => Promise<Exchange>,
  { signal, mayBeTwice = false }: { readonly signal: AbortSignal | undefined; readonly mayBeTwice?: boolean },
): Promise<Exchange> {
  let trouble: string | undefined
  let first: Exchange | undefined
  for (let round = 0; ; round++) {
    const exchange = await send()
    const { status, label, failure } = exchange
    const { method } = exchange.request
    if (status !== undefined && status < 500) {
      // A second delete may find nothing; one that succeeds says what a first one says.
      const isSame = safe.has(method) || ((mayBeTwice || isIdempotent(method)) && status < 300)
      if (trouble === undefined || isSame || didNothing(exchange)) return exchange
      if (method === 'DELETE' && status === 404 && ofTheService.has(first?.status ?? 0)) return first ?? exchange
      throw new AnswerLost(`${label}: ${trouble} at first, so that it may have been carried out twice`)
    }
    const pauseMs = pausesMs[mayBeOfGateway(status ?? 0) ? 'gateway' : 'usual'][round]
    if (status === undefined) {
      // Whoever was silent for so long, or may have done what was asked before the connection broke, is not asked again.
      if (exchange.isLate || !(mayBeTwice || isIdempotent(method)) || pauseMs === undefined)
        throw new AnswerLost(`${label}: no answer (${failure ?? 'unknown'})`, { wasLate: exchange.isLate })
    } else if (pauseMs === undefined) return exchange
    first ??= exchange
    trouble ??= status === undefined ? 'no answer' : `${status}`
    const asksMs = status === undefined ? undefined : retryAfterMs(exchange.header('retry-after'))
    await pause(Math.min(Math.max(asksMs ?? 0, pauseMs), longestWaitMs), signal)
  }
}

function didNothing({ status, request }: Exchange): boolean {
  if (status === undefined) return false
  const { pathname } = new URL(request.url)
  return (refusals.has(status) && creating.test(pathname)) || (replayRefusals.has(status) && replaying.test(pathname))
}
