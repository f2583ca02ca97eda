import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Case } from '../../harness/index.js'
import { admitOwnCases } from '../../harness/own-cases.js'
import type { Settings } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import type { CaseInfo } from './catalogue.js'

/** The cases of `--cases`, looked through, beside those of the kit; of any kind. Nothing where none are given. */
export async function ownCasesOf(
  settings: Settings,
  catalogue: readonly Pick<CaseInfo, 'id'>[],
): Promise<readonly Case[]> {
  const path = settings.path('cases')
  if (path === undefined) return []
  const file = resolve(path)
  if (!existsSync(file)) throw new UsageError(`--cases ${path}: there is no such file`)
  let loaded: unknown
  try {
    loaded = await import(pathToFileURL(file).href)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const isTyped = /\.[cm]?ts$/.test(file) && /Unknown file extension/.test(why)
    throw new UsageError(`--cases ${path}: ${isTyped ? 'this version of Node does not read TypeScript: give the compiled file' : `cannot be loaded (${why})`}`) // prettier-ignore
  }
  return admitOwnCases(`--cases ${path}`, loaded, catalogue)
}
