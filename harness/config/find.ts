import { existsSync, lstatSync, realpathSync, statSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Names that a configuration file may have, in the order in which they are looked for in a folder. */
export const configFileNames = ['conformance.config.yaml', 'conformance.config.yml', 'conformance.config.json'] as const

/**
 * Returns the nearest configuration, searched from `start` up to the root of its repository or the home folder, whichever is nearer.
 * Outside of both only `start` itself is searched: anybody may write into a folder above it.
 */
export function findConfig(start: string, home: string = homedir()): string | undefined {
  for (const folder of searchedFolders(start, home)) {
    const found = configFileNames.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
  }
  return undefined
}

function searchedFolders(start: string, home: string): readonly string[] {
  const folders: string[] = []
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder)
    if (folder === home || existsSync(join(folder, '.git'))) return folders
    if (dirname(folder) === folder) return [start]
  }
}

/** Returns why another user may have planted a configuration that was found, not named; undefined if none can. */
export function distrustOf(path: string): string | undefined {
  const real = realpathSync(path)
  const places = [...new Set([path, real, dirname(path), dirname(real)])]
  for (const place of places)
    for (const stats of [lstatSync(place), statSync(place)]) {
      const reason = distrustOfStats(stats)
      if (reason !== undefined) return `${place} ${reason}`
    }
  return undefined
}

/** Returns why another user may have planted a link; undefined if none can. */
export function distrustOfLink(path: string): string | undefined {
  const folder = dirname(path)
  for (const [place, stats] of [
    [path, lstatSync(path)],
    [folder, statSync(folder)],
  ] as const) {
    const reason = distrustOfStats(stats)
    if (reason !== undefined) return `${place} ${reason}`
  }
  return undefined
}

function distrustOfStats({ uid, gid, mode }: Stats): string | undefined {
  const own = process.getuid?.()
  // Windows has neither owners nor modes here.
  if (own === undefined) return undefined
  if (uid !== own && uid !== 0) return `belongs to user ${uid}, who is neither you nor root`
  const isLink = (mode & 0o170000) === 0o120000
  if (isLink) return undefined
  if ((mode & 0o002) !== 0) return 'may be written by everybody'
  // Many systems give each user a group of their own, and let it write.
  const isOwnGroup = gid === process.getgid?.() || gid === 0
  return (mode & 0o020) !== 0 && !isOwnGroup ? `may be written by group ${gid}` : undefined
}
