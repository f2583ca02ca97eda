import type { IncomingMessage, ServerResponse } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '../verifier/index.js'
import { readBody } from './body.js'
import type { DeliveryView, ReceiverPolicy } from './policy.js'

export interface ReceiverSettings {
  readonly policy: ReceiverPolicy
  /** `whsec_…`; several while a secret is rotated. */
  readonly secret: string | readonly string[]
  readonly path: string
  /** Called once for each event, duplicates left out. What it throws is answered with 500, so that the event is sent again. */
  readonly onEvent: (event: unknown) => void | Promise<void>
  /** Called with each delivery, before it is judged. */
  readonly onDelivery?: ((delivery: DeliveryView) => void) | undefined
  /** Called with each delivery that does not verify, before it is answered. */
  readonly onRefused?: ((delivery: DeliveryView) => void) | undefined
  /** Path below which `GET …/<event id>` returns how often that event was handled; undefined offers nothing. */
  readonly handledPath?: string | undefined
  /** Unix seconds; the system's clock when it is undefined. */
  readonly now?: (() => number) | undefined
}

/** Ids remembered at most; the oldest are forgotten first. */
const maxIds = 10_000

/** Judges deliveries, one by one; remembers which events were handled. */
export class Receiver {
  readonly #settings: ReceiverSettings
  readonly #handled = new Set<string>()
  /** How often the work was done for an event. */
  readonly #counts = new Map<string, number>()
  /** Events that are being handled: a duplicate waits for the outcome of the first. */
  readonly #handling = new Map<string, Promise<boolean>>()

  constructor(settings: ReceiverSettings) {
    this.#settings = settings
  }

  /** Answers one request. Never rejects: a sender may disconnect in the middle of its body. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, policy, handledPath } = this.#settings
    response.on('error', () => {})
    if (handledPath !== undefined && request.method === 'GET' && request.url?.startsWith(handledPath) === true) {
      const count = this.#counts.get(idIn(request.url.slice(handledPath.length))) ?? 0
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ count }))
      return
    }
    const isForUs = (request.url ?? '').split('?')[0] === path
    if (!isForUs || request.method !== 'POST') {
      const allow = isForUs ? { allow: 'POST' } : {}
      response.writeHead(isForUs ? 405 : 404, { connection: 'close', ...allow }).end()
      return
    }
    const status = await this.#statusOf(request)
    if (status !== undefined) answer(response, status, policy)
  }

  /** Undefined when the sender has gone. */
  async #statusOf(request: IncomingMessage): Promise<number | undefined> {
    const { policy } = this.#settings
    const body = await readBody(request, policy.maxBodyBytes)
    if (body === 'gone') return undefined
    if (body === 'too large') return 413
    const headers = request.headers as Readonly<Record<string, string | undefined>>
    this.#settings.onDelivery?.({ headers, body })
    return this.#judge({ headers, body })
  }

  async #judge(delivery: DeliveryView): Promise<number> {
    const { policy } = this.#settings
    const judged = this.#verified(delivery)
    if (typeof judged === 'number') return judged
    const id = delivery.headers['webhook-id'] ?? ''
    if (this.#handled.has(id)) return policy.duplicateStatus
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
    const { headers, body } = delivery
    const clock = now === undefined ? {} : { now: now() }
    try {
      return { event: verifyWebhook({ payload: body, headers, secret, ...clock }) }
    } catch (error) {
      this.#settings.onRefused?.(delivery)
      return error instanceof WebhookVerificationError ? policy.refusedStatus(error.code) : 500
    }
  }

  /** Whether the event was handled; its id is remembered only then, so that a failure is made good by a retry. */
  async #handle(id: string, event: unknown): Promise<boolean> {
    try {
      await this.#settings.onEvent(event)
      this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
      forgetOldest(this.#counts)
      this.#remember(id)
      return true
    } catch {
      return false
    }
  }

  #remember(id: string): void {
    this.#handled.add(id)
    forgetOldest(this.#handled)
  }
}

/** Keeps the latest ids alone. */
function forgetOldest(ids: Set<string> | Map<string, number>): void {
  if (ids.size <= maxIds) return
  for (const oldest of ids.keys()) return void ids.delete(oldest)
}

/** An id of a path; invalid percent-encoding is left unchanged. */
function idIn(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function answer(response: ServerResponse, status: number, policy: ReceiverPolicy): void {
  const close = status === 413 ? { connection: 'close' } : {}
  const { headers, body } = policy.answer(status)
  response.writeHead(status, { ...headers, ...close }).end(status === 204 ? '' : body)
}
