import {
  TooBusy,
  json,
  LoopWatch,
  type ClientContext,
  type ReceivedRequest,
  type Reply,
} from '../../../harness/authoring.js'
import { waitsBetween } from './expectations.js'
import { growthOf, type Waits } from './wait-growth.js'
import { beginAtOnce, isWithoutJitter } from './judge-waits.js'

/** Calls that fail alike, and are made again after waits. */
export interface WaitingCalls {
  readonly method: string
  readonly args: readonly unknown[]
  /** What every attempt but the last is answered. */
  readonly reply: Reply
}

export interface MeasuredWaits {
  /** One row a call; without those that made fewer attempts. */
  readonly waits: Waits
  readonly isComplete: boolean
  /** The longest stall of this process meanwhile, in milliseconds. */
  readonly loopDelayMs: number
  /** The typical time from the begin of a call until its first request arrived, in milliseconds, without any wait. */
  readonly reachMs: number
}

/** Calls of each kind, and their retries: where drivers make one call after the other, fewer. */
const sizes = { concurrent: { calls: 24, retries: 3 }, serial: { calls: 3, retries: 2 } } as const
/** Time between the beginnings of two calls, in milliseconds: those that do not wait are over before the next begins. */
const paceMs = 40
/** Longest stall of this process while waits are compared, in milliseconds, or as a share of the first wait, whichever is more. */
const quietMs = 300
const markHeader = 'x-mark'

/** A usual wait from which on there is something to compare with, in milliseconds. */
const somethingMs = 100
/** Above this usual wait, the threshold for "no wait before a last retry" stays the same, in milliseconds. */
const maxCompared = 1_000
/** Up to this share of the usual wait there was none: a connection takes its time. With jitter down to nothing one in forty is so short. */
const nothing = 1 / 20
const most = 0.75
/**
 * Measures the waits of each kind of calls concurrently. Each call has a client of its own, identified by an extra header, so that calls
 * without arguments are distinguishable too.
 */
export async function measureWaits(
  { client, isConcurrent, server }: Pick<ClientContext, 'client' | 'isConcurrent' | 'server'>,
  kinds: readonly WaitingCalls[],
): Promise<readonly MeasuredWaits[]> {
  const { calls, retries } = isConcurrent ? sizes.concurrent : sizes.serial
  const received = new Map<string, ReceivedRequest[]>()
  const begunAt = new Map<string, number>()
  server.script((request) => {
    const mark = request.headers[markHeader] ?? ''
    const attempts = received.get(mark) ?? []
    attempts.push(request)
    received.set(mark, attempts)
    const reply = kinds[Number(mark.split('.')[0])]?.reply
    return attempts.length > retries || reply === undefined
      ? json(200, { id: 'x_1', data: [], next_cursor: null })
      : reply
  })
  const startedAt = performance.now()
  const loopDelayMs = await LoopWatch.during(async (watch) => {
    await Promise.all(
      Array.from({ length: calls }, (_, index) => index).flatMap((index) =>
        kinds.map(async ({ method, args }, kind) => {
          const place = index * kinds.length + kind
          await new Promise((resolve) => setTimeout(resolve, isConcurrent ? place * paceMs : 0))
          const handle = await client({ max_retries: retries, headers: { [markHeader]: `${kind}.${index}` } })
          begunAt.set(`${kind}.${index}`, performance.now())
          return handle.call(method, args)
        }),
      ),
    )
    return watch.longestSince(startedAt)
  })
  return kinds.map((_, kind) => {
    const waits = Array.from({ length: calls }, (_, index) => waitsBetween(received.get(`${kind}.${index}`) ?? []))
      .map((waits) => waits.slice(0, retries))
      .filter((waits) => waits.length === retries)
    const reachMs = Array.from({ length: calls }, (_, index) => {
      const mark = `${kind}.${index}`
      return (received.get(mark)?.[0]?.arrivedAt ?? 0) - (begunAt.get(mark) ?? 0)
    }).sort((one, other) => one - other)
    return { waits, isComplete: waits.length === calls, loopDelayMs, reachMs: quantile(reachMs, 0.5) }
  })
}

/** The most rounds of calls, until there are enough waits to decide whether they grow. */
const maxRounds = 4
/** None begins later than this after its case did, in milliseconds: a client of long waits is left open rather than cut off. */
const beginWithinMs = 60_000

/**
 * Compares the waits of calls of one kind with the usual ones: `measured`, and those of more rounds while it is undecided whether waits
 * grow that usually do. Jitter by half of a wait needs some 60 calls. `startedAt`, of `performance.now()`: when the case began.
 */
export async function measureUntilDecided(
  context: Pick<ClientContext, 'client' | 'isConcurrent' | 'server'>,
  kinds: readonly [usual: WaitingCalls, others: WaitingCalls],
  {
    measured,
    startedAt,
  }: { readonly measured: readonly [usual: MeasuredWaits, others: MeasuredWaits]; readonly startedAt: number },
): Promise<readonly [usual: MeasuredWaits, others: MeasuredWaits]> {
  let [usual, others] = measured
  for (let round = 1; round < maxRounds; round++) {
    const isOpen = growthOf(usual.waits) === 'exponential' && growthOf(others.waits) === 'undecided'
    if (performance.now() - startedAt > beginWithinMs) break
    if (!isOpen || !context.isConcurrent || !usual.isComplete || !others.isComplete) break
    const [moreUsual, moreOthers] = await measureWaits(context, kinds)
    if (moreUsual === undefined || moreOthers === undefined) break
    usual = together(usual, moreUsual)
    others = together(others, moreOthers)
  }
  return [usual, others]
}

function together(one: MeasuredWaits, other: MeasuredWaits): MeasuredWaits {
  return {
    waits: [...one.waits, ...other.waits],
    isComplete: one.isComplete && other.isComplete,
    loopDelayMs: Math.max(one.loopDelayMs, other.loopDelayMs),
    reachMs: Math.max(one.reachMs, other.reachMs),
  }
}

/** A property that the usual waits have and these do not. */
export interface WaitFault {
  readonly requirement: 'CLI-016' | 'CLI-017'
  /** Which waits, of those before the first, the second or the last retry. */
  readonly which: string
  readonly expected: string
  readonly got: string
}

/**
 * Returns the properties that `others` lack: only those that the usual waits clearly have count, and lengths are not compared. Other cases
 * report a client whose usual waits are almost nothing, and one that does not retry.
 */
export function findWaitFaults(usual: MeasuredWaits, others: MeasuredWaits): readonly WaitFault[] {
  if (!others.isComplete) return []
  const columns = others.waits[0]?.length ?? 0
  const faults: WaitFault[] = []
  const [usualMs, lastMs] = [sortedColumn(usual.waits, columns - 1), sortedColumn(others.waits, columns - 1)]
  const typicalMs = quantile(usualMs, 0.5)
  const noneMs = Math.min(typicalMs, maxCompared) * nothing
  const expected = `waits, as there are usually (${usualMs.join(', ')})`
  if (typicalMs >= somethingMs && lastMs.filter((ms) => ms <= noneMs).length >= lastMs.length * most)
    faults.push({ requirement: 'CLI-016', which: 'last', expected, got: lastMs.join(', ') })
  else if (beginAtOnce(others.waits) && !beginAtOnce(usual.waits))
    faults.push({
      requirement: 'CLI-016',
      which: 'first',
      expected: `waits, as before the second (${sortedColumn(others.waits, 1).join(', ')})`,
      got: sortedColumn(others.waits, 0).join(', '),
    })
  if (faults.length > 0) return faults
  if (typicalMs >= somethingMs && isLost(lastMs, usualMs, others.reachMs))
    throw new TooBusy(
      `this machine was too busy to measure waits: a request took ${Math.round(others.reachMs)} ms to arrive, the last waits ${lastMs.join(', ')}`,
    )
  const isSure = others.waits.length >= sizes.concurrent.calls
  const firstMs = quantile(sortedColumn(others.waits, 0), 0.5)
  const isBare = (column: number) =>
    isWithoutJitter(sortedColumn(others.waits, column), sortedColumn(usual.waits, column), 0)
  if (isSure && isBare(0) && isBare(1))
    faults.push({
      requirement: 'CLI-017',
      which: 'first and second',
      expected: 'waits that differ, as they usually do',
      got: sortedColumn(others.waits, 0).join(', '),
    })
  const usually = growthOf(usual.waits)
  if (!isSure || usually === 'level' || growthOf(others.waits) !== 'level') return faults
  if (others.loopDelayMs > Math.max(quietMs, firstMs)) {
    if (faults.length > 0) return faults
    throw new TooBusy(
      `this machine stalled for ${Math.round(others.loopDelayMs)} ms, too long to compare waits of ${Math.round(firstMs)} ms and more`,
    )
  }
  if (usually === 'exponential')
    faults.push({
      requirement: 'CLI-016',
      which: 'last',
      expected: `waits that have grown, as they usually do, beyond those before the first (${sortedColumn(others.waits, 0).join(', ')})`,
      got: sortedColumn(others.waits, columns - 1).join(', '),
    })
  return faults
}

/**
 * Returns whether waits are clearly shorter than the usual ones, and no longer than a request without a wait on this machine: the library may
 * not wait at all.
 */
function isLost(waits: readonly number[], usual: readonly number[], reachMs: number): boolean {
  return quantile(waits, most) < quantile(usual, 1 - most) && quantile(waits, 0.5) <= 2 * reachMs
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

/** Waits before one retry, in whole milliseconds, the shortest first. */
export function sortedColumn(waits: Waits, column: number): number[] {
  return waits.map((callWaits) => Math.round(callWaits[column] ?? 0)).sort((one, other) => one - other)
}
