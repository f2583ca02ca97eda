import type { OpenPointId } from '../../spec/open-points.js'

/** A reference that decides an open point otherwise, or uses a freedom the interface leaves: it conforms. */
export interface Variant<P> {
  /** Permanent, kebab case: `server/nested-errors`. */
  readonly id: string
  readonly title: string
  /** Open points it decides otherwise. */
  readonly openPoints: readonly OpenPointId[]
  readonly policy: Partial<P>
}
