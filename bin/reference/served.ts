import { nearest } from '../../harness/parsing.js'
import type { Mutant } from '../../proof/mutants/index.js'
import { UsageError } from '../cli/usage.js'
import type { Startable } from './deviations.js'

const entries = {
  server: () => import('../../reference/server/index.js'),
  receiver: () => import('../../reference/receiver/index.js'),
} as const

/** Throws an error in words if the reference has no such mutant. */
export async function checkMutant(kind: 'server' | 'receiver', id: string): Promise<void> {
  await mutantOf(kind, id)
}

/** The reference that is served: as it is, or with the mistake of the mutant that `--mutant` names. */
export async function servedReference<Kind extends 'server' | 'receiver'>(
  kind: Kind,
  id: string | undefined,
): Promise<Startable<Kind> & { readonly title?: string }> {
  if (id === undefined) return { entry: (await entries[kind]()) as Startable<Kind>['entry'], policy: {} }
  const { withMutant } = await import('./deviations.js')
  const chosen = await mutantOf(kind, id)
  return { ...(await withMutant(kind, chosen)), title: `${chosen.title} (breaks ${chosen.breaks.join(', ')})` }
}

async function mutantOf<Kind extends 'server' | 'receiver'>(kind: Kind, id: string): Promise<Mutant<Kind>> {
  const { serverMutants, receiverMutants } = await import('../../proof/mutants/index.js')
  const { heldOut } = await import('../../proof/held-out/index.js')
  const all: readonly { readonly id: string }[] = kind === 'server' ? serverMutants : receiverMutants
  const mutant = [...all, ...heldOut.filter((slip) => slip.id.startsWith(`${kind}/`))].find(
    (candidate) => candidate.id === id,
  )
  if (mutant !== undefined) return mutant as Mutant<Kind>
  const near = nearest(
    id,
    all.map((candidate) => candidate.id),
  )
  const meant = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`
  throw new UsageError(
    `--mutant ${id}: no such mutant of the ${kind}${meant} (conformance selftest --mutant '${kind}/*' --diff shows them)`,
  )
}
