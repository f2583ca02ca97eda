import type { SqlValue, Statement, Store } from './database.js'
import { growingNumbers } from '../ids.js'
import { serializer } from '../policy/members.js'
import type { EventRecord, Policy } from '../policy.js'

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
  const newest = store.prepare('select max(id) from events')
  const listed = serializer(policy.pollMembers)

  /** Prepares a query twice, with and without an inbox, and gives the one that fits with its values. */
  const prepared = (sql: (where: string) => string) => {
    const whole = store.prepare(sql('where org_id = ? and id > ?'))
    const inbox = store.prepare(sql('where org_id = ? and inbox_id = ? and id > ?'))
    return ({ orgId, inboxId, after, limit }: EventQuery): [Statement, SqlValue[]] =>
      inboxId === null ? [whole, [orgId, after, limit]] : [inbox, [orgId, inboxId, after, limit]]
  }

  // A page is put together by SQLite from text that was made when the event was: reading is far more frequent than raising.
  const polled = prepared(
    (where) =>
      `select group_concat(listed_json, ','), max(id) from (select id, listed_json from events ${where} order by id limit ?)`,
  )
  const streamed = prepared((where) => `select ${columns} from events ${where} order by id limit ?`)

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
    /** The greatest id of all; empty when there is no event. */
    newestId: (): string => String(newest.get()?.[0] ?? ''),
    page(query: EventQuery): EventPage {
      const [statement, values] = polled(query)
      const [json, lastId] = statement.get(...values) ?? []
      return { json: text(json) ?? '', lastId: text(lastId) }
    },
    /** Events after a cursor. */
    behind(query: EventQuery): EventRecord[] {
      const [statement, values] = streamed(query)
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
