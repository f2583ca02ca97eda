import { fallbackFields, readErrorFields, type ErrorFields } from '../error-fields.js'
import type { ServiceErrorFields } from '../errors.js'
import { readRetryAfter } from '../retry-after.js'

/** What a caller gets. */
export interface AnswerPolicy {
  /** Source: CLI-014, CLI-028. */
  readonly isSuccess: (status: number) => boolean
  /** The value of a call from the API's JSON. Source: CLI-028. */
  readonly value: (json: unknown) => unknown
  /** The code of a success with an invalid JSON body. Source: CLI-031. */
  readonly malformedAnswerCode: string
  /** Source: CLI-031, CLI-032; open point `error-shape`. */
  readonly errorFields: (body: unknown) => ErrorFields
  /** For a body without a code. Source: CLI-031. */
  readonly fallbackFields: (
    status: number,
    request: string,
  ) => { readonly code: string; readonly message: string; readonly fix: string }
  /** Seconds, on the error; fractions of a second count as a whole one. Source: CLI-033. */
  readonly retryAfterSeconds: (header: string | null, nowMs: number) => number | undefined
  /** Last word on every error. */
  readonly error: (fields: ServiceErrorFields) => ServiceErrorFields
}

export const answerPolicy: AnswerPolicy = {
  isSuccess: (status) => status >= 200 && status <= 299,
  value: (json) => json,
  malformedAnswerCode: 'invalid_response',
  errorFields: readErrorFields,
  fallbackFields,
  retryAfterSeconds: (header, nowMs) => {
    const askedMs = readRetryAfter(header, nowMs)
    return askedMs === undefined ? undefined : Math.ceil(askedMs / 1_000)
  },
  error: (fields) => fields,
}
