import type { SqlValue, Statement, Store } from './database.js'
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
  readonly lastId: string | undefined
  /** What only few ask for: it takes a second query. */
  readonly edges: () => { readonly firstId: string | undefined; readonly count: number }
}

/** Events in the order of their ids. */
export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore(store: Store, policy: Policy) {
  const last = store.prepare('select max(seq) from events').get()?.[0]
  const lastEmail = store.prepare('select max(seq) from emails').get()?.[0]
  const nextNumber = growingNumbers(Math.max(Number(last ?? 0), Number(lastEmail ?? 0)))
  const columns = 'id, type, time, org_id, inbox_id, data_json'
  const insert = store.prepare(`insert into events (${columns}, seq, listed_json) values (?, ?, ?, ?, ?, ?, ?, ?)`)
  const select = store.prepare(`select ${columns} from events where id = ?`)
  const newestOfOrg = store.prepare('select max(id) from events where org_id = ?')
  const newest = store.prepare('select max(id) from events')
  const listed = serializer(policy.pollMembers)

  /** Prepares a query twice, with and without an inbox, and gives the one that fits with its values. */
  const prepared = (sql: (where: string) => string, options: { comparison: string; orgs: 'own' | 'all' }) => {
    const { comparison } = options
    const ownOrg = options.orgs === 'own'
    const whole = store.prepare(sql(condition({ comparison, ownOrg, ownInbox: false })))
    const inbox = store.prepare(sql(condition({ comparison, ownOrg, ownInbox: true })))
    return ({ orgId, inboxId, after, limit }: EventQuery): [Statement, SqlValue[]] =>
      inboxId === null ? [whole, [orgId, after, limit]] : [inbox, [orgId, inboxId, after, limit]]
  }

  // A page is put together by SQLite from text that was made when the event was: reading is far more frequent than raising.
  const pollOrder = policy.pollOrder === 'oldest-first' ? 'asc' : 'desc'
  const pageOf = (columnsOfPage: string) => (where: string) =>
    `select ${columnsOfPage} from (select id, listed_json from events ${where} order by id ${pollOrder} limit ?)`
  const [first, final] = pollOrder === 'asc' ? ['min(id)', 'max(id)'] : ['max(id)', 'min(id)']
  const asked = { comparison: policy.pollComparison, orgs: policy.pollOrgs }
  const polled = prepared(pageOf(`group_concat(listed_json, ','), ${final}`), asked)
  const polledEdges = prepared(pageOf(`${first}, count(*)`), asked)
  const streamOrder = policy.backlogOrder === 'oldest-first' ? 'asc' : 'desc'
  const streamSql = (where: string): string =>
    `select ${columns} from events ${where} order by id ${streamOrder} limit ?`
  const streamed = prepared(streamSql, { comparison: policy.streamComparison, orgs: policy.streamOrgs })
  const continued = prepared(streamSql, { comparison: '>', orgs: policy.streamOrgs })

  return {
    nextNumber,
    insert(fields: Omit<EventRecord, 'id'>): EventRecord {
      const sequence = nextNumber()
      const event = { ...fields, id: policy.eventId(sequence) }
      insert.run(event.id, event.type, event.time, event.orgId, event.inboxId, event.dataJson, sequence, listed(event))
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
      const [statement, values] = polled(options)
      const [json, lastId] = statement.get(...values) ?? []
      return {
        json: text(json) ?? '',
        lastId: text(lastId),
        edges() {
          const [edgeStatement, edgeValues] = polledEdges(options)
          const [firstId, count] = edgeStatement.get(...edgeValues) ?? []
          return { firstId: text(firstId), count: Number(count) }
        },
      }
    },
    /** Events behind a cursor; `isFirst` is the first read of a stream. */
    behind(options: EventQuery, isFirst: boolean): EventRecord[] {
      const [statement, values] = isFirst ? streamed(options) : continued(options)
      return statement.all(...values).map(toEvent)
    },
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

function text(value: SqlValue | undefined): string | undefined {
  return value == null ? undefined : String(value)
}

function condition(options: { comparison: string; ownOrg: boolean; ownInbox: boolean }): string {
  return `where ${options.ownOrg ? 'org_id = ?' : '? is not null'} ${options.ownInbox ? 'and inbox_id = ?' : ''}
     and id ${options.comparison} ?`
}
