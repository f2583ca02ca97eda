import type { RequirementId } from '../../spec/index.js'
import type { OpenPointId } from '../../spec/open-points.js'
import type { ReferenceKind, References } from '../patching/load.js'
import type { Patch } from '../patching/patch.js'

/** A reference with another decision on an open point, or a freedom that the interface leaves: it conforms. */
export interface Variant<Kind extends ReferenceKind> {
  /** Permanent, kebab case: `server/nested-errors`. */
  readonly id: string
  readonly title: string
  /** Open points with another decision. */
  readonly openPoints: readonly OpenPointId[]
  /** Advice (`should`) that it does not follow. */
  readonly ignores?: readonly RequirementId[]
  /** Judged alone, never together with others, where each case would run again. */
  readonly isAlone?: true
  /** Cases cannot be run on it: it is in one combination only, so that they are run on the others. */
  readonly hidesCases?: true
  /** Entries of the policy that are replaced. */
  readonly policy: Partial<References[Kind]['policy']>
  /** Replaced code, if no entry of the policy exists for it. */
  readonly patch?: readonly Patch[]
}
