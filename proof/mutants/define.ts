import type { RequirementId } from '../../spec/index.js'
import type { ReferenceKind, References } from '../patching/load.js'
import type { Patch } from '../patching/patch.js'

export type { Patch, ReferenceKind }

/** How the reference is made wrong: in exactly one of three ways. */
type Deviation<Kind extends ReferenceKind> =
  | {
      /** Entries of the policy that are replaced: a number, an open point, a pure decision. */
      readonly policy: Partial<References[Kind]['policy']>
      readonly wrap?: never
      readonly patch?: never
    }
  | {
      /** A wrapper of the reference: its entry with code before or after it. */
      readonly wrap: (entry: References[Kind]['entry']) => References[Kind]['entry']
      readonly policy?: never
      readonly patch?: never
    }
  | {
      /** Replaced code, in a copy of the reference for this mutant only. */
      readonly patch: readonly [Patch, ...Patch[]]
      readonly policy?: never
      readonly wrap?: never
    }

/** A reference broken in one way on purpose. */
export type Mutant<Kind extends ReferenceKind> = {
  /** Permanent, kebab case: `server/retries-after-six-seconds`. */
  readonly id: `${Kind}/${string}`
  /** The mistake, in one sentence a team would recognise. */
  readonly title: string
  /** The requirements the deviation contradicts. A case of one of them must fail. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]]
} & Deviation<Kind>

/** A mutant of any reference. */
export type AnyMutant = { readonly [Kind in ReferenceKind]: Mutant<Kind> }[ReferenceKind]

/** A mutant; its kind is the head of its id. */
export function defineMutant<Kind extends ReferenceKind>(mutant: Mutant<Kind>): Mutant<Kind> {
  return mutant
}
