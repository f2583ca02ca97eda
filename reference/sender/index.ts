import { createHmac, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { EventType } from '../../spec/index.js'
import { senderPolicy, type AttemptEnd, type AttemptFacts, type SenderPolicy, type SentEventBody } from './policy.js'
import { sampleOf } from './samples.js'

export { senderPolicy, type AttemptEnd, type AttemptFacts, type SenderPolicy, type SentEventBody } from './policy.js'

export interface ReferenceSenderOptions {
  /** `whsec_…` */
  readonly secret: string
  /** PEM of an authority to trust in addition to the usual ones. */
  readonly ca?: string
  /** Called at the end of each attempt. */
  readonly onAttempt?: (facts: AttemptFacts, end: AttemptEnd) => void
  /** Decisions that replace those of {@link senderPolicy}. */
  readonly policy?: Partial<SenderPolicy>
}

/** A small correct sender of webhooks, in real time. */
export interface ReferenceSender {
  /** Sends one event of a type to the URL, and returns its id; its attempts go on until one succeeds, or the last has failed. */
  send(url: string, type: EventType): string
  /** Cancels all waiting attempts. */
  close(): void
}

export function startReferenceSender(options: ReferenceSenderOptions): ReferenceSender {
  const { secret, ca, policy: changes, onAttempt } = options
  const policy = { ...senderPolicy, ...changes }
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false

  const attempt = async (url: string, event: SentEventBody, number: number): Promise<void> => {
    const now = Date.now()
    const facts = { event, number, now }
    const [id, timestamp, body] = [policy.headerId(facts), policy.headerTimestamp(facts), policy.body(facts)]
    const mac = createHmac('sha256', policy.key(secret)).update(policy.signed({ id, timestamp, body })).digest('base64')
    const three = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': policy.signature(mac) }
    const end = await post(url, { body, headers: policy.headers(three), policy, ca })
    onAttempt?.(facts, end)
    const delay = policy.schedule[number - 1]
    if (policy.isSuccess(end) || delay === undefined || !policy.retries(end) || isClosed) return
    const spentMs = policy.countsFrom === 'start' ? Date.now() - now : 0
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        void attempt(url, event, number + 1)
      },
      Math.max(0, delay - spentMs),
    )
    timers.add(timer)
  }

  return {
    send: (url, type) => {
      const id = `evt_${randomUUID().replaceAll('-', '')}`
      const event = { id, type, timestamp: new Date().toISOString(), data: sampleOf(type) }
      void attempt(url, event, 1)
      return id
    },
    close: () => {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

interface Posted {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly policy: SenderPolicy
  readonly ca: string | undefined
}

/** Makes one attempt; any status is an answer, a redirect too (SDR-023), and so is one whose body never ends. */
function post(url: string, { body, headers, policy, ca }: Posted): Promise<AttemptEnd> {
  return new Promise((resolve) => {
    const isSecure = url.startsWith('https:')
    const options = {
      method: policy.method,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    }
    const request = isSecure
      ? httpsRequest(url, { ...options, agent: false, ...(ca === undefined ? {} : { ca }) })
      : httpRequest(url, { ...options, agent: false })
    const timer = setTimeout(() => {
      resolve({ kind: 'timeout' })
      request.destroy()
    }, policy.answerTimeMs)
    request.on('error', () => {
      clearTimeout(timer)
      resolve({ kind: 'broken' })
    })
    request.on('response', (response) => {
      response.resume()
      clearTimeout(timer)
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
    })
    request.end(body)
  })
}
