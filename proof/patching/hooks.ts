// Loader hooks of a thread of their own: a module that is imported with `?with=<ids>` is a copy with the patches of those
// ids, and so is every module of the reference that it imports. All else is shared, and resolves as ever. Patches that keep
// something between requests keep it in `ownState`, of which each copy has its own.
import type { LoadHook, ResolveHook } from 'node:module'
import { keepsState, patched, type Patch } from './patch.js'

/** What the hooks are given when they are registered. */
export interface HookData {
  /** The folder of the built reference, with a slash at its end. */
  readonly root: string
  readonly patches: Readonly<Record<string, readonly Patch[]>>
}

/** Imported by patched modules alone. */
const ownStateSpecifier = 'own-state:'
const ownStateUrl = new URL('own-state.js', import.meta.url).href

let given: HookData = { root: '', patches: {} }

export function initialize(data: HookData): void {
  given = data
}

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const copy = copyOf(context.parentURL)
  if (specifier === ownStateSpecifier) return { url: `${ownStateUrl}${copy}`, format: 'module', shortCircuit: true }
  const resolved = await nextResolve(specifier, context)
  if (copy === '' || !resolved.url.startsWith(given.root) || copyOf(resolved.url) !== '') return resolved
  return { ...resolved, url: `${resolved.url}${copy}` }
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  const ids = new URLSearchParams(copyOf(url)).get('with')?.split(' ')
  if (ids === undefined) return loaded
  const file = url.slice(given.root.length, url.indexOf('?')).replace(/\.js$/, '.ts')
  const patches = ids.flatMap((id) => given.patches[id] ?? []).filter((patch) => patch.file === file)
  if (patches.length === 0) return loaded
  const source = patched(String(loaded.source), patches)
  const statement = keepsState(patches) ? `import { ownState } from '${ownStateSpecifier}';` : ''
  return { ...loaded, source: statement + source }
}

/** Returns the query by which a copy's modules differ from those of others; empty for any other module. */
function copyOf(url: string | undefined): string {
  return url?.startsWith(given.root) === true ? new URL(url).search : ''
}
