// The one catalogue of forgeries and unusual deliveries, for every kind of subject and every scheme.

import type { Forgery, ForgeryGroup } from './forgery.js'
import {
  changedParts,
  otherVersionEntries,
  futureDeliveries,
  hostileBodies,
  malformedEntries,
  malformedTimestamps,
  missingParts,
  respelledTimestamps,
  severalEntries,
  staleDeliveries,
} from './messages.js'
import { otherContents, otherHashes, otherKeys } from './algorithms.js'
import { otherVersions } from './labels.js'
import { looseEntries, malformedSignatures, partsOfValues, wrongValues } from './signatures.js'

/** Every forgery, in the order of the groups. */
export const forgeries: readonly Forgery[] = [
  ...missingParts,
  ...wrongValues,
  ...partsOfValues,
  ...otherKeys,
  ...otherHashes,
  ...otherContents,
  ...changedParts,
  ...hostileBodies,
  ...otherVersions,
  ...looseEntries,
  ...malformedSignatures,
  ...respelledTimestamps,
  ...malformedTimestamps,
  ...staleDeliveries,
  ...futureDeliveries,
  ...severalEntries,
  ...otherVersionEntries,
  ...malformedEntries,
]

/** The forgeries of a group; without those that only fast subjects are given, unless `isDense`. */
export function forgeriesOf(group: ForgeryGroup, { isDense = false } = {}): readonly Forgery[] {
  return forgeries.filter((forgery) => forgery.group === group && (isDense || forgery.isDense === undefined))
}

export { reasonToSkip, type Forgery, type ForgeryGroup } from './forgery.js'
export { requirementsOfGroups } from './requirements.js'
