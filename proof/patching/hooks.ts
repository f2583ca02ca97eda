// Loader hooks of a thread of their own: a module that is imported with `?with=<ids>` is a copy with the patches of those
// ids, and so is every module of the reference on the way from there to a patched one. All else is shared, and resolves as ever.
// Patches that keep something between requests keep it in `ownState`, of which each copy has its own.
import { readdirSync, readFileSync } from 'node:fs'
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
/** The modules of the reference that import a module, by its URL. */
const importers = new Map<string, string[]>()
/** The modules that a copy has of its own, by the ids of its patches. */
const copied = new Map<string, ReadonlySet<string>>()

export function initialize(data: HookData): void {
  given = data
  for (const name of readdirSync(new URL(data.root), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue
    const { href } = new URL(name.replaceAll('\\', '/'), data.root)
    for (const [, specifier = ''] of readFileSync(new URL(href), 'utf8').matchAll(/\bfrom "(\.[^"]+)"/g)) {
      const imported = new URL(specifier, href).href
      importers.set(imported, [...(importers.get(imported) ?? []), href])
    }
  }
}

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const copy = copyOf(context.parentURL)
  if (specifier === ownStateSpecifier) return { url: `${ownStateUrl}${copy}`, format: 'module', shortCircuit: true }
  const resolved = await nextResolve(specifier, context)
  // An entry of the reference is imported as a copy, though patches may not concern it.
  const wanted = copyOf(resolved.url) || copy
  if (wanted === '' || !resolved.url.startsWith(given.root)) return resolved
  const [shared = ''] = resolved.url.split('?')
  return { ...resolved, url: copiedBy(idsOf(wanted)).has(shared) ? `${shared}${wanted}` : shared }
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  const ids = idsOf(copyOf(url))
  if (ids.length === 0) return loaded
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

function idsOf(copy: string): readonly string[] {
  return new URLSearchParams(copy).get('with')?.split(' ') ?? []
}

/** Returns the URLs of the modules that the patches of these ids change, and of those that import them. */
function copiedBy(ids: readonly string[]): ReadonlySet<string> {
  const key = ids.join(' ')
  const known = copied.get(key)
  if (known !== undefined) return known
  const files = ids.flatMap((id) => given.patches[id] ?? []).map(({ file }) => file.replace(/\.ts$/, '.js'))
  const all = new Set(files.map((file) => new URL(file, given.root).href))
  // The loop also reaches the elements that it adds.
  for (const url of all) for (const importer of importers.get(url) ?? []) all.add(importer)
  copied.set(key, all)
  return all
}
