import { connectClient, type ClientContext } from '../../harness/client/index.js'
import { driverCommand, inProcessDriver, type DriverHandler, type DriverSource } from '../../harness/driver/index.js'
import type { Case, Subject } from '../../harness/index.js'
import { bareTarget } from '../../harness/planning.js'
import { normalizeBaseUrl } from '../../harness/parsing.js'
import { connectReceiver, ownEventsOf, type ReceiverContext } from '../../harness/receiver/index.js'
import { connectSender, type SenderContext, type SenderTarget, type SenderTrigger } from '../../harness/sender/index.js'
import { connectService, type ServiceContext, type ServiceTarget } from '../../harness/service/index.js'
import { connectVerifier, type VerifierContext } from '../../harness/verifier/index.js'
import { retryDelaysMs, type SubjectKind } from '../../spec/index.js'
import { clientCases } from '../../suites/client/index.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { senderCases } from '../../suites/sender/index.js'
import { verifierCases } from '../../suites/verifier/index.js'

/** A service; more members than the base URL enable more checks. */
export interface ServiceAt extends Partial<Omit<ServiceTarget, 'baseUrl' | 'inboxes'>> {
  /** Where the API is; a trailing `/v1` is accepted. */
  readonly baseUrl: string
  readonly inboxes?: readonly { readonly id: string; readonly address: string; readonly apiKey?: string | undefined }[]
}

/** A webhook endpoint. */
export interface ReceiverAt {
  readonly url: string
  /** `whsec_…`, as the endpoint was given it. */
  readonly secret: string
  /** Headers sent along. */
  readonly headers?: Readonly<Record<string, string>>
  /** Take any TLS certificate. */
  readonly insecure?: boolean
  /** Deliveries a second at most. */
  readonly maxRps?: number
  /** `standard-webhooks` checks only the requirements of that specification (default `interface`). */
  readonly profile?: 'interface' | 'standard-webhooks'
  /** The names of the three headers: `svix-id` and so on instead of `webhook-id` (default `webhook`). */
  readonly headerNames?: 'webhook' | 'svix'
  /** JSON texts of your own events, used instead of the nine types. */
  readonly events?: readonly string[]
  /** URL that returns how often the endpoint did its work for the event `{id}`: `{"count": n}`. */
  readonly handledUrl?: string
}

/** A library with the driver protocol: a command, or a function of this process that answers one request. */
export type DriverAt =
  | { readonly command: readonly [string, ...string[]]; readonly onStderr?: (line: string) => void }
  | { readonly handler: () => DriverHandler; readonly label?: string }

/** A program that sends webhooks, made to by `trigger`: a command, or a function of this process. */
export interface SenderAt extends Partial<SenderTarget> {
  /** `whsec_…`, the one the sender signs with. */
  readonly secret: string
  readonly trigger: string | SenderTrigger
}

/** How a target of each kind is named. */
export interface Targets {
  readonly service: ServiceAt
  readonly receiver: ReceiverAt
  readonly verifier: DriverAt
  readonly client: DriverAt
  readonly sender: SenderAt
}

interface Contexts {
  readonly service: ServiceContext
  readonly receiver: ReceiverContext
  readonly verifier: VerifierContext
  readonly client: ClientContext
  readonly sender: SenderContext
}

/** The cases of one kind, and the way to a target of that kind. */
export interface TargetKind<Kind extends SubjectKind> {
  readonly cases: readonly Case<Contexts[Kind]>[]
  readonly connect: (target: Targets[Kind]) => Promise<Subject<Contexts[Kind]>>
}

export const targetKinds: { readonly [Kind in SubjectKind]: TargetKind<Kind> } = {
  service: {
    cases: serviceCases,
    connect: ({ baseUrl, inboxes = [], ...rest }) =>
      connectService({
        ...bareTarget(normalizeBaseUrl(baseUrl)),
        ...rest,
        inboxes: inboxes.map(({ id, address, apiKey }) => ({ id, address, apiKey })),
      }),
  },
  receiver: {
    cases: receiverCases,
    connect: ({ events = [], ...target }) =>
      connectReceiver(
        {
          access: { insecure: false },
          maxRps: Number.POSITIVE_INFINITY,
          load: undefined,
          ownEvents: events.flatMap((text, index) => ownEventsOf(`event ${index + 1}`, text)),
          ...target,
        },
        { checksDelivery: true },
      ),
  },
  verifier: { cases: verifierCases, connect: (target) => connectVerifier(sourceOf(target)) },
  client: { cases: clientCases, connect: (target) => connectClient(sourceOf(target)) },
  sender: {
    cases: senderCases,
    connect: ({ profile: given, ...target }) => {
      const profile = target.scheme === undefined ? (given ?? 'interface') : 'standard-webhooks'
      return connectSender({
        listen: { host: '127.0.0.1', port: 0 },
        retryDepth: 2,
        headerNames: 'webhook',
        ...(profile === 'interface' ? { schedule: retryDelaysMs.slice(1) } : {}),
        ...target,
        profile,
      })
    },
  },
}

function sourceOf(target: DriverAt): DriverSource {
  if ('handler' in target) return inProcessDriver(target.label ?? 'driver in this process', target.handler)
  return driverCommand({ onStderr: () => {}, ...target })
}
