/**
 * Deletes the oldest entries of a map or set that has more than `most`: a tenth of them at once, since finding the oldest iterates over
 * entries that were deleted before.
 */
export function keepNewest<Key>(map: Map<Key, unknown> | Set<Key>, most: number): void {
  if (map.size <= most) return
  let spare = Math.ceil(most / 10)
  for (const key of map.keys()) {
    if (spare-- <= 0) return
    map.delete(key)
  }
}
