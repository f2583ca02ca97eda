import type { SqlValue, Store } from './database.js'
import { randomId } from '../ids.js'
import type { DeliveryRecord, DeliveryStatus } from '../policy.js'

/** A delivery whose attempt is due. */
export interface DueDelivery {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  /** Attempts that have ended. */
  readonly attempt: number
  readonly dueAt: number
}

export interface AttemptResult {
  readonly id: string
  readonly status: DeliveryStatus
  readonly attempt: number
  readonly responseCode: number | null
  readonly snippet: string | null
  readonly error: string | null
  readonly nextAttemptAt: number | null
}

/** Deliveries, and the queue of those that are due. `due_at` is null while an attempt is in flight. */
export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export function createDeliveryStore(store: Store) {
  const columns =
    'id, webhook_id, event_id, status, attempt, response_code, snippet_json, next_attempt_at, error, replay_of, created_at'
  const insert = store.prepare(
    `insert into deliveries (id, workspace_id, webhook_id, event_id, status, attempt, due_at, next_attempt_at, replay_of, created_at)
     values (?, ?, ?, ?, 'pending', 0, ?, ?, ?, ?)`,
  )
  const select = store.prepare(`select ${columns} from deliveries where id = ? and webhook_id = ?`)
  const list = store.prepare(`select ${columns} from deliveries where webhook_id = ? order by seq desc limit ?`)
  const claim = store.prepare(
    `update deliveries set due_at = null where seq in (
       select seq from deliveries where workspace_id = ?1 and due_at is not null and due_at <= ?2
       order by due_at, seq limit ?3)
     returning id, webhook_id, event_id, attempt, next_attempt_at, seq`,
  )
  const nextDue = store.prepare('select min(due_at) from deliveries where workspace_id = ? and due_at is not null')
  const record = store.prepare(
    `update deliveries set status = ?, attempt = ?, response_code = ?, snippet_json = ?, error = ?,
     next_attempt_at = ?, due_at = ? where id = ?`,
  )
  const stop = store.prepare(
    `update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'`,
  )
  // An attempt that was in flight when the process ended has no result: it is made again.
  store
    .prepare(
      `update deliveries set due_at = next_attempt_at where status = 'pending' and due_at is null and next_attempt_at is not null`,
    )
    .run()

  return {
    create(fields: {
      workspaceId: string
      webhookId: string
      eventId: string
      dueAt: number
      replayOf: string | null
      nowMs: number
    }): string {
      const id = randomId('dlv_')
      const { workspaceId, webhookId, eventId, dueAt, replayOf, nowMs } = fields
      insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)
      return id
    },
    get(id: string, webhookId: string): DeliveryRecord | undefined {
      const row = select.get(id, webhookId)
      return row === undefined || row[0] !== id ? undefined : toDelivery(row)
    },
    list: (webhookId: string, limit: number): DeliveryRecord[] => list.all(webhookId, limit).map(toDelivery),
    /** Removes work due by `atMs` from the queue, earliest first. */
    claim(workspaceId: string, atMs: number, limit: number): DueDelivery[] {
      if (limit <= 0) return []
      const rows = claim.all(workspaceId, atMs, limit)
      rows.sort((a, b) => Number(a[4]) - Number(b[4]) || Number(a[5]) - Number(b[5]))
      return rows.map((row) => ({
        id: String(row[0]),
        webhookId: String(row[1]),
        eventId: String(row[2]),
        attempt: Number(row[3]),
        dueAt: Number(row[4]),
      }))
    },
    nextDueAt(workspaceId: string): number | undefined {
      const value = nextDue.get(workspaceId)?.[0]
      return value == null ? undefined : Number(value)
    },
    record(result: AttemptResult): void {
      const snippet = result.snippet === null ? null : JSON.stringify(result.snippet)
      const { id, status, attempt, responseCode, error, nextAttemptAt } = result
      record.run(status, attempt, responseCode, snippet, error, nextAttemptAt, nextAttemptAt, id)
    },
    /** Takes the pending deliveries of a webhook out of the queue. */
    stop: (webhookId: string, status: DeliveryStatus): void => void stop.run(status, webhookId),
  }
}

function toDelivery(row: readonly SqlValue[]): DeliveryRecord {
  const attempt = Number(row[4])
  const status = row[3] as DeliveryStatus
  return {
    id: String(row[0]),
    webhookId: String(row[1]),
    eventId: String(row[2]),
    status,
    attempt,
    responseCode: row[5] == null ? null : Number(row[5]),
    snippet: row[6] == null ? null : (JSON.parse(String(row[6])) as string),
    // Before the first attempt nothing is a retry.
    nextAttemptAt: row[7] == null || attempt === 0 ? null : Number(row[7]),
    error: row[8] == null ? null : String(row[8]),
    replayOf: row[9] == null ? null : String(row[9]),
    createdAt: Number(row[10]),
  }
}
