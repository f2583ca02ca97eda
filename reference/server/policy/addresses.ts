import { isRefusedAddress } from '../addresses.js'
import type { DeliveryStatus } from './records.js'

/** What of an answer set may be connected to. */
export type AnswerVerdict =
  | { readonly kind: 'connect'; readonly addresses: readonly string[] }
  | { readonly kind: 'blocked'; readonly address: string }

/** Which addresses a webhook may have, and when that is judged. */
export interface AddressPolicy {
  /** Schemes of a webhook url. Source: WHK-019. */
  readonly urlSchemes: readonly string[]
  /** Whether a url with a user name or password is refused. */
  readonly refusesCredentials: boolean
  /** Characters of a url at most. */
  readonly maxUrlLength: number
  /** The host that is judged, from the text of a url; null when there is none. Source: NET-004. */
  readonly judgedHost: (url: string) => string | null
  /** Names for the local machine, and names no public DNS has. Source: NET-014. */
  readonly isLocalName: (host: string) => boolean
  /** Whether an address (no brackets) is refused. Source: NET-001 to NET-006; open point `arguable-addresses`. */
  readonly isRefusedAddress: (address: string) => boolean
  /** Whether a literal address is judged when the webhook is created. Source: NET-001. */
  readonly checksAtCreation: boolean
  /** Whether a name is resolved and judged when the webhook is created; open point `private-hostname`. */
  readonly resolvesAtCreation: boolean
  /** Status and code of a refused url; open point `url-refusal`. */
  readonly urlRefusal: { readonly status: number; readonly code: string }
  /** Which attempts are judged. Source: NET-010, NET-013. */
  readonly checksAttempt: (attempt: number) => boolean
  /** What of an answer set is connected to. Source: NET-012; open point `mixed-answers`. */
  readonly judgeAnswers: (addresses: readonly string[], isRefused: (address: string) => boolean) => AnswerVerdict
  /** Whether the connection goes to the checked answer, or to that of a lookup of its own after one check or two. Source: NET-011. */
  readonly connection: 'checked-answer' | 'second-lookup' | 'third-lookup'
  /** Whether an exemption of the control interface covers an address and port. Source: contract, part 3. */
  readonly isExempt: (exemptions: ReadonlySet<string>, address: string, port: number) => boolean
  /** Whether a name that was blocked once is judged anew. Source: NET-015. */
  readonly blockedNames: 'judged-anew' | 'remembered'
  /** Status of a delivery that was blocked; with `isRetried` it decides whether the block ends it. Source: NET-008, NET-009. */
  readonly blockedStatus: DeliveryStatus
}

export const addressPolicy: AddressPolicy = {
  urlSchemes: ['https:'],
  refusesCredentials: true,
  maxUrlLength: 2048,
  judgedHost: (url) => (URL.canParse(url) ? new URL(url).hostname : null),
  isLocalName: (host) => {
    const name = host.toLowerCase().replace(/\.+$/, '')
    return name === 'localhost' || name.endsWith('.localhost') || !name.includes('.')
  },
  isRefusedAddress,
  checksAtCreation: true,
  resolvesAtCreation: false,
  urlRefusal: { status: 400, code: 'url_refused' },
  checksAttempt: () => true,
  judgeAnswers: (addresses, isRefused) => {
    const refused = addresses.find(isRefused)
    return refused === undefined ? { kind: 'connect', addresses } : { kind: 'blocked', address: refused }
  },
  connection: 'checked-answer',
  isExempt: (exemptions, address, port) =>
    exemptions.has(address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`),
  blockedNames: 'judged-anew',
  blockedStatus: 'failed',
}
