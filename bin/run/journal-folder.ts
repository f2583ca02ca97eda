import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { invocation } from '../cli/invocation.js'

/** Where journals may be kept when the user names no file: a folder of the user's own, best first. */
export function journalFolders(): string[] {
  const given = invocation().env['XDG_STATE_HOME'] ?? ''
  const home = known(homedir)
  const state = isAbsolute(given) ? given : home && join(home, '.local', 'state')
  const user = known(() => userInfo().username) ?? String(process.getuid?.())
  return [
    ...(state === undefined ? [] : [join(state, 'webhook-conformance')]),
    join(tmpdir(), `webhook-conformance-${user}`),
  ]
}

/** What the system knows of the user; undefined where it throws: in a container a user may be a number alone, without a name and a home. */
function known(ask: () => string): string | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** The first folder that can be made, or is there, and is the user's alone; undefined where there is none. */
export function makeJournalFolder(): string | undefined {
  return journalFolders().find((folder) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (!isOwn(folder)) return false
      chmodSync(folder, 0o700)
      return true
    } catch {
      return false
    }
  })
}

/** Returns whether a folder is this user's; false for a link. */
export function isOwn(folder: string): boolean {
  const uid = process.getuid?.()
  const stat = lstatSync(folder)
  return stat.isDirectory() && (uid === undefined || stat.uid === uid)
}
