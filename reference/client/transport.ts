import { makeAttempt, type AttemptOutcome } from './attempt.js'
import { ServiceError, unusable } from './errors.js'
import type { ClientPolicy, FailureCode } from './policy.js'
import { headersOf, prepareRequest, ruleOf, type ApiCall, type PreparedRequest } from './request.js'
import { checkTimeout, type Settings } from './settings.js'

/** Makes calls of the API. The type of a value is what the interface promises; it is not checked. */
export type Transport = <T>(call: ApiCall) => Promise<T>

type Answer = Extract<AttemptOutcome, { kind: 'answer' }>

/** Attempts, waits and outcomes of every call. Errors: `ServiceError`. */
export function createTransport(settings: Settings): Transport {
  const { policy, runtime } = settings
  return async <T>(call: ApiCall): Promise<T> => {
    const { idempotencyKey: given, signal, timeoutMs: ofCall } = call.options ?? {}
    const timeoutMs = policy.callTimeoutMs({ ofClient: settings.timeoutMs, ofCall })
    checkTimeout(timeoutMs)
    const request = prepareRequest(call, settings)
    const keyOf = createKeys(request, { settings, given })
    const attempts = policy.attempts(settings.maxRetries)
    let waitedMs = 0
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted === true) throw failure('aborted', { request, policy, timeoutMs, cause: signal.reason })
      const headers = headersOf(request, { settings, attempt, key: keyOf(attempt) })
      const outcome = await makeAttempt({
        fetch: settings.fetch,
        url: request.url,
        init: {
          method: request.method,
          headers,
          // A redirect is an error: it could lead the key to another host, or a POST into a GET.
          redirect: 'manual',
          ...(request.body !== undefined && { body: request.body }),
        },
        timeoutMs,
        signal,
        policy,
      })
      if (outcome.kind === 'answer' && policy.isSuccess(outcome.status)) return valueOf(outcome, request, policy) as T
      const error =
        outcome.kind === 'answer'
          ? refusal(outcome, { request, policy, nowMs: runtime.now() })
          : failure(outcome.code, { request, policy, timeoutMs, cause: outcome.cause })
      if (attempt >= attempts || !isRetried(outcome, request, policy)) throw error
      waitedMs = waitMs(outcome, { attempt, previousMs: waitedMs, settings })
      await runtime.wait(waitedMs, signal)
    }
  }
}

/** The wait after attempt `attempt`. */
export function backoffMs(attempt: number, { policy, runtime }: Pick<Settings, 'policy' | 'runtime'>): number {
  const grownMs = Math.min(policy.backoffCapMs, policy.backoffBaseMs * policy.backoffFactor ** (attempt - 1))
  return grownMs * (1 - policy.jitter * runtime.random())
}

/** The error of a call, or of a stream, without an answer. */
export function failure(
  code: FailureCode,
  options: {
    readonly request: Pick<PreparedRequest, 'title'>
    readonly policy: ClientPolicy
    readonly timeoutMs: number
    readonly cause?: unknown
  },
): ServiceError {
  const { request, policy, timeoutMs, cause } = options
  const said: Readonly<Record<FailureCode, readonly [string, string]>> = {
    network_error: [`The connection failed: ${request.title}.`, 'Check the network and baseUrl, then try again.'],
    timeout: [`No answer within ${timeoutMs} ms: ${request.title}.`, 'Try again, or allow more with timeoutMs.'],
    aborted: [`The caller aborted: ${request.title}.`, 'Call again without aborting, if this was not meant.'],
  }
  const [message, fix] = said[code]
  return new ServiceError(policy.error({ status: 0, code, message, fix, cause }))
}

function createKeys(
  request: PreparedRequest,
  { settings, given }: { readonly settings: Settings; readonly given: string | undefined },
): (attempt: number) => string | undefined {
  const { policy, runtime } = settings
  if (given !== undefined && !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(given)) {
    throw unusable(
      'idempotencyKey is not allowed in an HTTP header.',
      'Pass printable text without blanks at its ends.',
    )
  }
  const { operation, body } = request
  const isAutomatic = policy.keyedOperations.includes(operation)
  const ofCall = runtime.newKey()
  return (attempt) =>
    policy.key({ operation, isAutomatic, given, ofCall, attempt, body, newKey: () => runtime.newKey() })
}

function isRetried(outcome: AttemptOutcome, request: PreparedRequest, policy: ClientPolicy): boolean {
  if (outcome.kind === 'failure' && outcome.code === 'aborted') return false
  const status = outcome.kind === 'answer' ? outcome.status : undefined
  if (policy.creatingOperations.includes(request.operation) && !policy.retriedCreation(status)) return false
  if (outcome.kind === 'failure') return policy.retriedFailures.includes(outcome.code)
  return policy.retriedStatus(outcome.status, request.operation)
}

function waitMs(
  outcome: AttemptOutcome,
  options: { readonly attempt: number; readonly previousMs: number; readonly settings: Settings },
): number {
  const { attempt, previousMs, settings } = options
  const { policy, runtime } = settings
  const askedMs =
    outcome.kind === 'answer' ? policy.askedWaitMs(outcome.headers.get('retry-after'), runtime.now()) : undefined
  return policy.waitMs({ askedMs, backoffMs: backoffMs(attempt, settings), attempt, previousMs })
}

function valueOf(answer: Answer, request: PreparedRequest, policy: ClientPolicy): unknown {
  const { bodyNotShown, isText } = ruleOf(request.operation, policy)
  if (isText === true) return policy.value(answer.text)
  const isBodyOptional = answer.status === 204 || bodyNotShown === true
  const json = parse(answer.text)
  if (json !== undefined) return policy.value(json)
  if (isBodyOptional) return undefined
  throw new ServiceError(
    policy.error({
      status: answer.status,
      code: policy.malformedAnswerCode,
      message: `The API answered ${answer.status} to ${request.title}, but its body is not JSON.`,
      fix: 'Check that baseUrl leads to the API itself, and that nothing on the way changes its answers.',
    }),
  )
}

function refusal(
  answer: Answer,
  options: { readonly request: PreparedRequest; readonly policy: ClientPolicy; readonly nowMs: number },
): ServiceError {
  const { request, policy, nowMs } = options
  const { status } = answer
  const said = policy.errorFields(parse(answer.text))
  const fallback = policy.fallbackFields(status, request.title)
  return new ServiceError(
    policy.error({
      status,
      code: said.code ?? fallback.code,
      message: said.message ?? fallback.message,
      fix: said.fix ?? fallback.fix,
      errors: said.errors,
      retryAfter: policy.retryAfterSeconds(answer.headers.get('retry-after'), nowMs),
    }),
  )
}

/** Undefined for invalid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
