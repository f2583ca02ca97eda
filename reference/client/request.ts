import { unusable } from './errors.js'
import type { CallName, UnshownRule } from './operations.js'
import type { ClientPolicy, Query } from './policy.js'
import type { Settings } from './settings.js'
import type { CallOptions } from './types.js'

/** One call of the API, as a method hands it over. */
export interface ApiCall {
  readonly operation: CallName
  /** Path parameters by name. */
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Query | undefined
  /** Sent as JSON; undefined sends no body. */
  readonly body?: unknown
  readonly options?: CallOptions | undefined
}

/** The parts of a request that are the same on every attempt. */
export interface PreparedRequest {
  readonly operation: CallName
  readonly method: string
  /** Method and path, for messages. */
  readonly title: string
  readonly url: string
  readonly body: string | undefined
}

/** Errors: `ServiceError` `invalid_argument` for an id that is not allowed in a path, or a body that JSON cannot represent. */
export function prepareRequest(call: ApiCall, settings: Settings): PreparedRequest {
  const { policy, root } = settings
  const { operation } = call
  const { method, path: template } = ruleOf(operation, policy)
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = call.path?.[name]
    // Of these a URL would make another path.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw unusable(`${operation} needs ${name}, a string.`, 'Pass the id that the API gave.')
    }
    return policy.pathParameter(value)
  })
  const query = queryText({
    ...policy.query(operation, call.query ?? {}),
    ...policy.credentials(settings.apiKey, 1).query,
  })
  const url = `${root}${path}${query}`
  const body = call.body === undefined ? undefined : jsonOf(policy.body(operation, call.body))
  return { operation, method, title: `${method} ${path}`, url, body }
}

/** The path of an operation. Errors: `ServiceError` `invalid_argument` for one without a path in the policy. */
export function ruleOf(operation: CallName, policy: Pick<ClientPolicy, 'operations' | 'unshownPaths'>): UnshownRule {
  const rules: Partial<Readonly<Record<CallName, UnshownRule>>> = { ...policy.operations, ...policy.unshownPaths }
  const rule = rules[operation]
  if (rule === undefined) throw unusable(`The path of ${operation} is not known.`, 'Leave this method alone.')
  return rule
}

/** The headers of one attempt. */
export function headersOf(
  request: PreparedRequest,
  options: { readonly settings: Settings; readonly attempt: number; readonly key: string | undefined },
): Headers {
  const { settings, attempt, key } = options
  const { policy } = settings
  const headers = new Headers(policy.extraHeaders(settings.headers, { method: request.method, attempt }))
  headers.set('accept', 'application/json')
  if (request.body !== undefined) headers.set('content-type', policy.contentType)
  if (key !== undefined) headers.set(policy.keyHeader, key)
  for (const [name, value] of Object.entries(policy.credentials(settings.apiKey, attempt).headers))
    headers.set(name, value)
  return headers
}

/** `?a=1&b=2`, or nothing. */
export function queryText(query: Query): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) text.append(name, String(value))
  }
  return text.size === 0 ? '' : `?${text.toString()}`
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw unusable('The request holds something that JSON cannot.', 'Pass plain data.')
  }
}
