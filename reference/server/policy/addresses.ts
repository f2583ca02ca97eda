import { isRefusedAddress } from '../egress/addresses.js'
import type { DeliveryStatus } from './records.js'
import { parsedUrl } from '../parsed-url.js'

/** What of an answer set may be connected to. */
export type AnswerVerdict =
  | { readonly kind: 'connect'; readonly addresses: readonly string[] }
  | { readonly kind: 'blocked'; readonly address: string }

/** Which addresses a webhook may have, and when that is judged. */
export interface AddressPolicy {
  /** Schemes of a webhook url. Source: WHK-019. */
  readonly urlSchemes: readonly string[]
  /** Characters of a url at most. */
  readonly maxUrlLength: number
  /** Names for the local machine, and names no public DNS has. Source: NET-014. */
  readonly isLocalName: (host: string) => boolean
  /** The host that is judged, from the text of a url; null when there is none. Source: NET-004. */
  readonly judgedHost: (url: string) => string | null
  /** Whether an address (no brackets) is refused. Source: NET-001 to NET-006; open point `arguable-addresses`. */
  readonly isRefusedAddress: (address: string) => boolean
  /** A public address instead of a name: accepted, or refused like any address but those exempted. Open point `address-literals`. */
  readonly literalHosts: 'accept' | 'refuse'
  /** Spellings of an address that `judgedHost` takes for names: connected to as addresses, or looked up. Open point `address-spellings`. */
  readonly spelledAddresses: 'connect' | 'look-up'
  /** Whether a name is resolved and judged when the webhook is created; open point `private-hostname`. */
  readonly resolvesAtCreation: boolean
  /** Status and code of a refused url; open point `url-refusal`. */
  readonly urlRefusal: { readonly status: number; readonly code: string }
  /** What of an answer set is connected to. Source: NET-012; open point `mixed-answers`. */
  readonly judgeAnswers: (addresses: readonly string[], isRefused: (address: string) => boolean) => AnswerVerdict
  /** Status of a delivery that was blocked; with `isRetried` it decides whether the block ends it. Source: NET-008, NET-009. */
  readonly blockedStatus: DeliveryStatus
}

/**
 * Domains that the public DNS will never have (special-use domain names of IANA, `internal`, and what systems and clusters
 * call themselves). `test` is not among them: it is for tests, and the control interface answers for it.
 */
const localDomains = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'home.arpa',
  'onion',
  'invalid',
  'alt',
  'svc',
] as const

export const addressPolicy: AddressPolicy = {
  urlSchemes: ['https:'],
  maxUrlLength: 2048,
  judgedHost: (url) => parsedUrl(url)?.hostname ?? null,
  isLocalName: (host) => {
    const name = host.toLowerCase().replace(/\.+$/, '')
    return !name.includes('.') || localDomains.some((domain) => name.endsWith(`.${domain}`))
  },
  isRefusedAddress,
  literalHosts: 'accept',
  spelledAddresses: 'connect',
  resolvesAtCreation: false,
  urlRefusal: { status: 400, code: 'url_refused' },
  judgeAnswers: (addresses, isRefused) => {
    const refused = addresses.find(isRefused)
    return refused === undefined ? { kind: 'connect', addresses } : { kind: 'blocked', address: refused }
  },
  blockedStatus: 'failed',
}
