import type { ClientPolicy, FailureCode } from './policy.js'
import { longestTimerMs } from './runtime.js'

/** How one attempt ended. */
export type AttemptOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly kind: 'failure'; readonly code: FailureCode; readonly cause?: unknown }

export interface AttemptOptions {
  readonly fetch: typeof fetch
  readonly url: string
  readonly init: RequestInit
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly policy: Pick<ClientPolicy, 'isSuccess'>
}

/**
 * Sends one request and reads its whole answer. Ends at the time-out and at an abort even if the given `fetch` ignores its signal. A
 * refusal counts from its head on: if its body breaks off, the status is kept and the text is empty.
 */
export async function makeAttempt(options: AttemptOptions): Promise<AttemptOutcome> {
  // Called without a receiver, which the `fetch` of browsers insists on.
  const { fetch: send, url, init, timeoutMs, signal, policy } = options
  const controller = new AbortController()
  let head: Response | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let onAbort: (() => void) | undefined

  /** The body broke off. */
  function broken(code: FailureCode, cause?: unknown): AttemptOutcome {
    const isRefusal = head !== undefined && !policy.isSuccess(head.status)
    if (!isRefusal || head === undefined || code === 'aborted') return { kind: 'failure', code, cause }
    return { kind: 'answer', status: head.status, headers: head.headers, text: '' }
  }

  async function exchange(): Promise<AttemptOutcome> {
    try {
      const response = await send(url, { ...init, signal: controller.signal })
      head = response
      return { kind: 'answer', status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      return broken('network_error', cause)
    }
  }

  const ended = new Promise<AttemptOutcome>((resolve) => {
    timer = setTimeout(() => resolve(broken('timeout')), Math.min(timeoutMs, longestTimerMs))
    if (signal === undefined) return
    onAbort = () => resolve(broken('aborted', signal.reason))
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([ended, exchange()])
  } finally {
    clearTimeout(timer)
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
    controller.abort()
  }
}
