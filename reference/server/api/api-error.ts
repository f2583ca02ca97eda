import type { BatchError, ErrorRecord } from '../policy.js'

/** A refusal of the API: status, code, what happened, and what to do about it. */
export class ApiError extends Error implements ErrorRecord {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fix: string
  readonly errors?: readonly BatchError[]

  constructor({ status, code, message, fix, errors }: ErrorRecord) {
    super(message)
    this.status = status
    this.code = code
    this.fix = fix
    if (errors !== undefined) this.errors = errors
  }
}

/** 400: a field or parameter that is missing or of the wrong type. */
export function invalidRequest(message: string, fix: string): ApiError {
  return new ApiError({ status: 400, code: 'invalid_request', message, fix })
}

/** An id that does not exist, or belongs to another org. */
export function notFound(kind: string, status = 404): ApiError {
  return new ApiError({
    status,
    code: `${kind}_not_found`,
    message: `There is no ${kind} with this id.`,
    fix: `Use the id of a ${kind} that this key can see.`,
  })
}
