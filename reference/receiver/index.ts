import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createVerifier, WebhookVerificationError } from '../verifier/index.js'
import { receiverPolicy, type ReceiverPolicy } from './policy.js'

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
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly policy?: Partial<ReceiverPolicy>
  /** Called once for each event, duplicates left out. */
  readonly onEvent?: (event: unknown) => void
}

/** Ids remembered at most; the oldest are forgotten first. */
const mostIds = 10_000

/** Starts a small correct consumer: raw bytes verified, duplicates dropped, every refusal a 4xx. */
export async function startReferenceReceiver(
  options: ReferenceReceiverOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const policy: ReceiverPolicy = { ...receiverPolicy, ...options.policy }
  const path = options.path ?? '/webhooks'
  const receiver = new Receiver(policy, options)
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void receiver.receive(request, response, path)
  const server: Server = options.tls === undefined ? createServer(listener) : createSecureServer(options.tls, listener)
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${options.host ?? '127.0.0.1'}:${port}${path}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

class Receiver {
  readonly #policy: ReceiverPolicy
  readonly #options: ReferenceReceiverOptions
  readonly #verifier
  readonly #ids = new Set<string>()
  #refusalsInARow = 0
  #atOnce = 0

  constructor(policy: ReceiverPolicy, options: ReferenceReceiverOptions) {
    this.#policy = policy
    this.#options = options
    this.#verifier = createVerifier(policy.verifier)
  }

  async receive(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const isForUs = (request.url ?? '').split('?')[0] === path
    if (!isForUs || request.method !== 'POST') {
      response.writeHead(isForUs ? 405 : 404, { connection: 'close', allow: 'POST' }).end()
      return
    }
    this.#atOnce++
    const isOverloaded = this.#atOnce > this.#policy.maxAtOnce
    const status = isOverloaded ? 503 : await this.#statusOf(request)
    if (this.#policy.answerAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#policy.answerAfterMs))
    this.#atOnce--
    const isRedirect = status >= 300 && status < 400
    response
      .writeHead(status, {
        ...(isRedirect ? { location: '/elsewhere' } : {}),
        ...(status === 413 ? { connection: 'close' } : {}),
      })
      .end()
  }

  async #statusOf(request: IncomingMessage): Promise<number> {
    const body = await this.#read(request)
    if (body === undefined) return 413
    const isChunked = request.headers['content-length'] === undefined
    const headers = request.headers as Readonly<Record<string, string | undefined>>
    return this.#judge({ headers, body: isChunked && !this.#policy.readsChunked ? Buffer.alloc(0) : body, isChunked })
  }

  #judge(delivery: {
    headers: Readonly<Record<string, string | undefined>>
    body: Buffer
    isChunked: boolean
  }): number {
    const policy = this.#policy
    if (this.#refusalsInARow >= policy.locksAfter) return 403
    const id = delivery.headers['webhook-id'] ?? ''
    const isDuplicate = this.#ids.has(id)
    if (policy.remembersId === 'when-received') this.#remember(id)
    let event: unknown
    try {
      if (policy.verifies(delivery))
        this.#verifier.verify({
          payload: policy.verifiedBody(delivery),
          headers: delivery.headers,
          secret: this.#options.secret,
          toleranceSeconds: policy.toleranceSeconds,
        })
      event = policy.verifier.eventOf(delivery.body)
    } catch (error) {
      this.#refusalsInARow++
      if (error instanceof WebhookVerificationError) return policy.refusedStatus(error.code)
      return error instanceof SyntaxError ? policy.refusedStatus('malformed_payload') : 500
    }
    this.#refusalsInARow = 0
    if (isDuplicate) return policy.duplicateStatus
    const refusal = policy.refusesEvent((event ?? {}) as Readonly<Record<string, unknown>>)
    if (refusal !== undefined) return refusal
    this.#remember(id)
    this.#options.onEvent?.(event)
    return policy.acceptedStatus
  }

  #remember(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size > mostIds) for (const oldest of this.#ids) return void this.#ids.delete(oldest)
  }

  async #read(request: IncomingMessage): Promise<Buffer | undefined> {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > this.#policy.maxBodyBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}
