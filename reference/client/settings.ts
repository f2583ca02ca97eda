import { ServiceError, unusable } from './errors.js'
import { defaultClientPolicy, type ClientPolicy, type Environment } from './policy.js'
import { systemEnvironment, systemRuntime, type ClientRuntime } from './runtime.js'
import type { WebSocketConstructor } from './web-socket.js'

/** Options of the constructor. Source: spec/interface.md#client-library-behaviour. */
export interface EmailClientOptions {
  /** Default: `SERVICE_BASE_URL`, else `defaultBaseUrl`. A path prefix is kept; trailing slashes and `/v1` are accepted. */
  readonly baseUrl?: string | undefined
  /** Retries after the first attempt. Default 2. */
  readonly maxRetries?: number | undefined
  /** Longest time of one attempt, its body included, in milliseconds. Default 60000. */
  readonly timeoutMs?: number | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Where `SERVICE_API_KEY` and `SERVICE_BASE_URL` are read. Default: the environment of the process, where there is one. */
  readonly env?: Environment | undefined
  /** For `events.stream`. Default: the global `WebSocket`. */
  readonly webSocket?: WebSocketConstructor | undefined
  /** Clock, chance, waiting and key making. Default: those of the system. */
  readonly runtime?: Partial<ClientRuntime> | undefined
}

/** A client's options, resolved. */
export interface Settings {
  readonly policy: ClientPolicy
  readonly runtime: ClientRuntime
  readonly apiKey: string | undefined
  /** The base of `/v1/...`. */
  readonly root: string
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly fetch: typeof fetch
  readonly headers: Readonly<Record<string, string>>
  readonly webSocket: WebSocketConstructor | undefined
}

/** Errors: `ServiceError` `missing_api_key`, or `invalid_argument` for an option that cannot be used. */
export function settingsOf(
  givenKey: string | undefined,
  options: EmailClientOptions,
  replaced: Partial<ClientPolicy> = {},
): Settings {
  const policy = { ...defaultClientPolicy, ...replaced }
  const env = options.env ?? systemEnvironment()
  const apiKey = policy.apiKey(givenKey, env)
  if (apiKey === undefined) {
    throw new ServiceError({
      status: 0,
      code: policy.withoutKeyCode,
      message: 'The client has no API key.',
      fix: 'Pass the key as the first argument, or set SERVICE_API_KEY.',
    })
  }
  const maxRetries = policy.maxRetries(options.maxRetries)
  if (!Number.isInteger(maxRetries) || maxRetries < 0) {
    throw unusable('maxRetries is not a whole number.', 'Pass 0 or more.')
  }
  const timeoutMs = policy.timeoutMs(options.timeoutMs)
  checkTimeout(timeoutMs)
  const headers = options.headers ?? {}
  checkHeaders(headers, apiKey)
  const root = policy.root(policy.baseUrl(options.baseUrl, env))
  checkRoot(root)
  return {
    policy,
    runtime: { ...systemRuntime, ...options.runtime },
    apiKey,
    root,
    maxRetries,
    timeoutMs,
    // Looked up at each call, so that a global that is replaced later is the one in use; called without a receiver.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    headers,
    webSocket: options.webSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket,
  }
}

/** Errors: `ServiceError` `invalid_argument`. */
export function checkTimeout(timeoutMs: number): void {
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) {
    throw unusable('timeoutMs is not a number above 0.', 'Pass a time in milliseconds, or Infinity for no limit.')
  }
}

function checkHeaders(headers: Readonly<Record<string, string>>, apiKey: string | undefined): void {
  try {
    void new Headers({ ...headers, authorization: apiKey ?? '' })
  } catch {
    // The cause would show the values, and with them the key.
    throw unusable('The API key or one of the headers is not allowed in an HTTP header.', 'Pass printable text.')
  }
}

function checkRoot(root: string): void {
  let url: URL | undefined
  try {
    url = new URL(root)
  } catch {
    url = undefined
  }
  const isUsable =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ''
  if (!isUsable) {
    throw unusable('baseUrl is not the address of an API.', 'Pass an address such as https://api.example.com.')
  }
}
