import type { HeaderFamily } from '../wire/header-family.js'
import type { Access } from '../wire/access.js'
import type { SignatureScheme } from '../schemes/scheme.js'
import type { ReceiverContext, ReceiverProfile } from './context.js'
import type { OwnEvent } from './own-events.js'

export interface ReceiverTarget {
  /** Where the receiver takes deliveries. */
  readonly url: string
  /** `whsec_…`, the one the receiver was given. */
  readonly secret: string
  /** Access besides the address: headers for a gateway in front of it, its certificate, a proxy. */
  readonly access: Access
  readonly maxRps: number
  readonly load: ReceiverContext['load']
  /** Whether the user chose how many cases run at once: then a slow endpoint does not get more. */
  readonly keepsConcurrency?: boolean
  /** What it is a consumer of (default: this interface). */
  readonly profile?: ReceiverProfile
  /** Event bodies, used instead of the samples of the interface. */
  readonly ownEvents?: readonly OwnEvent[]
  /** The names of the three headers (default `webhook`). */
  readonly headerNames?: HeaderFamily
  /** The signature scheme (default: that of the interface). */
  readonly scheme?: SignatureScheme
  /** What `--scheme` names it by: its name, or the path of its file. */
  readonly schemeWord?: string
  /** The URL at which the endpoint reports how often it did its work for the event `{id}`. */
  readonly handledUrl?: string
}
