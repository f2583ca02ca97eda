/**
 * How the waits of many calls grow from one retry to the next. No base, factor, cap or kind of jitter is stated, so that
 * none is assumed: an exponential growth is a straight line, or one that bends upwards, in the logarithms of the waits, up to
 * a cap from which on they stay level. Waits that grow by the same amount each time bend downwards and never become level.
 */

/** Waits in milliseconds, one row a call, one column a retry. */
export type Waits = readonly (readonly number[])[]

export type Growth =
  | 'exponential'
  /** As long, or nearly as long, in the end as in the beginning. */
  | 'level'
  /** By the same amount each time. */
  | 'linear'
  | 'undecided'

/** Growth from the first wait to the last two: doubling makes 11 with five retries, a cap of twice the first wait 2. */
const leastGrowth = 1.3
/** Standard errors it takes to fail a client, and to pass one. Few calls take more of them, as Student's distribution has it. */
const failsFrom = 6
const passesFrom = 4
/**
 * How far the logarithms may bend downwards over this many waits before that counts. A wait drawn between a base and three
 * times the one before it (decorrelated jitter) bends by up to 0.05 and 0.2 over four and five; linear waits by 0.4 and 1.06.
 */
const freeBends: Readonly<Record<number, number>> = { 3: 0.08, 4: 0.1, 5: 0.3 }
/** Coefficients of the bend over this many waits. */
const bends: Readonly<Record<number, readonly number[]>> = {
  3: [1, -2, 1],
  4: [1, -1, -1, 1],
  5: [2, -1, -2, -1, 2],
}
/** Least difference of the last two of linear waits that a case distinguishes from waits at their cap. */
const leastStep = 0.12
/** How much more the shortest tenth may grow than it would where a client is failed: what holds up a machine leaves these waits alone. */
const lowMargin = 1.6
/** A single ratio this much above that of linear waits shows another growth, whatever the others are. */
const faster = 1.1

/** Judges the waits of at least three retries. More calls make it surer, never another verdict on the same client. */
export function growthOf(waits: Waits): Growth {
  const count = waits[0]?.length ?? 0
  if (waits.length < 8 || count < 3) return 'undecided'
  const estimate = estimator(waits, rootMeanSquares)
  const limit = failsFrom * (1 + 6 / waits.length)
  const total = estimate(weights(count, { [count - 1]: 0.5, [count - 2]: 0.5, 0: -1 }))
  const isGrown = total.above(Math.log(leastGrowth))
  const isGrownBelow = (factor: number) => lowGrowth(waits) > Math.log(factor * lowMargin)
  if (isGrown <= -limit) return isGrownBelow(1) ? 'undecided' : 'level'
  const pairs = pairsOf(count).map(({ from, to }) => ({
    ...estimate(weights(count, { [to]: 1, [from]: -1 })),
    linear: Math.log((to + 1) / (from + 1)),
  }))
  if (isGrown >= passesFrom && pairs.some((pair) => pair.above(pair.linear) >= passesFrom)) return 'exponential'
  const lastStep = estimate(weights(count, { [count - 1]: 1, [count - 2]: -1 }))
  if (isGrown >= passesFrom && lastStep.above(leastStep) <= -passesFrom) return 'exponential'
  if (count < 4 || pairs.some((pair) => pair.value > pair.linear + Math.log(faster))) return 'undecided'
  const opinions = [estimate, estimator(waits, ninthDeciles)]
  const isLinear = opinions.every((opinion) =>
    everyCap(count).every((cap) => isRefuted(cap, { count, estimate: opinion, limit })),
  )
  return isLinear && !isGrownBelow(count) ? 'linear' : 'undecided'
}

/** Growth of the shortest tenth of the waits from the first retry to the last, as a logarithm. */
function lowGrowth(waits: Waits): number {
  const lows = (waits[0] ?? []).map((_, index) => {
    const sorted = waits.map((row) => row[index] ?? 0).sort((one, other) => one - other)
    return Math.log(Math.max(1, sorted[Math.floor(sorted.length / 10)] ?? 0))
  })
  return (lows.at(-1) ?? 0) - (lows[0] ?? 0)
}

/** Root mean squares of each retry's waits, in milliseconds. */
export function sizesOf(waits: Waits): number[] {
  return (waits[0] ?? []).map((_, index) => Math.exp(rootMeanSquares(waits.map((row) => row[index] ?? 0)).log))
}

interface Estimate {
  readonly value: number
  /** Standard errors by which the value exceeds `bound`. */
  readonly above: (bound: number) => number
}

type Estimator = (coefficients: readonly number[]) => Estimate

/** A size of each retry's waits, and how much each wait has a part in its logarithm. */
interface Size {
  readonly log: number
  readonly parts: readonly number[]
}

/** Root mean squares: with full jitter they scatter less than means. */
function rootMeanSquares(column: readonly number[]): Size {
  const square = Math.max(1e-6, column.reduce((sum, value) => sum + value ** 2, 0) / column.length)
  return { log: Math.log(square) / 2, parts: column.map((value) => value ** 2 / (2 * square)) }
}

/** Ninth deciles: a cap that cuts waits after their jitter shows in them at once. */
function ninthDeciles(column: readonly number[]): Size {
  const sorted = column.toSorted((one, other) => one - other)
  const at = (share: number) => Math.max(1e-3, sorted[Math.round(share * (sorted.length - 1))] ?? 0)
  const [low, decile, high] = [at(0.85), at(0.9), at(0.95)]
  // The part of a wait is the density's inverse, from the waits on both sides.
  const scale = (high - low) / 0.1 / decile
  return { log: Math.log(decile), parts: column.map((value) => (value > decile ? 0.9 : -0.1) * scale) }
}

/**
 * Sums of the logarithms of sizes, with their standard errors from the scatter over the calls (delta method), so that the
 * waits of one call may depend on each other.
 */
function estimator(waits: Waits, sizeOf: (column: readonly number[]) => Size): Estimator {
  const sizes = (waits[0] ?? []).map((_, index) => sizeOf(waits.map((row) => row[index] ?? 0)))
  return (coefficients) => {
    const value = coefficients.reduce((sum, coefficient, index) => sum + coefficient * (sizes[index]?.log ?? 0), 0)
    const parts = waits.map((_, row) =>
      coefficients.reduce((sum, coefficient, index) => sum + coefficient * (sizes[index]?.parts[row] ?? 0), 0),
    )
    const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
    const variance = parts.reduce((sum, part) => sum + (part - mean) ** 2, 0) / Math.max(1, parts.length - 1)
    // Times are measured to a millisecond or so.
    const error = Math.sqrt(variance / parts.length + 1e-6)
    return { value, above: (bound) => (value - bound) / error }
  }
}

/** Whether an exponential growth up to `cap` cannot be: the index of the first wait that is cut, or the count for none. */
function isRefuted(
  cap: number,
  { count, estimate, limit }: { readonly count: number; readonly estimate: Estimator; readonly limit: number },
): boolean {
  const bend = bends[cap]
  const free = freeBends[cap] ?? 0
  const isBent = bend !== undefined && estimate(bend).above(-free) <= -limit
  const isStillGrowing = cap < count - 1 && estimate(weights(count, { [count - 1]: 1, [cap]: -1 })).above(0) >= limit
  return isBent || isStillGrowing
}

function everyCap(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function pairsOf(count: number): { readonly from: number; readonly to: number }[] {
  return Array.from({ length: count }, (_, to) => Array.from({ length: to }, (_, from) => ({ from, to }))).flat()
}

function weights(count: number, entries: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: count }, (_, index) => entries[index] ?? 0)
}
