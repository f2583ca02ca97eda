import type { Dispatcher } from 'undici'
import { BodyReader } from './body.js'
import type { WireResponse } from './exchange.js'

export interface CollectOptions {
  /** For all of it, a second try included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** The body is kept in part and undecoded: no length and no coding of it makes the answer unusable. */
  readonly statusOnly?: boolean
  /** A second agent that sends the request again when the first one fails in this way before any answer. */
  readonly again?: { readonly agent: Dispatcher; readonly after: (error: Error) => boolean }
}

/** No complete answer arrived in time. */
export class TimeoutReached extends Error {
  constructor(timeoutMs: number) {
    super(`no complete answer within ${timeoutMs} ms`)
  }
}

/**
 * Makes one request and resolves to its whole answer. Rejects with {@link TimeoutReached}, the signal's reason, an error of undici, or the
 * fault of the body. It uses undici's handler directly: a stream, an abort signal and an iterator for every answer cost as much as the
 * request.
 */
export function collect(
  agent: Dispatcher,
  request: () => Dispatcher.DispatchOptions,
  { timeoutMs, signal, statusOnly = false, again }: CollectOptions,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const body = new BodyReader()
    let status = 0
    let headers: Readonly<Record<string, string>> = {}
    let controller: Dispatcher.DispatchController | undefined
    let stopped: Error | undefined
    let isAgain = false

    const onAbort = (): void => stop(asError(signal?.reason))
    const timer = setTimeout(() => stop(new TimeoutReached(timeoutMs)), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    function stop(error: Error): void {
      stopped ??= error
      settle()
      reject(error)
      controller?.abort(error)
    }
    const whole = async (): Promise<WireResponse> => ({
      status,
      headers,
      body: statusOnly ? body.start() : await body.whole(headers['content-encoding']),
    })
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (stopped !== undefined) started.abort(stopped)
      },
      onResponseStart(_controller, code, fields) {
        // An interim answer, such as 103, is not the answer.
        if (code < 200) return
        status = code
        headers = joined(fields)
      },
      onResponseData(_controller, chunk) {
        if (!body.take(chunk)) stop(body.endless)
      },
      onResponseEnd() {
        settle()
        resolve(whole())
      },
      onResponseError(_controller, error) {
        if (again !== undefined && !isAgain && status === 0 && stopped === undefined && again.after(error)) {
          isAgain = true
          again.agent.dispatch(request(), handler)
          return
        }
        settle()
        reject(error)
      },
    }
    if (signal?.aborted === true) onAbort()
    else agent.dispatch(request(), handler)
  })
}

function joined(fields: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  return headers
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
