import type { RequirementId } from '../../spec/index.js'
import type { OpenPointId } from '../../spec/open-points.js'
import type { ReferenceKind, References } from '../patching/load.js'
import type { Patch } from '../patching/patch.js'

/** A reference that decides an open point otherwise, or uses a freedom the interface leaves: it conforms. */
export interface Variant<Kind extends ReferenceKind> {
  /** Permanent, kebab case: `server/nested-errors`. */
  readonly id: string
  readonly title: string
  /** Open points it decides otherwise. */
  readonly openPoints: readonly OpenPointId[]
  /** Advice (`should`) that it does not follow. */
  readonly ignores?: readonly RequirementId[]
  /** It is judged by itself, never together with others, where each case would be asked again. */
  readonly isAlone?: true
  /** Entries of the policy that are replaced. */
  readonly policy: Partial<References[Kind]['policy']>
  /** Code that is written otherwise, where no entry of the policy is meant for it. */
  readonly patch?: readonly Patch[]
}
