import { expect, test } from 'vitest'
import { ClockLog } from './clock-log.js'

const hour = 3_600_000

/** A log of advances: when each began and ended on this machine's clock, and what it answered. */
function logOf(...advances: readonly (readonly [startedAt: number, endedAt: number, now: number])[]): ClockLog {
  const log = new ClockLog()
  for (const [startedAt, endedAt, now] of advances) log.begin(startedAt)(now, endedAt)
  return log
}

test('an arrival between two advances is bounded by both', () => {
  const { earliest, latest } = logOf([100, 110, 110], [150, 160, 160 + hour]).at(130)
  expect(earliest).toBe(130)
  expect(latest).toBeGreaterThanOrEqual(130 + hour)
})

test('an arrival during an advance most likely preceded its answer', () => {
  const { earliest, latest, likelyLatest } = logOf([100, 110, 110], [150, 190, 170 + hour]).at(160)
  // The clock may pause while it is moved.
  expect(earliest).toBe(150)
  expect(likelyLatest).toBe(170 + hour)
  expect(latest).toBeGreaterThanOrEqual(180 + hour)
})

test('an arrival in the millisecond in which one advance ended and the next began may belong to either', () => {
  const log = logOf([100, 110, 110], [150, 150, 150 + hour], [150, 151, 151 + 2 * hour])
  const { earliest, latest, likelyLatest } = log.at(150)
  expect(earliest).toBeLessThanOrEqual(150 + hour)
  expect(latest).toBeGreaterThanOrEqual(150 + 2 * hour)
  expect(likelyLatest).toBeGreaterThanOrEqual(150 + 2 * hour)
})

test('a call after an answer knows that it was given, in the same millisecond too', () => {
  expect(logOf([100, 110, 110 + hour]).earliestSince(110)).toBe(110 + hour)
  expect(logOf([100, 110, 110 + hour]).at(110).latest).toBeGreaterThanOrEqual(110 + hour)
})

test('an advance without an answer bounds nothing, and nothing bounds a time without a mark', () => {
  const log = new ClockLog()
  expect(log.earliestSince(100)).toBe(-Infinity)
  log.begin(100)
  expect(log.at(120)).toEqual({ earliest: -Infinity, latest: Infinity, likelyLatest: Infinity })
})

test('a clock that stopped while it was moved is late by as long as its advances took', () => {
  const log = logOf([100, 110, 100 + hour], [150, 550, 140 + 2 * hour], [600, 700, 190 + 3 * hour])
  const { earliest, latest, likelyLatest } = log.at(160)
  expect(earliest).toBeLessThanOrEqual(140 + hour)
  expect(likelyLatest).toBe(140 + 2 * hour)
  expect(latest).toBeGreaterThanOrEqual(140 + 2 * hour)
  expect(log.earliestSince(710)).toBe(200 + 3 * hour)
})
