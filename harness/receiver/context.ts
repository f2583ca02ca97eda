import type { CaseTools } from '../case.js'
import type { Checks } from '../check.js'
import type { SchemeFeature, SignatureScheme } from '../schemes/scheme.js'
import type { Exchange } from '../wire/exchange.js'
import type { Delivery, DeliveryFields } from './delivery.js'
import type { HandledCounts } from './handled-counts.js'
import type { Handshake } from './handshakes.js'

/** `interface`: a consumer of this interface; `standard-webhooks`: of any sender that signs in the same way. */
export type ReceiverProfile = 'interface' | 'standard-webhooks'

/** What a receiver case is handed. */
export interface ReceiverContext extends CaseTools {
  /** A valid delivery of a fresh event, signed now with the receiver's secret; `changes` replaces what differs. */
  delivery(changes?: Partial<DeliveryFields> & { readonly event?: unknown }): Delivery
  /** Sends it and resolves to the answer. Throws when the receiver limits the rate, which proves nothing. */
  send(delivery: Delivery): Promise<Exchange>
  /**
   * Sends an invalid delivery and resolves to the answer, whatever it is. Ends the case with a mismatch if the endpoint hangs on invalid
   * deliveries alone.
   */
  sendInvalid(delivery: Delivery, check?: Checks): Promise<Exchange>
  /** Sends it; a mismatch unless it is answered with a 2xx. */
  accepts(delivery: Delivery, check?: Checks): Promise<Exchange>
  /**
   * Sends it; a mismatch when it is answered with a 2xx, unless the endpoint reports that it did nothing for it. After a 5xx, a missing
   * answer or another unclear refusal, a valid delivery must be accepted: a crash is not a refusal. A mismatch names the fault of the
   * delivery as `title` does.
   */
  refuses(delivery: Delivery, check?: Checks, title?: string): Promise<Exchange>
  /** Calls `send` for each item: in order, or some at once if the endpoint is slow and handles many deliveries at once. */
  forEach<Item>(items: readonly Item[], send: (item: Item) => Promise<unknown>): Promise<void>
  /** Sends valid deliveries; a mismatch where three in a row get no answer in their time. */
  stillAnswers(): Promise<void>
  /** Unix seconds, the real clock. */
  now(): number
  readonly profile: ReceiverProfile
  /** How deliveries are signed. */
  readonly scheme: SignatureScheme
  /** Requests with which the provider checks an endpoint, each with a fresh token, whose answer or refusal is of this level. */
  handshakes(part: 'answered' | 'forged', level: 'must' | 'should'): readonly Handshake[]
  /** The user's own event bodies, used instead of the samples of the interface; empty if none are given. */
  readonly ownEvents: readonly { readonly name: string; readonly delivery: () => Delivery }[]
  /** The counts of handled events; for cases that need `handled`. */
  readonly handled: HandledCounts
  /** The steady load that the user chose. */
  readonly load: { readonly perSecond: number; readonly seconds: number } | undefined
}

/**
 * `load`: the user chose a steady load. `handled`: the endpoint reports how often it did its work. `events`: bodies of every event it
 * accepts are known. `interface-events`: they are those of the interface. `interface-profile`: it is a consumer of the interface.
 * `handshakes:…`: the provider checks an endpoint with a request that must, or should, be answered, or be refused when it is forged.
 * `scheme:…`: the scheme has that feature.
 */
export type ReceiverNeed =
  | 'load'
  | 'handled'
  | 'events'
  | 'interface-events'
  | 'sample-events'
  | 'interface-profile'
  | `handshakes:${'answered' | 'forged'}-${'must' | 'should'}`
  | `scheme:${SchemeFeature}`
