import type { SqlValue, Store } from './database.js'
import { growingNumbers } from './ids.js'
import { serializer } from './policy/members.js'
import type { EventRecord, Policy } from './policy.js'

export interface EventQuery {
  readonly orgId: string
  /** Only events of this inbox; null is all. */
  readonly inboxId: string | null
  readonly after: string
  readonly limit: number
}

export interface EventPage {
  /** The events as JSON text, comma-separated. */
  readonly json: string
  readonly firstId: string | undefined
  readonly lastId: string | undefined
  readonly count: number
}

/** Events in the order of their ids. */
export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore(store: Store, policy: Policy) {
  const last = store.prepare('select max(seq) from events').get()?.[0]
  const lastEmail = store.prepare('select max(seq) from emails').get()?.[0]
  const nextNumber = growingNumbers(Math.max(Number(last ?? 0), Number(lastEmail ?? 0)))
  const columns = 'id, type, time, org_id, inbox_id, data_json'
  const insert = store.prepare(`insert into events (${columns}, seq) values (?, ?, ?, ?, ?, ?, ?)`)
  const select = store.prepare(`select ${columns} from events where id = ?`)
  const newestOfOrg = store.prepare('select max(id) from events where org_id = ?')
  const newest = store.prepare('select max(id) from events')
  const listed = serializer(policy.pollMembers)

  const query = (options: { comparison: string; order: 'asc' | 'desc'; ownOrg: boolean; ownInbox: boolean }) =>
    store.prepare(
      `select ${columns} from events where ${options.ownOrg ? 'org_id = ?' : '? is not null'}
       ${options.ownInbox ? 'and inbox_id = ?' : ''} and id ${options.comparison} ? order by id ${options.order} limit ?`,
    )
  const queries = (comparison: string, order: 'asc' | 'desc', orgs: 'own' | 'all') => {
    const ownOrg = orgs === 'own'
    const whole = query({ comparison, order, ownOrg, ownInbox: false })
    const inbox = query({ comparison, order, ownOrg, ownInbox: true })
    return ({ orgId, inboxId, after, limit }: EventQuery) =>
      inboxId === null ? whole.all(orgId, after, limit) : inbox.all(orgId, inboxId, after, limit)
  }
  const polled = queries(policy.pollComparison, policy.pollOrder === 'oldest-first' ? 'asc' : 'desc', policy.pollOrgs)
  const streamed = queries(
    policy.streamComparison,
    policy.backlogOrder === 'oldest-first' ? 'asc' : 'desc',
    policy.streamOrgs,
  )
  const continued = queries('>', policy.backlogOrder === 'oldest-first' ? 'asc' : 'desc', policy.streamOrgs)

  return {
    nextNumber,
    insert(fields: Omit<EventRecord, 'id'>): EventRecord {
      const sequence = nextNumber()
      const event = { ...fields, id: policy.eventId(sequence) }
      insert.run(event.id, event.type, event.time, event.orgId, event.inboxId, event.dataJson, sequence)
      return event
    },
    get(id: string): EventRecord | undefined {
      const row = select.get(id)
      return row && toEvent(row)
    },
    newestOfOrg(orgId: string): EventRecord | undefined {
      const id = newestOfOrg.get(orgId)?.[0]
      const row = id == null ? undefined : select.get(id)
      return row && toEvent(row)
    },
    /** The greatest id of all; empty when there is no event. */
    newestId: (): string => String(newest.get()?.[0] ?? ''),
    page(options: EventQuery): EventPage {
      const rows = polled(options).slice(policy.pollLagEvents)
      let json = ''
      for (const row of rows) json += (json === '' ? '' : ',') + listed(toEvent(row))
      return { json, firstId: rows[0]?.[0]?.toString(), lastId: rows.at(-1)?.[0]?.toString(), count: rows.length }
    },
    /** Events behind a cursor; `isFirst` is the first read of a stream. */
    behind: (options: EventQuery, isFirst: boolean): EventRecord[] =>
      (isFirst ? streamed(options) : continued(options)).map(toEvent),
  }
}

function toEvent(row: readonly SqlValue[]): EventRecord {
  return {
    id: String(row[0]),
    type: String(row[1]),
    time: String(row[2]),
    orgId: String(row[3]),
    inboxId: row[4] == null ? null : String(row[4]),
    dataJson: String(row[5]),
  }
}
