// Mutants and variants of the references, made ready to be started.
import { heldOut } from '../../proof/held-out/index.js'
import { mutants, type Mutant } from '../../proof/mutants/index.js'
import { createLoader, type ReferenceKind, type References } from '../../proof/patching/load.js'
import { clientVariants } from '../../proof/variants/client.js'
import { receiverVariants } from '../../proof/variants/receiver.js'
import { senderVariants } from '../../proof/variants/sender.js'
import { serverVariants } from '../../proof/variants/server.js'
import type { Variant } from '../../proof/variants/variant.js'
import { verifierVariants } from '../../proof/variants/verifier.js'

/** A reference, ready to be started. */
export interface Startable<Kind extends ReferenceKind> {
  readonly entry: References[Kind]['entry']
  /** Entries of the policy that are replaced. */
  readonly policy: Partial<References[Kind]['policy']>
}

const load = createLoader([
  ...mutants,
  ...heldOut,
  ...serverVariants,
  ...senderVariants,
  ...receiverVariants,
  ...verifierVariants,
  ...clientVariants,
])

/** The reference with the deviation of a mutant in it. */
export async function withMutant<Kind extends ReferenceKind>(
  kind: Kind,
  mutant: Mutant<Kind>,
): Promise<Startable<Kind>> {
  const entry = await load(kind, [mutant])
  return { entry: mutant.wrap === undefined ? entry : mutant.wrap(entry), policy: mutant.policy ?? {} }
}

/** The reference with the decisions of some variants in it; as it is, with none. */
export async function withVariants<Kind extends ReferenceKind>(
  kind: Kind,
  variants: readonly Variant<Kind>[],
): Promise<Startable<Kind>> {
  const policies = variants.map((variant) => variant.policy)
  const policy = Object.assign({}, ...policies) as Partial<References[Kind]['policy']>
  return { entry: await load(kind, variants), policy }
}
