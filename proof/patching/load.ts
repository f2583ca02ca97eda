import { register } from 'node:module'
import type { HookData } from './hooks.js'
import { keepsState, type Patch } from './patch.js'

/** The references by kind: what a policy of theirs holds, and the modules they are started from. */
export interface References {
  readonly server: {
    readonly policy: import('../../reference/server/index.js').Policy
    readonly entry: typeof import('../../reference/server/index.js')
  }
  readonly receiver: {
    readonly policy: import('../../reference/receiver/index.js').ReceiverPolicy
    readonly entry: typeof import('../../reference/receiver/index.js')
  }
  readonly verifier: {
    readonly policy: Readonly<Record<never, never>>
    readonly entry: typeof import('../../reference/verifier/index.js')
  }
  readonly sender: {
    readonly policy: import('../../reference/sender/index.js').SenderPolicy
    readonly entry: typeof import('../../reference/sender/index.js')
  }
  readonly client: {
    readonly policy: import('../../reference/client/policy.js').ClientPolicy
    readonly entry: typeof import('../../reference/client/client.js') &
      typeof import('../../reference/client/errors.js')
  }
}

export type ReferenceKind = keyof References

const entries: Readonly<Record<ReferenceKind, readonly string[]>> = {
  server: ['server/index.js'],
  receiver: ['receiver/index.js'],
  verifier: ['verifier/index.js'],
  sender: ['sender/index.js'],
  client: ['client/client.js', 'client/errors.js'],
}

const root = new URL('../../reference/', import.meta.url).href

/** Anything with patches: a mutant, a variant. */
export interface Patched {
  readonly id: string
  readonly patch?: readonly Patch[] | undefined
}

/**
 * Loads references with the patches of some of `all`: a separate copy, and another at each call where patches keep state. Works on the built files alone: from `dist`, and in an installed
 * package. The hooks for it are registered with the first such copy.
 */
export function createLoader(
  all: readonly Patched[],
): <Kind extends ReferenceKind>(kind: Kind, patchedBy: readonly Patched[]) => Promise<References[Kind]['entry']> {
  let isRegistered = false
  let copies = 0

  function registerHooks(): void {
    if (isRegistered) return
    isRegistered = true
    const patches = Object.fromEntries(all.map(({ id, patch }) => [id, patch ?? []]))
    register<HookData>('./hooks.js', { parentURL: import.meta.url, data: { root, patches } })
  }

  return async (kind, patchedBy) => {
    const ids = patchedBy.filter(({ patch }) => patch !== undefined).map(({ id }) => id)
    if (ids.length > 0) registerHooks()
    // Node never forgets a module, so that only the copies that need it are loaded anew.
    const copy = patchedBy.some(({ patch }) => patch !== undefined && keepsState(patch)) ? `&copy=${++copies}` : ''
    const query = ids.length === 0 ? '' : `?with=${encodeURIComponent(ids.join(' '))}${copy}`
    const modules = entries[kind].map((file) => import(new URL(`${file}${query}`, root).href) as Promise<object>)
    return Object.assign({}, ...(await Promise.all(modules))) as References[typeof kind]['entry']
  }
}
