import { eventBody } from './deliveries.js'
import type { EventMember } from './records.js'

/** The WebSocket stream. */
export interface StreamPolicy {
  /** Where the stream is, below the prefix. Source: STR-001. */
  readonly streamPath: string
  /** An `after` that does not look like an event id; open point `unknown-after`. Source: ERR-003. */
  readonly streamUnknownAfter: 'compare' | 'refuse'
  /** Members of a frame. Source: STR-003. */
  readonly frameMembers: readonly EventMember[]
  /** Events read from the store at a time. */
  readonly streamPageSize: number
  /** A client with more unsent bytes than this gets no other frame until it has caught up. */
  readonly maxBufferedBytes: number
  /** A client that stays above the buffer limit for this long is closed with 1013; it can resume with `after`. */
  readonly stallMs: number
}

export const streamPolicy: StreamPolicy = {
  streamPath: '/events/ws',
  streamUnknownAfter: 'compare',
  frameMembers: eventBody,
  streamPageSize: 100,
  maxBufferedBytes: 1_048_576,
  stallMs: 30_000,
}
