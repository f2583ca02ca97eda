import type { CaseTools } from '../case.js'
import type { Checks } from '../check.js'
import type { SchemeFeature, SignatureScheme } from '../schemes/scheme.js'
import type { Exchange } from '../wire/exchange.js'
import type { Delivery, DeliveryFields } from './delivery.js'
import type { HandledCounts } from './handled.js'

/** `interface`: a consumer of this interface; `standard-webhooks`: of any sender that signs in the same way. */
export type ReceiverProfile = 'interface' | 'standard-webhooks'

/** What a receiver case is handed. */
export interface ReceiverContext extends CaseTools {
  /** A valid delivery of a fresh event, signed now with the receiver's secret; `changes` replaces what differs. */
  delivery(changes?: Partial<DeliveryFields> & { readonly event?: unknown }): Delivery
  /** Sends it and tells what came back. Throws when the receiver limits the rate: that is no verdict. */
  send(delivery: Delivery): Promise<Exchange>
  /** Sends it; a mismatch unless it is answered with a 2xx. */
  accepts(delivery: Delivery, check?: Checks): Promise<Exchange>
  /**
   * Sends it; a mismatch when it is answered with a 2xx, unless the endpoint tells that it did nothing for it. What is no
   * plain refusal, such as a 5xx or no answer at all, must be followed by a valid delivery that is accepted: a crash is no
   * refusal. A mismatch names what is wrong with the delivery where `title` does.
   */
  refuses(delivery: Delivery, check?: Checks, title?: string): Promise<Exchange>
  /** Sends valid deliveries; a mismatch where three in a row get no answer in their time. */
  stillAnswers(): Promise<void>
  /** Unix seconds, the real clock. */
  now(): number
  readonly profile: ReceiverProfile
  /** How deliveries are signed. */
  readonly scheme: SignatureScheme
  /** The user's own event bodies, in place of the samples of the interface; empty where none are given. */
  readonly ownEvents: readonly { readonly name: string; readonly delivery: () => Delivery }[]
  /** The counts of what was handled; to be used by cases that need `handled`. */
  readonly handled: HandledCounts
  /** The steady load the user asked for. */
  readonly load: { readonly perSecond: number; readonly seconds: number } | undefined
}

/**
 * `load`: the user asked for a steady load. `handled`: the endpoint tells how often it did its work. `events`: bodies of
 * every event it takes are known. `interface-events`: they are those of the interface. `interface-profile`: it is a
 * consumer of the interface. `handshakes`: the provider tries its endpoints. `scheme:…`: the scheme has room for it.
 */
export type ReceiverNeed =
  | 'load'
  | 'handled'
  | 'events'
  | 'interface-events'
  | 'sample-events'
  | 'interface-profile'
  | 'handshakes'
  | `scheme:${SchemeFeature}`
