import { defaultPageSize, idPrefixes, maxPageSize } from '../../../spec/index.js'
import { createdAtMember, dataMember, idMember, orgMember, typeMember } from './members.js'
import type { EventMember } from './records.js'

/** Events, their data, and polling. */
export interface EventPolicy {
  /** Id from a number that grows with every event; open point `id-scheme`. Source: EVT-001, POL-010. */
  readonly eventId: (sequence: number) => string
  /** Instants in events. Source: EVT-002. */
  readonly formatTime: (atMs: number) => string
  /** Last word on the data of an event. Source: EVT-003 to EVT-011. */
  readonly eventData: (type: string, data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Whether asking for the status that already holds raises no event. Source: EVT-017. */
  readonly repeatedSendingStatus: 'silent' | 'raises'
  /** Members of an event of the list. Source: POL-009. */
  readonly pollMembers: readonly EventMember[]
  /** Source: POL-004. */
  readonly pollDefaultLimit: number
  /** Source: POL-006. */
  readonly pollMaxLimit: number
  /** The page from its rows (JSON text, comma-separated) and the cursor. Source: POL-007. */
  readonly pollEnvelope: (rowsJson: string, nextAfter: string | null | undefined) => string
  /** Cursor of a page. Source: POL-008; open point `next-after-empty`. */
  readonly nextAfter: (page: {
    readonly lastId: string | undefined
    readonly after: string | undefined
  }) => string | null | undefined
  /** An `after` that does not look like an event id; open point `unknown-after`. */
  readonly unknownAfter: 'compare' | 'refuse'
  /** An `after` that is empty; open point `empty-after`. */
  readonly emptyAfter: 'missing' | 'refuse'
}

export const eventPolicy: EventPolicy = {
  eventId: (sequence) => idPrefixes.event + String(sequence).padStart(16, '0'),
  formatTime: (atMs) => new Date(atMs).toISOString(),
  eventData: (_type, data) => data,
  repeatedSendingStatus: 'silent',
  pollMembers: [idMember, typeMember, orgMember, createdAtMember, dataMember],
  pollDefaultLimit: defaultPageSize,
  pollMaxLimit: maxPageSize,
  pollEnvelope: (rowsJson, nextAfter) => `{"data":[${rowsJson}],"next_after":${JSON.stringify(nextAfter) ?? 'null'}}`,
  nextAfter: ({ lastId, after }) => lastId ?? after ?? '',
  unknownAfter: 'compare',
  emptyAfter: 'missing',
}
