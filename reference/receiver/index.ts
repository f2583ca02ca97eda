/**
 * The entry `webhook-conformance/receiver`: a correct webhook endpoint.
 *
 * @example
 * ```ts
 * import { startReferenceReceiver } from 'webhook-conformance/receiver'
 *
 * const { url, close } = await startReferenceReceiver({
 *   secret: process.env.WEBHOOK_SECRET,
 *   onEvent: (event) => console.log(event),
 * })
 * ```
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sign, WebhookVerificationError } from '../verifier/index.js'
import { receiverPolicy, type DeliveryView, type ReceiverPolicy } from './policy.js'
import { Receiver } from './receiver.js'

export { receiverPolicy, type DeliveryView, type ReceiverPolicy } from './policy.js'

export interface ReferenceReceiverOptions {
  /** `whsec_…`; several while a secret is rotated. */
  readonly secret: string | readonly string[]
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Path that takes deliveries (default `/webhooks`). */
  readonly path?: string
  /** Path below which `GET …/<event id>` returns how often that event was handled (default: none; `/handled/` is usual). */
  readonly handledPath?: string
  /** PEM; without it the receiver speaks plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** The clock: Unix seconds (default: the system's). */
  readonly now?: () => number
  /** Decisions that replace those of {@link receiverPolicy}. */
  readonly policy?: Partial<ReceiverPolicy>
  /** Called once for each event, duplicates left out. What it throws is answered with 500, so that the event is sent again. */
  readonly onEvent?: (event: unknown) => void | Promise<void>
  /** Called with each delivery to its path, before it is judged. */
  readonly onDelivery?: (delivery: DeliveryView) => void
  /** Called with each delivery that does not verify, before it is answered. */
  readonly onRefused?: (delivery: DeliveryView) => void
  /** Called once for each request that was answered, whatever the answer. */
  readonly onAnswer?: (answered: Answered) => void
}

/** One request and the status it was answered with. */
export interface Answered {
  readonly method: string
  readonly path: string
  /** The `webhook-id` header; undefined where there is none. */
  readonly id: string | undefined
  readonly status: number
}

/** Time a sender has for a whole request, in milliseconds. */
const requestTimeoutMs = 30_000

/**
 * Starts a small correct consumer: raw bytes verified, duplicates dropped, a 2xx for every event that was handled, a 4xx
 * for every request that is refused. Rejects when the port cannot be had, and for a secret that holds no key.
 */
export async function startReferenceReceiver(options: ReferenceReceiverOptions): Promise<{
  readonly url: string
  /** Where the handled counts are, with `{id}` instead of the event id. */
  readonly handledUrl: string | undefined
  close(): Promise<void>
}> {
  const {
    secret,
    tls,
    host = '127.0.0.1',
    port = 0,
    path = '/webhooks',
    handledPath,
    onEvent = () => {},
    onAnswer = () => {},
    now,
  } = options
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new WebhookVerificationError('bad_secret', 'there is no secret to verify with')
  for (const secret of secrets) sign({ id: 'evt_1', timestamp: 0, payload: '', secret })
  const receiver = new Receiver({
    policy: { ...receiverPolicy, ...options.policy },
    secret,
    path,
    handledPath,
    onEvent,
    onDelivery: options.onDelivery,
    onRefused: options.onRefused,
    now,
  })
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      const { method = '', url: requested = '' } = request
      const id = request.headers['webhook-id']
      onAnswer({ method, path: requested, id: typeof id === 'string' ? id : undefined, status: response.statusCode })
    })
    void receiver.receive(request, response)
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  server.requestTimeout = requestTimeoutMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: boundPort } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  const origin = `${tls === undefined ? 'http' : 'https'}://${name}:${boundPort}`
  return {
    url: `${origin}${path}`,
    handledUrl: handledPath === undefined ? undefined : `${origin}${handledPath}{id}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
