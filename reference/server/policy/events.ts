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
  /** Type under which a change is recorded. Source: EVT-003 to EVT-011. */
  readonly eventType: (type: string) => string
  /** How often a change is recorded. Source: EVT-016. */
  readonly eventCopies: (type: string) => number
  /** Projects that get a workspace event. Source: EVT-012. */
  readonly workspaceEventOrgs: (orgIds: readonly string[]) => readonly string[]
  /** Workspace sending status after an event. Source: EVT-017. */
  readonly sendingStatusAfter: (asked: 'paused' | 'active', before: 'paused' | 'active') => 'paused' | 'active'
  /** Whether asking for the status that already holds raises no event. Source: EVT-017. */
  readonly repeatedSendingStatus: 'silent' | 'raises'
  /** Members of an event of the list. Source: POL-009. */
  readonly pollMembers: readonly EventMember[]
  /** Source: POL-001. */
  readonly pollOrder: 'oldest-first' | 'newest-first'
  /** Source: POL-003. */
  readonly pollComparison: '>' | '>='
  /** Cursor used when none is asked for. Source: POL-002. */
  readonly pollStart: 'oldest' | 'now'
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
    readonly limit: number
    readonly edges: () => { readonly firstId: string | undefined; readonly count: number }
  }) => string | null | undefined
  /** An `after` that does not look like an event id; open point `unknown-after`. */
  readonly unknownAfter: 'compare' | 'refuse'
}

export const eventPolicy: EventPolicy = {
  eventId: (sequence) => idPrefixes.event + String(sequence).padStart(16, '0'),
  formatTime: (atMs) => new Date(atMs).toISOString(),
  eventData: (_type, data) => data,
  eventType: (type) => type,
  eventCopies: () => 1,
  workspaceEventOrgs: (orgIds) => orgIds,
  sendingStatusAfter: (asked) => asked,
  repeatedSendingStatus: 'silent',
  pollMembers: [idMember, typeMember, orgMember, createdAtMember, dataMember],
  pollOrder: 'oldest-first',
  pollComparison: '>',
  pollStart: 'oldest',
  pollDefaultLimit: defaultPageSize,
  pollMaxLimit: maxPageSize,
  pollEnvelope: (rowsJson, nextAfter) => `{"data":[${rowsJson}],"next_after":${JSON.stringify(nextAfter) ?? 'null'}}`,
  nextAfter: ({ lastId, after }) => lastId ?? after ?? '',
  unknownAfter: 'compare',
}
