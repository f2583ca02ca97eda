import type { OpenPointId } from '../../spec/open-points.js'
import type { Policy } from '../../reference/server/index.js'
import type { Variant } from './variant.js'

export type ServerVariant = Variant<'server'>

/** A variant of the server of some entries of its policy. */
export function variant(
  id: string,
  title: string,
  points: readonly OpenPointId[],
  policy: Partial<Policy>,
): ServerVariant {
  return { id: `server/${id}`, title, openPoints: points, policy }
}
