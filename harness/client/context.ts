import type { CaseTools } from '../case.js'
import type { Delivery } from '../receiver/delivery.js'
import type { ReceivedRequest, ScriptedServer } from './scripted-server.js'

export type { ReceivedRequest }
export type { Reply } from './reply.js'

/** Constructor options of the client, in the protocol's spelling. */
export interface ClientOptions {
  readonly api_key?: string
  readonly base_url?: string
  readonly max_retries?: number
  readonly timeout_ms?: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface CallOptions {
  readonly idempotency_key?: string
  readonly timeout_ms?: number
  readonly abort_after_ms?: number
  /** Of `emails.batch`. */
  readonly batch_validation?: string
}

/** An error in a driver's answer. */
export interface ReportedError {
  readonly status: unknown
  readonly code: unknown
  readonly message: unknown
  readonly fix: unknown
  readonly errors: unknown
  readonly retry_after: unknown
  /** Every field of it. */
  readonly raw: unknown
}

export type CallResult =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: ReportedError }
  /** The driver died, fell silent or wrote an invalid answer. */
  | { readonly kind: 'broken'; readonly how: string }

export interface ClientHandle {
  /** Calls a method by its dotted name. A driver that does not have it skips the case. `withinMs` is the longest time of the call. */
  call(method: string, args: readonly unknown[], options?: CallOptions, withinMs?: number): Promise<CallResult>
}

/** A delivery in a request to a driver. */
export interface DeliveryToVerify {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  /** Text stands for its UTF-8. */
  readonly payload: string | Uint8Array
}

/** What a client case is handed. */
export interface ClientContext extends CaseTools {
  /** The API the client talks to; answers by script. */
  readonly server: ScriptedServer
  /** A key for the client, registered as a secret. */
  readonly apiKey: string
  /**
   * A client for {@link server}, with a key and no options of its own beyond `options`. `null` leaves an option out
   * that would be set. Ends the case when it cannot be built.
   */
  client(options?: ClientOptions): Promise<ClientHandle>
  /**
   * Clients like that of {@link client}, each in a driver process that no other case uses: one where a driver takes many calls
   * at once, several where it answers one after the other, since calls that are to run side by side then need one each.
   */
  fleet(options?: ClientOptions): Promise<readonly ClientHandle[]>
  /**
   * What builds clients like that of {@link client} in so many driver processes (at most two) that were started for this case,
   * so that no call was made in them before.
   */
  freshProcesses(count: 1 | 2): Promise<readonly (() => Promise<ClientHandle>)[]>
  /** Whether a driver begins a call while another one waits. */
  readonly isConcurrent: boolean
  /** Resolves once the case has a driver: what grows old is made after that. */
  ready(): Promise<void>
  /** Builds a client with exactly these options and this environment. */
  construct(
    options: ClientOptions,
    env: Readonly<Record<string, string>>,
  ): Promise<CallResult & { readonly handle: ClientHandle }>
  /**
   * Calls the library's `verifyWebhook`: by the driver's operation `verify` and as a method, whichever the driver has. If it has both, they
   * must agree.
   */
  verify(request: DeliveryToVerify): Promise<CallResult>
  /** A valid delivery of a sample event with a fresh secret, signed at `timestamp` (Unix seconds). */
  delivery(timestamp: number): Delivery
  /** Calls `webhooks.verify`, or another method with the same arguments. */
  verifyBy(method: string, request: DeliveryToVerify): Promise<CallResult>
}

/** Capabilities that a client case may need: none can be missing from the start. */
export type ClientNeed = never
