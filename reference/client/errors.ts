/** What a {@link ServiceError} carries. */
export interface ServiceErrorFields {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly errors?: readonly unknown[] | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * The one kind of error the client throws. Source: spec/interface.md#errors.
 *
 * Status 0 means that no response arrived (`network_error`, `timeout`, `aborted`), or that nothing was sent
 * (`missing_api_key`, `invalid_argument`, `invalid_scheduled_at`, `websocket_unavailable`).
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
  /** HTTP status of the answer; 0 without one. */
  readonly status: number
  /** A word for programs, e.g. `sender_not_verified`. */
  readonly code: string
  /** What to do about it. */
  readonly fix: string
  /** With `invalid_batch`: one entry per bad item. */
  readonly errors: readonly unknown[] | undefined
  /** Seconds of the `Retry-After` header; undefined without one. */
  readonly retryAfter: number | undefined

  constructor({ status, code, message, fix, errors, retryAfter, cause }: ServiceErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.fix = fix
    this.errors = errors
    this.retryAfter = retryAfter
  }

  /** The fields with the message, which JSON would leave out, and without the cause. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, status, code, message, fix, errors, retryAfter } = this
    return { name, status, code, message, fix, errors, retryAfter }
  }
}

/** A refused webhook delivery; `code` gives the reason. Source: CLI-050. */
export class WebhookVerificationError extends ServiceError {
  override readonly name = 'WebhookVerificationError'
}

/** An argument that cannot be used. Nothing was sent. */
export function unusable(message: string, fix: string, code = 'invalid_argument'): ServiceError {
  return new ServiceError({ status: 0, code, message, fix })
}
