// Loader hooks of a thread of their own: a module that is imported with `?with=<ids>` is a copy with the patches of those
// ids, and so is every module of the reference that it imports. All else is shared, and resolves as ever.
import type { LoadHook, ResolveHook } from 'node:module'
import { patched, type Patch } from './patch.js'

/** What the hooks are given when they are registered. */
export interface HookData {
  /** The folder of the built reference, with a slash at its end. */
  readonly root: string
  readonly patches: Readonly<Record<string, readonly Patch[]>>
}

let given: HookData = { root: '', patches: {} }

export function initialize(data: HookData): void {
  given = data
}

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const resolved = await nextResolve(specifier, context)
  const ids = idsOf(context.parentURL)
  if (ids.length === 0 || !resolved.url.startsWith(given.root) || idsOf(resolved.url).length > 0) return resolved
  return { ...resolved, url: `${resolved.url}?with=${encodeURIComponent(ids.join(' '))}` }
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  const ids = idsOf(url)
  if (ids.length === 0) return loaded
  const file = url.slice(given.root.length, url.indexOf('?')).replace(/\.js$/, '.ts')
  const patches = ids.flatMap((id) => given.patches[id] ?? []).filter((patch) => patch.file === file)
  return patches.length === 0 ? loaded : { ...loaded, source: patched(String(loaded.source), patches) }
}

function idsOf(url: string | undefined): readonly string[] {
  if (url === undefined || !url.startsWith(given.root)) return []
  return new URL(url).searchParams.get('with')?.split(' ') ?? []
}
