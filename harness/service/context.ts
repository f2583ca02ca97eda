import type { UnfitKind } from '../sink/certificate.js'
import type { RequirementId } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import type { contractViolations, eventComponent } from './contract-check.js'
import type { Api } from './api.js'
import type { ControlledName } from './names.js'
import type { Sandbox } from './sandbox.js'
import type { Violation } from './watch.js'

export interface SandboxRequest {
  /** Projects of the workspace, 1 by default; more need `projects`. In a configured org the second is that of the second key. */
  readonly projects?: number
  /** Inboxes of each project, 2 by default. */
  readonly inboxes?: number
}

/** Loopback addresses that are not exempted, and how many connections reached them. */
export interface CanaryView {
  /** A loopback address other than the sink's, at the port of the sink. */
  readonly address: string
  /** The same for IPv6; undefined where this machine has none. */
  readonly ipv6: string | undefined
  /** Connections for a name to the two. */
  connections(name: string): Promise<number>
  /** On 127.0.0.1, at an unused port; undefined if this machine has none. */
  readonly local: { readonly port: number; connections(): Promise<number> } | undefined
  /** At a port where `allowed`, of which the first is of IPv6, may be connected to and nothing listens; undefined where there is no IPv6. */
  readonly behindIpv6:
    | {
        readonly port: number
        readonly address: string
        readonly allowed: readonly [ipv6: string, ipv4: string]
        connections(name: string): Promise<number>
      }
    | undefined
  /** Many allowed addresses at the port of the sink at which nothing listens. */
  readonly deadAddresses: readonly string[]
}

/** What a service case is handed. */
export interface ServiceContext extends CaseTools {
  /** Base URL of the target, without `/v1`. */
  readonly baseUrl: string
  /** A place to play in: a fresh workspace, or the configured org. */
  openSandbox(request?: SandboxRequest): Promise<Sandbox>
  /** An address outside the service with an unread mailbox. */
  readonly recipient: string
  /**
   * Returns a URL on a host with a public address that ends in a mark of its own, with `path` before it: for webhooks that are created and
   * deleted before any event of theirs is raised.
   */
  publicUrl(path?: string): string
  /** The API without a key, outside any sandbox. */
  anonymous(): Api
  /**
   * Returns a host name whose answers the case sets; needs `dns`. `uncertified`: the certificate of the sink is not valid for it; an {@link
   * UnfitKind}: the certificate has expired, or an untrusted authority signed it; `silent`: the sink does not answer its handshake.
   */
  name(kind?: 'uncertified' | 'silent' | UnfitKind): Promise<ControlledName>
  /** Listeners that nothing may connect to; needs `canary`. */
  readonly canary: CanaryView
  /** Whether a name that resolves to an address may be delivered to, at the port of the sink: to its own, or one the run had exempted. */
  leadsToSink(address: string): boolean
  /** True if no proxy ends TLS before the sink, which could rewrite a URL or an answer. */
  readonly isSinkDirect: boolean
  /** The address of the sink, as a resolver would answer it. */
  readonly sinkAddress: string
  /**
   * Whether a url leads to an address and port that may be delivered to, however private it is: that of the sink, or one the run
   * had exempted.
   */
  isExempted(url: string): boolean
  /** An allowed address at the sink's port at which nothing listens; only with the power `canary`. */
  readonly deadAddress: string
  /** The OpenAPI document as validators. */
  readonly contract: { readonly violations: typeof contractViolations; readonly eventComponent: typeof eventComponent }
  /** What the always-on checks saw in the whole run so far. */
  observed(requirement: RequirementId): { readonly count: number; readonly sightings: readonly Violation[] }
}
