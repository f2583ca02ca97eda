import type { Store } from './database.js'

/** Small values that outlive a restart, as JSON. */
export interface Settings {
  read(name: string): unknown
  write(name: string, value: unknown): void
}

export function createSettings(store: Store): Settings {
  const select = store.prepare('select value from settings where name = ?')
  const upsert = store.prepare('insert or replace into settings (name, value) values (?, ?)')
  return {
    read(name) {
      const row = select.get(name)
      return row === undefined ? undefined : (JSON.parse(String(row[0])) as unknown)
    },
    write: (name, value) => void upsert.run(name, JSON.stringify(value)),
  }
}
