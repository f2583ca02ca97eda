import { clientMaxRetries, clientTimeoutMs } from '../../../spec/index.js'

/** Names and values of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What a client is made of. */
export interface SetupPolicy {
  /** An empty key counts as none. Source: CLI-001, CLI-002. */
  readonly apiKey: (given: string | undefined, env: Environment) => string | undefined
  /** Source: CLI-003. */
  readonly withoutKeyCode: string
  /** An empty address counts as none. Source: CLI-004, CLI-005. */
  readonly baseUrl: (given: string | undefined, env: Environment) => string
  /** The base of `/v1/...`: no trailing slash, no trailing `/v1`. Source: CLI-006. */
  readonly root: (baseUrl: string) => string
  /** Source: CLI-008. */
  readonly maxRetries: (given: number | undefined) => number
  /** Source: CLI-009, CLI-010. */
  readonly timeoutMs: (given: number | undefined) => number
  /** Source: CLI-030. */
  readonly callTimeoutMs: (times: { readonly ofClient: number; readonly ofCall: number | undefined }) => number
}

/**
 * The production API origin, without `baseUrl` and `SERVICE_BASE_URL`. The interface does not name it, so this name is reserved never to
 * resolve (RFC 6761): a client without an address reaches nothing.
 */
export const defaultBaseUrl = 'https://api.service.invalid'

export const setupPolicy: SetupPolicy = {
  apiKey: (given, env) => given || env['SERVICE_API_KEY'] || undefined,
  withoutKeyCode: 'missing_api_key',
  baseUrl: (given, env) => given || env['SERVICE_BASE_URL'] || defaultBaseUrl,
  root: (baseUrl) => baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, ''),
  maxRetries: (given) => given ?? clientMaxRetries,
  timeoutMs: (given) => given ?? clientTimeoutMs,
  callTimeoutMs: ({ ofClient, ofCall }) => ofCall ?? ofClient,
}
