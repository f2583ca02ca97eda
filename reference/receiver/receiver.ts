import type { IncomingMessage, ServerResponse } from 'node:http'
import { createVerifier, WebhookVerificationError } from '../verifier/index.js'
import { readBody } from './body.js'
import type { DeliveryView, ReceiverPolicy } from './policy.js'

export interface ReceiverSettings {
  readonly policy: ReceiverPolicy
  /** `whsec_…`; several while a secret is rotated. */
  readonly secret: string | readonly string[]
  readonly path: string
  /** Called once for each event, duplicates left out. What it throws is answered with 500, so that the event is sent again. */
  readonly onEvent: (event: unknown) => void | Promise<void>
  /** Unix seconds; the system's clock when it is undefined. */
  readonly now?: (() => number) | undefined
}

/** Ids remembered at most; the oldest are forgotten first. */
const mostIds = 10_000

/** Judges deliveries, one by one; remembers which events were handled. */
export class Receiver {
  readonly #settings: ReceiverSettings
  readonly #verifier
  readonly #handled = new Set<string>()
  /** Events that are being handled: a duplicate waits for the outcome of the first. */
  readonly #handling = new Map<string, Promise<boolean>>()
  #refusalsInARow = 0
  #atOnce = 0

  constructor(settings: ReceiverSettings) {
    this.#settings = settings
    this.#verifier = createVerifier(settings.policy.verifier)
  }

  /** Answers one request. Never rejects: a sender that goes away in the middle of its body is nobody's error. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, policy } = this.#settings
    response.on('error', () => {})
    const isForUs = (request.url ?? '').split('?')[0] === path
    if (!isForUs || request.method !== 'POST') {
      const allow = isForUs ? { allow: 'POST' } : {}
      response.writeHead(isForUs ? 405 : 404, { connection: 'close', ...allow }).end()
      return
    }
    this.#atOnce++
    try {
      const status = this.#atOnce > policy.maxAtOnce ? 503 : await this.#statusOf(request)
      if (policy.answerAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, policy.answerAfterMs))
      if (status !== undefined) answer(response, status, policy)
    } finally {
      this.#atOnce--
    }
  }

  /** Undefined when the sender has gone. */
  async #statusOf(request: IncomingMessage): Promise<number | undefined> {
    const { policy } = this.#settings
    const body = await readBody(request, policy.maxBodyBytes)
    if (body === 'gone') return undefined
    if (body === 'too large') return 413
    const isChunked = request.headers['content-length'] === undefined
    const headers = request.headers as Readonly<Record<string, string | undefined>>
    return this.#judge({ headers, body: isChunked && !policy.readsChunked ? Buffer.alloc(0) : body, isChunked })
  }

  async #judge(delivery: DeliveryView): Promise<number> {
    const { policy } = this.#settings
    if (this.#refusalsInARow >= policy.locksAfter) return 403
    const id = delivery.headers['webhook-id'] ?? ''
    const isHandled = this.#handled.has(id)
    if (policy.remembersId === 'when-received') this.#remember(id)
    const judged = this.#verified(delivery)
    if (typeof judged === 'number') {
      this.#refusalsInARow++
      return judged
    }
    this.#refusalsInARow = 0
    if (isHandled) return policy.duplicateStatus
    const { event } = judged
    const refusal = policy.refusesEvent((event ?? {}) as Readonly<Record<string, unknown>>, delivery)
    if (refusal !== undefined) return refusal
    const first = this.#handling.get(id)
    if (first !== undefined) return (await first) ? policy.duplicateStatus : 500
    const handling = this.#handle(id, event)
    this.#handling.set(id, handling)
    const isDone = await handling
    this.#handling.delete(id)
    return isDone ? policy.acceptedStatus : 500
  }

  /** The event, or the status of the refusal. */
  #verified(delivery: DeliveryView): { readonly event: unknown } | number {
    const { policy, secret, now } = this.#settings
    const { headers } = delivery
    try {
      const payload = policy.verifiedBody(delivery)
      if (policy.verifies(delivery))
        this.#verifier.verify({
          payload,
          headers,
          secret,
          toleranceSeconds: policy.toleranceSeconds,
          ...(now === undefined ? {} : { now: now() }),
        })
    } catch (error) {
      return error instanceof WebhookVerificationError ? policy.refusedStatus(error.code) : 500
    }
    try {
      return { event: policy.verifier.eventOf(delivery.body) }
    } catch {
      return policy.refusedStatus('malformed_payload')
    }
  }

  /** Whether the event was handled; its id is remembered only then, so that a failure is made good by a retry. */
  async #handle(id: string, event: unknown): Promise<boolean> {
    try {
      await this.#settings.onEvent(event)
      this.#remember(id)
      return true
    } catch {
      return false
    }
  }

  #remember(id: string): void {
    this.#handled.add(id)
    if (this.#handled.size > mostIds) for (const oldest of this.#handled) return void this.#handled.delete(oldest)
  }
}

function answer(response: ServerResponse, status: number, policy: ReceiverPolicy): void {
  const location = status >= 300 && status < 400 ? { location: '/elsewhere' } : {}
  const close = status === 413 ? { connection: 'close' } : {}
  const { headers, body } = policy.answer(status)
  response.writeHead(status, { ...headers, ...location, ...close }).end(status === 204 ? '' : body)
}
