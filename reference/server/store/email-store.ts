import type { SqlValue, Store } from './database.js'
import type { EmailRecord } from '../policy.js'

export interface StoredEmail extends EmailRecord {
  readonly orgId: string
  readonly workspaceId: string
}

/** Emails, each as one JSON document, and the queue of the scheduled ones. */
export type EmailStore = ReturnType<typeof createEmailStore>

export function createEmailStore(store: Store) {
  const insert = store.prepare(
    'insert into emails (id, org_id, workspace_id, inbox_id, due_at, email_json, seq) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const update = store.prepare('update emails set due_at = ?, email_json = ? where id = ?')
  const select = store.prepare('select id, email_json from emails where id = ?')
  const newest = store.prepare('select max(id) from emails where org_id = ?')
  const condition = `(?2 is null or inbox_id = ?2)`
  const list = store.prepare(
    `select id, email_json from emails where org_id = ?1 and ${condition} and id < ?3 order by id desc limit ?4`,
  )
  const due = store.prepare(
    'select id, email_json, due_at from emails where workspace_id = ? and due_at is not null and due_at <= ? order by due_at, seq limit 1',
  )
  const nextDue = store.prepare('select min(due_at) from emails where workspace_id = ? and due_at is not null')

  return {
    insert(email: StoredEmail, sequence: number, dueAt: number | null): void {
      const { id, orgId, workspaceId, inboxId } = email
      insert.run(id, orgId, workspaceId, inboxId, dueAt, JSON.stringify(email), sequence)
    },
    update(email: StoredEmail, dueAt: number | null): void {
      update.run(dueAt, JSON.stringify(email), email.id)
    },
    get(id: string): StoredEmail | undefined {
      const row = select.get(id)
      return row === undefined || row[0] !== id ? undefined : toEmail(row)
    },
    /** Newest first; `before` undefined starts at the newest. */
    list(query: { orgId: string; inboxId: string | null; before: string | undefined; limit: number }): StoredEmail[] {
      const before = query.before ?? `${String(newest.get(query.orgId)?.[0] ?? '')}~`
      return list.all(query.orgId, query.inboxId, before, query.limit).map(toEmail)
    },
    /** The first email that is due by `atMs`. */
    nextDue(workspaceId: string, atMs: number): { readonly email: StoredEmail; readonly dueAt: number } | undefined {
      const row = due.get(workspaceId, atMs)
      return row && { email: toEmail(row), dueAt: Number(row[2]) }
    },
    nextDueAt(workspaceId: string): number | undefined {
      const value = nextDue.get(workspaceId)?.[0]
      return value == null ? undefined : Number(value)
    },
  }
}

function toEmail(row: readonly SqlValue[]): StoredEmail {
  return JSON.parse(String(row[1])) as StoredEmail
}
