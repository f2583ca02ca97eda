import type { Case } from './case.js'
import { findMissingOfCase } from './missing-capability.js'
import type { Subject } from './subject.js'

/** The usual time of a case besides its waits, in milliseconds, on a target of the same network. */
const usualMs = 300
/** Time of this process for a case, in milliseconds; it cannot be spent concurrently. */
const ownMs = 35
/** The shortest estimate, in milliseconds. */
const leastMs = 1_000

/** How long a run is expected to take, in milliseconds. */
export interface Estimate {
  readonly runMs: number
  /** The longest wait in real time of one case. */
  readonly longestWaitMs: number
}

/** Estimates the time of the cases that could run on the target, `concurrency` at a time. */
export function estimateRun<Context>(
  cases: readonly Case<Context>[],
  findMissing: Subject<never>['findMissing'],
  concurrency: number,
): Estimate {
  const waitsMs = cases
    .filter((testCase) => findMissingOfCase(testCase, (need) => findMissing(need, testCase)) === undefined)
    .map((testCase) => waitOf(testCase, findMissing))
  const longestWaitMs = Math.max(0, ...waitsMs)
  const concurrentMs = waitsMs.reduce((sum, waitMs) => sum + waitMs + usualMs, 0) / concurrency
  return { runMs: Math.max(leastMs, longestWaitMs, concurrentMs, waitsMs.length * ownMs), longestWaitMs }
}

/** Real time that a case waits, in milliseconds; none where the clock can be advanced. */
function waitOf<Context>(testCase: Case<Context>, findMissing: Subject<never>['findMissing']): number {
  if (findMissing('clock', testCase) === undefined) return 0
  const waits = testCase.needs.filter((need) => need.startsWith('time:'))
  return Math.max(0, ...waits.map((need) => Number(need.slice('time:'.length))))
}
