import {
  operations,
  type CallName,
  type OperationName,
  type OperationRule,
  type UnshownOperationName,
  type UnshownRule,
} from '../operations.js'
import { instantOfPhrase } from '../scheduled-at.js'

/** Values of a query; undefined and null are left out. */
export type Query = Readonly<Record<string, unknown>>

/** What the key adds to a request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** What a request is made of. */
export interface RequestPolicy {
  /** Source: CLI-037 to CLI-042, CLI-046, CLI-047. */
  readonly operations: Readonly<Record<OperationName, OperationRule>>
  /**
   * Paths of the methods whose paths are not shown: the client has none of these methods by default. `{…}` are replaced by the first
   * arguments. Source: CLI-023, CLI-024, CLI-060 to CLI-062, CLI-066.
   */
  readonly unshownPaths: Readonly<Partial<Record<UnshownOperationName, UnshownRule>>>
  /** Source: CLI-001. */
  readonly credentials: (apiKey: string | undefined, attempt: number) => Credentials
  /** The caller's headers on one attempt; the client's own win. Source: CLI-012. */
  readonly extraHeaders: (
    headers: Readonly<Record<string, string>>,
    request: { readonly method: string; readonly attempt: number },
  ) => Readonly<Record<string, string>>
  readonly contentType: string
  /** A path parameter as it is written. Source: CLI-039. */
  readonly pathParameter: (value: string) => string
  /** Source: CLI-040. */
  readonly query: (operation: CallName, query: Query) => Query
  /** The body before it is written as JSON. Source: CLI-037, CLI-038, CLI-041. */
  readonly body: (operation: CallName, body: unknown) => unknown
  /** How `batchValidation` travels; open point `batch-validation`. */
  readonly batchValidation: (mode: string) => Query
  /** Field names that stand for `scheduled_at`. Source: CLI-045. */
  readonly scheduledAtAliases: readonly string[]
  /** Source: CLI-043. */
  readonly dateObject: (date: Date) => unknown
  /** Undefined: refused before anything is sent. Source: CLI-044; open point `relative-phrase`. */
  readonly phrase: (phrase: string, nowMs: number) => unknown
}

export const requestPolicy: RequestPolicy = {
  operations,
  unshownPaths: {},
  credentials: (apiKey) => ({ headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }, query: {} }),
  extraHeaders: (headers) => headers,
  contentType: 'application/json',
  pathParameter: encodeURIComponent,
  query: (_operation, query) => query,
  body: (_operation, body) => body,
  batchValidation: (mode) => ({ batch_validation: mode }),
  scheduledAtAliases: ['scheduledAt'],
  dateObject: (date) => date.toISOString(),
  phrase: instantOfPhrase,
}
