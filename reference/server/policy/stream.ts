import { eventBody } from './deliveries.js'
import type { EventMember } from './records.js'

/** The WebSocket stream. */
export interface StreamPolicy {
  /** Where the stream is, below the prefix. Source: STR-001. */
  readonly streamPath: string
  /** An `after` that does not look like an event id; open point `unknown-after`. Source: ERR-003. */
  readonly streamUnknownAfter: 'compare' | 'refuse' | 'fail'
  /** Time until a live event is sent to its clients, drawn for each event. Source: STR-007. */
  readonly publishDelayMs: () => number
  /** Members of a frame. Source: STR-003. */
  readonly frameMembers: readonly EventMember[]
  /** The frame from the event's JSON text. Source: STR-002. */
  readonly frame: (eventJson: string) => string
  /** Source: STR-002. */
  readonly frameKind: 'text' | 'binary'
  /** Where a stream without `after` starts. Source: STR-004. */
  readonly streamStart: 'now' | 'oldest'
  /** Whether `after` is used at all. Source: STR-005. */
  readonly streamResumes: boolean
  /** Source: STR-005. */
  readonly streamComparison: '>' | '>='
  /** Source: STR-007. */
  readonly backlogOrder: 'oldest-first' | 'newest-first'
  /** Events of the backlog at most; undefined is all. Source: STR-005. */
  readonly backlogLimit: number | undefined
  /**
   * The way from the backlog to live. `cursor`: one cursor, so nothing is lost or repeated. `snapshot`: events raised during
   * the backlog are lost. `overlap`: live frames are sent during the backlog, which then repeats them. Source: STR-006.
   */
  readonly handOver: 'cursor' | 'snapshot' | 'overlap'
  /** Which clients get a live event. Source: STR-008. */
  readonly liveClients: 'all' | 'newest-of-org'
  /** Events read from the store at a time. */
  readonly streamPageSize: number
  /** A client with more unsent bytes than this gets no further frame until it has caught up. */
  readonly maxBufferedBytes: number
  /** A client that stays behind the buffer limit for so long is closed with 1013; it can resume with `after`. */
  readonly stallMs: number
}

export const streamPolicy: StreamPolicy = {
  streamPath: '/events/ws',
  streamUnknownAfter: 'compare',
  publishDelayMs: () => 0,
  frameMembers: eventBody,
  frame: (eventJson) => eventJson,
  frameKind: 'text',
  streamStart: 'now',
  streamResumes: true,
  streamComparison: '>',
  backlogOrder: 'oldest-first',
  backlogLimit: undefined,
  handOver: 'cursor',
  liveClients: 'all',
  streamPageSize: 100,
  maxBufferedBytes: 1_048_576,
  stallMs: 30_000,
}
