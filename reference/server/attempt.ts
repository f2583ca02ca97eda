import { createHmac } from 'node:crypto'
import type { DueDelivery } from './delivery-store.js'
import type { Egress, PostAnswer } from './egress.js'
import type { AnswerVerdict, AttemptOutcome, Policy, SigningContext } from './policy.js'
import { codeOf, Unresolved } from './resolver.js'
import { targetOf, type Target } from './url-check.js'

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
}

/** Makes one attempt: resolve, judge, sign, post. Never throws: every failure is an outcome. */
export async function makeAttempt(options: AttemptOptions): Promise<AttemptOutcome> {
  const { due, policy, egress, signal } = options
  const context: SigningContext = {
    attemptAt: options.attemptAt,
    firstAttemptAt: due.firstAttemptAt ?? options.attemptAt,
    attempt: due.attempt + 1,
    isReplay: due.isReplay,
  }
  const body = policy.attemptBody(options.body, context)
  const headers = signedHeaders({ policy, due, context, body, secret: options.secret })
  try {
    let url = policy.deliveryUrl(options.url)
    for (let hop = 0; ; hop++) {
      const target = targetOf(url, policy)
      if (target === undefined) return { kind: 'connection', error: 'malformed_url' }
      const verdict = await unlessAborted(judged(target), signal)
      if (verdict.kind === 'blocked') return verdict
      const answer: PostAnswer = await egress.post({
        target,
        addresses: verdict.addresses,
        method: policy.deliveryMethod,
        headers,
        body: policy.sentBody(body),
        signal,
        maxBytes: policy.snippetReadBytes,
      })
      const next = hop < policy.maxRedirects ? redirectOf(answer, target) : undefined
      if (policy.redirects === 'stay' || next === undefined) {
        const { status, retryAfterSeconds } = answer
        const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
        return { kind: 'answer', status, snippet: policy.snippet(answer.body, status), retryAfterMs }
      }
      url = next
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'timeout' }
    if (error instanceof Unresolved) return { kind: 'unresolved', error: error.code }
    return { kind: 'connection', error: codeOf(error) }
  }

  function judged(target: Target): Promise<AnswerVerdict> {
    return policy.checksAttempt(context.attempt) ? egress.check(target) : egress.unjudged(target)
  }
}

function signedHeaders(options: {
  policy: Policy
  due: DueDelivery
  context: SigningContext
  body: string
  secret: string
}): Record<string, string> {
  const { policy, due, context, body, secret } = options
  const id = policy.messageId(due.eventId, { ...context, deliveryId: due.id })
  const timestamp = policy.signedTimestamp(context)
  const mac = createHmac(policy.signatureHash, policy.signatureKey(secret))
    .update(policy.signedContent(id, timestamp, body))
    .digest()
  const values = { id, timestamp, signature: policy.signatureHeader(policy.encodeSignature(mac)) }
  const headers: Record<string, string> = {
    'content-type': policy.deliveryContentType,
    'user-agent': 'reference-server/1',
    ...policy.extraHeaders,
  }
  for (const part of policy.sentHeaders) headers[policy.headerNames[part]] = values[part]
  return headers
}

function redirectOf(answer: PostAnswer, target: Target): string | undefined {
  if (answer.status < 300 || answer.status > 399 || answer.location === undefined) return undefined
  return URL.canParse(answer.location, target.url.href) ? new URL(answer.location, target.url).href : undefined
}

/** Rejects when the signal aborts first: a lookup that never answers must not hold an attempt. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    const onAbort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
