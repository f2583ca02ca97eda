import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { Agent, Dispatcher } from 'undici'
import { acceptContinue } from './interim.js'
import { loadUndici } from './undici.js'

/** How a target is reached, besides its address: the headers for a gateway, the proxy, the certificates. */
export interface Access {
  /** Sent with every request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Takes any TLS certificate. */
  readonly insecure?: boolean
  /** A trusted authority besides the usual ones (PEM). */
  readonly ca?: string
  /** A certificate of our own, with its key (PEM). */
  readonly client?: { readonly cert: string; readonly key: string }
  /** The proxy through which it is reached. */
  readonly proxy?: string
}

/** The client's name: gateways refuse requests without one. A header of the user's replaces it. */
export const ownName = { 'user-agent': 'webhook-conformance' } as const

const contexts = new WeakMap<Access, SecureContext>()

/**
 * One for all connections: to read the usual authorities takes some twenty milliseconds in which nothing else is done, which
 * a target that closes each connection would cost at each request.
 */
function contextOf(access: Access): SecureContext {
  const { ca, client } = access
  const known = contexts.get(access)
  if (known !== undefined) return known
  const context = createSecureContext({ ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), ...client })
  contexts.set(access, context)
  return context
}

/** What `node:tls` takes. */
export function tlsOf(access: Access): {
  readonly rejectUnauthorized: boolean
  readonly secureContext?: SecureContext
} {
  const { insecure, ca, client } = access
  return {
    rejectUnauthorized: insecure !== true,
    ...(ca === undefined && client === undefined ? {} : { secureContext: contextOf(access) }),
  }
}

/** Makes connections to the target as it is reached. */
export function agentFor(access: Access, options: Agent.Options, connectMs: number): Dispatcher {
  const tls = tlsOf(access)
  const { proxy } = access
  const { Agent, buildConnector, ProxyAgent } = loadUndici()
  if (proxy === undefined)
    return new Agent({ ...options, connect: acceptContinue(buildConnector({ ...tls, timeout: connectMs })) })
  return new ProxyAgent({ ...options, uri: proxy, requestTls: { ...tls, timeout: connectMs } })
}
