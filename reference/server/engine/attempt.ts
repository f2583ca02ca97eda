import { createHmac } from 'node:crypto'
import type { DueDelivery } from '../store/delivery-store.js'
import type { Egress } from '../egress/egress.js'
import { unlessAborted } from '../egress/unless-aborted.js'
import type { AttemptOutcome, Policy } from '../policy.js'
import { codeOf, Unresolved } from '../egress/resolver.js'
import { targetOf } from '../egress/url-check.js'

export interface AttemptOptions {
  readonly due: DueDelivery
  readonly url: string
  readonly secret: string
  /** The event as JSON text. */
  readonly body: string
  /** Instant on the workspace's clock at which the attempt is made and signed. */
  readonly attemptAt: number
  /** Aborted when the answer time is over. */
  readonly signal: AbortSignal
  readonly policy: Policy
  readonly egress: Egress
  /** Called with the request before it is sent. */
  readonly onSigned?: (headers: Readonly<Record<string, string>>) => void
}

/** Makes one attempt: resolve, judge, sign, post. Never throws: every failure is an outcome. */
export async function makeAttempt(options: AttemptOptions): Promise<AttemptOutcome> {
  const { policy, egress, signal } = options
  try {
    const target = targetOf(options.url, policy)
    if (target === undefined) return { kind: 'connection', error: 'malformed_url' }
    const verdict = await unlessAborted(egress.check(target), signal)
    if (verdict.kind === 'blocked') return verdict
    const headers = signedHeaders(options)
    options.onSigned?.(headers)
    const { status, body: answered } = await egress.post({
      target,
      addresses: verdict.addresses,
      headers,
      body: options.body,
      signal,
      maxBytes: policy.snippetReadBytes,
    })
    return { kind: 'answer', status, snippet: policy.snippet(answered, status) }
  } catch (error) {
    if (signal.aborted) return { kind: 'timeout' }
    if (error instanceof Unresolved) return { kind: 'unresolved', error: error.code }
    return { kind: 'connection', error: codeOf(error) }
  }
}

function signedHeaders({ policy, due, body, secret, attemptAt }: AttemptOptions): Record<string, string> {
  const id = due.eventId
  const timestamp = policy.signedTimestamp(attemptAt)
  const mac = createHmac(policy.signatureHash, policy.signatureKey(secret))
    .update(policy.signedContent(id, timestamp, body))
    .digest()
  return {
    'content-type': policy.deliveryContentType,
    'user-agent': 'reference-server/1',
    ...policy.extraHeaders,
    [policy.headerNames.id]: id,
    [policy.headerNames.timestamp]: timestamp,
    [policy.headerNames.signature]: policy.signatureHeader(policy.encodeSignature(mac)),
  }
}
