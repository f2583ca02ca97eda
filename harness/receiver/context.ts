import type { CaseTools } from '../case.js'
import type { Checks } from '../check.js'
import type { Exchange } from '../wire/exchange.js'
import type { Delivery, DeliveryFields } from './delivery.js'

/** What a receiver case is handed. */
export interface ReceiverContext extends CaseTools {
  /** A valid delivery of a fresh event, signed now with the receiver's secret; `changes` replaces what differs. */
  delivery(changes?: Partial<DeliveryFields> & { readonly event?: unknown }): Delivery
  /** Sends it and tells what came back. Throws when the receiver limits the rate: that is no verdict. */
  send(delivery: Delivery): Promise<Exchange>
  /** Sends it; a mismatch unless it is answered with a 2xx. */
  accepts(delivery: Delivery, check?: Checks): Promise<Exchange>
  /** Sends it; a mismatch unless it is refused with a 4xx. A 5xx, a redirect, a reset and silence are no refusals. */
  refuses(delivery: Delivery, check?: Checks): Promise<Exchange>
  /** Unix seconds, the real clock. */
  now(): number
  /** The steady load the user asked for. */
  readonly load: { readonly perSecond: number; readonly seconds: number } | undefined
}

/** `load`: the user asked for a steady load. */
export type ReceiverNeed = 'load'
