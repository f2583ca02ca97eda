/** Two texts, parted where they differ: what they begin with, what only one has, what they end with. */
export interface Difference {
  readonly before: string
  readonly expected: string
  readonly got: string
  readonly after: string
}

/** Undefined where nothing that is worth a mark is common to both. */
export function differenceOf(expected: string, got: string): Difference | undefined {
  const shorter = Math.min(expected.length, got.length)
  let start = 0
  while (start < shorter && expected[start] === got[start]) start++
  let end = 0
  while (end < shorter - start && expected.at(-1 - end) === got.at(-1 - end)) end++
  if (start + end < Math.max(4, shorter / 4)) return undefined
  return {
    before: expected.slice(0, start),
    expected: expected.slice(start, expected.length - end),
    got: got.slice(start, got.length - end),
    after: end === 0 ? '' : expected.slice(-end),
  }
}
