import { growthOf, sizesOf, type Growth, type Waits } from './wait-growth.js'
import type { WaitRound } from './wait-rounds.js'

/** Share of the waits near the shortest one from which on they are taken for alike; jitter over 50 ms puts a tenth there. */
export const crowdedShare = 0.3
/** How near, in milliseconds: timers of one process differ by less on a machine that is not too busy. */
const crowdMs = 5
/** The same as a share of the wait: what a busy machine adds is little against a long one, and chance is not. */
const crowdShareOfWait = 0.005
/** Calls needed to find waits identical; with fewer calls a larger share of identical ones is needed. */
const leastCalls = 24
const fewest = { calls: 10, crowdedShare: 0.6 } as const
/**
 * Where there is no jitter before one retry: the share of its waits that are within so many milliseconds at least, and how many times as far those scatter that have some, for
 * their length.
 */
const bareShare = 0.6
const bareMs = 15
const furtherScattered = 4
/** How many times as long a later wait is that shows that waits had not reached their cap. */
const longer = 1.3
/**
 * How many times as long as the first wait the second one is at least where there was no first one, and how many times as long the first would be at
 * least if waits grew to the second as they grow from there to the third.
 */
const leap = { second: 8, expected: 6 } as const
/** A second wait from which on there is something to compare with, in milliseconds, and the calls that must agree, half as plainly. */
const somethingMs = 100
const most = 0.75
/** Longest stall of this process during a round, in milliseconds or as a share of the first wait, whichever is more. */
const quiet = { ms: 300, share: 1 } as const
/** First waits from which on one round is enough: what holds up a machine that is not too busy is short against them. */
const longWaitMs = 1_000

/** The conclusions from rounds of calls. */
export interface WaitJudgement {
  readonly growth: Growth
  readonly areEqual: boolean
  /** Retries whose waits are alike. */
  readonly equalWaits: number
  /** The first retry, counted from 1, before which every call waits for the same time, and a later wait is longer: no cap made them alike. */
  readonly bare: number | undefined
  /** Whether calls do not wait before their first retry, and do before the second. */
  readonly beginsAtOnce: boolean
  readonly calls: number
  readonly columns: number
  readonly figures: readonly {
    readonly min: number
    readonly typical: number
    readonly max: number
    readonly crowded: number
  }[]
  /** Whether more rounds could not change the verdict. */
  readonly isSure: boolean
  /** Whether there was a round without a stall of this machine: its delays elsewhere make identical waits differ. */
  readonly hasStillRound: boolean
  /** Whether there were rounds enough in which this machine was quiet. */
  readonly isQuiet: boolean
  /** Whether a failure for the growth rests on rounds in which this machine was quiet. */
  readonly isTrusted: boolean
}

/**
 * Combines the rounds. Rounds with a stall count only if there are no others, and never for a failure of the growth, for which two rounds
 * must agree.
 */
export function judgeWaits(rounds: readonly WaitRound[], retries: number): WaitJudgement {
  const columns = Math.min(...rounds.flatMap((round) => round.waits.map((callWaits) => callWaits.length)), retries)
  const cut = rounds.map((round) => ({ ...round, waits: round.waits.map((callWaits) => callWaits.slice(0, columns)) }))
  const still = cut.filter(
    (round) => round.loopDelayMs <= Math.max(quiet.ms, quiet.share * (sizesOf(round.waits)[0] ?? 0)),
  )
  const used = still.length > 0 ? still : cut
  const waits = used.flatMap((round) => round.waits)
  const sorted = Array.from({ length: columns }, (_, index) =>
    waits.map((callWaits) => callWaits[index] ?? 0).sort((one, other) => one - other),
  )
  const growth = growthOf(waits)
  const shareNeeded = waits.length >= leastCalls ? crowdedShare : fewest.crowdedShare
  const equal = sorted.filter((column) => crowdOf(column) >= shareNeeded).length
  const areEqual = equal * 2 > columns && waits.length >= fewest.calls
  const bare =
    waits.length < leastCalls ? -1 : sorted.findIndex((column, index) => isWithoutJitter(column, sorted[index + 1]))
  const beginsAtOnce = waits.length >= fewest.calls && beginAtOnce(waits)
  const isQuiet = still.length >= 2 || (still.length > 0 && (sizesOf(waits)[0] ?? 0) >= longWaitMs)
  const isTrusted = isQuiet && still.every((round) => growthOf(round.waits) !== 'exponential')
  const isPassed = growth === 'exponential' && equal === 0 && still.length > 0
  const isFailed =
    growth !== 'undecided' && (growth === 'exponential' || isTrusted) && (areEqual || growth !== 'exponential')
  return {
    growth,
    areEqual,
    equalWaits: equal,
    bare: bare === -1 ? undefined : bare + 1,
    beginsAtOnce,
    calls: waits.length,
    columns,
    figures: sorted.map((column) => ({
      min: Math.round(column[0] ?? 0),
      typical: Math.round(median(column)),
      max: Math.round(column.at(-1) ?? 0),
      crowded: Number(crowdOf(column).toFixed(2)),
    })),
    isSure: isPassed || isFailed,
    hasStillRound: still.length > 0,
    isQuiet,
    isTrusted,
  }
}

/**
 * Returns whether calls wait before their second retry, but not before their first. Another case reports a client that waits before
 * neither.
 */
export function beginAtOnce(waits: Waits): boolean {
  const typical = (index: number) =>
    median(waits.map((callWaits) => callWaits[index] ?? 0).toSorted((one, other) => one - other))
  const [first, second, third] = [typical(0), typical(1), typical(2)]
  if (waits.length < fewest.calls || second < somethingMs || third < second) return false
  const agreeing = waits.filter(([one = 0, two = 0]) => one * (leap.second / 2) <= two).length
  return (
    first * leap.second <= second && first * leap.expected * third <= second ** 2 && agreeing >= waits.length * most
  )
}

/** Whether waits, sorted, have no jitter, where the `other` ones have. Those of a later retry must be longer: a cap makes waits alike. */
export function isWithoutJitter(
  waits: readonly number[],
  other: readonly number[] | undefined,
  grows = longer,
): boolean {
  if (other === undefined || median(other) < median(waits) * grows) return false
  const scatter = (column: readonly number[]) =>
    ((column[Math.floor(column.length * most)] ?? 0) - (column[0] ?? 0)) / median(column)
  const near = waits.filter((wait) => wait <= (waits[0] ?? 0) + bareMs).length
  return near >= waits.length * bareShare && scatter(other) >= scatter(waits) * furtherScattered
}

/** Of numbers in their order. */
export function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The share of the waits, sorted, that are as good as the shortest one. */
function crowdOf(sorted: readonly number[]): number {
  const shortest = sorted[0] ?? 0
  const limit = shortest + Math.max(crowdMs, crowdShareOfWait * shortest)
  return sorted.filter((value) => value <= limit).length / Math.max(1, sorted.length)
}
