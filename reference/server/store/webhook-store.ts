import type { SqlValue, Store } from './database.js'
import { randomId } from '../ids.js'
import type { Policy, WebhookRecord } from '../policy.js'

export interface StoredWebhook extends WebhookRecord {
  readonly isDeleted: boolean
}

/** Webhooks; those of an org are kept in memory while they are used. */
export type WebhookStore = ReturnType<typeof createWebhookStore>

export function createWebhookStore(store: Store, policy: Policy) {
  const columns = 'id, org_id, workspace_id, url_json, event_types_json, inbox_id, secret, deleted'
  const insert = store.prepare(`insert into webhooks (${columns}) values (?, ?, ?, ?, ?, ?, ?, 0)`)
  const select = store.prepare(`select ${columns} from webhooks where id = ?`)
  const ofOrg = store.prepare(`select ${columns} from webhooks where org_id = ? order by seq`)
  const markDeleted = store.prepare('update webhooks set deleted = 1 where id = ? and deleted = 0')
  const byOrg = new Map<string, readonly StoredWebhook[]>()
  const byId = new Map<string, StoredWebhook>()
  const remembered = 10_000

  function forget(webhook: WebhookRecord): void {
    byOrg.delete(webhook.orgId)
    byId.delete(webhook.id)
  }

  return {
    create(fields: Omit<WebhookRecord, 'id'>): StoredWebhook {
      const webhook = { ...fields, id: policy.webhookId(randomId('')), isDeleted: false }
      const { id, orgId, workspaceId, url, eventTypes, inboxId, secret } = webhook
      insert.run(id, orgId, workspaceId, JSON.stringify(url), JSON.stringify(eventTypes), inboxId, secret)
      forget(webhook)
      return webhook
    },
    get(id: string): StoredWebhook | undefined {
      const known = byId.get(id)
      if (known) return known
      const row = select.get(id)
      if (row === undefined || row[0] !== id) return undefined
      const webhook = toWebhook(row)
      if (byId.size >= remembered) byId.clear()
      byId.set(id, webhook)
      return webhook
    },
    /** Webhooks of an org, deleted ones included, oldest first. */
    ofOrg(orgId: string): readonly StoredWebhook[] {
      const known = byOrg.get(orgId)
      if (known) return known
      const list = ofOrg.all(orgId).map(toWebhook)
      if (byOrg.size >= remembered) byOrg.clear()
      byOrg.set(orgId, list)
      return list
    },
    /** Marks it deleted; the row stays, since its deliveries do. */
    delete(webhook: WebhookRecord): void {
      markDeleted.run(webhook.id)
      forget(webhook)
    },
    forgetAll(): void {
      byOrg.clear()
      byId.clear()
    },
  }
}

function toWebhook(row: readonly SqlValue[]): StoredWebhook {
  return {
    id: String(row[0]),
    orgId: String(row[1]),
    workspaceId: String(row[2]),
    url: JSON.parse(String(row[3])) as string,
    eventTypes: JSON.parse(String(row[4])) as string[],
    inboxId: row[5] == null ? null : String(row[5]),
    secret: String(row[6]),
    isDeleted: row[7] === 1,
  }
}
