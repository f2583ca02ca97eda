import type { SqlValue, Store } from './database.js'
import { digest, newKey, randomId } from '../ids.js'

export interface Key {
  readonly id: string
  readonly orgId: string
  readonly workspaceId: string
  /** The one inbox the key is limited to; null sees the whole org. */
  readonly inboxId: string | null
  readonly permissions: string
  readonly domainId: string | null
}

export interface Inbox {
  readonly id: string
  readonly orgId: string
  readonly address: string
}

export interface Domain {
  readonly id: string
  readonly name: string
  readonly status: string
}

/** A project as the control interface hands it out. */
export interface Project {
  readonly org_id: string
  readonly api_key: string
  readonly domain: string
  readonly inboxes: readonly { readonly id: string; readonly address: string; readonly api_key: string }[]
}

export interface NewKey {
  readonly orgId: string
  readonly inboxId: string | null
  readonly permissions: string
  readonly domainId: string | null
  readonly name: string
  /** The key itself; generated when absent. */
  readonly secret?: string
}

/** Workspaces, their projects (orgs), domains, inboxes and keys. */
export type Directory = ReturnType<typeof createDirectory>

/** Keys kept in memory at most. */
const maxUsedKeys = 10_000

/** The queries of the directory. */
function statements(store: Store) {
  return {
    insertWorkspace: store.prepare(
      "insert into workspaces (id, sending, clock_offset_ms, created_at) values (?, 'active', 0, ?)",
    ),
    workspaceRow: store.prepare('select sending, clock_offset_ms from workspaces where id = ?'),
    allWorkspaces: store.prepare('select id from workspaces'),
    setSending: store.prepare('update workspaces set sending = ? where id = ?'),
    setOffset: store.prepare('update workspaces set clock_offset_ms = ? where id = ?'),
    insertOrg: store.prepare('insert into orgs (id, workspace_id) values (?, ?)'),
    orgWorkspace: store.prepare('select workspace_id from orgs where id = ?'),
    orgsOfWorkspace: store.prepare('select id from orgs where workspace_id = ? order by seq'),
    insertDomain: store.prepare('insert into domains (id, org_id, name, status) values (?, ?, ?, ?)'),
    domainsOfOrg: store.prepare('select id, name, status from domains where org_id = ? order by seq'),
    insertInbox: store.prepare('insert into inboxes (id, org_id, address) values (?, ?, ?)'),
    inboxesOfOrg: store.prepare('select id, org_id, address from inboxes where org_id = ? order by seq'),
    inboxOfAddress: store.prepare('select id, org_id, address from inboxes where address = ?'),
    insertKey: store.prepare(
      'insert or replace into keys (digest, id, org_id, inbox_id, permissions, domain_id, name_json) values (?, ?, ?, ?, ?, ?, ?)',
    ),
    keyOfDigest: store.prepare(
      `select k.id, k.org_id, o.workspace_id, k.inbox_id, k.permissions, k.domain_id
     from keys k join orgs o on o.id = k.org_id where k.digest = ?`,
    ),
    /** One for each table, in an order that leaves nothing without its owner. */
    removals: [
      'delete from deliveries where workspace_id = ?',
      'delete from webhooks where workspace_id = ?',
      'delete from emails where workspace_id = ?',
      ...['events', 'first_results', 'keys', 'inboxes', 'domains'].map(
        (table) => `delete from ${table} where org_id in (select id from orgs where workspace_id = ?)`,
      ),
      'delete from orgs where workspace_id = ?',
      'delete from workspaces where id = ?',
    ].map((sql) => store.prepare(sql)),
  }
}

export function createDirectory(store: Store) {
  const sql = statements(store)
  const usedKeys = new Map<string, Key>()
  const workspaceIdOfOrg = new Map<string, string>()
  const directory = {
    /** Makes a workspace with projects that have one verified domain and `inboxes` inboxes each. */
    createWorkspace(options: { projects: number; inboxes: number; apiKey?: string | undefined; nowMs: number }): {
      workspaceId: string
      projects: Project[]
    } {
      return store.transaction(() => {
        const workspaceId = randomId('wks_')
        sql.insertWorkspace.run(workspaceId, options.nowMs)
        const projects = Array.from({ length: options.projects }, (_, index): Project => {
          const orgId = randomId('org_')
          sql.insertOrg.run(orgId, workspaceId)
          const domain = `${orgId.slice(4)}.mail.example`
          sql.insertDomain.run(randomId('dom_'), orgId, domain, 'verified')
          const secret = (index === 0 ? options.apiKey : undefined) ?? newKey('key_')
          directory.createKey({ orgId, inboxId: null, permissions: 'full', domainId: null, name: 'default', secret })
          const addresses = Array.from({ length: options.inboxes }, (_, at) => `inbox-${at + 1}@${domain}`)
          const inboxes = addresses.map((address) => withKey(directory.createInbox(orgId, address), directory))
          return { org_id: orgId, api_key: secret, domain, inboxes }
        })
        return { workspaceId, projects }
      })
    },
    removeWorkspace(workspaceId: string): void {
      usedKeys.clear()
      workspaceIdOfOrg.clear()
      store.transaction(() => {
        for (const removal of sql.removals) removal.run(workspaceId)
      })
    },
    workspace(workspaceId: string): { sending: 'paused' | 'active'; clockOffsetMs: number } | undefined {
      const row = sql.workspaceRow.get(workspaceId)
      return row && { sending: row[0] === 'paused' ? 'paused' : 'active', clockOffsetMs: Number(row[1]) }
    },
    setSending(workspaceId: string, status: 'paused' | 'active'): void {
      sql.setSending.run(status, workspaceId)
    },
    saveClock(workspaceId: string, offsetMs: number): void {
      sql.setOffset.run(offsetMs, workspaceId)
    },
    workspaceOfOrg(orgId: string): string | undefined {
      const known = workspaceIdOfOrg.get(orgId)
      if (known !== undefined) return known
      const row = sql.orgWorkspace.get(orgId)
      if (row === undefined) return undefined
      if (workspaceIdOfOrg.size >= maxUsedKeys) workspaceIdOfOrg.clear()
      workspaceIdOfOrg.set(orgId, String(row[0]))
      return String(row[0])
    },
    workspaceIds: (): string[] => sql.allWorkspaces.all().map((row) => String(row[0])),
    orgsOf(workspaceId: string): string[] {
      return sql.orgsOfWorkspace.all(workspaceId).map((row) => String(row[0]))
    },
    domainsOf(orgId: string): Domain[] {
      return sql.domainsOfOrg.all(orgId).map(toDomain)
    },
    createDomain(orgId: string, name: string): Domain {
      const id = randomId('dom_')
      sql.insertDomain.run(id, orgId, name, 'pending')
      return { id, name, status: 'pending' }
    },
    inboxesOf(orgId: string): Inbox[] {
      return sql.inboxesOfOrg.all(orgId).map(toInbox)
    },
    /** The inbox with this address, in whatever org: mail between orgs is mail. */
    inboxAt(address: string): Inbox | undefined {
      const row = sql.inboxOfAddress.get(address.toLowerCase())
      return row && toInbox(row)
    },
    createInbox(orgId: string, address: string): Inbox {
      const inbox = { id: randomId('ibx_'), orgId, address: address.toLowerCase() }
      sql.insertInbox.run(inbox.id, orgId, inbox.address)
      return inbox
    },
    createKey(key: NewKey): { id: string; secret: string } {
      const secret = key.secret ?? newKey('key_')
      const id = randomId('kid_')
      const name = JSON.stringify(key.name)
      sql.insertKey.run(digest(secret), id, key.orgId, key.inboxId, key.permissions, key.domainId, name)
      return { id, secret }
    },
    /** The key with this secret. The look-up is by digest, so its time reveals nothing about the secret. */
    keyOf(secret: string): Key | undefined {
      const keyDigest = digest(secret)
      const known = usedKeys.get(keyDigest)
      if (known !== undefined) return known
      const row = sql.keyOfDigest.get(keyDigest)
      if (row === undefined) return undefined
      const key = toKey(row)
      if (usedKeys.size >= maxUsedKeys) usedKeys.clear()
      usedKeys.set(keyDigest, key)
      return key
    },
  }
  return directory
}

/** A new inbox as the control interface hands it out, with a key of its own. */
function withKey({ id, orgId, address }: Inbox, directory: { createKey(key: NewKey): { secret: string } }) {
  const key = { orgId, inboxId: id, permissions: 'full', domainId: null, name: address }
  return { id, address, api_key: directory.createKey(key).secret }
}

function toDomain([id, name, status]: readonly SqlValue[]): Domain {
  return { id: String(id), name: String(name), status: String(status) }
}

function toInbox(row: readonly SqlValue[]): Inbox {
  return {
    id: String(row[0]),
    orgId: String(row[1]),
    address: String(row[2]),
  }
}

function toKey([id, orgId, workspaceId, inboxId, permissions, domainId]: readonly SqlValue[]): Key {
  return {
    id: String(id),
    orgId: String(orgId),
    workspaceId: String(workspaceId),
    inboxId: inboxId == null ? null : String(inboxId),
    permissions: String(permissions),
    domainId: domainId == null ? null : String(domainId),
  }
}
