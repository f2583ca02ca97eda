import { BodyTooLong, UnusableBody } from './body.js'
import { TimeoutReached } from './collect.js'
import type { WireResponse } from './exchange.js'
import { tlsFault } from './tls-fault.js'
import { loadUndici } from './undici.js'

/**
 * The outcome of one request. `silent`: our time was over; `cut`: the connection ended before a complete answer; `gone`: it ended and the
 * target accepts no connection any more, so that this is the end of the target and not an answer.
 */
export type Outcome =
  | { readonly kind: 'answer'; readonly response: WireResponse }
  | { readonly kind: 'silent' | 'cut' | 'broken'; readonly failure: string }
  | { readonly kind: 'too-long'; readonly why: string }
  | { readonly kind: 'unreachable' | 'gone'; readonly code: string }

export function isNoAnswer({ kind }: Outcome): boolean {
  return kind === 'cut' || kind === 'broken'
}

/**
 * Whether a connection kept from an earlier request may have been closed by the target while this request was on its
 * way, which a target is free to do at any time (RFC 9112, 9.3.1). What fails on a connection of its own fails for good.
 */
export function mayHaveBeenStale(error: unknown): boolean {
  if (error instanceof loadUndici().errors.SocketError) return (error.socket?.bytesRead ?? 1) > 0
  return brokenConnection.has(codeOf(error) ?? '')
}

const brokenConnection = new Set(['ECONNRESET', 'EPIPE'])

/** Error codes for a target that is not there. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function outcomeOf(error: unknown): Outcome {
  const code = codeOf(error)
  if (code !== undefined && unreachable.has(code)) return { kind: 'unreachable', code }
  if (error instanceof TimeoutReached) return { kind: 'silent', failure: error.message }
  if (error instanceof loadUndici().errors.SocketError || brokenConnection.has(code ?? ''))
    return { kind: 'cut', failure: 'the connection was closed before a complete answer' }
  if (error instanceof BodyTooLong) return { kind: 'too-long', why: error.message }
  if (error instanceof UnusableBody) return { kind: 'broken', failure: error.message }
  return { kind: 'broken', failure: tlsFault(code ?? '') ?? failureOf(error, code) }
}

/** Returns the first line of the error: libraries add lines about themselves. */
function failureOf(error: unknown, code: string | undefined): string {
  const text = error instanceof Error ? `${code ?? error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0] ?? ''
}

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, cause, errors: inner } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  if (Array.isArray(inner) && inner.length > 0) return codeOf(inner[0])
  return cause === undefined ? undefined : codeOf(cause)
}
