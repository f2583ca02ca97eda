import type { ErrorRecord } from './records.js'

/** How the API refuses. */
export interface ErrorPolicy {
  /** The body of an error; open point `error-shape`. Source: ERR-001. */
  readonly errorBody: (error: ErrorRecord) => unknown
  /** The status of an error. Source: ERR-002, ERR-003. */
  readonly errorStatus: (error: ErrorRecord) => number
  /** Status for an id that does not exist or belongs to another org; open point `foreign-id`. Source: ERR-004. */
  readonly foreignIdStatus: number
  /** A JSON body that cannot be parsed: refused, or taken for an empty object. Source: WHK-020, ERR-003. */
  readonly brokenJson: 'refuse' | 'empty-object'
  /** Bytes of a request body at most; beyond it 413. */
  readonly maxBodyBytes: number
}

export const errorPolicy: ErrorPolicy = {
  errorBody: ({ code, message, fix, errors }) => ({ code, message, fix, ...(errors && { errors }) }),
  errorStatus: (error) => error.status,
  foreignIdStatus: 404,
  brokenJson: 'refuse',
  maxBodyBytes: 1_048_576,
}
