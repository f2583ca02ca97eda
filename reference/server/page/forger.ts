import type { SendAnswer } from '../../../pages/data.js'
import { codeOf, Unresolved } from '../egress/resolver.js'
import { targetOf } from '../egress/url-check.js'
import type { Egress } from '../egress/egress.js'
import type { Policy } from '../policy.js'

/** A delivery before it is forged. */
export interface GoodDelivery {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly secret: string
  readonly body: string
}

/** Makes deliveries of which something is wrong or unusual, for the page. */
export interface Forger {
  readonly kinds: readonly {
    readonly name: string
    /** The wrong or unusual part, as the subject of a sentence. */
    readonly title: string
    readonly group: string
    /** How the endpoint must answer. */
    readonly expected: 'refused' | 'accepted' | 'either'
  }[]
  /** Returns the request; undefined where this delivery has no room for the forgery. */
  make(
    name: string,
    good: GoodDelivery,
  ): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } | undefined
}

/** Sends a forged delivery once, the way of every delivery: resolved, judged, and to a judged address. Never rejects. */
export async function sendForged(options: {
  readonly policy: Policy
  readonly egress: Egress
  readonly url: string
  readonly kind: Forger['kinds'][number]
  readonly forged: NonNullable<ReturnType<Forger['make']>>
}): Promise<SendAnswer> {
  const { policy, egress, url, kind, forged } = options
  const { title, expected } = kind
  const began = Date.now()
  const signal = AbortSignal.timeout(policy.answerTimeMs)
  try {
    const target = targetOf(url, policy)
    if (target === undefined) return { problem: 'the url cannot be parsed' }
    const verdict = await egress.check(target)
    if (verdict.kind === 'blocked') return { problem: `${verdict.address} may not be connected to` }
    const headers = { 'user-agent': 'reference-server/1', ...forged.headers }
    const { addresses } = verdict
    const { body } = forged
    const { status } = await egress.post({
      target,
      addresses,
      headers,
      body,
      signal,
      maxBytes: policy.snippetReadBytes,
    })
    return { title, expected, status, durationMs: Date.now() - began }
  } catch (error) {
    const failure = signal.aborted ? 'none in time' : error instanceof Unresolved ? error.code : codeOf(error)
    return { title, expected, failure, durationMs: Date.now() - began }
  }
}
