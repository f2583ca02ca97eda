import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import Libsql from 'libsql'

/** A prepared statement. Rows are arrays, in the order of the selected columns. */
export interface Statement {
  /** Runs it; the number of rows changed. */
  run(...values: SqlValue[]): number
  get(...values: SqlValue[]): readonly SqlValue[] | undefined
  all(...values: SqlValue[]): (readonly SqlValue[])[]
}

export type SqlValue = string | number | null

export interface Store {
  prepare(sql: string): Statement
  /** Runs `work` in one transaction; nested calls join the outer one. */
  transaction<Result>(work: () => Result): Result
  /** Runs `work` once the transaction under way is committed, never when it is not; at once outside of any. */
  afterCommit(work: () => void): void
  close(): void
}

/**
 * Text that a caller chose is stored as JSON text or as an id that was checked: SQLite cuts text at a NUL character, and
 * JSON text holds none.
 */
const schema = `
create table if not exists settings (name text primary key, value text not null) strict;
create table if not exists workspaces (
  id text primary key, sending text not null, clock_offset_ms integer not null, created_at integer not null) strict;
create table if not exists orgs (
  seq integer primary key, id text unique not null, workspace_id text not null) strict;
create table if not exists domains (
  seq integer primary key, id text unique not null, org_id text not null, name text not null, status text not null) strict;
create index if not exists domains_by_org on domains (org_id);
create table if not exists inboxes (
  seq integer primary key, id text unique not null, org_id text not null, address text unique not null) strict;
create index if not exists inboxes_by_org on inboxes (org_id);
create table if not exists keys (
  digest text primary key, id text not null, org_id text not null, inbox_id text, permissions text not null,
  domain_id text, name_json text not null) strict;
create index if not exists keys_by_org on keys (org_id);
create table if not exists webhooks (
  seq integer primary key, id text unique not null, org_id text not null, workspace_id text not null, url_json text not null,
  event_types_json text not null, inbox_id text, secret text not null, deleted integer not null default 0) strict;
create index if not exists webhooks_by_org on webhooks (org_id);
create table if not exists events (
  id text not null, seq integer not null, org_id text not null, inbox_id text, type text not null, time text not null,
  data_json text not null, listed_json text not null, primary key (org_id, id)) strict, without rowid;
create unique index if not exists events_by_id on events (id);
create index if not exists events_by_inbox on events (org_id, inbox_id, id);
create index if not exists events_by_seq on events (seq);
create table if not exists deliveries (
  seq integer primary key, id text unique not null, workspace_id text not null, webhook_id text not null,
  event_id text not null, status text not null, attempt integer not null, response_code integer, snippet_json text,
  next_attempt_at integer, due_at integer, error text, replay_of text,
  created_at integer not null) strict;
create index if not exists deliveries_by_webhook on deliveries (webhook_id, seq);
create index if not exists deliveries_due on deliveries (workspace_id, due_at) where due_at is not null;
create table if not exists emails (
  seq integer primary key, id text unique not null, org_id text not null, workspace_id text not null, inbox_id text,
  due_at integer, email_json text not null) strict;
create index if not exists emails_by_org on emails (org_id, id);
create index if not exists emails_due on emails (workspace_id, due_at) where due_at is not null;
create table if not exists first_results (
  slot text primary key, org_id text not null, request_digest text not null, result_json text not null) strict, without rowid;
`

/** Marks a file as ours: the letters `WHK1`. */
const applicationId = 0x57_48_4b_31

/** Grows when the tables change. */
const schemaVersion = 1

/** The data file cannot be used; it was not changed. */
class DataFileUnusable extends Error {
  override readonly name = 'DataFileUnusable'

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`data file ${file}: ${reason}`, options)
  }
}

/** The disk is full or the file cannot be written or read; earlier answers are kept. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(String(error.code))
}

/**
 * Opens the store: a file, or memory when `file` is undefined. A process that is killed loses nothing that was answered.
 * One process at a time has the file. Errors: {@link DataFileUnusable}.
 */
export function openStore(file: string | undefined): Store {
  const database = file === undefined ? new Libsql(':memory:') : openFile(file)
  database.exec(schema)
  const [begin, commit, rollback] = ['begin', 'commit', 'rollback'].map((sql) => database.prepare(sql)) as [
    Libsql.Statement,
    Libsql.Statement,
    Libsql.Statement,
  ]
  let isInTransaction = false
  let committed: (() => void)[] = []
  return {
    prepare(sql) {
      const statement = database.prepare(sql)
      const reader = /^\s*(select|with)|\breturning\b/i.test(sql) ? statement.raw() : statement
      return {
        run: (...values) => statement.run(values).changes,
        get: (...values) => reader.get(values) as readonly SqlValue[] | undefined,
        all: (...values) => reader.all(values) as (readonly SqlValue[])[],
      }
    },
    transaction<Result>(work: () => Result): Result {
      if (isInTransaction) return work()
      let result: Result
      begin.run()
      isInTransaction = true
      try {
        result = work()
        commit.run()
      } catch (error) {
        committed = []
        // A full disk ends the transaction by itself.
        if (database.inTransaction) rollback.run()
        throw error
      } finally {
        isInTransaction = false
      }
      const waiting = committed
      committed = []
      for (const work of waiting) work()
      return result
    },
    afterCommit(work) {
      if (isInTransaction) committed.push(work)
      else work()
    },
    close(): void {
      if (file !== undefined) release(database)
      database.close()
    },
  }
}

function openFile(file: string): Libsql.Database {
  let database: Libsql.Database | undefined
  try {
    createForOwner(file)
    database = new Libsql(file)
    database.exec('pragma busy_timeout = 1000; pragma locking_mode = exclusive')
    const hasTables = firstValue(database, 'select count(*) from sqlite_master') !== 0
    if (hasTables && firstValue(database, 'pragma application_id') !== applicationId)
      throw new DataFileUnusable(file, 'it is a database of another program. Name another file.')
    if (hasTables && firstValue(database, 'pragma user_version') !== schemaVersion)
      throw new DataFileUnusable(file, 'it was written by another version of this server. Name another file.')
    if (hasTables && firstValue(database, 'pragma quick_check(1)') !== 'ok')
      throw new DataFileUnusable(file, 'it is damaged. Bring back a copy, or name another file.')
    forOwnerAlone(file)
    database.exec('pragma journal_mode = wal; pragma synchronous = normal')
    database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}`)
    return database
  } catch (error) {
    database?.close()
    if (error instanceof DataFileUnusable) throw error
    throw new DataFileUnusable(file, reasonOf(error), { cause: error })
  }
}

/** The file holds API keys and secrets of webhooks: it is its owner's alone from the start, and its log as the file is. */
function createForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Takes a file of ours that others may read from them. */
function forOwnerAlone(file: string): void {
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
}

/** Gives the file up: `close` alone keeps the lock as long as a statement lives. */
function release(database: Libsql.Database): void {
  try {
    database.exec('pragma journal_mode = delete; pragma locking_mode = normal; select 1 from sqlite_master')
  } catch {
    // A full disk: the lock ends with the process, and the next start reads the log.
  }
}

function firstValue(database: Libsql.Database, sql: string): unknown {
  const row: unknown = database.prepare(sql).raw().get()
  return Array.isArray(row) ? row[0] : undefined
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code) || /locked/.test(message)) {
    return 'another process has it open. Stop that one, or name another file.'
  }
  if (/NOTADB|CORRUPT/.test(code) || /not a database|malformed/.test(message)) {
    return 'it is not an SQLite database, or it is damaged. Bring back a copy, or name another file.'
  }
  if (/CANTOPEN|ENOENT|EACCES|EISDIR|ENOTDIR|EROFS/.test(code) || /unable to open/i.test(message)) {
    return 'it cannot be opened. Check that its folder exists and may be written to, and that it is not a folder itself.'
  }
  return `it cannot be used (${message}).`
}
