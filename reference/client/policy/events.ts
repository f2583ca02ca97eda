import type { Query } from './requests.js'

/** Polling and the stream. */
export interface EventPolicy {
  /** The `after` of the next page; undefined ends the iteration. Source: POL-008. */
  readonly nextAfter: (
    page: {
      readonly data: readonly unknown[]
      readonly next_after?: string | null
    },
    after: string | undefined,
  ) => string | undefined
  /** How the stream carries the key. Source: STR-001. */
  readonly streamCredentials: (apiKey: string) => Query
  /** Events that wait for the caller at most: then the connection is closed, and resumed once they are taken. */
  readonly streamQueueLimit: number
  /** Close codes after which no new connection is made: the server refuses this client. */
  readonly finalCloseCodes: readonly number[]
}

export const eventPolicy: EventPolicy = {
  nextAfter: ({ data, next_after: next }, after) => (data.length > 0 && next && next !== after ? next : undefined),
  streamCredentials: (apiKey) => ({ token: apiKey }),
  streamQueueLimit: 1_000,
  finalCloseCodes: [1008],
}
