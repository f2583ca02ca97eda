import type { ErrorRecord } from './records.js'

/** How the API refuses. */
export interface ErrorPolicy {
  /** The body of an error; open point `error-shape`. Source: ERR-001. */
  readonly errorBody: (error: ErrorRecord) => unknown
  /** Status for an id that does not exist or belongs to another org; open point `foreign-id`. Source: ERR-004. */
  readonly foreignIdStatus: number
  /** Status for an id that cannot be one of this server's own; null: as one that does not exist. Open point `malformed-id-status`. */
  readonly malformedIdStatus: number | null
  /** The page of a gateway instead of an error of some status; undefined: the error. Open point `limits-and-quotas`. */
  readonly gatewayPage: (status: number) => string | undefined
  /** Bytes of a request body at most; beyond it 413. */
  readonly maxBodyBytes: number
}

export const errorPolicy: ErrorPolicy = {
  errorBody: ({ code, message, fix, errors }) => ({ code, message, fix, ...(errors && { errors }) }),
  foreignIdStatus: 404,
  malformedIdStatus: null,
  gatewayPage: () => undefined,
  maxBodyBytes: 1_048_576,
}
