import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Case } from '../../harness/index.js'
import { unreadable } from '../../harness/parsing.js'
import { admitOwnCases } from '../../harness/own-cases.js'
import type { Settings } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import type { CaseInfo } from './catalogue.js'

/** Returns the validated cases of `--cases`, of any kind, to run with those of the kit. Empty if none are given. */
export async function ownCasesOf(
  settings: Settings,
  catalogue: readonly Pick<CaseInfo, 'id'>[],
): Promise<readonly Case[]> {
  const path = settings.path('cases')
  if (path === undefined) return []
  const file = resolve(path)
  if (isFolder(file, path)) throw new UsageError(`--cases ${path}: this is a folder; give the module in it`)
  let loaded: unknown
  try {
    loaded = await import(pathToFileURL(file).href)
  } catch (error) {
    throw new UsageError(`--cases ${path}: ${problemOf(error, file, path)}`)
  }
  return admitOwnCases(`--cases ${path}`, loaded, catalogue)
}

function isFolder(file: string, path: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch (error) {
    throw new UsageError(`--cases ${path}: ${unreadable(path, error)}`)
  }
}

function problemOf(error: unknown, file: string, path: string): string {
  const why = error instanceof Error ? error.message : String(error)
  if (/\.[cm]?ts$/.test(file) && /Unknown file extension/.test(why))
    return 'this version of Node does not read TypeScript: give the compiled file'
  // Node names the line of a syntax error only when it runs the file itself.
  return `cannot be loaded (${why})${error instanceof SyntaxError ? `; node --check ${path} shows the line` : ''}`
}
