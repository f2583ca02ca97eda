/** Part of the cases of a run. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number
  readonly count: number
  /**
   * How long cases took earlier, in milliseconds by id: the shards are made to take about as long as each other. Where
   * absent, each has as many cases as the others.
   */
  readonly durations?: ReadonlyMap<string, number>
}

/** The cases of one shard, in the order given. The shards of one list, one number and the same durations make up the whole. */
export function casesOfShard<C extends { readonly id: string }>(cases: readonly C[], shard: Shard): C[] {
  const { index, count, durations } = shard
  if (durations === undefined) return cases.filter((_, place) => place % count === index - 1)
  const known = cases.flatMap(({ id }) => durations.get(id) ?? [])
  const usual = known.reduce((sum, ms) => sum + ms, 0) / Math.max(1, known.length)
  // A case takes some time, whatever the clock measures: if all took 0 ms, the shards share the number of cases.
  const weighed = cases.map((testCase) => ({ testCase, ms: 1 + (durations.get(testCase.id) ?? usual) }))
  const loads = Array.from({ length: count }, () => 0)
  const own = new Set<C>()
  // The longest first, each to the shard that has least.
  for (const { testCase, ms } of weighed.toSorted((one, other) => other.ms - one.ms)) {
    const least = loads.indexOf(Math.min(...loads))
    loads[least] = (loads[least] ?? 0) + ms
    if (least === index - 1) own.add(testCase)
  }
  return cases.filter((testCase) => own.has(testCase))
}
