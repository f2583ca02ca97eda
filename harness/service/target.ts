import type { EventType } from '../../spec/index.js'
import type { Access } from '../wire/access.js'

/** How an event type is raised where the control interface cannot. */
export type Trigger =
  /** An email to the inbox's own address. */
  | { readonly kind: 'send_to_inbox' }
  /** An email to this address, such as one of a simulator. */
  | { readonly kind: 'to'; readonly address: string }
  /** A shell command. */
  | { readonly kind: 'command'; readonly command: string }

export interface ConfiguredInbox {
  readonly id: string
  readonly address: string
  readonly apiKey: string | undefined
}

/** All facts about a service before the run: the configuration (docs/contract.md, section 2), resolved. */
export interface ServiceTarget {
  /** How the target is called in reports; its base URL where absent. */
  readonly name?: string
  /** Origin and path prefix, without `/v1` and without a trailing slash. */
  readonly baseUrl: string
  /** Access besides the address: headers for a gateway, a certificate, a proxy. */
  readonly access?: Access
  /** A key that sees the whole org. */
  readonly apiKey: string | undefined
  /** A key that sees the whole of another org. */
  readonly secondApiKey?: string | undefined
  /** An address that may send. */
  readonly from: string | undefined
  readonly inboxes: readonly ConfiguredInbox[]
  readonly receiver: { readonly host: string; readonly port: number; readonly publicUrl: string } | undefined
  readonly triggers: Readonly<Partial<Record<EventType, Trigger>>>
  readonly dns: { readonly zone: string; readonly host: string; readonly port: number } | undefined
  /** Attempts watched in real time, 1 to 7. */
  readonly retryDepth: number
  readonly control: { readonly url: string; readonly key: string } | undefined
  /** Other secrets the run may meet, such as those in the commands of triggers. */
  readonly secrets?: readonly string[]
  /** Requests a second at most; Infinity for no limit. */
  readonly maxRps: number
  /** Where unread mail may be sent; {@link defaultRecipient} if absent. */
  readonly recipient?: string | undefined
  /** A host with a public address, for webhooks that are created and deleted; {@link defaultPublicHost} where absent. */
  readonly publicHost?: string | undefined
}

/** A service of which nothing is known but its address: two attempts are watched in real time, and nothing slows the run down. */
export function bareTarget(baseUrl: string): ServiceTarget {
  return {
    baseUrl,
    apiKey: undefined,
    from: undefined,
    inboxes: [],
    receiver: undefined,
    triggers: {},
    dns: undefined,
    retryDepth: 2,
    control: undefined,
    maxRps: Number.POSITIVE_INFINITY,
  }
}

/** A service may refuse mail that cannot be delivered; this domain exists, and refuses all mail at its own door. */
export const defaultRecipient = 'probe@example.com'
/** A service may refuse a name without an address; this one has addresses, and nothing is ever delivered to it. */
export const defaultPublicHost = 'example.com'

/** A base address without a trailing slash and without a trailing `/v1`. */
export function normalizeBaseUrl(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** Returns the access of the control interface: that of the service, but a gateway's headers only if both have one origin. */
export function accessOfControl({ access = {}, baseUrl, control }: ServiceTarget): Access {
  const isBehindIt = control !== undefined && new URL(control.url).origin === new URL(baseUrl).origin
  return isBehindIt ? access : { ...access, headers: {} }
}
