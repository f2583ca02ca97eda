import { CaseErrored } from '../check.js'
import type { Exchange } from '../wire/exchange.js'
import { pause } from '../wire/pace.js'

/** Answers that lead to another address; a 304 leads nowhere, and is judged like any other. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Statuses of a server that accepts no deliveries at the address. */
const nowhere: ReadonlySet<number> = new Set([404, 405, 410])
/**
 * The number of refusals, and their longest time in milliseconds, before an endpoint counts as refusing every delivery: one that refuses
 * only some is judged by all cases.
 */
const refusals = { most: 8, withinMs: 5_000 } as const
/** Pauses before a delivery that a gateway answered is sent again, in milliseconds. */
const pausesMs = [200, 1_000] as const

/**
 * Sends one valid delivery, before any case. Throws {@link CaseErrored} if there is no webhook endpoint. Resolves to the answer if the
 * endpoint refuses it, or was late twice, with `withinMs` as its limit: then nothing else can be judged. Undefined if it is accepted, or
 * the connection is cut.
 */
export async function checkEndpoint(
  url: URL,
  deliver: () => Promise<Exchange>,
  { withinMs = Infinity }: { readonly withinMs?: number } = {},
): Promise<Exchange | undefined> {
  let lateOnes = 0
  let refused = 0
  const startedAt = performance.now()
  for (let round = 0; ; round++) {
    const answer = await deliver()
    const { status } = answer
    const address = `${url.origin}${url.pathname}`
    // The first answer of an endpoint that is being started may take its time.
    if (isTooLate(answer, withinMs)) {
      if (++lateOnes === 2) return answer
      continue
    }
    if (status === undefined || (status >= 200 && status < 300)) return undefined
    if (redirects.has(status)) {
      const location = answer.header('location')
      const to = location === undefined ? '' : ` to ${location}`
      throw new CaseErrored(
        `no webhook endpoint here: ${address} answers a delivery with a redirect (${status})${to}, which no sender follows; give the address it leads to as --url`,
      )
    }
    if (nowhere.has(status))
      throw new CaseErrored(
        `no webhook endpoint here: ${address} answers a valid delivery with ${status}; check the path of --url, and that it accepts a POST`,
      )
    const pauseMs = pausesMs[round]
    if (status >= 500 && pauseMs !== undefined) await pause(pauseMs)
    else if (++refused === refusals.most || status === 429 || performance.now() - startedAt > refusals.withinMs)
      return answer
  }
}

/** Returns whether no answer arrived within `withinMs`, if that is a limit. */
export function isTooLate({ isLate, durationMs }: Exchange, withinMs: number): boolean {
  return withinMs !== Infinity && (isLate || durationMs > withinMs)
}
